//! Whether a rule deserves the band and the confidence that it claims.

use faultbook_taxonomy::{Band, Confidence};
use serde_json::Value;

use super::atoms::{MIN_PHRASE_BYTES, is_weak};
use super::codes;
use super::condition::Condition;
use super::findings::{At, Findings};
use crate::rule::{AmbiguousValue, Atom, FieldAtom, HeaderAtom, Numbers, TextAtom};

/// What a rule claims, and what speaks for it beside its match.
pub(super) struct Claim {
    pub(super) band: Option<Band>,
    pub(super) confidence: Option<Confidence>,
    pub(super) has_reference: bool,
    pub(super) applies: bool,
}

/// Checks the entry conditions of the bands.
pub(super) fn check(
    claim: &Claim,
    condition: &Condition,
    ambiguous: &[AmbiguousValue],
    findings: &mut Findings<'_>,
) {
    // A match that the schema refused says nothing about what it would have deserved.
    if !condition.is_complete() {
        return;
    }
    let refuse = |findings: &mut Findings<'_>, message: &str, help: &str| {
        findings.error(codes::BAND_NOT_DESERVED, At::Value("/band"), message, help);
    };
    match claim.band {
        Some(Band::Cause) => {
            if !condition.requires(&|atom| names_cause(atom, ambiguous)) {
                let message = "the band `cause` needs a structured value that is not in ambiguous.yaml";
                refuse(findings, message, "ask for a `field` or `header` by value, or use a lower band");
            } else if !claim.has_reference {
                let message = "the band `cause` needs a reference for its value";
                refuse(findings, message, "add the page or source file that names it under `references`");
            }
        }
        Some(Band::Message) => {
            if !condition.requires(&|atom| is_message(atom) || names_cause(atom, ambiguous)) {
                let message = "the band `message` needs words of 8 bytes or more in every way to match";
                refuse(findings, message, "ask for a longer phrase, or use `band: generic`");
            } else if !claim.has_reference && !claim.applies {
                let message = "the band `message` needs `applies` or a reference: who prints these words?";
                refuse(
                    findings,
                    message,
                    "name the agent or provider, add a reference, or use `band: generic`",
                );
            }
        }
        Some(Band::Generic) if claim.confidence == Some(Confidence::High) => {
            if !condition.requires(&is_gateway_status) {
                let message = "a generic rule has at most medium confidence";
                let help = "use `confidence: medium`; only 502, 503, 504, 52x and 529 may be high";
                findings.error(codes::CONFIDENCE_NOT_DESERVED, At::Value("/confidence"), message, help);
            }
        }
        Some(Band::Generic) | None => {}
    }
}

/// A structured value that names one cause: no status, no flag, nothing ambiguous.
fn names_cause(atom: &Atom, ambiguous: &[AmbiguousValue]) -> bool {
    match atom {
        Atom::Field(field) => {
            field.prefix.is_some()
                || field.regex.is_some()
                || has_all(field, |value| is_telling(value) && !is_ambiguous(field, value, ambiguous))
        }
        Atom::Header(HeaderAtom { equals, within, .. }) => equals.is_some() || within.is_some(),
        Atom::Channel(_)
        | Atom::Phase(_)
        | Atom::Terminal(_)
        | Atom::HttpStatus(_)
        | Atom::ExitCode(_)
        | Atom::RpcCode(_)
        | Atom::Text(_)
        | Atom::Whole(_)
        | Atom::All(_)
        | Atom::Any(_)
        | Atom::None(_) => false,
    }
}

/// Words that an agent or provider prints, long enough to be no accident.
fn is_message(atom: &Atom) -> bool {
    let long = |text: &String| text.len() >= MIN_PHRASE_BYTES && !is_weak(text);
    match atom {
        Atom::Text(TextAtom { phrases, regex, equals, starts }) => {
            let phrases = phrases.as_ref().is_some_and(|all| !all.is_empty() && all.iter().all(long));
            phrases
                || regex.is_some()
                || equals.as_ref().is_some_and(long)
                || starts.as_ref().is_some_and(long)
        }
        Atom::Field(field) => has_all(field, |value| value.as_str().is_some_and(|text| !is_weak(text))),
        Atom::Channel(_)
        | Atom::Phase(_)
        | Atom::Terminal(_)
        | Atom::HttpStatus(_)
        | Atom::ExitCode(_)
        | Atom::RpcCode(_)
        | Atom::Header(_)
        | Atom::Whole(_)
        | Atom::All(_)
        | Atom::Any(_)
        | Atom::None(_) => false,
    }
}

/// The statuses with which a gateway or an overloaded server says for itself that waiting helps.
fn is_gateway_status(atom: &Atom) -> bool {
    let gateway = |status: i64| matches!(status, 502..=504 | 520..=529);
    match atom {
        Atom::HttpStatus(Numbers::Values(values)) => {
            !values.is_empty() && values.iter().all(|one| gateway(*one))
        }
        Atom::HttpStatus(Numbers::Range(range)) => {
            let (low, high) = (range.min, range.max);
            gateway(low) && gateway(high) && (high <= 504 || low >= 520)
        }
        Atom::Channel(_)
        | Atom::Phase(_)
        | Atom::Terminal(_)
        | Atom::ExitCode(_)
        | Atom::RpcCode(_)
        | Atom::Header(_)
        | Atom::Field(_)
        | Atom::Text(_)
        | Atom::Whole(_)
        | Atom::All(_)
        | Atom::Any(_)
        | Atom::None(_) => false,
    }
}

/// True when the field compares with values and `holds` is true for each of them.
fn has_all(field: &FieldAtom, holds: impl Fn(&Value) -> bool) -> bool {
    let mut values = field.equals.iter().chain(field.within.iter().flatten()).peekable();
    values.peek().is_some() && values.all(holds)
}

/// Flags and HTTP statuses name no cause, wherever they stand.
fn is_telling(value: &Value) -> bool {
    let is_status = |number: i64| (100..=599).contains(&number);
    match value {
        Value::String(text) => !text.trim().is_empty() && !text.parse().is_ok_and(is_status),
        Value::Number(number) => !number.as_i64().is_some_and(is_status),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => false,
    }
}

fn is_ambiguous(field: &FieldAtom, value: &Value, ambiguous: &[AmbiguousValue]) -> bool {
    let shares_place =
        |one: &AmbiguousValue| one.at.as_slice().iter().any(|at| field.at.as_slice().contains(at));
    ambiguous.iter().any(|one| one.value == *value && shares_place(one))
}
