//! Slugs as Zola makes them, for addresses and for the names of headings.
//!
//! `slugify` is `on` (ASCII letters and digits, everything else spelled in them or one hyphen), `safe` (only what no file may be called
//! goes) or `off`. `Élevage & Co.` is `elevage-co`, `Élevage & Co` and itself.

/// How `slugify` is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strategy {
    On,
    Safe,
    Off,
}

impl Strategy {
    /// The strategy of a setting; `on` when it is not set.
    pub(crate) fn of(setting: Option<&str>) -> Strategy {
        match setting {
            Some("safe") => Strategy::Safe,
            Some("off") => Strategy::Off,
            _ => Strategy::On,
        }
    }

    /// A part of an address.
    pub(crate) fn path(self, text: &str) -> String {
        match self {
            Strategy::On => slug(text),
            Strategy::Safe => {
                let text = text.trim_end_matches([' ', '.']);
                let kept = text
                    .chars()
                    .filter(|c| !"<>:/|?*#\\()[]\"\n\r\t".contains(*c));
                kept.map(|c| if c.is_whitespace() { '_' } else { c })
                    .collect()
            }
            Strategy::Off => text.to_owned(),
        }
    }

    /// The name of a heading.
    pub(crate) fn anchor(self, text: &str) -> String {
        match self {
            Strategy::On => slug(text),
            Strategy::Safe => {
                let kept = text.chars().filter(|c| !"#%<>[]()`^{|}".contains(*c));
                kept.map(|c| if c.is_whitespace() { '-' } else { c })
                    .collect()
            }
            Strategy::Off => text.to_owned(),
        }
    }
}

/// ASCII letters in lower case and digits; what is neither is spelled in them, or is one hyphen.
pub(crate) fn slug(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut push = |c: char| {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    };
    for c in text.chars() {
        match c.is_ascii() {
            true => push(c),
            false => deunicode::deunicode_char(c)
                .unwrap_or("-")
                .chars()
                .for_each(&mut push),
        }
    }
    let kept = out.trim_end_matches('-').len();
    out.truncate(kept);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_strategies() {
        for (text, on, safe, anchor) in [
            ("tes t", "tes-t", "tes_t", "tes-t"),
            ("日本", "ri-ben", "日本", "日本"),
            ("héhé (hey). ", "hehe-hey", "héhé_hey", "héhé-hey.-"),
            ("C++ & C#?", "c-c", "C++_&_C", "C++-&-C?"),
        ] {
            assert_eq!(Strategy::On.path(text), on);
            assert_eq!(Strategy::Safe.path(text), safe);
            assert_eq!(Strategy::Safe.anchor(text), anchor);
            assert_eq!(Strategy::Off.path(text), text);
        }
    }
}
