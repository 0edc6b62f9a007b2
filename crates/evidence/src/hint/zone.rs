//! Time zones as printed behind a time of day, and their meaning.
//!
//! Names come from the bundled database. Of abbreviations, only those that name one offset are read (PST, EDT,
//! CET, JST and their like); CST, IST, BST and AST have several meanings, so a time in them is no hint.

use jiff::tz::{Offset, TimeZone, TimeZoneDatabase};

use super::scan::Scan;
use super::{Dropped, When};

/// Abbreviations of one meaning, with their offset from UTC in hours.
const ABBREVIATIONS: [(&str, i8); 23] = [
    ("utc", 0),
    ("gmt", 0),
    ("z", 0),
    ("cet", 1),
    ("cest", 2),
    ("eet", 2),
    ("eest", 3),
    ("msk", 3),
    ("sgt", 8),
    ("hkt", 8),
    ("jst", 9),
    ("kst", 9),
    ("aest", 10),
    ("aedt", 11),
    ("nzst", 12),
    ("nzdt", 13),
    ("edt", -4),
    ("est", -5),
    ("cdt", -5),
    ("mdt", -6),
    ("mst", -7),
    ("pdt", -7),
    ("pst", -8),
];

/// Abbreviations of several meanings: US Central or China; India, Israel or Ireland; Britain or Bangladesh; …
const AMBIGUOUS: [&str; 7] = ["cst", "ist", "bst", "ast", "wst", "ect", "sst"];

/// Names in words, with the database's.
const WORDED: [(&str, &str); 10] = [
    ("pacific standard time", "america/los_angeles"),
    ("pacific time", "america/los_angeles"),
    ("mountain time", "america/denver"),
    ("central time", "america/chicago"),
    ("eastern time", "america/new_york"),
    ("beijing time", "asia/shanghai"),
    ("china standard time", "asia/shanghai"),
    ("coordinated universal time", "utc"),
    ("pt", "america/los_angeles"),
    ("et", "america/new_york"),
];

/// The first parts of the database's names; before a slash, other words are prose.
const AREAS: [&str; 17] = [
    "africa",
    "america",
    "antarctica",
    "arctic",
    "asia",
    "atlantic",
    "australia",
    "brazil",
    "canada",
    "chile",
    "etc",
    "europe",
    "indian",
    "mexico",
    "pacific",
    "us",
    "posix",
];

/// Words that mean the reader's own zone, as if none were given.
const LOCAL: [&str; 5] = ["local", "local time", "your time", "your local time", "your timezone"];

/// The zone that counts: the stated one, else the rule's, else the envelope's.
pub(super) fn effective(
    stated: Option<TimeZone>,
    rule: Option<&str>,
    when: &When<'_>,
) -> Result<TimeZone, Dropped> {
    match (stated, rule.or(when.time_zone)) {
        (Some(zone), _) => Ok(zone),
        (None, Some(name)) => whole(&name.trim().to_ascii_lowercase()),
        (None, None) => Err(Dropped::NoZone),
    }
}

/// The zone that stands behind a time, if one does.
///
/// # Errors
/// If something there is a zone, but an unknown or ambiguous one: the time must not be taken for local then.
pub(super) fn behind(scan: &mut Scan<'_>) -> Result<Option<TimeZone>, Dropped> {
    let mut ahead = *scan;
    ahead.space();
    if !ahead.eat("(") {
        return bare(scan);
    }
    let inner = ahead.take_while(|c| c != ')').trim();
    ahead.eat(")");
    *scan = ahead;
    if LOCAL.contains(&inner) { Ok(None) } else { whole(inner).map(Some) }
}

/// A zone that is the whole of a lower-case text.
fn whole(name: &str) -> Result<TimeZone, Dropped> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return Err(Dropped::unknown_zone(name));
    }
    let mut scan = Scan::new(name);
    if let Some(zone) = offset(&mut scan).filter(|_| scan.rest().is_empty()) {
        return Ok(zone);
    }
    if AMBIGUOUS.contains(&name) {
        return Err(Dropped::ambiguous_zone(name));
    }
    abbreviated(name)
        .or_else(|| worded(name))
        .or_else(|| listed(name))
        .or_else(|| listed(&name.replace(char::is_whitespace, "_")))
        // Wrapped lines are read with a space where the name went on.
        .or_else(|| listed(&name.replace(char::is_whitespace, "")))
        .ok_or_else(|| Dropped::unknown_zone(name))
}

/// A zone without brackets, in the middle of a sentence.
fn bare(scan: &mut Scan<'_>) -> Result<Option<TimeZone>, Dropped> {
    let mut ahead = *scan;
    ahead.space();
    if let Some(zone) = offset(&mut ahead) {
        *scan = ahead;
        return Ok(Some(zone));
    }
    for (words, name) in WORDED {
        // "et" is also a French word: the short ones count only where the sentence pauses behind them.
        let mut after = ahead;
        if after.eat_whole(words) && (words.len() > 2 || !after.rest().starts_with(char::is_whitespace)) {
            *scan = after;
            return Ok(listed(name));
        }
    }
    let token = ahead.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '+' | '-'));
    let token_name = token.trim_end_matches(['/', '+', '-']);
    let area = token_name.split_once('/').map(|(area, _)| area);
    if area.is_some_and(|area| AREAS.contains(&area)) {
        let zone = listed(token_name).ok_or_else(|| Dropped::unknown_zone(token_name))?;
        *scan = ahead;
        return Ok(Some(zone));
    }
    if AMBIGUOUS.contains(&token_name) {
        return Err(Dropped::ambiguous_zone(token_name));
    }
    let zone = abbreviated(token_name);
    if zone.is_some() {
        *scan = ahead;
    }
    Ok(zone)
}

