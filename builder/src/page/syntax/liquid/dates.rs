//! Dates in the words that templates ask for: the patterns of `strftime`.

use jiff::civil;

use crate::front_matter::date;

/// A date as a pattern says. A text that is no date stays as it is, as Liquid does.
pub(super) fn formatted(text: &str, pattern: &str) -> String {
    let Some(read) = date::parse(text) else {
        return text.to_owned();
    };
    if pattern.is_empty() {
        return text.to_owned();
    }
    let (year, month, day) = read.parts();
    let (Ok(year), Ok(month), Ok(day)) = (year.parse(), month.parse(), day.parse()) else {
        return text.to_owned();
    };
    let Ok(day) = civil::Date::new(year, month, day) else {
        return text.to_owned();
    };
    let time = read.text.get(11..19).unwrap_or("00:00:00");
    let of = |range: std::ops::Range<usize>| {
        time.get(range)
            .and_then(|part| part.parse().ok())
            .unwrap_or(0i8)
    };
    let moment = day.at(of(0..2).min(23), of(3..5).min(59), of(6..8).min(59), 0);
    // `%b` is spelled in many ways that mean the same to a reader; the zone is the site's and not known.
    let pattern = pattern
        .replace("%z", "+0000")
        .replace("%Z", "UTC")
        .replace("%:z", "+00:00");
    jiff::fmt::strtime::format(&pattern, moment).unwrap_or_else(|_| read.text.clone())
}

/// Short names of months, as they stand in addresses.
pub(crate) const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
