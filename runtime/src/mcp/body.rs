//! The body of a request: its media type, its encoding, its size.
//!
//! `Accept` is not looked at anywhere: the answer is JSON whatever a client lists, because clients and the proxies before
//! them are known to list too little.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;
use http::HeaderMap;

use super::headers::{Said, said};
use super::reply::{Fault, INVALID_REQUEST, PARSE_ERROR};

/// Checks that the headers announce a body that we read. The body itself may still be under way.
pub(super) fn check_type(headers: &HeaderMap) -> Result<Encoding, Fault> {
    for value in headers.get_all("content-type") {
        if !value.to_str().is_ok_and(is_json) {
            return Err(Fault::new(
                415,
                INVALID_REQUEST,
                "the body must be JSON: send `Content-Type: application/json`",
            ));
        }
    }
    match said(headers, "content-encoding") {
        Said::Nothing => Ok(Encoding::Plain),
        Said::One(name) if name.eq_ignore_ascii_case("identity") => Ok(Encoding::Plain),
        Said::One(name)
            if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") =>
        {
            Ok(Encoding::Gzip)
        }
        _ => Err(Fault::new(
            415,
            INVALID_REQUEST,
            "the body may be sent plain or with `Content-Encoding: gzip`",
        )),
    }
}

/// How a body is wrapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Plain,
    Gzip,
}

/// The bytes of the message: unwrapped, and no more than `limit` of them.
pub(super) fn read(encoding: Encoding, body: &[u8], limit: usize) -> Result<Cow<'_, [u8]>, Fault> {
    if body.len() > limit {
        return Err(too_large(limit));
    }
    if encoding == Encoding::Plain {
        return Ok(Cow::Borrowed(body));
    }
    let mut plain = Vec::new();
    // One byte past the limit is enough to know that there is more, and all that a bomb can make us hold.
    let bound = limit as u64 + 1;
    MultiGzDecoder::new(body)
        .take(bound)
        .read_to_end(&mut plain)
        .map_err(|_| Fault::new(400, PARSE_ERROR, "the body is not the gzip it says it is"))?;
    if plain.len() > limit {
        return Err(too_large(limit));
    }
    Ok(Cow::Owned(plain))
}

/// The refusal of a body that is too long.
pub(super) fn too_large(limit: usize) -> Fault {
    Fault::new(
        413,
        INVALID_REQUEST,
        format!("the body is too large: at most {limit} bytes are read"),
    )
}

/// `application/json`, with parameters or not, and the `+json` kinds.
fn is_json(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    let Some((main, sub)) = media_type.split_once('/') else {
        return false;
    };
    let suffix = sub.len().saturating_sub("+json".len());
    main.eq_ignore_ascii_case("application")
        && (sub.eq_ignore_ascii_case("json")
            || suffix > 0
                && sub.is_char_boundary(suffix)
                && sub[suffix..].eq_ignore_ascii_case("+json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn media_types() {
        for yes in [
            "application/json",
            "Application/JSON",
            "application/json; charset=utf-8",
            "application/json;charset=UTF-8",
            "application/vnd.mcp+json",
        ] {
            assert!(is_json(yes), "{yes}");
        }
        for no in [
            "",
            "json",
            "text/json",
            "text/plain",
            "application/jsonx",
            "application/+json",
            "application/x-www-form-urlencoded",
            "application/json, text/plain",
        ] {
            assert!(!is_json(no), "{no}");
        }
    }

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(plain).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn gzip_is_bounded_by_what_it_holds() {
        let limit = 1000;
        let fits = gzip(&[b' '; 1000]);
        assert_eq!(
            read(Encoding::Gzip, &fits, limit).expect("fits").len(),
            1000
        );
        let bomb = gzip(&[b' '; 50_000]);
        assert!(bomb.len() < limit);
        assert_eq!(
            read(Encoding::Gzip, &bomb, limit).map_err(|f| f.status),
            Err(413)
        );
        let long = [b' '; 1001];
        assert_eq!(
            read(Encoding::Plain, &long, limit).map_err(|f| f.status),
            Err(413)
        );
    }

    #[test]
    fn damaged_gzip_is_a_parse_error() {
        let whole = gzip(b"{}");
        for body in [&b"{}"[..], b"", &whole[..whole.len() - 1]] {
            let got = read(Encoding::Gzip, body, 1000).map_err(|f| (f.status, f.code));
            assert_eq!(got, Err((400, PARSE_ERROR)), "{body:?}");
        }
    }
}
