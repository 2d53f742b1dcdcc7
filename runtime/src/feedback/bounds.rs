//! How much a store keeps, and how long: what whoever runs the server decides, and no caller can widen.

use std::num::NonZeroU32;

#[cfg(any(feature = "local", feature = "dynamodb"))]
use jiff::Timestamp;

/// Seconds of a day. Days are those of UTC, which has no other length for one.
#[cfg(any(feature = "local", feature = "dynamodb"))]
const DAY: i64 = 24 * 60 * 60;

/// The bounds of a store.
///
/// ```
/// use runtime::feedback::Bounds;
///
/// let bounds = Bounds::read(Some("200"), None).expect("numbers");
/// assert_eq!(bounds.per_day.map(u32::from), Some(200));
/// assert_eq!(bounds.days, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Most messages that are kept in one day (UTC); `None` for any number.
    pub per_day: Option<NonZeroU32>,
    /// Days after which a message expires; `None` for never.
    pub days: Option<NonZeroU32>,
}

/// A thousand messages a day, more than an author can read, and for ever.
impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            per_day: NonZeroU32::new(1000),
            days: None,
        }
    }
}

impl Bounds {
    /// Reads settings as text. Absent ones have their defaults, `0` is no bound.
    ///
    /// # Errors
    /// Names the text that is no number.
    pub fn read(per_day: Option<&str>, days: Option<&str>) -> Result<Bounds, NotANumber> {
        let default = Bounds::default();
        Ok(Bounds {
            per_day: number(per_day)?.unwrap_or(default.per_day),
            days: number(days)?.unwrap_or(default.days),
        })
    }
}

/// A setting that should be a whole number and is not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotANumber {
    /// What was set.
    pub text: String,
}

impl std::fmt::Display for NotANumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "a bound on feedback is `{}`, which is no whole number\nhelp: use a number such as 1000, or 0 for no bound",
            self.text
        )
    }
}

impl std::error::Error for NotANumber {}

fn number(text: Option<&str>) -> Result<Option<Option<NonZeroU32>>, NotANumber> {
    text.map(|text| {
        let number = text.trim().parse::<u32>().map_err(|_| NotANumber {
            text: text.to_owned(),
        })?;
        Ok(NonZeroU32::new(number))
    })
    .transpose()
}

/// A moment as stores need it.
#[cfg(any(feature = "local", feature = "dynamodb"))]
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// Seconds since 1970.
    pub seconds: i64,
}

#[cfg(any(feature = "local", feature = "dynamodb"))]
impl Moment {
    pub(super) fn of(now: Timestamp) -> Moment {
        Moment {
            seconds: now.as_second(),
        }
    }

    /// The day, as `2026-11-30`.
    pub(super) fn day(self) -> String {
        date(self.days())
    }

    /// The day after, as `2026-12-01`.
    pub(super) fn next_day(self) -> String {
        date(self.days() + 1)
    }

    /// When that begins, in RFC 3339.
    pub(super) fn midnight(self) -> String {
        format!("{}T00:00:00.000Z", self.next_day())
    }

    /// When something that is kept now expires, in seconds since 1970.
    pub(super) fn expiry(self, bounds: Bounds) -> Option<i64> {
        let days = bounds.days?;
        Some(self.seconds + i64::from(days.get()) * DAY)
    }

    /// Days since 1970.
    pub(super) fn days(self) -> i64 {
        self.seconds.div_euclid(DAY)
    }
}

/// A day as `2026-11-30`; the last one that can be written when it lies beyond the year 9999.
#[cfg(any(feature = "local", feature = "dynamodb"))]
fn date(days: i64) -> String {
    let midnight = Timestamp::from_second(days.saturating_mul(DAY)).unwrap_or(Timestamp::MAX);
    let mut text = midnight.to_string();
    text.truncate(10);
    text
}

#[cfg(all(test, any(feature = "local", feature = "dynamodb")))]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_utc() {
        for (now, day, midnight) in [
            (
                "2026-11-30T00:00:00Z",
                "2026-11-30",
                "2026-12-01T00:00:00.000Z",
            ),
            (
                "2026-12-31T23:59:59.999Z",
                "2026-12-31",
                "2027-01-01T00:00:00.000Z",
            ),
            (
                "2028-02-28T12:00:00+02:00",
                "2028-02-28",
                "2028-02-29T00:00:00.000Z",
            ),
        ] {
            let moment = Moment::of(now.parse().expect("a time"));
            assert_eq!(
                (moment.day().as_str(), moment.midnight().as_str()),
                (day, midnight)
            );
        }
        let last = Moment::of(Timestamp::MAX);
        assert_eq!(last.next_day(), "9999-12-30", "no panic at the end of time");
    }

    #[test]
    fn nought_is_no_bound_and_words_are_refused() {
        let read = |per_day, days| Bounds::read(Some(per_day), Some(days));
        let none = Bounds {
            per_day: None,
            days: None,
        };
        assert_eq!(read("0", " 0 "), Ok(none));
        assert_eq!(Bounds::read(None, None), Ok(Bounds::default()));
        for wrong in ["", "many", "-1", "1.5", "4294967296"] {
            assert!(
                read(wrong, "0").is_err() && read("0", wrong).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_message_expires_after_whole_days() {
        let moment = Moment { seconds: 1_000 };
        let thirty = Bounds::read(None, Some("30")).expect("numbers");
        assert_eq!(moment.expiry(thirty), Some(1_000 + 30 * 86_400));
        assert_eq!(moment.expiry(Bounds::default()), None);
    }
}
