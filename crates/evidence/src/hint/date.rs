//! Days with or without a year, a time and a zone, in the orders that agents and providers print.

use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;

use super::clock::{self, Stated, later, next, time_of_day};
use super::scan::Scan;
use super::{Dropped, Reading, When, zone};

/// A stated day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    /// With its year.
    Full(Date),
    /// Month and day: the next one.
    Yearless(i8, i8),
    /// The next day of this name.
    Named(Weekday),
    /// The day of the evidence.
    Today,
    /// The day after.
    Tomorrow,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// Reads a day and, if they follow, a time of day and a zone. A day alone means its start. A time of day may
/// also come first, if a day follows it.
pub(super) fn read(text: &str, rule_zone: Option<&str>, when: &When<'_>) -> Result<Reading, Dropped> {
    let mut scan = Scan::new(text);
    let Some(day) = day(&mut scan) else {
        let dated = Stated::read(text).is_ok_and(|stated| stated.day.is_some());
        return if dated { clock::read(text, rule_zone, when) } else { Err(Dropped::Unreadable) };
    };
    let time = time_behind(&mut scan);
    if time.is_none() && day == Day::Today {
        return Err(Dropped::Unreadable);
    }
    let zone = zone::effective(zone::behind(&mut scan)?, rule_zone, when)?;
    day.instant(time.unwrap_or(Time::midnight()), &zone, when)
}

impl Day {
    /// The instant of a time on this day; a day without a year is the next such day.
    pub(super) fn instant(self, time: Time, zone: &TimeZone, when: &When<'_>) -> Result<Reading, Dropped> {
        let today = || match when.seen_at {
            Some(seen) => Ok((seen, seen.to_zoned_datetime(zone.clone()).date())),
            None => Err(Dropped::NoTime),
        };
        let exact = |date: Date| {
            let instant = later(date.to_datetime(time), zone);
            instant.map(Reading::Instant).ok_or(Dropped::Unreadable)
        };
        match self {
            Self::Full(date) => exact(date),
            Self::Today => exact(today()?.1),
            Self::Tomorrow => exact(today()?.1.tomorrow().map_err(|_| Dropped::TooFar)?),
            Self::Yearless(month, day) => {
                let (seen, today) = today()?;
                // Eight years reach the next leap day, whatever the century.
                let years = (-1..=8).filter_map(|ahead| today.year().checked_add(ahead));
                let dates = years.filter_map(|year| Date::new(year, month, day).ok());
                next(dates.map(|date| date.to_datetime(time)), zone, seen)
            }
            Self::Named(weekday) => {
                let (seen, today) = today()?;
                let from = today.yesterday().unwrap_or(today);
                let dates = std::iter::successors(Some(from), |date| date.tomorrow().ok()).take(9);
                let named = dates.filter(|date| date.weekday() == weekday);
                next(named.map(|date| date.to_datetime(time)), zone, seen)
            }
        }
    }
}

/// A day behind a time of day: ` on dec 3`, `, monday`, ` tomorrow`.
pub(super) fn day_behind(scan: &mut Scan<'_>) -> Option<Day> {
    let mut ahead = *scan;
    ahead.eat(",");
    ahead.space();
    if ahead.eat_whole("on") {
        ahead.space();
    }
    let day = day(&mut ahead)?;
    *scan = ahead;
    Some(day)
}

fn day(scan: &mut Scan<'_>) -> Option<Day> {
    let weekday = weekday(scan);
    year_first(scan)
        .or_else(|| east_asian(scan))
        .or_else(|| month_first(scan))
        .or_else(|| day_first(scan))
        .or(weekday.map(Day::Named))
        .or_else(|| scan.eat_whole("today").then_some(Day::Today))
        .or_else(|| scan.eat_whole("tomorrow").then_some(Day::Tomorrow))
}

/// A time of day behind a day: `, 9am`, ` at 00:00`, `t10:00`.
fn time_behind(scan: &mut Scan<'_>) -> Option<Time> {
    let mut ahead = *scan;
    if ahead.runs_on(&['t']) {
        ahead.eat("t");
    } else {
        ahead.space();
        ahead.eat(",");
        ahead.space();
        if ahead.eat("@") || ahead.eat_whole("at") || ahead.eat_whole("um") {
            ahead.space();
        }
    }
    let time = time_of_day(&mut ahead)?;
    *scan = ahead;
    Some(time)
}

/// The day's name and the comma and space behind it.
fn weekday(scan: &mut Scan<'_>) -> Option<Weekday> {
    let mut ahead = *scan;
    let word = ahead.word();
    let (_, weekday) = WEEKDAYS.iter().find(|(name, _)| short_or_full(word, name))?;
    ahead.eat_any(&[".", ","]);
    ahead.space();
    *scan = ahead;
    Some(*weekday)
}

/// The full name or its first three letters.
fn short_or_full(word: &str, name: &str) -> bool {
    word == name || (word.len() == 3 && name.starts_with(word))
}

/// `2025-12-01`, `2025/12/01`.
fn year_first(scan: &mut Scan<'_>) -> Option<Day> {
    let mut ahead = *scan;
    let year = year(&mut ahead)?;
    let separator = ["-", "/"].into_iter().find(|separator| ahead.eat(separator))?;
    let month = ahead.number(2)?;
    let separated = ahead.eat(separator);
    let day = ahead.number(2).filter(|_| separated)?;
    dated(scan, ahead, Some(year), month, day)
}

