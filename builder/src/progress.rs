//! The bar that a long build shows on a terminal.
//!
//! It stays hidden for half a second, so that a short build prints its report and nothing else, and is gone when the build ends.

use std::io::{IsTerminal as _, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::build::Step;
use crate::{Progress, pack};

/// A build that takes no longer shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// The bar of one build.
pub(crate) struct Bar {
    bar: ProgressBar,
    start: Instant,
    shown: AtomicBool,
}

impl Bar {
    /// A bar; one that never shows when `quiet`, or when standard error is no terminal.
    pub(crate) fn new(quiet: bool) -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg:12} [{bar:40}] {percent:>3} %") {
            bar.set_style(style.progress_chars("=> "));
        }
        Bar {
            bar,
            start: Instant::now(),
            shown: AtomicBool::new(quiet || !stderr().is_terminal()),
        }
    }

    /// Shows a step.
    pub(crate) fn step(&self, step: Step) {
        match step {
            // Reading, publishing, packing and writing: four steps a file, until the pages are counted.
            Step::Reading(Progress::Found(files)) => self.bar.set_length(files as u64 * 4),
            Step::Reading(Progress::Read(_)) => self.on("reading", 1),
            Step::Reading(Progress::Published(_)) => self.on("publishing", 1),
            Step::Assembled { documents, pages } => {
                // Hidden files are read and not published.
                let half = self.bar.length().unwrap_or_default() / 2;
                self.bar.set_position(half);
                self.bar.set_length(half + (documents + 2 * pages) as u64);
            }
            Step::Packing(pack::Step::Indexed(documents)) => self.on("indexing", documents),
            Step::Packing(pack::Step::Packed(pages)) => self.on("packing", pages),
            Step::Written => self.on("writing", 1),
        }
        if self.start.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn on(&self, doing: &'static str, steps: usize) {
        if self.bar.message() != doing {
            self.bar.set_message(doing);
        }
        self.bar.inc(steps as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
