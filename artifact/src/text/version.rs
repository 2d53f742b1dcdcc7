//! What a version looks like, in a title or in a route.

/// The parts of a version such as `2`, `v2`, `2.7` or `2.x`: digits, and behind the first also `x`; `None` for anything else.
pub fn version_parts(text: &str) -> Option<Vec<&str>> {
    let number = text.strip_prefix('v').unwrap_or(text);
    // Most texts are no version, and this says so before anything is cut.
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = number.split('.').collect();
    let (first, others) = parts.split_first()?;
    let fits = is_digits(first) && others.iter().all(|part| *part == "x" || is_digits(part));
    fits.then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::version_parts;

    #[test]
    fn a_version_is_numbers_between_dots() {
        for (text, parts) in [
            ("2", &["2"][..]),
            ("v2", &["2"]),
            ("2.7", &["2", "7"]),
            ("v2.x", &["2", "x"]),
        ] {
            assert_eq!(version_parts(text).as_deref(), Some(parts), "{text}");
        }
        for text in ["", "v", "x", "x.2", "2.", ".2", "es2022", "2a", "v8-flags"] {
            assert_eq!(version_parts(text), None, "{text}");
        }
    }
}
