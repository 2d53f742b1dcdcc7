//! The command line: reads arguments, calls one function, prints, chooses an exit code.
//!
//! The result goes to standard output, everything that is told along the way to standard error. The exit code is 0 when it is done, 1 when
//! the content has problems, 2 when it could not run. This is the one place that asks what day it is.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use jiff::civil;
use jiff::tz::Offset;

use crate::assemble::assemble;
use crate::build::{BuildError, BuildOptions, DEFAULT_OUT, build};
use crate::catalogue;
use crate::check_site::{self, Asked, CheckError};
use crate::generator::Kind;
use crate::inspect::{self, Question};
use crate::problem::{Problems, Severity};
use crate::progress::Bar;
use crate::report::{Report, failure};
use crate::token::Token;
use crate::{CONFIG_FILE, ReadError, View};

/// Done.
const DONE: u8 = 0;
/// The content, or what was asked, has problems.
const PROBLEMS: u8 = 1;
/// It could not run.
const COULD_NOT_RUN: u8 = 2;

/// The site's folder unless another is named: this one where it is there, else the current one.
const USUAL_SITE: &str = "site";

/// Compile a static site's markdown into one artifact that answers MCP clients
#[derive(Debug, Parser)]
#[command(
    name = "builder",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Without a command it builds. Example:\n  \
                  builder --site docs --out dist\n  \
                  builder serve --site docs\n\n\
                  Exit status: 0 done, 1 the content has problems, 2 could not run."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    build: BuildArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build the artifact and the markdown twins of every page
    #[command(after_help = "Example:\n  builder build --site docs --out dist --strict")]
    Build(BuildArgs),
    /// Build, then serve the artifact to MCP clients on this machine
    #[cfg(feature = "serve")]
    #[command(after_help = "Example:\n  builder serve --site docs\n  builder serve --once")]
    Serve(ServeArgs),
    /// Read the site, write nothing, and compare it with what its generator built
    #[command(
        after_help = "Example:\n  builder check --site docs --built public\n  builder check --leaks\n\n\
                            Exit status: 0 all is in order, 1 there are problems, differences or leaks, 2 could not run."
    )]
    Check(CheckArgs),
    /// Write a commented settings file from what is found out about the site
    #[command(after_help = "Example:\n  builder init --site docs\n\n\
                            Exit status: 0 done, 1 there is a settings file already, 2 could not run.")]
    Init(SiteArgs),
    /// Print the site's tools as data, or what they cost a model
    #[command(
        after_help = "Example:\n  builder catalogue --json --write-tools\n  builder catalogue --budget\n\n\
                            Exit status: 0 done, 1 no such collection, 2 could not run."
    )]
    Catalogue(CatalogueArgs),
    /// Look inside an artifact
    #[command(
        after_help = "Example:\n  builder inspect dist/site.shelf --page /about\n\n\
                            Exit status: 0 done, 1 not there (with --verify: damaged), 2 could not be read."
    )]
    Inspect(InspectArgs),
    /// Make a bearer token for private collections, and its digest for the settings
    #[command(after_help = "Example:\n  builder token")]
    Token,
}

#[derive(Debug, Args)]
struct BuildArgs {
    #[command(flatten)]
    site: SiteArgs,
    /// Print the report as JSON on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct SiteArgs {
    /// The folder that holds the site [default: `site` if it is there, else the current folder]
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
    /// The folder to write into
    #[arg(long, value_name = "DIR", default_value = DEFAULT_OUT)]
    out: PathBuf,
    /// The settings [default: `shelfmark.toml` in the site's folder, if it is there]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The day in UTC after which everything is in the future and left out [default: today]
    #[arg(long, value_name = "DATE", value_parser = day)]
    now: Option<civil::Date>,
    /// The site's address, in place of the one in the settings
    #[arg(long, value_name = "URL", value_parser = address)]
    url: Option<String>,
    /// What the site is made with [default: found out from its files]
    #[arg(long, value_name = "NAME", value_parser = generator_of)]
    generator: Option<Kind>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Tell problems only
    #[arg(long, short)]
    quiet: bool,
}

