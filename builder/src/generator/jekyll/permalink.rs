//! Jekyll's permalinks: styles with a name, and patterns such as `/:categories/:year/:title/`.

use jiff::civil;

use crate::page::syntax::liquid::MONTHS;

/// What a pattern may ask for.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts<'a> {
    pub(super) collection: &'a str,
    /// The path below the collection, without ending.
    pub(super) path: &'a str,
    /// The file's name without ending.
    pub(super) name: &'a str,
    /// The slug, with its letter case.
    pub(super) slug: &'a str,
    pub(super) categories: &'a [String],
    pub(super) date: Option<civil::Date>,
}

/// The pattern of posts for a style.
pub(super) fn of_posts(style: &str) -> String {
    match style {
        "none" => "/:categories/:title:output_ext",
        "date" => "/:categories/:year/:month/:day/:title:output_ext",
        "ordinal" => "/:categories/:year/:y_day/:title:output_ext",
        "weekdate" => "/:categories/:year/W:week/:short_day/:title:output_ext",
        "pretty" => "/:categories/:year/:month/:day/:title/",
        own => own,
    }
    .to_owned()
}

/// A pattern that ends as the site's style does.
pub(super) fn with_ending(pattern: &str, style: &str) -> String {
    let ending = match style {
        "pretty" => "/",
        "date" | "ordinal" | "none" => ":output_ext",
        own if own.ends_with('/') => "/",
        own if own.ends_with(":output_ext") => ":output_ext",
        _ => "",
    };
    format!("{pattern}{ending}")
}

/// The address that a pattern gives. None when it asks for a date and there is none.
pub(super) fn fill(pattern: &str, parts: &Parts<'_>) -> Option<String> {
    let mut out = String::from("/");
    let mut rest = pattern;
    while let Some(colon) = rest.find(':') {
        out.push_str(&rest[..colon]);
        rest = &rest[colon + 1..];
        let length = rest
            .find(|c: char| !(c.is_ascii_lowercase() || c == '_'))
            .unwrap_or(rest.len());
        let name = &rest[..length];
        let short = name.trim_end_matches('_');
        match value(name, parts)? {
            Some(value) => {
                out.push_str(&value);
                rest = &rest[length..];
            }
            None => match value(short, parts)? {
                Some(value) => {
                    out.push_str(&value);
                    rest = &rest[short.len()..];
                }
                // Not a name that Jekyll knows.
                None => out.push(':'),
            },
        }
    }
    out.push_str(rest);
    Some(squeezed(&out))
}

/// An address without `//`, `./` and `..`, as Jekyll cleans it.
pub(super) fn squeezed(address: &str) -> String {
    let address = address.replace("..", "/").replace("./", "");
    let mut out = String::with_capacity(address.len() + 1);
    out.push('/');
    for c in address.chars() {
        if c != '/' || !out.ends_with('/') {
            out.push(c);
        }
    }
    out
}

fn value(name: &str, parts: &Parts<'_>) -> Option<Option<String>> {
    let lower = |categories: &[String], of: fn(&str) -> String| {
        let mut kept: Vec<String> = Vec::new();
        for category in categories.iter().map(|it| of(it)) {
            if !kept.contains(&category) {
                kept.push(category);
            }
        }
        kept.join("/")
    };
    Some(Some(match name {
        "collection" => parts.collection.to_owned(),
        "path" => parts.path.to_owned(),
        "name" => slug(parts.name, false),
        "title" => slug(parts.slug, true),
        "slug" => slug(parts.slug, false),
        "output_ext" => ".html".to_owned(),
        "categories" => lower(parts.categories, str::to_lowercase),
        "slugified_categories" => lower(parts.categories, |it| slug(it, false)),
        "hour" | "minute" | "second" => "00".to_owned(),
        _ => {
            let Some(pattern) = date_pattern(name) else {
                return Some(None);
            };
            let date = parts.date?;
            match pattern {
                "short_month" => {
                    let month = usize::try_from(date.month() - 1).ok()?;
                    let mut name = (*MONTHS.get(month)?).to_owned();
                    name[..1].make_ascii_uppercase();
                    name
                }
                pattern => jiff::fmt::strtime::format(pattern, date).ok()?,
            }
        }
    }))
}

