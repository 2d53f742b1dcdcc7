//! Reading headers that proxies may have doubled.
//!
//! API Gateway joins repeated headers with commas, and some clients send a version header twice. A header that says one
//! thing several times says that thing; one that says two things says neither.

use http::HeaderMap;

/// What a header that should hold one value came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// The header is missing or blank.
    Nothing,
    /// One value, however often.
    One(&'a str),
    /// Several values, or bytes that are no text.
    Muddle,
}

/// Reads a header whose values hold no comma of their own.
pub(super) fn said<'a>(headers: &'a HeaderMap, name: &str) -> Said<'a> {
    let mut found = Said::Nothing;
    for value in headers.get_all(name) {
        let Ok(text) = value.to_str() else {
            return Said::Muddle;
        };
        for part in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            match found {
                Said::Nothing => found = Said::One(part),
                Said::One(first) if first == part => {}
                _ => return Said::Muddle,
            }
        }
    }
    found
}

/// Whether every value of a header is one that `is_expected` accepts, taken whole or else part by part.
///
/// `None` when the header is missing.
pub(super) fn agrees(
    headers: &HeaderMap,
    name: &str,
    is_expected: impl Fn(&str) -> bool,
) -> Option<bool> {
    let mut values = headers.get_all(name).iter().peekable();
    values.peek()?;
    Some(values.all(|value| {
        value.to_str().is_ok_and(|text| {
            is_expected(text.trim())
                || text.contains(',') && text.split(',').all(|part| is_expected(part.trim()))
        })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(values: &[&'static [u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("x", http::HeaderValue::from_bytes(value).expect("a value"));
        }
        headers
    }

    #[test]
    fn one_value_however_often() {
        let cases: &[(&[&'static [u8]], Said<'_>)] = &[
            (&[], Said::Nothing),
            (&[b""], Said::Nothing),
            (&[b" a "], Said::One("a")),
            (&[b"a", b"a"], Said::One("a")),
            (&[b"a, a"], Said::One("a")),
            (&[b"a,b"], Said::Muddle),
            (&[b"a", b"b"], Said::Muddle),
            (&[b"\xff"], Said::Muddle),
        ];
        for (values, expected) in cases {
            assert_eq!(said(&map(values), "x"), *expected, "{values:?}");
        }
    }

    #[test]
    fn agreement_whole_or_in_parts() {
        let cases: &[(&[&'static [u8]], Option<bool>)] = &[
            (&[], None),
            (&[b"a,b"], Some(true)),
            (&[b"a,b", b"a,b"], Some(true)),
            (&[b"c"], Some(true)),
            (&[b"c, c"], Some(true)),
            (&[b"c, d"], Some(false)),
            (&[b"C"], Some(false)),
            (&[b"\xff"], Some(false)),
        ];
        for (values, expected) in cases {
            let got = agrees(&map(values), "x", |v| v == "a,b" || v == "c");
            assert_eq!(got, *expected, "{values:?}");
        }
    }
}