#[cfg(feature = "serve")]
#[derive(Debug, Args)]
struct ServeArgs {
    #[command(flatten)]
    site: SiteArgs,
    /// The address to listen on; port 0 takes any free one [default: 127.0.0.1:8787]
    #[arg(long, value_name = "HOST:PORT")]
    addr: Option<std::net::SocketAddr>,
    /// Where feedback is kept [default: a file in your data folder]
    #[arg(long, value_name = "FILE")]
    feedback: Option<PathBuf>,
    /// Show private collections without a token; on a loopback address only
    #[arg(long)]
    private: bool,
    /// Call every tool once over a real connection, say how each did, and end
    #[arg(long, conflicts_with = "feedback")]
    once: bool,
}

#[derive(Debug, Args)]
struct CheckArgs {
    #[command(flatten)]
    site: SiteArgs,
    /// Compare routes, titles, anchors and hidden pages with the generator's output
    #[arg(long, value_name = "DIR")]
    built: Option<PathBuf>,
    /// Compare addresses with a sitemap
    #[arg(long, value_name = "FILE", conflicts_with = "built")]
    sitemap: Option<PathBuf>,
    /// List what is hidden, and search everything that would be written for it
    #[arg(long)]
    leaks: bool,
    /// Print the result as JSON on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct CatalogueArgs {
    #[command(flatten)]
    site: SiteArgs,
    /// Print whole definitions as JSON, or with --budget their costs
    #[arg(long)]
    json: bool,
    /// With the tools that would write to collections, which another server may serve
    #[arg(long)]
    write_tools: bool,
    /// Only the tools of one collection
    #[arg(long, value_name = "NAME")]
    collection: Option<String>,
    /// Print what each tool costs in tokens, by an estimate; with --json as data
    #[arg(long, conflicts_with = "write_tools")]
    budget: bool,
}

#[derive(Debug, Args)]
struct InspectArgs {
    /// The artifact, `dist/site.shelf` after a build
    #[arg(value_name = "FILE")]
    artifact: PathBuf,
    /// Look into the full view, with private collections
    #[arg(long)]
    private: bool,
    #[command(flatten)]
    question: QuestionArgs,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
struct QuestionArgs {
    /// Show what is held of one page
    #[arg(long, value_name = "ROUTE")]
    page: Option<String>,
    /// Show how a word is looked up and where it occurs
    #[arg(long, value_name = "WORD")]
    term: Option<String>,
    /// Show how a search reads a text and what ranks the best documents
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Show a tool as clients are told about it
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Compare every checksum and read every page
    #[arg(long)]
    verify: bool,
    /// Print each section's size, shares and purpose as JSON
    #[arg(long)]
    json: bool,
}

/// Reads the arguments and does what they say.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let code = match cli.command {
        None => run_build(cli.build),
        Some(Command::Build(args)) => run_build(args),
        #[cfg(feature = "serve")]
        Some(Command::Serve(args)) => run_serve(args),
        Some(Command::Check(args)) => run_check(args),
        Some(Command::Init(args)) => run_init(args),
        Some(Command::Catalogue(args)) => run_catalogue(args),
        Some(Command::Inspect(args)) => run_inspect(&args),
        Some(Command::Token) => run_token(),
    };
    ExitCode::from(code)
}

fn run_build(args: BuildArgs) -> u8 {
    match built(args.site, args.json) {
        Ok(report) if report.built.is_some() => DONE,
        Ok(_) => PROBLEMS,
        Err(code) => code,
    }
}