/// `+08:00`, `-0300`, `utc`, `gmt-3`, `utc +5:30`: hours east of Greenwich. A bare sign needs two digits.
fn offset(scan: &mut Scan<'_>) -> Option<TimeZone> {
    let mut ahead = *scan;
    let named = ahead.eat_any(&["utc", "gmt"]);
    let plain = ahead;
    if named {
        ahead.space();
    }
    let signed = signed_offset(&mut ahead, named);
    let zone = match signed {
        Some(zone) => zone,
        None if named && !plain.peek().is_some_and(|c| c.is_alphanumeric() || c == '/') => {
            ahead = plain;
            TimeZone::UTC
        }
        None => return None,
    };
    *scan = ahead;
    Some(zone)
}

fn signed_offset(scan: &mut Scan<'_>, short: bool) -> Option<TimeZone> {
    let sign = if scan.eat("+") {
        1
    } else if scan.eat_any(&["-", "\u{2212}"]) {
        -1
    } else {
        return None;
    };
    let digits = scan.digits(4)?;
    let (hours, minutes) = match digits.len() {
        4 => digits.split_at_checked(2)?,
        2 => (digits, ""),
        1 if short => (digits, ""),
        _ => return None,
    };
    let minutes = match minutes {
        "" if scan.runs_on(&[':']) => {
            scan.eat(":");
            scan.digits(2)?
        }
        "" => "0",
        given => given,
    };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    let inside = hours <= 14 && minutes < 60 && !scan.peek().is_some_and(char::is_alphanumeric);
    let offset = Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()?;
    inside.then(|| TimeZone::fixed(offset))
}

fn abbreviated(name: &str) -> Option<TimeZone> {
    let (_, hours) = ABBREVIATIONS.iter().find(|(known, _)| *known == name)?;
    Some(TimeZone::fixed(Offset::from_hours(*hours).ok()?))
}

fn worded(name: &str) -> Option<TimeZone> {
    let (_, listed_name) = WORDED.iter().find(|(known, _)| *known == name)?;
    listed(listed_name)
}

/// A name of the bundled database, never of the machine's: answers must not depend on where they are made.
fn listed(name: &str) -> Option<TimeZone> {
    TimeZoneDatabase::bundled().get(name).ok().filter(|zone| !zone.is_unknown())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The offset in hours at the start of December 2026, or the reason.
    fn hours(text: &str) -> Result<Option<f64>, Dropped> {
        let at = "2026-12-01T00:00:00Z".parse().unwrap();
        let zone = behind(&mut Scan::new(text))?;
        Ok(zone.map(|zone| f64::from(zone.to_offset(at).seconds()) / 3600.0))
    }

    #[test]
    fn zones_behind_a_time() {
        for (text, expected) in [
            (" (asia/dubai)", Some(4.0)),
            (" (america/los_angeles): {", Some(-8.0)),
            (" (america/los angeles)", Some(-8.0)),
            (" (america/ los_angeles)", Some(-8.0)),
            (" (america/cordoba", Some(-3.0)),
            (" america/new_york.", Some(-5.0)),
            (" (utc)", Some(0.0)),
            (" utc", Some(0.0)),
            ("z", Some(0.0)),
            (" gmt-3.", Some(-3.0)),
            (" gmt+5:30", Some(5.5)),
            (" utc +8", Some(8.0)),
            (" (utc+8)", Some(8.0)),
            (" utc - maintenance", Some(0.0)),
            ("+08:00", Some(8.0)),
            (" -0330", Some(-3.5)),
            (" pst", Some(-8.0)),
            (" pdt.", Some(-7.0)),
            (" cet", Some(1.0)),
            (" pacific time", Some(-8.0)),
            (" (pt)", Some(-8.0)),
            (" et.", Some(-5.0)),
            (" et puis", None),
            (" (local time)", None),
            (" to continue", None),
            (" - 5pm", None),
            ("-5pm", None),
            (" and/or later", None),
            (" /upgrade", None),
            (" japan", None),
            ("", None),
        ] {
            assert_eq!(hours(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_zone_that_cannot_be_told_is_said_to_be_so() {
        for text in [" cst", " (ist)", " bst."] {
            assert!(matches!(hours(text), Err(Dropped::AmbiguousZone(_))), "{text}");
        }
        for text in [" (mars/olympus)", " america/atlantis", " (in 2 hours)", " (etc/unknown)", " ()"] {
            assert!(matches!(hours(text), Err(Dropped::UnknownZone(_))), "{text}");
        }
    }
}
