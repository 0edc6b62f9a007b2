//! Bare numbers: seconds, milliseconds, and the two epochs, told apart by their size.

use jiff::Timestamp;

use super::duration::{Unit, unit};
use super::scan::Scan;
use super::{Dropped, Format, Reading};

/// Longer waits are no waits but epochs or nonsense, in seconds: a leap year.
const LONGEST_WAIT: f64 = 366.0 * 86_400.0;
/// 2001-01-01 and 2100-01-01 in seconds since 1970; numbers outside are no epochs.
const EPOCHS: std::ops::Range<f64> = 978_307_200.0..4_102_444_800.0;

/// A number of seconds.
pub(super) fn seconds(text: &str) -> Result<Reading, Dropped> {
    bare(text, Some(Unit::Second)).and_then(|number| of_json(Format::Seconds, number))
}

/// A number of milliseconds.
pub(super) fn milliseconds(text: &str) -> Result<Reading, Dropped> {
    bare(text, Some(Unit::Millisecond)).and_then(|number| of_json(Format::Milliseconds, number))
}

/// Seconds since 1970.
pub(super) fn epoch_seconds(text: &str) -> Result<Reading, Dropped> {
    bare(text, None).and_then(|number| of_json(Format::EpochSeconds, number))
}

/// Milliseconds since 1970.
pub(super) fn epoch_milliseconds(text: &str) -> Result<Reading, Dropped> {
    bare(text, None).and_then(|number| of_json(Format::EpochMilliseconds, number))
}

/// A number in one of the numeric formats; the others take no number.
pub(super) fn of_json(format: Format, number: f64) -> Result<Reading, Dropped> {
    match format {
        Format::Seconds => wait(number),
        Format::Milliseconds => wait(Unit::Millisecond.in_seconds(number)),
        Format::EpochSeconds => epoch(number),
        Format::EpochMilliseconds => epoch(number / 1000.0),
        Format::Duration | Format::HttpDate | Format::Rfc3339 | Format::Clock | Format::Date => {
            Err(Dropped::Unreadable)
        }
    }
}

fn wait(seconds: f64) -> Result<Reading, Dropped> {
    if seconds.is_finite() && seconds.abs() <= LONGEST_WAIT {
        Ok(Reading::Wait { seconds })
    } else {
        Err(Dropped::Unreadable)
    }
}

fn epoch(seconds: f64) -> Result<Reading, Dropped> {
    if !EPOCHS.contains(&seconds) {
        return Err(Dropped::Unreadable);
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range check above bounds it")]
    let milliseconds = (seconds * 1000.0).round() as i64;
    Timestamp::from_millisecond(milliseconds).map(Reading::Instant).map_err(|_| Dropped::Unreadable)
}

/// A number that stands alone or before the word of its own unit; `547ms`, `9 pm`, `2026-01-02` and `1,000` are
/// other things and must not be cut down to a number.
fn bare(text: &str, own: Option<Unit>) -> Result<f64, Dropped> {
    let mut scan = Scan::new(text);
    let sign = if scan.eat("-") { -1.0 } else { 1.0 };
    let number = decimal(&mut scan).ok_or(Dropped::Unreadable)?;
    let adjacent = !scan.space();
    let mut ahead = scan;
    let stands = match unit(&mut ahead) {
        Some(stated) => Some(stated) == own,
        None if adjacent => {
            !scan.runs_on(&['-', ':', '/', ',', '.'])
                && !scan.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '%' | '_'))
        }
        None => !scan.eat_whole("am") && !scan.eat_whole("pm"),
    };
    if stands { Ok(sign * number) } else { Err(Dropped::Unreadable) }
}

/// Digits with an optional fraction after a point.
pub(super) fn decimal(scan: &mut Scan<'_>) -> Option<f64> {
    let start = *scan;
    scan.digits(15)?;
    let mut ahead = *scan;
    if ahead.eat(".") && ahead.digits(15).is_some() {
        *scan = ahead;
    }
    let length = start.rest().len() - scan.rest().len();
    start.rest().get(..length)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(reading: Result<Reading, Dropped>) -> Option<f64> {
        match reading.ok()? {
            Reading::Wait { seconds } => Some(seconds),
            Reading::Instant(_) => None,
        }
    }

    #[test]
    fn seconds_stand_alone_or_before_their_own_unit() {
        for (text, expected) in [
            ("64", Some(64.0)),
            ("34.5", Some(34.5)),
            ("60. to increase", Some(60.0)),
            ("60 seconds", Some(60.0)),
            ("60 to go", Some(60.0)),
            ("30\"", Some(30.0)),
            ("-5", Some(-5.0)),
            ("0", Some(0.0)),
            ("547ms", None),
            ("6m0s", None),
            ("5 minutes", None),
            ("9 pm", None),
            ("90%", None),
            ("2026-12-01", None),
            ("15:30", None),
            ("1,000", None),
            ("1.2.3", None),
            ("12abc", None),
            ("1749924000", None),
            ("99999999999999999999", None),
            ("", None),
            ("s", None),
        ] {
            assert_eq!(waits(seconds(text)), expected, "{text}");
        }
        assert_eq!(waits(milliseconds("50352000")), Some(50352.0));
        assert_eq!(waits(milliseconds("250 ms")), Some(0.25));
        assert_eq!(waits(milliseconds("250 s")), None);
    }

    #[test]
    fn epochs_lie_between_2001_and_2100() {
        let at = |text: &str| Ok(Reading::Instant(text.parse().unwrap()));
        assert_eq!(epoch_seconds("1749924000"), at("2025-06-14T18:00:00Z"));
        assert_eq!(epoch_seconds("1749924000.5"), at("2025-06-14T18:00:00.5Z"));
        assert_eq!(epoch_milliseconds("1777420800000"), at("2026-04-29T00:00:00Z"));
        for text in ["60", "1777420800000", "978307199", "4102444800", "-1749924000", "1749924000s"] {
            assert_eq!(epoch_seconds(text), Err(Dropped::Unreadable), "{text}");
        }
        assert_eq!(epoch_milliseconds("1749924000"), Err(Dropped::Unreadable));
    }
}