/// Builds and tells about it. An error is the exit code.
fn built(args: SiteArgs, json: bool) -> Result<Report, u8> {
    let start = Instant::now();
    let quiet = args.quiet;
    let options = args.options();
    let outcome = {
        let bar = Bar::new(quiet);
        build(&options, &|step| bar.step(step))
    };
    let seconds = start.elapsed().as_secs_f64();
    match outcome {
        Ok(mut report) => {
            report.seconds = seconds;
            tell(&report.told(!quiet));
            if !quiet || report.built.is_none() {
                tell(&format!("{report}\n"));
            }
            if json {
                print(&format!("{:#}\n", report.to_json()))?;
            }
            Ok(report)
        }
        Err(error) => {
            let none = Problems::default();
            let problems = match &error {
                BuildError::Read(ReadError::Config(problems)) => {
                    // Each names its own file and line.
                    tell(&format!("{error}\n"));
                    problems
                }
                _ => {
                    tell(&format!("error: {}\n", with_cause(&error)));
                    &none
                }
            };
            if json {
                let message = match problems.is_empty() {
                    true => with_cause(&error),
                    false => "the settings have problems".to_owned(),
                };
                print(&format!("{:#}\n", failure(&message, problems, seconds)))?;
            }
            Err(code_of(&error))
        }
    }
}

/// The message of an error; where it does not tell its cause, that stands behind its first line.
fn with_cause(error: &BuildError) -> String {
    match error {
        BuildError::Read(ReadError::Unreadable { source, .. }) => {
            format!(
                "{error}: {}\n  help: name a file that is there with `--config`",
                crate::output::said(source)
            )
        }
        _ => error.to_string(),
    }
}

impl SiteArgs {
    fn options(self) -> BuildOptions {
        let usual = || {
            let usual = Path::new(USUAL_SITE);
            if usual.is_dir() {
                usual
            } else {
                Path::new(".")
            }
            .to_owned()
        };
        let today = || Offset::UTC.to_datetime(jiff::Timestamp::now()).date();
        BuildOptions {
            site: self.site.unwrap_or_else(usual),
            out: self.out,
            config: self.config,
            now: self.now.unwrap_or_else(today),
            url: self.url,
            strict: self.strict,
            generator: self.generator,
        }
    }
}

/// A date, or the day in UTC of a moment.
fn day(text: &str) -> Result<civil::Date, String> {
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Ok(Offset::UTC.to_datetime(moment).date());
    }
    text.parse()
        .map_err(|_| "a date looks like `2026-03-31`".to_owned())
}

/// A generator by its name.
fn generator_of(name: &str) -> Result<Kind, String> {
    Kind::of(name).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        format!("known are {}", names.join(", "))
    })
}

/// An address that a site can have.
fn address(text: &str) -> Result<String, String> {
    match artifact::route::Address::parse(text, false) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(feature = "serve")]
fn run_serve(args: ServeArgs) -> u8 {
    use crate::serve::{Wanted, serve};
    let quiet = args.site.quiet;
    let report = match built(args.site, false) {
        Ok(report) => report,
        Err(code) => return code,
    };
    let Some(made) = &report.built else {
        return PROBLEMS;
    };
    let wanted = Wanted {
        artifact: &made.artifact,
        name: &report.server,
        address: args.addr,
        feedback: args.feedback,
        private: args.private,
        quiet,
    };
    let outcome = if args.once {
        crate::once::once(&wanted).and_then(|answers| {
            let fine = answers.iter().all(|answer| answer.wrong.is_none());
            let lines: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
            print(&lines).map_err(|_| "standard output is closed".to_owned())?;
            Ok(if fine { DONE } else { PROBLEMS })
        })
    } else {
        serve(&wanted).map(|()| DONE)
    };
    outcome.unwrap_or_else(|message| {
        tell(&format!("error: {message}\n"));
        COULD_NOT_RUN
    })
}