/// `2026年7月24日`, `7月24日`; Korean has its own three signs.
fn east_asian(scan: &mut Scan<'_>) -> Option<Day> {
    let mut ahead = *scan;
    let year = year(&mut ahead);
    if year.is_some() && !ahead.eat_any(&["年", "년"]) {
        return None;
    }
    ahead.space();
    let month = ahead.number(2)?;
    let marked = ahead.eat_any(&["月", "월"]);
    ahead.space();
    let day = ahead.number(2).filter(|_| marked)?;
    let complete = ahead.eat_any(&["日", "号", "號", "일"]);
    dated(scan, ahead, year, month, day).filter(|_| complete)
}

/// `oct 31`, `jul 5th, 2026`, `october 8, 2026`.
fn month_first(scan: &mut Scan<'_>) -> Option<Day> {
    let mut ahead = *scan;
    let month = month(&mut ahead)?;
    ahead.space();
    let day = ahead.number(2)?;
    ordinal(&mut ahead);
    let year = year_behind(&mut ahead);
    dated(scan, ahead, year, month, day)
}

/// `20 oct 2026`, `3rd dec`, `06-nov-2026`.
fn day_first(scan: &mut Scan<'_>) -> Option<Day> {
    let mut ahead = *scan;
    let day = ahead.number(2)?;
    ordinal(&mut ahead);
    ahead.eat_any(&["-", "."]);
    ahead.space();
    let month = month(&mut ahead)?;
    ahead.eat("-");
    let year = year_behind(&mut ahead);
    dated(scan, ahead, year, month, day)
}

/// The day, if the calendar has it; only then does the reading move on.
fn dated<'a>(scan: &mut Scan<'a>, behind: Scan<'a>, year: Option<i16>, month: i8, day: i8) -> Option<Day> {
    const LEAP: i16 = 2024;
    let date = Date::new(year.unwrap_or(LEAP), month, day).ok()?;
    *scan = behind;
    Some(if year.is_some() { Day::Full(date) } else { Day::Yearless(month, day) })
}

fn month(scan: &mut Scan<'_>) -> Option<i8> {
    let word = scan.word();
    let at = MONTHS
        .iter()
        .position(|name| short_or_full(word, name) || (word == "sept" && *name == "september"))?;
    scan.eat(".");
    i8::try_from(at + 1).ok()
}

fn ordinal(scan: &mut Scan<'_>) {
    let _ = ["st", "nd", "rd", "th"].iter().any(|suffix| scan.eat_whole(suffix));
}

/// Four digits of this century; other numbers behind a day are something else.
fn year(scan: &mut Scan<'_>) -> Option<i16> {
    let mut ahead = *scan;
    let year = ahead.number(4).filter(|year| (2000..=2100).contains(year))?;
    *scan = ahead;
    Some(year)
}

/// A year behind month and day, which a comma may part.
fn year_behind(scan: &mut Scan<'_>) -> Option<i16> {
    let mut ahead = *scan;
    ahead.space();
    ahead.eat(",");
    ahead.space();
    let year = year(&mut ahead).filter(|_| !ahead.runs_on(&[':']))?;
    *scan = ahead;
    Some(year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_every_order() {
        let full = |year, month, day| Some(Day::Full(Date::new(year, month, day).unwrap()));
        for (text, expected, rest) in [
            ("may 2, 2pm", Some(Day::Yearless(5, 2)), ", 2pm"),
            ("oct 31, 9am", Some(Day::Yearless(10, 31)), ", 9am"),
            ("sept. 3rd at 4pm", Some(Day::Yearless(9, 3)), " at 4pm"),
            ("feb 29", Some(Day::Yearless(2, 29)), ""),
            ("jul 5th, 2026 8:19 pm", full(2026, 7, 5), " 8:19 pm"),
            ("october 8, 2026 at 3:47 pm", full(2026, 10, 8), " at 3:47 pm"),
            ("20 oct 2026, 16:29", full(2026, 10, 20), ", 16:29"),
            ("3. december 2026", full(2026, 12, 3), ""),
            ("06-nov-2026 x", full(2026, 11, 6), " x"),
            ("mon, 30 nov 2026 12:00", full(2026, 11, 30), " 12:00"),
            ("2025-12-01 at 00:00", full(2025, 12, 1), " at 00:00"),
            ("2026/01/02", full(2026, 1, 2), ""),
            ("2026年7月24日 09:59", full(2026, 7, 24), " 09:59"),
            ("7月24日", Some(Day::Yearless(7, 24)), ""),
            ("2026년 7월 24일", full(2026, 7, 24), ""),
            ("thu 10:00 am", Some(Day::Named(Weekday::Thursday)), "10:00 am"),
            ("tomorrow at 3pm", Some(Day::Tomorrow), " at 3pm"),
            ("2026-02-30", None, "2026-02-30"),
            ("feb 30", None, "feb 30"),
            ("may 2026", None, "may 2026"),
            ("11/17/2025", None, "11/17/2025"),
            ("3 days", None, "3 days"),
            ("2 marches", None, "2 marches"),
            ("1999-12-01", None, "1999-12-01"),
            ("todays", None, "todays"),
            ("", None, ""),
        ] {
            let mut scan = Scan::new(text);
            assert_eq!(day(&mut scan), expected, "{text}");
            assert_eq!(scan.rest(), rest, "{text}");
        }
    }
}
