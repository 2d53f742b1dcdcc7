//! Where a long page is cut.
//!
//! The builder has found the places at which a page may be cut ([`Cut`]) and how good each is. The best place within the last half
//! of the bound is taken, the last of the best. A place within a code block (or a very long table) is only taken when that block
//! does not fit in an answer of its own: else the cut goes before the block. A code block that is cut is closed with
//! its own marker. Nothing is ever cut within a character.
//!
//! ```
//! use artifact::format::{Cut, CutRank};
//! use runtime::tools::cut::{Limits, cut};
//! let page = "One.\n\nTwo.\n\nThree.\n";
//! let ends = [6, 12].map(|offset| Cut { offset, rank: CutRank::Block, fence: None });
//! let shown = cut(page, 0..page.len(), &ends, &Limits { chars: 14, bytes: 1_000 });
//! assert_eq!(shown.text, "One.\n\nTwo.\n");
//! assert_eq!((shown.chars, shown.total), (11, 19));
//! ```

use std::ops::Range;

use artifact::format::{Cut, CutRank};

/// How much of a page one answer shows.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Characters of markdown.
    pub chars: usize,
    /// Bytes of it as a JSON text.
    pub bytes: usize,
}

/// What is shown of a page or of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The text, with a code block closed where the cut opened it.
    pub text: String,
    /// Where in the markdown the cut is; the end of the range when there is none.
    pub end: usize,
    /// Characters of the author's that are shown.
    pub chars: usize,
    /// Characters there are.
    pub total: usize,
}

impl Shown {
    /// Whether something is left out.
    pub fn is_cut(&self) -> bool {
        self.chars < self.total
    }
}

/// Shows a range of a page's markdown as far as the limits go. `cuts` are the places of the whole page, ascending.
pub fn cut(markdown: &str, range: Range<usize>, cuts: &[Cut], limits: &Limits) -> Shown {
    let text = markdown.get(range.clone()).unwrap_or_default();
    let total = text.chars().count();
    let most = within(text, limits);
    if most == text.len() {
        return Shown {
            text: text.to_owned(),
            end: range.end,
            chars: total,
            total,
        };
    }
    let chosen = choose(text, &places(&range, cuts), most, limits);
    let shown = text[..chosen.offset].trim_end_matches('\n');
    let chars = shown.chars().count() + usize::from(shown.len() < chosen.offset);
    let mut shown = shown.to_owned();
    shown.push('\n');
    if let Some(marker) = chosen
        .fence
        .and_then(|fence| markdown.get(fence.start as usize..fence.end as usize))
    {
        shown.push_str(marker);
        shown.push('\n');
    }
    Shown {
        text: shown,
        end: range.start + chosen.offset,
        chars,
        total,
    }
}

/// A place within the range, counted from its start.
#[derive(Clone, Debug)]
struct Place {
    offset: usize,
    rank: CutRank,
    fence: Option<Range<u32>>,
}

fn places(range: &Range<usize>, cuts: &[Cut]) -> Vec<Place> {
    let inside = cuts
        .iter()
        .filter(|cut| (range.start + 1..range.end).contains(&(cut.offset as usize)));
    inside
        .map(|cut| Place {
            offset: cut.offset as usize - range.start,
            rank: cut.rank,
            fence: cut.fence.clone(),
        })
        .collect()
}

/// The greatest offset, on a character, that both limits allow.
fn within(text: &str, limits: &Limits) -> usize {
    if text.len() <= limits.chars && text.len().saturating_mul(2) <= limits.bytes {
        return text.len();
    }
    let mut spent = 0;
    for (count, (at, c)) in text.char_indices().enumerate() {
        spent += match c {
            '"' | '\\' | '\n' | '\t' | '\r' => 2,
            c if c.is_control() => 6,
            c => c.len_utf8(),
        };
        if count == limits.chars || spent > limits.bytes {
            return at;
        }
    }
    text.len()
}

fn choose(text: &str, places: &[Place], most: usize, limits: &Limits) -> Place {
    let half = text[..most].chars().count() / 2;
    let half = text.char_indices().nth(half).map_or(0, |(at, _)| at);
    let late = places
        .iter()
        .filter(|place| (half..=most).contains(&place.offset));
    let best = late.max_by_key(|place| (place.rank, place.offset));
    if let Some(best) = best.filter(|best| best.rank > CutRank::Line) {
        return best.clone();
    }
    // Only lines of one long element end in the last half. Does the element fit when it starts an answer?
    let whole = |place: &&Place| place.rank > CutRank::Line;
    let before = places
        .iter()
        .filter(whole)
        .take_while(|place| place.offset <= most)
        .last();
    let after = places
        .iter()
        .filter(whole)
        .find(|place| place.offset > most)
        .map_or(text.len(), |place| place.offset);
    if let Some(before) = before {
        let element = &text[before.offset..after];
        if best.is_none() || within(element, limits) == element.len() {
            return before.clone();
        }
    }
    let any = best
        .or_else(|| places.iter().rfind(|place| place.offset <= most))
        .cloned();
    any.unwrap_or_else(|| Place {
        offset: unmarked(&text[..most]),
        rank: CutRank::Line,
        fence: None,
    })
}

