//! Checks on single atoms: each must be able to hold, and must be strong enough to be asked.

use faultbook_document::quoted;
use faultbook_evidence::normal::fold;
use serde_json::Value;

use super::codes;
use super::condition::{Condition, Leaf};
use super::findings::{At, Findings};
use super::patterns;
use crate::pattern::Use;
use crate::rule::{
    Atom, FieldAtom, HeaderAtom, Numbers, Pointers, TextAtom, field_test, header_test, text_test,
};

/// The fewest bytes of a phrase that stands without a structured atom.
pub(super) const MIN_PHRASE_BYTES: usize = 8;

/// Checks every atom of a match.
pub(super) fn check(condition: &Condition, findings: &mut Findings<'_>) {
    for leaf in condition.leaves() {
        let at = |key: &str| format!("{}/{key}", leaf.pointer);
        match leaf.atom {
            Atom::Channel(list) => empty_list(list.is_empty(), &at("channel"), findings),
            Atom::Phase(list) => empty_list(list.is_empty(), &at("phase"), findings),
            Atom::Terminal(list) => empty_list(list.is_empty(), &at("terminal"), findings),
            Atom::HttpStatus(numbers) => {
                self::numbers(numbers, &at("http_status"), findings);
                statuses(numbers, &at("http_status"), findings);
            }
            Atom::ExitCode(numbers) => self::numbers(numbers, &at("exit_code"), findings),
            Atom::RpcCode(numbers) => self::numbers(numbers, &at("rpc_code"), findings),
            Atom::Header(header) => self::header(header, &at("header"), findings),
            Atom::Field(field) => self::field(field, &at("field"), findings),
            Atom::Text(text) => self::text(text, &leaf, &at("text"), findings),
            Atom::Whole(true) => {}
            Atom::Whole(false) => {
                let message = "`whole: false` says nothing";
                findings.error(codes::WHOLE_FALSE, At::Value(&at("whole")), message, "leave the atom out");
            }
            // The tree holds these as conditions of its own.
            Atom::All(_) | Atom::Any(_) | Atom::None(_) => {}
        }
    }
}

fn empty_list(is_empty: bool, pointer: &str, findings: &mut Findings<'_>) {
    if is_empty {
        let message = "an empty list can never be satisfied";
        findings.error(codes::EMPTY_LIST, At::Value(pointer), message, "name at least one value");
    }
}

fn numbers(numbers: &Numbers, pointer: &str, findings: &mut Findings<'_>) {
    match numbers {
        Numbers::Values(values) => empty_list(values.is_empty(), pointer, findings),
        Numbers::Range(range) if range.min > range.max => {
            let message = format!("no number lies between {} and {}", range.min, range.max);
            findings.error(codes::EMPTY_RANGE, At::Value(pointer), message, "swap `min` and `max`");
        }
        Numbers::Range(_) => {}
    }
}

fn statuses(numbers: &Numbers, pointer: &str, findings: &mut Findings<'_>) {
    let found: Vec<(String, i64)> = match numbers {
        Numbers::Values(values) => {
            values.iter().enumerate().map(|(index, value)| (format!("{pointer}/{index}"), *value)).collect()
        }
        Numbers::Range(range) => {
            vec![(format!("{pointer}/min"), range.min), (format!("{pointer}/max"), range.max)]
        }
    };
    for (pointer, status) in found {
        if !(100..=599).contains(&status) {
            let message = format!("{status} is no HTTP status");
            findings.error(
                codes::STATUS_OUT_OF_RANGE,
                At::Value(&pointer),
                message,
                "statuses go from 100 to 599",
            );
        }
    }
}

fn header(header: &HeaderAtom, pointer: &str, findings: &mut Findings<'_>) {
    if !header_test(header) {
        let message = "a header takes at most one of `equals`, `in` and `exists`";
        findings.error(codes::ONE_TEST, At::Key(pointer), message, "keep one of them");
    }
    words(&header.name, &format!("{pointer}/name"), findings);
    if let Some(within) = &header.within {
        empty_list(within.is_empty(), &format!("{pointer}/in"), findings);
    }
}

