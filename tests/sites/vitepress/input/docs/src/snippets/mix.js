// plantedsixteen
function all() {
  // #region mix
  const glaze = mix('ash');
    stir(glaze);
  // #endregion mix
}
