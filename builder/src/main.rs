//! The `builder` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    builder::cli::main()
}