fn field(field: &FieldAtom, pointer: &str, findings: &mut Findings<'_>) {
    pointers(&field.at, &format!("{pointer}/at"), findings);
    if field_test(field).is_none() {
        let message =
            "a field takes exactly one of `equals`, `in`, `prefix`, `regex`, `exists`, or `min` and `max`";
        findings.error(codes::ONE_TEST, At::Key(pointer), message, "keep one of them");
    }
    if let Some(value) = &field.equals {
        scalar(value, &format!("{pointer}/equals"), findings);
    }
    for (index, value) in field.within.iter().flatten().enumerate() {
        scalar(value, &format!("{pointer}/in/{index}"), findings);
    }
    if let Some(within) = &field.within {
        empty_list(within.is_empty(), &format!("{pointer}/in"), findings);
    }
    if let (Some(min), Some(max)) = (field.min, field.max)
        && min > max
    {
        let message = format!("no number lies between {min} and {max}");
        findings.error(codes::EMPTY_RANGE, At::Key(pointer), message, "swap `min` and `max`");
    }
    if let Some(prefix) = &field.prefix {
        words(prefix, &format!("{pointer}/prefix"), findings);
    }
    if let Some(regex) = &field.regex {
        patterns::check(regex, Use::Field, &format!("{pointer}/regex"), findings);
    }
}

fn text(text: &TextAtom, leaf: &Leaf<'_>, pointer: &str, findings: &mut Findings<'_>) {
    if text_test(text).is_none() {
        let message = "a text takes exactly one of `phrases`, `regex`, `equals` and `starts`";
        findings.error(codes::ONE_TEST, At::Key(pointer), message, "make each of them an atom of its own");
    }
    for (index, phrase) in text.phrases.iter().flatten().enumerate() {
        self::phrase(phrase, leaf, &format!("{pointer}/phrases/{index}"), findings);
    }
    if let Some(phrases) = &text.phrases {
        empty_list(phrases.is_empty(), &format!("{pointer}/phrases"), findings);
    }
    for (key, value) in [("equals", &text.equals), ("starts", &text.starts)] {
        if let Some(value) = value {
            words(value, &format!("{pointer}/{key}"), findings);
        }
    }
    if let Some(regex) = &text.regex {
        patterns::check(regex, Use::Text, &format!("{pointer}/regex"), findings);
    }
}

/// A phrase below a `none` only narrows the rule, so it may be as short as it likes.
fn phrase(phrase: &str, leaf: &Leaf<'_>, pointer: &str, findings: &mut Findings<'_>) {
    if words(phrase, pointer, findings) && !leaf.refused && !leaf.beside_structure && is_weak(phrase) {
        let message = format!("the phrase {} is too weak to stand alone", quoted(phrase));
        let help =
            "use at least 8 bytes that are not only digits, or put a structured atom beside it under `all`";
        findings.error(codes::PHRASE_TOO_WEAK, At::Value(pointer), message, help);
    }
}

/// True for phrases that turn up in ordinary text: short ones, and digits alone.
pub(super) fn is_weak(phrase: &str) -> bool {
    let folded = fold(phrase);
    folded.len() < MIN_PHRASE_BYTES
        || folded.bytes().all(|byte| !byte.is_ascii_alphabetic() && byte.is_ascii())
}

/// Refuses empty texts; says whether the text is one to look for.
fn words(text: &str, pointer: &str, findings: &mut Findings<'_>) -> bool {
    let is_empty = text.trim().is_empty();
    if is_empty {
        findings.error(codes::EMPTY_WORDS, At::Value(pointer), "the text is empty", "write what to look for");
    }
    !is_empty
}

/// Checks JSON pointers: empty for the root, else steps that begin with `/`.
pub(super) fn pointers(pointers: &Pointers, pointer: &str, findings: &mut Findings<'_>) {
    let places: Vec<String> = match pointers {
        Pointers::One(_) => vec![pointer.to_owned()],
        Pointers::Many(many) => (0..many.len()).map(|index| format!("{pointer}/{index}")).collect(),
    };
    empty_list(places.is_empty(), pointer, findings);
    for (one, place) in pointers.as_slice().iter().zip(places) {
        let lone_tilde = one.replace("~0", "").replace("~1", "").find('~');
        if (!one.is_empty() && !one.starts_with('/')) || lone_tilde.is_some() {
            let message = format!("{} is not a JSON pointer", quoted(one));
            let help = "begin each step with `/`, as in `/error/code`; write `~` as `~0` and `/` inside a key as `~1`";
            findings.error(codes::BAD_POINTER, At::Value(&place), message, help);
        }
    }
}

/// Refuses values that cannot be compared.
pub(super) fn scalar(value: &Value, pointer: &str, findings: &mut Findings<'_>) {
    match value {
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        Value::Null | Value::Array(_) | Value::Object(_) => {
            let message = "only text, numbers, true and false can be compared";
            findings.error(codes::VALUE_NOT_SCALAR, At::Value(pointer), message, "name a scalar value");
        }
    }
}
