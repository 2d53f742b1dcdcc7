//! The local server.

fn main() -> std::process::ExitCode {
    runtime::cli::main()
}
