//! Patterns of routes, such as `/writing/{year}/{slug}`.
//!
//! A pattern is checked once, when the configuration is read; filling one in cannot fail but for a value that a
//! page does not have.
//!
//! With `slug` = `tea`, `/writing/{slug}` becomes `/writing/tea`.

/// What a page has to offer to the place holders of a pattern.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values<'a> {
    /// The last part of the page's own name.
    pub slug: &'a str,
    /// The page's path below its folder, without the file's ending.
    pub path: &'a str,
    /// Year, month and day of the page's date, with leading zeros.
    pub date: Option<(&'a str, &'a str, &'a str)>,
    /// The slug of a tag.
    pub tag: &'a str,
}

/// Why a text is no pattern: one sentence.
pub fn check(pattern: &str, allowed: &[&str], needed: &[&str]) -> Result<(), String> {
    if !pattern.starts_with('/') {
        return Err(format!("`{pattern}` does not start with `/`"));
    }
    let mut found = Vec::new();
    for piece in pieces(pattern) {
        match piece {
            Ok(Piece::Text(_)) => {}
            Ok(Piece::Name(name)) if allowed.contains(&name) => found.push(name),
            Ok(Piece::Name(name)) => {
                return Err(format!("`{{{name}}}` is no place holder of this pattern"));
            }
            Err(at) => return Err(format!("the brace at character {} has no partner", at + 1)),
        }
    }
    if !needed.is_empty() && !needed.iter().any(|name| found.contains(name)) {
        let names: Vec<String> = needed.iter().map(|name| format!("`{{{name}}}`")).collect();
        return Err(format!(
            "`{pattern}` gives every page the same route: it has no {}",
            names.join(" or ")
        ));
    }
    Ok(())
}

/// The route of a page, canonical; or the name of the place holder that the page has no value for.
pub fn fill(pattern: &str, values: &Values<'_>) -> Result<String, String> {
    let mut path = String::new();
    for piece in pieces(pattern).flatten() {
        match piece {
            Piece::Text(text) => path.push_str(text),
            Piece::Name("slug") => path.push_str(values.slug),
            Piece::Name("path") => path.push_str(values.path),
            Piece::Name("tag") => path.push_str(values.tag),
            Piece::Name(name) => {
                let (year, month, day) = values.date.ok_or(name)?;
                path.push_str(match name {
                    "year" => year,
                    "month" => month,
                    _ => day,
                });
            }
        }
    }
    Ok(artifact::route::canonical(&path))
}

enum Piece<'a> {
    Text(&'a str),
    Name(&'a str),
}

/// The pattern's pieces in order; an error is the place of a brace without a partner.
fn pieces(pattern: &str) -> impl Iterator<Item = Result<Piece<'_>, usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = pattern.get(at..).filter(|rest| !rest.is_empty())?;
        let start = at;
        if let Some(inside) = rest.strip_prefix('{') {
            let Some(end) = inside
                .find(['}', '{'])
                .filter(|end| inside[*end..].starts_with('}'))
            else {
                at = pattern.len();
                return Some(Err(start));
            };
            at += end + 2;
            return Some(Ok(Piece::Name(&inside[..end])));
        }
        let end = rest.find(['{', '}']).unwrap_or(rest.len());
        if end == 0 {
            at = pattern.len();
            return Some(Err(start));
        }
        at += end;
        Some(Ok(Piece::Text(&rest[..end])))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOWED: &[&str] = &["slug", "path", "year", "month", "day"];

    #[test]
    fn patterns_are_filled() {
        let values = Values {
            slug: "tea",
            path: "hot/tea",
            date: Some(("2024", "05", "01")),
            tag: "",
        };
        let check = |pattern, route: &str| assert_eq!(fill(pattern, &values).unwrap(), route);
        check("/writing/{slug}", "/writing/tea");
        check("/{year}/{month}/{day}/{slug}/", "/2024/05/01/tea");
        check("/notes/{path}", "/notes/hot/tea");
        assert_eq!(
            fill("/{year}/{slug}", &Values::default()),
            Err("year".to_owned())
        );
    }

    #[test]
    fn bad_patterns_are_refused() {
        let check = |pattern| check(pattern, ALLOWED, &["slug", "path"]).unwrap_err();
        assert_eq!(check("a/{slug}"), "`a/{slug}` does not start with `/`");
        assert_eq!(
            check("/{slag}"),
            "`{slag}` is no place holder of this pattern"
        );
        assert_eq!(check("/{slug"), "the brace at character 2 has no partner");
        assert_eq!(check("/slug}"), "the brace at character 6 has no partner");
        assert_eq!(
            check("/{year}"),
            "`/{year}` gives every page the same route: it has no `{slug}` or `{path}`"
        );
    }
}
