//! Reads a site's folder and tells what there is: `cargo run -p builder --example read_site -- FOLDER [CONFIG]`.

use std::time::Instant;

fn main() {
    let mut args = std::env::args().skip(1);
    let options = builder::Options {
        site: args.next().unwrap_or_else(|| ".".into()).into(),
        config: args.next().map(Into::into),
        now: jiff::civil::Date::new(2026, 11, 30).expect("a date"),
        output: Vec::new(),
        url: None,
    };
    let start = Instant::now();
    let site = match builder::read_site(&options, &|_| {}) {
        Ok(site) => site,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let time = start.elapsed();
    for notice in &site.notices {
        println!("notice: {notice}");
    }
    for problem in &site.problems {
        println!("{problem}");
    }
    let bytes: usize = site.pages.iter().map(|page| page.markdown.len()).sum();
    let cuts: usize = site.pages.iter().map(|page| page.reading.cuts.len()).sum();
    println!(
        "{} pages, {} tags, {bytes} bytes of markdown, {cuts} cuts, {} errors, {} warnings, {time:?}",
        site.pages.len(),
        site.tags.len(),
        site.problems.errors(),
        site.problems.warnings(),
    );
}
