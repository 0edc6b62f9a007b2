//! The one sanitiser: what every text passes through on its way out of the process.
//!
//! It replaces secrets and personal identifiers by short typed markers ([`Marker`]) and bounds the
//! length. Classification never sees its result; it works on the unredacted text in memory.
//!
//! One pass is: a single multi-pattern automaton (`patterns`) finds the places, small functions
//! decide how far each one reaches (`value`, `places`, `identity`), and what lies between them
//! is searched for high-entropy runs (`entropy`). Passes repeat until nothing changes, at most
//! `MAX_PASSES` times, so the result is idempotent by construction and the time stays linear.

mod entropy;
mod identity;
mod json;
mod keys;
mod marker;
mod patterns;
mod places;
pub mod planted;
mod replace;
mod scan;
mod value;

#[cfg(test)]
mod tests;

pub use json::{sanitise_json, sanitise_pointer};
pub use marker::Marker;

/// Bytes that [`sanitise`] returns at most.
pub const MAX_BYTES: usize = 4 * 1024;

/// Passes after which a text that still changes is withheld as a whole.
const MAX_PASSES: usize = 5;

/// Stands where the middle of a long text was cut out.
const CUT: &str = " [cut] ";

/// Stands for a text that did not settle: nothing of it is shown.
const WITHHELD: &str = "[withheld]";

/// How far a cut may move to fall between words, in bytes.
const CUT_SLACK: usize = 64;

/// Text that went through the sanitiser: the only kind that may be stored or printed by default.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct Sanitised(String);

impl Sanitised {
    /// Sanitises `text`, at most [`MAX_BYTES`] long.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(sanitise(text))
    }

    /// The sanitised text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The sanitised text, owned.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl std::fmt::Display for Sanitised {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Replaces secrets and identifiers in `text`; the result is at most [`MAX_BYTES`] long.
///
/// Idempotent, linear in the length of `text`, and it never splits a character.
#[must_use]
pub fn sanitise(text: &str) -> String {
    sanitise_bounded(text, MAX_BYTES)
}

/// Like [`sanitise`], with a bound of `max_bytes`. Of a longer text, head and tail stay.
#[must_use]
pub fn sanitise_bounded(text: &str, max_bytes: usize) -> String {
    let mut settled = pass(text, max_bytes);
    for _ in 1..MAX_PASSES {
        let next = pass(&settled, max_bytes);
        if next == settled {
            return settled;
        }
        settled = next;
    }
    WITHHELD.get(..max_bytes).unwrap_or(WITHHELD).to_owned()
}

/// Redacts first, then cuts: a cut before redaction would leave half a secret unrecognised.
fn pass(text: &str, max_bytes: usize) -> String {
    let redacted = scan::redact(text);
    if redacted.len() <= max_bytes { redacted } else { cut_middle(&redacted, max_bytes) }
}

/// Keeps head and tail of `text` within `max_bytes`.
fn cut_middle(text: &str, max_bytes: usize) -> String {
    let Some(room) = max_bytes.checked_sub(CUT.len()) else {
        return text.get(..text.floor_char_boundary(max_bytes)).unwrap_or_default().to_owned();
    };
    let head = text.get(..text.floor_char_boundary(room / 2)).unwrap_or_default();
    let tail_at = text.ceil_char_boundary(text.len() - (room - room / 2));
    let tail = text.get(tail_at..).unwrap_or_default();
    [until_word_end(head), CUT, from_word_start(tail)].concat()
}

fn until_word_end(head: &str) -> &str {
    match head.rfind(char::is_whitespace) {
        Some(at) if head.len() - at <= CUT_SLACK => head.get(..at).unwrap_or(head),
        _ => head,
    }
}

fn from_word_start(tail: &str) -> &str {
    let start = tail.char_indices().find(|(_, c)| c.is_whitespace());
    match start {
        Some((at, c)) if at <= CUT_SLACK => tail.get(at + c.len_utf8()..).unwrap_or(tail),
        _ => tail,
    }
}