/// A page without a single place to cut at: the end of a line, else of a word, else of a character.
fn unmarked(text: &str) -> usize {
    let half = text.len() / 2;
    let end = |sign: char| text.rfind(sign).filter(|at| *at >= half).map(|at| at + 1);
    end('\n').or_else(|| end(' ')).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(offset: usize, rank: CutRank) -> Cut {
        Cut {
            offset: offset as u32,
            rank,
            fence: None,
        }
    }

    fn limits(chars: usize) -> Limits {
        Limits {
            chars,
            bytes: 1_000_000,
        }
    }

    /// Cuts behind each `|` (block), `;` (part) and `.` (line) of the page, which stay in the text.
    fn marked(page: &str) -> Vec<Cut> {
        page.char_indices()
            .filter_map(|(at, c)| match c {
                '|' => Some(place(at + 1, CutRank::Block)),
                ';' => Some(place(at + 1, CutRank::Part)),
                '.' => Some(place(at + 1, CutRank::Line)),
                _ => None,
            })
            .collect()
    }

    fn check(page: &str, chars: usize, shown: &str) {
        let found = cut(page, 0..page.len(), &marked(page), &limits(chars));
        assert_eq!(found.text.trim_end(), shown, "{page:?} in {chars}");
        assert!(found.chars <= chars.max(1));
    }

    #[test]
    fn the_best_place_in_the_last_half_wins() {
        check("aaa|bbb|ccc|ddd|", 16, "aaa|bbb|ccc|ddd|");
        check("aaa|bbb|ccc|ddd|", 13, "aaa|bbb|ccc|");
        check("aaaa|b;b;b;b;b;b;", 12, "aaaa|b;b;b;");
        check("aaaaaaa|b;b;b;b;b;b;", 12, "aaaaaaa|");
        check("a;b;c;d|e;f;g;h;i;", 12, "a;b;c;d|");
    }

    #[test]
    fn a_block_of_code_that_fits_is_not_cut() {
        check("aa|b.b.b.b.b.b|c", 12, "aa|");
        check("aa|b.b.b.b.b.b.b.b.b.b|c", 12, "aa|b.b.b.b.");
        check("b.b.b.b.b.b.b.b.b.b|c", 12, "b.b.b.b.b.b.");
    }

    #[test]
    fn a_fence_the_cut_left_open_is_closed_with_its_own_marker() {
        for marker in ["```", "~~~", "````", "  ~~~~"] {
            let page = format!("{marker}python\none\ntwo\nthree\n{marker}\n");
            let line_end = page.find("two").unwrap();
            let cuts = [Cut {
                offset: line_end as u32,
                rank: CutRank::Line,
                fence: Some(0..marker.len() as u32),
            }];
            let shown = cut(&page, 0..page.len(), &cuts, &limits(line_end + 4));
            assert_eq!(shown.text, format!("{marker}python\none\n{marker}\n"));
            assert_eq!(shown.end, line_end);
        }
    }

    #[test]
    fn a_byte_index_in_a_character_panicked() {
        let page = format!("{}─’{}", "a".repeat(99), "é".repeat(100));
        for chars in 90..120 {
            let shown = cut(&page, 0..page.len(), &[], &limits(chars));
            assert!(
                page.starts_with(shown.text.trim_end_matches('\n')),
                "{chars}"
            );
            assert_eq!(shown.total, 201);
        }
    }

    #[test]
    fn a_page_without_places_is_cut_at_a_line_or_word() {
        let page = "one two\nthree four five six";
        assert_eq!(cut(page, 0..page.len(), &[], &limits(12)).text, "one two\n");
        assert_eq!(
            cut("one two three", 0..13, &[], &limits(10)).text,
            "one two \n"
        );
        assert_eq!(cut("onetwothree", 0..11, &[], &limits(5)).text, "onetw\n");
    }

    #[test]
    fn a_section_is_counted_by_itself() {
        let page = "aaaa|bbb|ccc|ddd|eeee";
        let shown = cut(page, 5..17, &marked(page), &limits(9));
        assert_eq!(shown.text, "bbb|ccc|\n");
        assert_eq!((shown.end, shown.chars, shown.total), (13, 8, 12));
        let shown = cut(page, 5..17, &marked(page), &limits(12));
        assert!(!shown.is_cut());
    }

    #[test]
    fn the_bytes_of_an_answer_bound_a_page_as_well() {
        let page = "\"\"\"\"|\"\"\"\"|\"\"\"\"|";
        let shown = cut(
            page,
            0..page.len(),
            &marked(page),
            &Limits {
                chars: 100,
                bytes: 20,
            },
        );
        assert_eq!(shown.text, "\"\"\"\"|\"\"\"\"|\n");
    }
}