fn date_pattern(name: &str) -> Option<&'static str> {
    Some(match name {
        "year" => "%Y",
        "month" => "%m",
        "day" => "%d",
        "i_day" => "%-d",
        "i_month" => "%-m",
        "short_month" => "short_month",
        "long_month" => "%B",
        "short_year" => "%y",
        "w_year" => "%G",
        "week" => "%V",
        "w_day" => "%u",
        "short_day" => "%a",
        "long_day" => "%A",
        "y_day" => "%j",
        _ => return None,
    })
}

/// Jekyll's `slugify`: what is no letter or digit becomes a hyphen. `pretty` keeps letter case and the signs that addresses may hold.
pub(super) fn slug(text: &str, pretty: bool) -> String {
    let kept = |c: char| {
        let word = c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36F}');
        word || (pretty && "._~!$&'()+,;=@".contains(c))
    };
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for c in text.chars() {
        if kept(c) {
            out.push(c);
            gap = false;
        } else if !gap {
            out.push('-');
            gap = true;
        }
    }
    let out = out.strip_prefix('-').unwrap_or(&out);
    let out = out.strip_suffix('-').unwrap_or(out);
    if pretty {
        out.to_owned()
    } else {
        out.to_lowercase()
    }
}

/// The date and the rest of a file's name such as `2017-4-20-Concepts`.
pub(super) fn dated(name: &str) -> Option<(civil::Date, &str)> {
    let mut parts = name.splitn(4, '-');
    let number = |part: Option<&str>, most: usize| {
        let part = part?;
        let fits = (1..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| part.parse::<i16>().ok()).flatten()
    };
    let mut year = parts
        .next()
        .filter(|part| part.len() >= 2)
        .and_then(|part| number(Some(part), 4))?;
    if year < 100 {
        year += if year < 69 { 2000 } else { 1900 };
    }
    let month = number(parts.next(), 2)?;
    let day = number(parts.next(), 2)?;
    let rest = parts.next()?;
    let date = civil::Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some((date, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_post_without_leading_zeros_had_no_title_and_another_day() {
        let (date, rest) = dated("2017-4-20-Concepts").unwrap();
        assert_eq!(
            (date.to_string().as_str(), rest),
            ("2017-04-20", "Concepts")
        );
        assert_eq!(dated("2017-13-20-x"), None);
        assert_eq!(dated("notes-about-tea"), None);
    }

    #[test]
    fn styles_and_patterns_are_filled() {
        let categories = ["Big News".to_owned(), "tea".to_owned()];
        let parts = Parts {
            collection: "docs",
            path: "/a/B c",
            name: "B c",
            slug: "Green Tea!",
            categories: &categories,
            date: Some(civil::date(2024, 5, 1)),
        };
        let check = |pattern: &str, address: &str| {
            assert_eq!(fill(pattern, &parts).as_deref(), Some(address), "{pattern}");
        };
        check(
            &of_posts("date"),
            "/big news/tea/2024/05/01/Green-Tea!.html",
        );
        check(&of_posts("pretty"), "/big news/tea/2024/05/01/Green-Tea!/");
        check(
            &of_posts("ordinal"),
            "/big news/tea/2024/122/Green-Tea!.html",
        );
        check(
            &of_posts("weekdate"),
            "/big news/tea/2024/W18/Wed/Green-Tea!.html",
        );
        check(&of_posts("none"), "/big news/tea/Green-Tea!.html");
        check("/:year/:i_month/:i_day/:slug", "/2024/5/1/green-tea");
        check("/:year_:short_month/x", "/2024_May/x");
        check(
            &with_ending("/:collection/:path", "/:title/"),
            "/docs/a/B c/",
        );
        check("/:unknown/:name", "/:unknown/b-c");
        assert_eq!(fill("/:year/", &Parts::default()), None);
    }
}
