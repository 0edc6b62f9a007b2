//! Regular expressions of rules and hints, with the column inside the pattern.

use super::codes;
use super::findings::{At, Findings};
use crate::pattern::{Fault, Pattern, Use};

/// Reports the first fault of a pattern.
pub(super) fn check(source: &str, usage: Use, pointer: &str, findings: &mut Findings<'_>) {
    let Err(error) = Pattern::new(source, usage) else { return };
    let inside = At::Inside(pointer, error.offset);
    let (code, at, help) = match error.fault {
        Fault::Syntax => {
            (codes::BAD_REGEX, inside, "use the syntax of the Rust crate `regex`, with ASCII classes")
        }
        Fault::TooLong => (codes::REGEX_TOO_LONG, At::Value(pointer), "split it into several atoms"),
        Fault::MatchesEmpty => {
            (codes::REGEX_MATCHES_EMPTY, At::Value(pointer), "add a part that must be there")
        }
        Fault::NoLiteral => (
            codes::REGEX_NO_LITERAL,
            At::Value(pointer),
            "add words that are part of every match, such as `limit`",
        ),
        Fault::WideGap => (codes::REGEX_WIDE_GAP, inside, "bound the gap"),
        Fault::Captures => (codes::REGEX_CAPTURES, inside, ""),
    };
    findings.error(code, at, error.message, help);
}
