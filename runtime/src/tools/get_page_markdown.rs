//! `get_page_markdown`: what is written on a page, whole, or one section of it.
//!
//! The author's text stands in a text of its own. When it was cut, a second text of the server tells how much was shown, where
//! the whole is published, and which sections remain, so that the next call can read on.

use std::ops::Range;

use artifact::catalogue::{nearest, shown};
use artifact::clean::one_line;
use artifact::format::{Cut, Heading};
use artifact::route::{Slugger, anchored, fold_case};

use super::absent::absent;
use super::answer::{damaged, failed, texts};
use super::cut::{Limits, Shown, cut};
use super::lookup::{self, Found};
use super::shelf::Shelf;
use crate::mcp::Called;

/// Headings that one remark lists.
const LISTED: usize = 100;

/// Answers a call.
pub fn answer(shelf: &Shelf, route: &str) -> Called {
    let page = match lookup::page(shelf, route) {
        Ok(page) => page,
        Err(text) => return failed(text),
    };
    let unpacked = match shelf.page(page.page) {
        Ok(unpacked) => unpacked,
        Err(error) => return damaged(&error),
    };
    let frame = unpacked.frame();
    let headings = frame.headings();
    let markdown = frame.markdown();
    let range = match &page.anchor {
        None => 0..markdown.len(),
        Some(anchor) => match section(&headings, anchor, markdown.len()) {
            Some(range) => range,
            None => return failed(no_section(shelf, &page.route, anchor, &headings)),
        },
    };
    let cuts: Vec<Cut> = frame.cuts().collect();
    let shown = cut(markdown, range.clone(), &cuts, &limits(shelf));
    let remark = shown
        .is_cut()
        .then(|| remark(shelf, &page, &headings, &range, &shown));
    texts(std::iter::once(shown.text).chain(remark))
}

fn limits(shelf: &Shelf) -> Limits {
    // A remark may need as much as a quarter of the answer; it is only there when a page was cut.
    Limits {
        chars: shelf.artifact.site().markdown_chars as usize,
        bytes: shelf.answer_bytes() / 4 * 3,
    }
}

