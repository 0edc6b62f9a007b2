//! Small questions to JSON that agents wrote: nothing in it is certain to be there, or to be of its type.

use std::collections::BTreeMap;

use faultbook_evidence::is_timing_header;
use serde_json::{Map, Value};

use crate::bounded::{BoundedText, bounded};

/// A JSON object.
pub(crate) type Object = Map<String, Value>;

/// The string at a key.
pub(crate) fn string<'v>(object: &'v Object, key: &str) -> Option<&'v str> {
    object.get(key)?.as_str()
}

/// The object at a key.
pub(crate) fn object<'v>(from: &'v Object, key: &str) -> Option<&'v Object> {
    from.get(key)?.as_object()
}

/// The object at the end of a path of keys.
pub(crate) fn object_at<'v>(from: &'v Object, path: &[&str]) -> Option<&'v Object> {
    path.iter().try_fold(from, |place, key| place.get(*key)?.as_object())
}

/// The listed fields that are there and not null, bounded.
pub(crate) fn pick(from: &Object, keys: &[&str]) -> Object {
    keys.iter()
        .filter_map(|key| Some(((*key).to_owned(), from.get(*key).filter(|value| !value.is_null())?)))
        .map(|(key, value)| (key, bounded(value)))
        .collect()
}

/// The value as an HTTP status, if it is one.
pub(crate) fn http_status(value: &Value) -> Option<u16> {
    value.as_u64().and_then(|status| u16::try_from(status).ok()).filter(|status| (100..600).contains(status))
}

/// The retry and rate-limit headers among these.
pub(crate) fn timing_headers(headers: &Object) -> BTreeMap<String, String> {
    headers
        .iter()
        .filter_map(|(name, value)| {
            let name = name.to_ascii_lowercase();
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
            };
            (is_timing_header(&name) && text.len() <= 256).then_some((name, text))
        })
        .take(64)
        .collect()
}

/// The texts of a message's content: a string, one block, or a list of blocks with `text`.
pub(crate) fn content_text(content: &Value) -> String {
    let mut text = BoundedText::default();
    add_content(content, &mut text, 4);
    text.into_string()
}

fn add_content(content: &Value, into: &mut BoundedText, room: usize) {
    match content {
        Value::String(words) => into.push(words),
        Value::Array(blocks) if room > 0 => {
            for block in blocks {
                if !into.as_str().is_empty() {
                    into.push("\n");
                }
                add_content(block, into, room - 1);
            }
        }
        Value::Object(block) if room > 0 => {
            if let Some(inner) = block.get("text").or_else(|| block.get("content")) {
                add_content(inner, into, room - 1);
            }
        }
        Value::Array(_) | Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// What is kept of an event that this build does not know: its name. Anything else could be the model's or a tool's
/// words, also where the name speaks of an error.
pub(crate) fn unknown_event(event: &Object) -> Object {
    pick(event, &["type", "subtype", "method"])
}

/// An object of these fields.
pub(crate) fn object_of<const N: usize>(fields: [(&str, Value); N]) -> Object {
    fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn content_is_found_in_every_shape() {
        let table = [
            (json!("a"), "a"),
            (json!([{ "type": "text", "text": "a" }, { "type": "image" }, { "text": "b" }]), "a\n\nb"),
            (json!({ "type": "content", "content": { "type": "text", "text": "a" } }), "a"),
            (json!(7), ""),
        ];
        for (content, expected) in table {
            assert_eq!(content_text(&content), expected);
        }
    }

    #[test]
    fn unknown_events_keep_their_name_only() {
        let table = [
            (json!({ "type": "aside", "text": "429" }), json!({ "type": "aside" })),
            (json!({ "type": "api_error", "error": { "status": 429 } }), json!({ "type": "api_error" })),
        ];
        for (event, expected) in table {
            assert_eq!(Value::Object(unknown_event(event.as_object().unwrap())), expected);
        }
    }
}
