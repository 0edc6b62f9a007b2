//! The validator's types and bounds in the words that people use.

use jsonschema::{JsonType, error::TypeKind};
use serde_json::Value;

use crate::diagnostic::quoted;

/// A value's type with its article.
pub(super) fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a mapping",
    }
}

/// The types that a schema asks for, joined by "or".
pub(super) fn expected(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(one) => type_name(*one).to_owned(),
        TypeKind::Multiple(set) => joined(set.iter().map(type_name)),
    }
}

/// Alternatives joined by "or", each once, "nothing" last.
pub(super) fn joined<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut unique: Vec<&str> = Vec::new();
    for word in words {
        if !unique.contains(&word) {
            unique.push(word);
        }
    }
    unique.sort_by_key(|word| *word == "nothing");
    match unique.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "nothing",
        JsonType::Number => "a number",
        JsonType::Object => "a mapping",
        JsonType::String => "text",
    }
}

/// A scalar as it would be written; lists and mappings by their type.
pub(super) fn written(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => format!("`{value}`"),
        Value::Array(_) | Value::Object(_) => found(value).to_owned(),
    }
}
