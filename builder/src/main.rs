//! The `builder` command.

fn main() {}
