//! JSON documents inside text, and the strings inside JSON documents.

use serde_json::Value;

use super::work;

/// A JSON object, or an array of objects, found inside text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    /// Where it begins.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// What it holds.
    pub(super) value: Value,
}

/// How many places that look like JSON and are not may be tried in one text; more would make the search slow.
const MAX_FAILURES: usize = 32;

/// Finds every JSON object, and every array of objects, in the text. What is cut or of another language stays
/// text.
pub(super) fn find(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut failures = 0;
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find(['{', '['])) {
        let start = at + offset;
        at = start + 1;
        let Some(rest) = text.get(start..).filter(|rest| looks_like_json(rest)) else { continue };
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset();
                found.push(Found { start, end: at, value });
            }
            Some(Err(_)) | None => {
                failures += 1;
                if failures == MAX_FAILURES {
                    break;
                }
            }
        }
    }
    found
}

/// An object begins with a key, an array of objects with an object.
fn looks_like_json(rest: &str) -> bool {
    let mut marks = rest.bytes().filter(|byte| !byte.is_ascii_whitespace());
    match (marks.next(), marks.next()) {
        (Some(b'{'), Some(b'"')) => true,
        (Some(b'['), Some(b'{')) => marks.next() == Some(b'"'),
        _ => false,
    }
}

/// Which strings of a document are words for text atoms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Words {
    /// All of them.
    All,
    /// Those that are not the model's, a tool's or the user's by structure.
    AgentOnly,
}

/// The strings of a document with their JSON pointers, in order.
pub(super) fn leaves<'v>(
    value: &'v Value,
    words: Words,
    pointer: &mut String,
    into: &mut Vec<(String, &'v str)>,
) {
    if into.len() >= super::MAX_LEAVES {
        return;
    }
    let length = pointer.len();
    match value {
        Value::String(text) => into.push((pointer.clone(), text)),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointer.push('/');
                pointer.push_str(&index.to_string());
                leaves(item, words, pointer, into);
                pointer.truncate(length);
            }
        }
        Value::Object(fields) if words == Words::AgentOnly && work::is_work(fields) => {}
        Value::Object(fields) => {
            for (key, item) in fields {
                if words == Words::AgentOnly && work::is_answer(fields, key) {
                    continue;
                }
                pointer.push('/');
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
                leaves(item, words, pointer, into);
                pointer.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
