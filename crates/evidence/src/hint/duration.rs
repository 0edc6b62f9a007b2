//! Durations as people and machines write them: numbers with units, from `28ms` to `10 days 19 hours`.

use serde_json::Value;

use super::number::decimal;
use super::scan::Scan;
use super::{Dropped, Reading};

/// Units of a stated wait, from short to long. Months are missing on purpose: they have no length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    Nanosecond,
    Microsecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
}

impl Unit {
    /// `count` of this unit in seconds; parts of a second divide, which keeps decimals as they were written.
    pub(super) fn in_seconds(self, count: f64) -> f64 {
        match self {
            Self::Nanosecond => count / 1e9,
            Self::Microsecond => count / 1e6,
            Self::Millisecond => count / 1e3,
            Self::Second => count,
            Self::Minute => count * 60.0,
            Self::Hour => count * 3_600.0,
            Self::Day => count * 86_400.0,
            Self::Week => count * 604_800.0,
        }
    }

    /// A whole Latin word: English with its abbreviations, German, French, Spanish, Portuguese, Italian.
    fn of_word(word: &str) -> Option<Self> {
        Some(match word {
            "ns" => Self::Nanosecond,
            "us" | "\u{b5}s" => Self::Microsecond,
            "ms" | "msec" | "msecs" | "millis" | "millisecond" | "milliseconds" | "millisekunden" => {
                Self::Millisecond
            }
            "s" | "sec" | "secs" | "second" | "seconds" | "sek" | "sekunde" | "sekunden" | "seconde"
            | "secondes" | "segundo" | "segundos" | "secondo" | "secondi" => Self::Second,
            "m" | "min" | "mins" | "minute" | "minutes" | "minuten" | "minuto" | "minutos" | "minuti" => {
                Self::Minute
            }
            "h" | "hr" | "hrs" | "hour" | "hours" | "std" | "stunde" | "stunden" | "heure" | "heures"
            | "hora" | "horas" | "ora" | "ore" => Self::Hour,
            "d" | "day" | "days" | "tag" | "tage" | "tagen" | "jour" | "jours" | "d\u{ed}a" | "d\u{ed}as"
            | "dia" | "dias" | "giorno" | "giorni" => Self::Day,
            "w" | "wk" | "wks" | "week" | "weeks" | "woche" | "wochen" | "semaine" | "semaines"
            | "semana" | "semanas" => Self::Week,
            _ => return None,
        })
    }
}

/// Chinese, Japanese and Korean units, which are followed by the next word without a space; longer ones first.
const UNSPACED: [(&str, Unit); 24] = [
    ("毫秒", Unit::Millisecond),
    ("ミリ秒", Unit::Millisecond),
    ("秒钟", Unit::Second),
    ("秒鐘", Unit::Second),
    ("秒", Unit::Second),
    ("초", Unit::Second),
    ("分钟", Unit::Minute),
    ("分鐘", Unit::Minute),
    ("分", Unit::Minute),
    ("분", Unit::Minute),
    ("个小时", Unit::Hour),
    ("個小時", Unit::Hour),
    ("小时", Unit::Hour),
    ("小時", Unit::Hour),
    ("時間", Unit::Hour),
    ("시간", Unit::Hour),
    ("日間", Unit::Day),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("일", Unit::Day),
    ("週間", Unit::Week),
    ("周", Unit::Week),
    ("週", Unit::Week),
    ("주", Unit::Week),
];

/// Reads a duration. Its parts go from long units to short ones; what follows is left alone.
pub(super) fn read(text: &str) -> Result<Reading, Dropped> {
    let mut scan = Scan::new(text);
    if !scan.eat("pt") {
        without_hedge(&mut scan);
    }
    let (count, mut last) = part(&mut scan).ok_or(Dropped::Unreadable)?;
    let mut seconds = last.in_seconds(count);
    loop {
        between(&mut scan);
        match part(&mut scan) {
            Some((count, unit)) if unit < last => {
                seconds += unit.in_seconds(count);
                last = unit;
            }
            _ => return Ok(Reading::Wait { seconds }),
        }
    }
}

/// The `seconds` and `nanos` of a `google.protobuf.Duration`, where a host prints it as an object.
pub(super) fn of_parts(seconds: Option<&Value>, nanos: Option<&Value>) -> Result<Reading, Dropped> {
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok().filter(|number: &f64| number.is_finite()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    };
    let seconds = seconds.and_then(number).ok_or(Dropped::Unreadable)?;
    let nanos = nanos.and_then(number).unwrap_or(0.0);
    Ok(Reading::Wait { seconds: seconds + Unit::Nanosecond.in_seconds(nanos) })
}

/// Skips "under" and the like: the bound is the wait.
fn without_hedge(scan: &mut Scan<'_>) {
    scan.eat("~");
    let hedges = ["under ", "less than ", "about ", "approximately ", "around ", "roughly ", "another "];
    scan.eat_any(&hedges);
    scan.space();
}

