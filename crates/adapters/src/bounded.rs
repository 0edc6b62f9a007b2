//! Text and JSON that grow while frames arrive, and never beyond what an envelope may hold.

use faultbook_evidence::{MAX_TEXT_BYTES, head_and_tail};
use serde_json::Value;

/// The longest string inside the data of a signal, in bytes.
const MAX_STRING_BYTES: usize = 8 * 1024;
/// The most elements of an array inside the data of a signal.
const MAX_ELEMENTS: usize = 32;
/// The most keys of an object inside the data of a signal.
const MAX_KEYS: usize = 64;
/// The deepest nesting inside the data of a signal.
const MAX_DEPTH: usize = 16;

/// Text of which the head and the tail stay.
#[derive(Debug, Clone, Default)]
pub(crate) struct BoundedText(String);

impl BoundedText {
    /// Appends; cutting twice the bound back to the bound keeps the whole linear.
    pub(crate) fn push(&mut self, text: &str) {
        if text.len() > 2 * MAX_TEXT_BYTES {
            self.0.push_str(&head_and_tail(text, MAX_TEXT_BYTES));
        } else {
            self.0.push_str(text);
        }
        if self.0.len() > 2 * MAX_TEXT_BYTES {
            self.0 = head_and_tail(&self.0, MAX_TEXT_BYTES);
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    pub(crate) fn into_string(self) -> String {
        if self.0.len() > MAX_TEXT_BYTES { head_and_tail(&self.0, MAX_TEXT_BYTES) } else { self.0 }
    }
}

/// The value with long strings, long arrays and deep nesting cut.
pub(crate) fn bounded(value: &Value) -> Value {
    bounded_at(value, MAX_DEPTH)
}

fn bounded_at(value: &Value, room: usize) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        Value::String(text) if text.len() > MAX_STRING_BYTES => {
            Value::String(head_and_tail(text, MAX_STRING_BYTES))
        }
        Value::String(_) => value.clone(),
        Value::Array(_) | Value::Object(_) if room == 0 => Value::Null,
        Value::Array(items) => {
            items.iter().take(MAX_ELEMENTS).map(|item| bounded_at(item, room - 1)).collect()
        }
        Value::Object(fields) => fields
            .iter()
            .take(MAX_KEYS)
            .filter(|(key, _)| key.len() <= 256)
            .map(|(key, item)| (key.clone(), bounded_at(item, room - 1)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_keeps_its_head_and_its_tail() {
        let mut text = BoundedText::default();
        for index in 0..100_000 {
            text.push(&format!("{index} "));
        }
        let text = text.into_string();
        assert!(text.len() <= MAX_TEXT_BYTES);
        assert!(text.starts_with("0 1 2 ") && text.ends_with("99998 99999 "));
    }

    #[test]
    fn data_is_cut_in_length_and_depth() {
        let mut deep = Value::from("x".repeat(100_000));
        for _ in 0..40 {
            deep = Value::from(vec![deep; 1]);
        }
        let flat = Value::from(vec!["y".repeat(100_000); 100]);
        assert!(bounded(&deep).to_string().len() < 100);
        assert!(bounded(&flat).to_string().len() <= MAX_ELEMENTS * (MAX_STRING_BYTES + 16));
    }
}
