fn low() {}