/// Skips what may stand between two parts.
fn between(scan: &mut Scan<'_>) {
    scan.space();
    scan.eat(",");
    scan.space();
    let mut ahead = *scan;
    if ["and", "und", "et", "y", "e"].contains(&ahead.word()) && ahead.space() {
        *scan = ahead;
    }
}

/// One count with its unit.
fn part(scan: &mut Scan<'_>) -> Option<(f64, Unit)> {
    let mut ahead = *scan;
    let count = match decimal(&mut ahead) {
        Some(count) => grouped(&mut ahead, count)?,
        None => article(&mut ahead)?,
    };
    ahead.space();
    let unit = unit(&mut ahead)?;
    *scan = ahead;
    Some((count, unit))
}

/// The rest of a number with a comma: three digits are a group of thousands, one or two are decimals.
fn grouped(scan: &mut Scan<'_>, whole: f64) -> Option<f64> {
    if !scan.runs_on(&[',']) {
        return Some(whole);
    }
    scan.eat(",");
    let digits = scan.digits(3)?;
    let more: f64 = digits.parse().ok()?;
    Some(match digits.len() {
        1 => whole + more / 10.0,
        2 => whole + more / 100.0,
        _ => whole * 1000.0 + more,
    })
}

/// "a minute", "eine Stunde".
fn article(scan: &mut Scan<'_>) -> Option<f64> {
    let words = ["a", "an", "one", "ein", "eine", "einer", "einem", "un", "una", "une", "um", "uma"];
    (words.contains(&scan.word()) && scan.space()).then_some(1.0)
}

/// The unit that stands here.
pub(super) fn unit(scan: &mut Scan<'_>) -> Option<Unit> {
    let mut ahead = *scan;
    let word = ahead.word();
    if !word.is_empty() {
        let unit = Unit::of_word(word)?;
        *scan = ahead;
        return Some(unit);
    }
    // The small mu of Greek, which compatibility folding makes of the micro sign.
    if scan.eat_whole("\u{3bc}s") {
        return Some(Unit::Microsecond);
    }
    UNSPACED.iter().find(|(name, _)| scan.eat(name)).map(|&(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_in_every_spelling() {
        for (text, seconds) in [
            ("6.5s", 6.5),
            ("28ms", 0.028),
            ("547ms", 0.547),
            ("1h2m3s", 3723.0),
            ("7m12.5s.", 432.5),
            ("6m0s", 360.0),
            ("2m59.56s", 179.56),
            ("9m38.016s", 578.016),
            ("2h31m16.752s", 9076.752),
            ("161h39m41s", 581_981.0),
            ("581981.3s", 581_981.3),
            ("12h34m16s. visit", 45_256.0),
            ("45.123s\"}]", 45.123),
            ("34 seconds", 34.0),
            ("1 seconds', 'type'", 1.0),
            ("2 days 3 hours", 183_600.0),
            ("5 days 22 hours 11\nminutes.", 511_860.0),
            ("10 days 19 hours", 932_400.0),
            ("2d 3h", 183_600.0),
            ("17h 42m attempt #1", 63_720.0),
            ("4hr 19min", 15_540.0),
            ("1 hour and 20 minutes", 4_800.0),
            ("1 hour, 20 minutes", 4_800.0),
            ("1 hour, and wait", 3_600.0),
            ("58 hours. please", 208_800.0),
            ("under a minute", 60.0),
            ("less than 5 minutes", 300.0),
            ("a minute", 60.0),
            ("about an hour", 3_600.0),
            ("~20 min", 1_200.0),
            ("2 weeks", 1_209_600.0),
            ("pt34s", 34.0),
            ("156.25\u{b5}s", 0.000_156_25),
            ("3 hours 5 apples", 10_800.0),
            ("5 minutes 3 hours", 300.0),
            ("1,200 seconds", 1_200.0),
            ("6,5 sekunden", 6.5),
            ("eine stunde und 5 minuten", 3_900.0),
            ("2 stunden", 7_200.0),
            ("3 heures et 10 minutes", 11_400.0),
            ("2 d\u{ed}as y 4 horas", 187_200.0),
            ("30秒后重试", 30.0),
            ("3小时20分钟后", 12_000.0),
            ("2 个小时", 7_200.0),
            ("5分後", 300.0),
            ("1時間30分", 5_400.0),
            ("2일 3시간", 183_600.0),
            ("0s", 0.0),
        ] {
            assert_eq!(read(text), Ok(Reading::Wait { seconds }), "{text}");
        }
    }

    #[test]
    fn other_words_and_bare_numbers_are_no_durations() {
        let far = "9999999999999999s";
        for text in [
            "",
            "60",
            "a few minutes",
            "1 month",
            "5-10 minutes",
            "5 apples",
            "m5",
            "soon",
            "3sandwiches",
            far,
        ] {
            assert_eq!(read(text), Err(Dropped::Unreadable), "{text}");
        }
    }
}
