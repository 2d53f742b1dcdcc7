//! The owner's desk: reads the feedback that a local or a deployed server has kept.

fn main() -> std::process::ExitCode {
    runtime::inbox::cli::main()
}