fn run_init(args: SiteArgs) -> u8 {
    let quiet = args.quiet;
    let options = args.options();
    let path = options
        .config
        .clone()
        .unwrap_or_else(|| options.site.join(CONFIG_FILE));
    let shown = crate::output::shown(&path);
    if path.exists() {
        tell(&format!(
            "error: `{shown}` is there already\n  help: move it away to have it written anew\n"
        ));
        return PROBLEMS;
    }
    let site = match crate::build::read(
        &BuildOptions {
            config: None,
            ..options
        },
        View::Public,
        &|_| (),
    ) {
        Ok(site) => site,
        Err(error) => {
            tell(&format!("error: {}\n", with_cause(&error)));
            return COULD_NOT_RUN;
        }
    };
    let draft = crate::init::draft(&site);
    if let Err(error) = std::fs::write(&path, &draft.text) {
        let why = crate::output::said(&error);
        tell(&format!("error: cannot write `{shown}`: {why}\n"));
        return COULD_NOT_RUN;
    }
    let mut told = format!(
        "wrote `{shown}`: {}, {} pages in {} collections\n",
        site.generator.title(),
        site.pages.len(),
        site.settings.collections.len()
    );
    for check in &draft.check {
        told.push_str(&format!("  check {check}\n"));
    }
    match quiet {
        true => DONE,
        false => print(&told).err().unwrap_or(DONE),
    }
}

fn run_check(args: CheckArgs) -> u8 {
    let quiet = args.site.quiet;
    let asked = Asked {
        built: args.built,
        sitemap: args.sitemap,
        leaks: args.leaks,
    };
    let outcome = {
        let bar = Bar::new(quiet);
        check_site::check(&args.site.options(), &asked, &|step| bar.step(step))
    };
    let checked = match outcome {
        Ok(checked) => checked,
        Err(CheckError::Build(error)) => {
            tell(&format!("error: {}\n", with_cause(&error)));
            return code_of(&error);
        }
        Err(CheckError::Built(message)) => {
            tell(&format!("error: {message}\n"));
            return COULD_NOT_RUN;
        }
    };
    tell(&checked.problems_told(!quiet));
    let printed = match args.json {
        true => print(&format!("{:#}\n", checked.to_json())),
        false => print(&checked.told()),
    };
    match printed {
        Ok(()) if checked.is_fine() => DONE,
        Ok(()) => PROBLEMS,
        Err(code) => code,
    }
}

fn run_catalogue(args: CatalogueArgs) -> u8 {
    let asked = catalogue::Asked {
        write_tools: args.write_tools,
        collection: args.collection,
    };
    let site = match crate::build::read(&args.site.options(), View::Public, &|_| ()) {
        Ok(site) => site,
        Err(error) => {
            tell(&format!("error: {}\n", with_cause(&error)));
            return code_of(&error);
        }
    };
    if site.problems.errors() > 0 {
        let wrong = site.problems.iter();
        for problem in wrong.filter(|problem| problem.severity == Severity::Error) {
            tell(&format!("{problem}\n"));
        }
        return PROBLEMS;
    }
    let catalogue = match catalogue::catalogue(&assemble(&site), &asked) {
        Ok(catalogue) => catalogue,
        Err(message) => {
            tell(&format!("error: {message}\n"));
            return PROBLEMS;
        }
    };
    let text = match (args.json, args.budget) {
        (true, true) => format!("{:#}\n", catalogue.budget_json()),
        (true, false) => format!("{:#}\n", catalogue.to_json()),
        (false, true) => catalogue.budget_told(),
        (false, false) => catalogue.told(),
    };
    print(&text).err().unwrap_or(DONE)
}

