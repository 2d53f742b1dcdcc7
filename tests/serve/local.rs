//! The `local` binary: arguments, messages, exit codes.

use std::process::{Command, Output};

fn local(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    command.args(arguments).env_clear();
    command.output().expect("the binary starts")
}

fn check(arguments: &[&str], code: i32, stderr: &str) {
    let output = local(arguments);
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn help_fits_a_screen_and_shows_an_example() {
    let output = local(&["--help"]);
    let help = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(help.lines().count() <= 24, "{help}");
    assert!(help.contains("local serve --artifact"), "{help}");
}

#[test]
fn no_artifact() {
    for command in ["serve", "stdio"] {
        check(
            &[command],
            2,
            "error: no artifact given\n  help: name the file that `builder build` wrote with `--artifact FILE`\n",
        );
    }
}

#[test]
fn an_artifact_that_is_not_there() {
    let output = local(&["serve", "--artifact", "no/such.shelf"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("error: `no/such.shelf` could not be opened: "),
        "{message}"
    );
    assert!(message.contains("help: "), "{message}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_log_level_that_is_none() {
    let output = local(&["serve", "--log", "runtime=loud"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("error: cannot log `runtime=loud`: "),
        "{message}"
    );
    assert_eq!(output.status.code(), Some(2));
}
