//! Compiles a site's markdown into one artifact and its static exports.
