//! Timing hints: a closed set of readers that turn a text, header or field into a wait or an instant.
//!
//! Reading and judging are apart. [`read`] and [`read_json`] say what is stated; [`validate`] says whether it
//! can be believed: in the future, at most 32 days away, within the rule's bounds, and sensible for the cause.
//! The clock is passed in as [`When`]; there is no other. Every reader takes the longest valid prefix of its
//! text, since what a rule captures may run on into the sentence, and looks at the first 256 bytes only.
//!
//! ```
//! use faultbook_evidence::hint::{Format, Reading, When, read};
//!
//! let stated = read("6.5s. Visit the limits page", &[Format::Duration], None, &When::default())?;
//! assert_eq!(stated, Reading::Wait { seconds: 6.5 });
//! # Ok::<(), faultbook_evidence::hint::Dropped>(())
//! ```

mod clock;
mod date;
mod dropped;
mod duration;
mod format;
mod number;
mod scan;
mod stamp;
#[cfg(test)]
mod tests;
mod validate;
mod zone;

pub use dropped::Dropped;
pub use format::Format;
use jiff::Timestamp;
use serde_json::Value;
pub use validate::{Bounds, FARTHEST_SECONDS, Hint, validate};

/// How much of a text a reader looks at, in bytes; the longest stated time is far shorter.
const LONGEST: usize = 256;

/// The clock and zone of the evidence that a hint is read from.
#[derive(Debug, Clone, Copy, Default)]
pub struct When<'a> {
    /// When the evidence was seen: the signal's `at`, else the envelope's `occurred_at`.
    pub seen_at: Option<Timestamp>,
    /// The envelope's `time_zone`, for times of day that name no zone.
    pub time_zone: Option<&'a str>,
}

/// What the evidence states, not yet judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// A wait that counts from when the evidence was seen.
    Wait {
        /// Its length in seconds, as stated; it may be zero or negative.
        seconds: f64,
    },
    /// An instant, which may lie in the past.
    Instant(Timestamp),
}

/// Reads a text by the first of `formats` that fits it.
///
/// `zone` is the zone that the rule declares for times that name none (a provider's home zone, say); it comes
/// before the envelope's. Letter case means nothing, so the text may be the normal form or the original.
///
/// # Errors
/// If no format fits: the most telling of the reasons, such as a time of day without any zone.
pub fn read(text: &str, formats: &[Format], zone: Option<&str>, when: &When<'_>) -> Result<Reading, Dropped> {
    let lower = lower_bounded(text);
    let stated = scan::without_lead(&lower);
    first(formats, |format| match format {
        Format::Seconds => number::seconds(stated),
        Format::Milliseconds => number::milliseconds(stated),
        Format::EpochSeconds => number::epoch_seconds(stated),
        Format::EpochMilliseconds => number::epoch_milliseconds(stated),
        Format::Duration => duration::read(stated),
        Format::HttpDate => stamp::http_date(stated),
        Format::Rfc3339 => stamp::rfc3339(stated),
        Format::Clock => clock::read(stated, zone, when),
        Format::Date => date::read(stated, zone, when),
    })
}

/// Reads a JSON value: a string as [`read`] does, a number by the numeric formats, and the two-part object of
/// `google.protobuf.Duration` (`seconds`, `nanos`) by [`Format::Duration`].
///
/// # Errors
/// As [`read`]; a value of any other type is never a hint.
pub fn read_json(
    value: &Value,
    formats: &[Format],
    zone: Option<&str>,
    when: &When<'_>,
) -> Result<Reading, Dropped> {
    match value {
        Value::String(text) => read(text, formats, zone, when),
        Value::Number(number) => {
            let number = number.as_f64().ok_or(Dropped::Unreadable)?;
            first(formats, |format| number::of_json(format, number))
        }
        Value::Object(parts) if formats.contains(&Format::Duration) => {
            duration::of_parts(parts.get("seconds"), parts.get("nanos"))
        }
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => Err(Dropped::Unreadable),
    }
}

/// The first reading, else the first reason that says more than "unreadable".
fn first(
    formats: &[Format],
    reader: impl Fn(Format) -> Result<Reading, Dropped>,
) -> Result<Reading, Dropped> {
    let mut reason = Dropped::Unreadable;
    for &format in formats {
        match reader(format) {
            Ok(reading) => return Ok(reading),
            Err(dropped) if reason == Dropped::Unreadable => reason = dropped,
            Err(_) => {}
        }
    }
    Err(reason)
}

/// The first [`LONGEST`] bytes in lower case; a character on the edge is left out.
fn lower_bounded(text: &str) -> String {
    let text = text.trim_start();
    let end = (0..=LONGEST.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    end.and_then(|end| text.get(..end)).unwrap_or_default().to_ascii_lowercase()
}
