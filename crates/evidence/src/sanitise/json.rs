//! The sanitiser for JSON values: every string, every key, and the values of telling keys.

use std::ops::Range;

use regex_automata::Input;
use serde_json::{Map, Value};

use super::marker::Marker;
use super::patterns::{Kind, PATTERNS};
use super::{sanitise, sanitise_bounded, value};

/// Levels of nesting that are kept; what lies deeper is replaced by a marker.
const MAX_DEPTH: usize = 128;

/// Sanitises every string and every key of `value`, and the strings and numbers of keys whose name
/// says that they hold a secret or an identifier. Each string is at most 4 KiB afterwards.
#[must_use]
pub fn sanitise_json(value: &Value) -> Value {
    sanitised(value, None, 0)
}

/// Sanitises each step of a JSON pointer, as the keys that they are: the escapes of a pointer would hide the form of a
/// secret. The result is at most `max_bytes` long.
#[must_use]
pub fn sanitise_pointer(pointer: &str, max_bytes: usize) -> String {
    let step = |step: &str| {
        let key = sanitise(&step.replace("~1", "/").replace("~0", "~"));
        key.replace('~', "~0").replace('/', "~1")
    };
    let steps: Vec<String> = pointer.split('/').map(step).collect();
    sanitise_bounded(&steps.join("/"), max_bytes)
}

fn sanitised(value: &Value, kind: Option<Kind>, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::String(Marker::Secret.as_str().to_owned());
    }
    match value {
        Value::Null | Value::Bool(_) => value.clone(),
        Value::Number(number) => match kind.and_then(|kind| verdict(kind, &number.to_string())) {
            Some(marker) => Value::String(marker.as_str().to_owned()),
            None => value.clone(),
        },
        Value::String(text) => Value::String(match kind.and_then(|kind| verdict(kind, text)) {
            Some(marker) => marker.as_str().to_owned(),
            None => sanitise(text),
        }),
        Value::Array(items) => {
            Value::Array(items.iter().map(|item| sanitised(item, kind, depth + 1)).collect())
        }
        Value::Object(fields) => Value::Object(object(fields, depth)),
    }
}

fn object(fields: &Map<String, Value>, depth: usize) -> Map<String, Value> {
    let mut out = Map::with_capacity(fields.len());
    for (key, value) in fields {
        let clean = sanitise(key);
        let kind = kind_of(key);
        // Two keys may become one; a number keeps both entries.
        let name = (1..=fields.len())
            .map(|count| if count == 1 { clean.clone() } else { format!("{clean} ({count})") })
            .find(|name| !out.contains_key(name))
            .unwrap_or(clean);
        out.insert(name, sanitised(value, kind, depth + 1));
    }
    out
}

/// What `key` says of its value: the label patterns decide, as they do in text.
fn kind_of(key: &str) -> Option<Kind> {
    let label = format!("\"{key}\": ");
    let mut range: Range<usize> = 0..label.len();
    while !range.is_empty() {
        let found = PATTERNS.regex.search(&Input::new(&label).range(range.clone()))?;
        if found.end() == label.len() {
            return PATTERNS.kind(found.pattern().as_usize());
        }
        range.start = found.end().max(found.start() + 1);
    }
    None
}

fn verdict(kind: Kind, text: &str) -> Option<Marker> {
    match kind {
        Kind::Cookie => text.contains('=').then_some(Marker::Cookie),
        Kind::Authorization if !value::is_placeholder(text) && !text.starts_with(char::is_whitespace) => {
            let bare = text.split_once(' ').map_or(text, |(_, token)| token);
            (!value::is_placeholder(bare)).then_some(Marker::Token)
        }
        Kind::Bearer => value::verdict(Kind::Credential, text, true, true, true),
        kind => value::verdict(kind, text, true, true, true),
    }
}
