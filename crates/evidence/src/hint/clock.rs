//! Times of day, which mean their next occurrence.

use jiff::civil::{DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::date::{Day, day_behind};
use super::scan::Scan;
use super::{Dropped, Reading, When, zone};

/// A time that passed within this long is past, not tomorrow's: the message took its time to arrive.
const JUST_PASSED: SignedDuration = SignedDuration::from_mins(15);

/// A time of day as stated, with the zone and day behind it.
pub(super) struct Stated {
    pub(super) time: Time,
    pub(super) zone: Option<TimeZone>,
    pub(super) day: Option<Day>,
}

impl Stated {
    /// Reads `3pm`, `3pm (utc)`, `3pm utc on dec 3`, `3pm tomorrow (utc)`.
    pub(super) fn read(text: &str) -> Result<Self, Dropped> {
        let mut scan = Scan::new(text);
        let time = time_of_day(&mut scan).ok_or(Dropped::Unreadable)?;
        let mut zone = zone::behind(&mut scan)?;
        let day = day_behind(&mut scan);
        if day.is_some() && zone.is_none() {
            zone = zone::behind(&mut scan)?;
        }
        Ok(Self { time, zone, day })
    }
}

/// Reads a time of day and finds its next occurrence, or the one on the day that stands behind it.
pub(super) fn read(text: &str, rule_zone: Option<&str>, when: &When<'_>) -> Result<Reading, Dropped> {
    let stated = Stated::read(text)?;
    let zone = zone::effective(stated.zone, rule_zone, when)?;
    if let Some(day) = stated.day {
        return day.instant(stated.time, &zone, when);
    }
    let seen = when.seen_at.ok_or(Dropped::NoTime)?;
    let today = seen.to_zoned_datetime(zone.clone()).date();
    let days = [today.yesterday().ok(), Some(today), today.tomorrow().ok()];
    next(days.into_iter().flatten().map(|day| day.to_datetime(stated.time)), &zone, seen)
}

/// The first of the ascending candidates that has not passed, or only just.
pub(super) fn next(
    candidates: impl Iterator<Item = DateTime>,
    zone: &TimeZone,
    seen: Timestamp,
) -> Result<Reading, Dropped> {
    candidates
        .filter_map(|candidate| later(candidate, zone))
        .find(|instant| seen.duration_since(*instant) <= JUST_PASSED)
        .map(Reading::Instant)
        .ok_or(Dropped::Unreadable)
}

/// The instant of a civil time; the later one where the clock is set forward or back.
pub(super) fn later(local: DateTime, zone: &TimeZone) -> Option<Timestamp> {
    zone.to_ambiguous_timestamp(local).later().ok()
}

/// `3:04 pm`, `3am`, `15:30`, `15:30:05`, `noon`; an hour alone is no time of day.
pub(super) fn time_of_day(scan: &mut Scan<'_>) -> Option<Time> {
    let mut ahead = *scan;
    for (word, hour) in [("noon", 12), ("midnight", 0)] {
        if ahead.eat_whole(word) {
            *scan = ahead;
            return Time::new(hour, 0, 0, 0).ok();
        }
    }
    let before = unspaced_half(&mut ahead);
    let hour: i8 = ahead.number(2)?;
    let (minute, second) = if ahead.eat(":") { minutes(&mut ahead)? } else { (None, 0) };
    let half = before.or_else(|| half(&mut ahead));
    let hour = match half {
        Some(half) => half.hour(hour)?,
        None if minute.is_some() => hour,
        None => return None,
    };
    let time = Time::new(hour, minute.unwrap_or(0), second, 0).ok()?;
    *scan = ahead;
    Some(time)
}

/// Two digits of minutes, and the seconds if they stand there; parts of a second are skipped.
fn minutes(scan: &mut Scan<'_>) -> Option<(Option<i8>, i8)> {
    let two = |scan: &mut Scan<'_>| scan.digits(2).filter(|digits| digits.len() == 2)?.parse().ok();
    let minute = two(scan)?;
    if !scan.runs_on(&[':']) {
        return Some((Some(minute), 0));
    }
    scan.eat(":");
    let second = two(scan)?;
    if scan.runs_on(&['.']) {
        scan.eat(".");
        scan.digits(9);
    }
    Some((Some(minute), second))
}

/// The half of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Half {
    Before,
    After,
}

impl Half {
    /// The hour of the day for one of twelve.
    fn hour(self, stated: i8) -> Option<i8> {
        let hour = match stated {
            12 => 0,
            1..=11 => stated,
            _ => return None,
        };
        Some(match self {
            Self::Before => hour,
            Self::After => hour + 12,
        })
    }
}

fn half(scan: &mut Scan<'_>) -> Option<Half> {
    let mut ahead = *scan;
    ahead.space();
    let found = if ["am", "a.m."].iter().any(|word| ahead.eat_whole(word)) {
        Half::Before
    } else if ["pm", "p.m."].iter().any(|word| ahead.eat_whole(word)) {
        Half::After
    } else {
        return None;
    };
    *scan = ahead;
    Some(found)
}

/// The half of the day in Chinese, Japanese and Korean, where it comes first.
fn unspaced_half(scan: &mut Scan<'_>) -> Option<Half> {
    let found = if scan.eat_any(&["上午", "午前", "오전"]) {
        Half::Before
    } else if scan.eat_any(&["下午", "午後", "오후"]) {
        Half::After
    } else {
        return None;
    };
    scan.space();
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_in_every_spelling() {
        for (text, expected) in [
            ("3:04 pm", Some((15, 4))),
            ("3:04\u{202f}pm", Some((15, 4))),
            ("3am", Some((3, 0))),
            ("9 pm.", Some((21, 0))),
            ("12:50am", Some((0, 50))),
            ("12pm", Some((12, 0))),
            ("7:38 a.m.", Some((7, 38))),
            ("16:29", Some((16, 29))),
            ("09:59:59", Some((9, 59))),
            ("00:00 utc", Some((0, 0))),
            ("noon", Some((12, 0))),
            ("midnight utc", Some((0, 0))),
            ("下午3:04", Some((15, 4))),
            ("13pm", None),
            ("0am", None),
            ("15", None),
            ("5 days", None),
            ("3amy", None),
            ("24:00", None),
            ("12:60", None),
            ("1:2", None),
            ("123:00", None),
            ("", None),
        ] {
            let time = time_of_day(&mut Scan::new(text));
            assert_eq!(time.map(|time| (time.hour(), time.minute())), expected, "{text}");
        }
    }
}
