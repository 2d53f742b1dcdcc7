module.exports = () => fetch("x");