fn run_inspect(args: &InspectArgs) -> u8 {
    let asked = &args.question;
    let question = match asked {
        QuestionArgs {
            page: Some(page), ..
        } => Question::Page(page),
        QuestionArgs {
            term: Some(word), ..
        } => Question::Term(word),
        #[cfg(feature = "serve")]
        QuestionArgs {
            search: Some(text), ..
        } => Question::Search(text),
        QuestionArgs {
            tool: Some(name), ..
        } => Question::Tool(name),
        QuestionArgs { verify: true, .. } => Question::Verify,
        QuestionArgs { json: true, .. } => Question::Json,
        _ => Question::Overview,
    };
    let answer = match std::fs::read(&args.artifact) {
        Ok(bytes) => inspect::inspect(&bytes, args.private, &question),
        Err(error) => {
            let path = crate::output::shown(&args.artifact);
            tell(&format!(
                "error: cannot read `{path}`: {}\n  help: give the path of the `site.shelf` that `builder build` wrote\n",
                crate::output::said(&error)
            ));
            return COULD_NOT_RUN;
        }
    };
    match answer {
        Ok(text) => match print(&text) {
            Ok(()) => DONE,
            Err(code) => code,
        },
        Err(problem) => {
            let path = crate::output::shown(&args.artifact);
            tell(&format!("error: `{path}`: {problem}\n"));
            match (problem, question) {
                (inspect::Problem::NotThere(_), _) => PROBLEMS,
                // Whether it is damaged was the question.
                (inspect::Problem::Damaged(_), Question::Verify) => PROBLEMS,
                (inspect::Problem::Damaged(_) | inspect::Problem::Unreadable(_), _) => {
                    COULD_NOT_RUN
                }
            }
        }
    }
}

fn run_token() -> u8 {
    match Token::new() {
        Ok(token) => {
            tell(
                "give the token to those who may read, and the digest to the server: under `[server]`, `token_sha256 = [\"…\"]`, or in SHELFMARK_TOKEN_SHA256. \
                 The token is kept nowhere.\n",
            );
            print(&token.to_string()).map_or_else(|code| code, |()| DONE)
        }
        Err(message) => {
            tell(&format!("error: {message}\n"));
            COULD_NOT_RUN
        }
    }
}

/// What the program ends with when there was no build.
fn code_of(error: &BuildError) -> u8 {
    match error.is_about_the_content() {
        true => PROBLEMS,
        false => COULD_NOT_RUN,
    }
}

/// Writes to standard error. When nobody listens there, there is nobody to tell.
pub(crate) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes to standard output. A reader that has seen enough, such as `head`, is no failure.
fn print(text: &str) -> Result<(), u8> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            tell(&format!(
                "error: cannot write to standard output: {}\n",
                crate::output::said(&error)
            ));
            Err(COULD_NOT_RUN)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn every_help_fits_a_screen_and_shows_an_example() {
        let mut command = Cli::command();
        command.clone().debug_assert();
        let mut helps = vec![command.render_help().to_string()];
        helps.extend(
            command
                .get_subcommands_mut()
                .filter(|sub| sub.get_name() != "help")
                .map(|sub| sub.render_help().to_string()),
        );
        for help in helps {
            assert!(help.lines().count() <= 34, "{help}");
            assert!(help.contains("Example:"), "{help}");
        }
    }

    #[test]
    fn options_stand_with_and_without_the_command() {
        for arguments in [
            &["builder", "--site", "x", "--json"][..],
            &["builder", "build", "--site", "x", "--json"],
        ] {
            let cli = Cli::try_parse_from(arguments).expect("understood");
            let args = match cli.command {
                Some(Command::Build(args)) => args,
                _ => cli.build,
            };
            assert_eq!((args.site.site, args.json), (Some("x".into()), true));
        }
        assert!(
            Cli::try_parse_from(["builder", "inspect", "f", "--verify", "--page", "/"]).is_err()
        );
    }

    #[test]
    fn a_day_is_a_date_or_a_moment_in_utc() {
        let shown = |text| day(text).map(|day| day.to_string());
        assert_eq!(shown("2026-03-31").unwrap(), "2026-03-31");
        assert_eq!(shown("2026-03-31T23:30:00-02:00").unwrap(), "2026-04-01");
        assert_eq!(
            shown("tomorrow").unwrap_err(),
            "a date looks like `2026-03-31`"
        );
    }
}
