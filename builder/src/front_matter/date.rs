//! Dates as authors write them.
//!
//! A plain date stays a plain date and is never moved into the zone of the machine that builds. A time keeps its offset. Spellings
//! that mean the same are brought into one form: `2024-01-01 00:00:00 -05` becomes `2024-01-01T00:00:00-05:00`. What is not
//! certain is not guessed: `1/2/2024` is no date.

use jiff::civil;

const DAY: i64 = 86_400;

/// A date or date-time that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Date {
    /// `2024-05-01`, or `2024-05-01T10:00:00` with its offset, if one was given.
    pub text: String,
    /// Seconds since 1970 in UTC. A date is its first second; a time without an offset is taken as UTC.
    pub seconds: i64,
}

impl Date {
    /// Year, month and day as written, with leading zeros.
    pub fn parts(&self) -> (&str, &str, &str) {
        // The text was made by `parse`, which writes `YYYY-MM-DD` first.
        (&self.text[..4], &self.text[5..7], &self.text[8..10])
    }

    /// Whether its day, in UTC, comes after `now`.
    pub fn is_after(&self, now: civil::Date) -> bool {
        self.seconds.div_euclid(DAY) > days_of(now)
    }
}

/// Days since 1970-01-01.
fn days_of(date: civil::Date) -> i64 {
    // Years begin in March, so that the odd day is the last of its year; 146,097 days are 400 years.
    let (month, day) = (i64::from(date.month()), i64::from(date.day()));
    let year = i64::from(date.year()) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Understands a date, or says nothing.
pub fn parse(text: &str) -> Option<Date> {
    let mut reader = Reader(text.trim());
    let year = reader.digits(4, 4)?;
    let sign = reader.one_of("-/")?;
    let month = reader.digits(1, 2)?;
    reader.one_of(if sign == '-' { "-" } else { "/" })?;
    let day = reader.digits(1, 2)?;
    let date = civil::Date::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
    )
    .ok()?;
    let midnight = days_of(date) * DAY;
    let day = format!("{year:04}-{month:02}-{day:02}");
    if reader.0.is_empty() {
        return Some(Date {
            text: day,
            seconds: midnight,
        });
    }
    if reader.one_of("Tt").is_none() && !reader.space() {
        return None;
    }
    let hour = reader.digits(1, 2)?;
    reader.one_of(":")?;
    let minute = reader.digits(2, 2)?;
    let second = match reader.one_of(":") {
        Some(_) => reader.digits(2, 2)?,
        None => 0,
    };
    let fraction = match reader.one_of(".,") {
        Some(_) => format!(".{}", reader.run(1, 9)?),
        None => String::new(),
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (offset, minutes) = offset(&mut reader)?;
    let seconds = i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
    Some(Date {
        text: format!("{day}T{hour:02}:{minute:02}:{second:02}{fraction}{offset}"),
        seconds: midnight + seconds - minutes * 60,
    })
}

/// The offset in its one form, and its minutes. Nothing, `Z`, `UTC`, `+hh`, `+hhmm` and `+hh:mm` are known.
fn offset(reader: &mut Reader<'_>) -> Option<(String, i64)> {
    reader.space();
    match reader.0 {
        "" => return Some((String::new(), 0)),
        "Z" | "z" | "UTC" | "GMT" | "utc" => return Some(("Z".into(), 0)),
        _ => {}
    }
    let sign = reader.one_of("+-")?;
    let hours = reader.digits(1, 2)?;
    let colon = reader.one_of(":").is_some();
    let minutes = if reader.0.is_empty() && !colon {
        0
    } else {
        reader.digits(2, 2)?
    };
    if !reader.0.is_empty() || hours > 23 || minutes > 59 {
        return None;
    }
    let total = i64::from(hours * 60 + minutes);
    Some((
        format!("{sign}{hours:02}:{minutes:02}"),
        if sign == '-' { -total } else { total },
    ))
}

struct Reader<'a>(&'a str);

impl<'a> Reader<'a> {
    fn run(&mut self, least: usize, most: usize) -> Option<&'a str> {
        let count = self
            .0
            .bytes()
            .take(most)
            .take_while(u8::is_ascii_digit)
            .count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        (count >= least).then_some(digits)
    }

    fn digits(&mut self, least: usize, most: usize) -> Option<u32> {
        self.run(least, most)?.parse().ok()
    }

    fn one_of(&mut self, signs: &str) -> Option<char> {
        let sign = self.0.chars().next().filter(|c| signs.contains(*c))?;
        self.0 = &self.0[sign.len_utf8()..];
        Some(sign)
    }

    fn space(&mut self) -> bool {
        let rest = self.0.trim_start();
        let found = rest.len() < self.0.len();
        self.0 = rest;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_keeps_its_form_and_its_offset() {
        for (written, text) in [
            ("2021-04-01", "2021-04-01"),
            ("2019-08-31T12:00:00-06:00", "2019-08-31T12:00:00-06:00"),
            ("2024-01-01 00:00:00 -05", "2024-01-01T00:00:00-05:00"),
            ("2024-01-01 00:00:00 +0530", "2024-01-01T00:00:00+05:30"),
            ("2024-01-01T10:00", "2024-01-01T10:00:00"),
            ("2024-01-01t10:00:00.125z", "2024-01-01T10:00:00.125Z"),
            ("2024-01-01 10:00:00 UTC", "2024-01-01T10:00:00Z"),
            ("2017-4-2", "2017-04-02"),
            ("2017/04/20", "2017-04-20"),
        ] {
            assert_eq!(parse(written).unwrap().text, text, "{written}");
        }
    }

    #[test]
    fn what_is_not_certain_is_no_date() {
        for text in [
            "",
            "soon",
            "1/2/2024",
            "2024-13-01",
            "2024-02-30",
            "2024",
            "2024-01",
            "2024-01-01x",
            "2024-01-01T25:00",
            "2024-01/01",
            "2024-01-01T10:00+",
            "２０２４-01-01",
            "2024-01-01T10:00:00 я",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn seconds_are_in_utc() {
        let seconds = |text| parse(text).unwrap().seconds;
        assert_eq!(seconds("1970-01-01"), 0);
        assert_eq!(seconds("2000-02-29T00:00:00Z"), 951_782_400);
        assert_eq!(seconds("2024-03-01"), 1_709_251_200);
        assert_eq!(seconds("1969-12-31T19:00:00-05:00"), 0);
        assert_eq!(seconds("0001-01-01"), -62_135_596_800);
    }

    #[test]
    fn the_future_begins_tomorrow() {
        let now = civil::Date::new(2024, 5, 1).unwrap();
        assert!(!parse("2024-05-01").unwrap().is_after(now));
        assert!(parse("2024-05-02").unwrap().is_after(now));
        assert!(parse("2024-05-01T23:00:00-05:00").unwrap().is_after(now));
        assert!(!parse("1969-01-01").unwrap().is_after(now));
    }
}