/// The bytes of a section: its heading and everything under it. An anchor may come in another letter case or as the heading itself.
fn section(headings: &[Heading<'_>], anchor: &str, end: usize) -> Option<Range<usize>> {
    let by = |same: &dyn Fn(&Heading<'_>) -> bool| headings.iter().position(same);
    let folded = fold_case(anchor);
    let at = by(&|heading| heading.anchor == anchor)
        .or_else(|| by(&|heading| fold_case(heading.anchor) == folded))
        .or_else(|| by(&|heading| heading.anchor == Slugger::new().slug(anchor)))?;
    let heading = &headings[at];
    let next = headings[at + 1..]
        .iter()
        .find(|next| next.level <= heading.level);
    Some(heading.start as usize..next.map_or(end, |next| next.start as usize))
}

fn no_section(shelf: &Shelf, route: &str, anchor: &str, headings: &[Heading<'_>]) -> String {
    let what = format!(
        "The page {} has no section `#{}`",
        shown(route),
        shown(anchor)
    );
    if headings.is_empty() {
        return absent(
            shelf,
            &what,
            &[],
            "It has no sections at all: ask for the route alone.",
        );
    }
    let near: Vec<String> = nearest(anchor, headings.iter().map(|heading| heading.anchor), 3)
        .into_iter()
        .map(|near| format!("#{near}"))
        .collect();
    let listed: Vec<String> = headings
        .iter()
        .take(LISTED)
        .map(|heading| format!("#{}", one_line(heading.anchor)))
        .collect();
    let more = match headings.len() - listed.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    absent(
        shelf,
        &what,
        &near,
        &format!("It has {}{more}.", listed.join(", ")),
    )
}

fn remark(
    shelf: &Shelf,
    page: &Found,
    headings: &[Heading<'_>],
    range: &Range<usize>,
    shown: &Shown,
) -> String {
    let of = match &page.anchor {
        Some(_) => "of this section",
        None => "of this page",
    };
    let mut text = format!(
        "Cut here: {} of {} characters {of} are shown. The whole page is published at {}.",
        shown.chars,
        shown.total,
        shelf.address.markdown_url(&page.route)
    );
    let remaining: Vec<&Heading<'_>> = remaining(headings, range, shown.end).collect();
    if remaining.is_empty() {
        return text;
    }
    text.push_str(" To read on, ask for one of the sections that remain:");
    let listed = outline(&remaining);
    // Far beyond any real outline, and within the quarter of the answer that limits() leaves.
    let mut bytes = shelf.answer_bytes() / 16;
    let mut told = 0;
    for heading in &listed {
        let line = format!(
            "\n- {}: {}",
            one_line(heading.text),
            one_line(&anchored(&page.route, heading.anchor))
        );
        if told == LISTED || line.len() > bytes {
            break;
        }
        bytes -= line.len();
        text.push_str(&line);
        told += 1;
    }
    let left_out = remaining.len() - told;
    if told < listed.len() {
        text.push_str(&format!("\n- and {left_out} more"));
    } else if left_out > 0 {
        text.push_str(&format!(
            "\nThese hold {left_out} deeper sections; each is named when its section is cut."
        ));
    }
    text
}

/// The headings to name: all when they are few, else the first and those of the upper levels, whose sections hold the others.
fn outline<'r, 'h, 'a>(remaining: &'r [&'h Heading<'a>]) -> Vec<&'r &'h Heading<'a>> {
    if remaining.len() <= LISTED {
        return remaining.iter().collect();
    }
    let down_to = |level: u8| {
        let upper =
            move |(at, heading): &(usize, &'r &'h Heading<'a>)| *at == 0 || heading.level <= level;
        remaining
            .iter()
            .enumerate()
            .filter(upper)
            .map(|(_, heading)| heading)
    };
    let deepest = (1..=6)
        .rev()
        .find(|level| (2..=LISTED).contains(&down_to(*level).count()));
    down_to(deepest.unwrap_or(u8::MAX)).collect()
}

/// The headings within the range whose sections were not shown to their end: the innermost one that the cut went through, when it does not
/// start the range, and all that come after the cut.
fn remaining<'h, 'a>(
    headings: &'h [Heading<'a>],
    range: &Range<usize>,
    end: usize,
) -> impl Iterator<Item = &'h Heading<'a>> {
    let through = headings
        .iter()
        .rposition(|heading| (heading.start as usize) < end);
    let next = through.map_or(0, |at| at + 1);
    let next_start = headings
        .get(next)
        .map_or(range.end, |heading| heading.start as usize)
        .min(range.end);
    // Nothing of the section is left when the cut stands right before the next heading.
    let through = through
        .map(|at| &headings[at])
        .filter(|heading| heading.start as usize > range.start && end < next_start);
    let after = headings[next..]
        .iter()
        .filter(move |heading| (heading.start as usize) < range.end);
    through.into_iter().chain(after.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headings(levels: impl Iterator<Item = u8>) -> Vec<Heading<'static>> {
        let heading = |(start, level)| Heading {
            level,
            start,
            text: "Section",
            anchor: "section",
        };
        (0..).zip(levels).map(heading).collect()
    }

    fn named(levels: impl Iterator<Item = u8>) -> Vec<u8> {
        let headings = headings(levels);
        let remaining: Vec<&Heading> = headings.iter().collect();
        outline(&remaining)
            .iter()
            .map(|heading| heading.level)
            .collect()
    }

    #[test]
    fn few_headings_are_all_named() {
        assert_eq!(named([3, 2, 4].into_iter()), [3, 2, 4]);
    }

    #[test]
    fn of_many_headings_the_upper_levels_are_named_and_hold_the_rest() {
        // Cut within a section of the third level; then thirty sections with ten of their own each.
        let levels = [3]
            .into_iter()
            .chain((0..330).map(|at| if at % 11 == 0 { 2 } else { 3 }));
        let named = named(levels);
        assert_eq!((named.len(), named[0]), (31, 3));
        assert!(named[1..].iter().all(|level| *level == 2));
    }

    #[test]
    fn of_too_many_headings_of_one_level_the_first_are_named() {
        assert_eq!(named(std::iter::repeat_n(2, 500)).len(), 500);
    }
}
