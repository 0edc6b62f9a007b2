//! Lines of a stream of JSON objects: what is an object, what is text, and what was cut.

use serde_json::{Map, Value};

use crate::frame::MAX_LINE_BYTES;

/// How many lines a cut object may run on over. Each is parsed again, so the number keeps reading linear.
const MAX_PARTS: usize = 8;

/// What a line turned out to be.
#[derive(Debug, PartialEq)]
pub(crate) enum Line {
    /// A JSON object.
    Object(Map<String, Value>),
    /// Words that are no JSON.
    Text,
    /// Part of a JSON line that cannot be read (yet): nobody knows whose words it holds.
    Unreadable,
    /// Nothing.
    Blank,
}

/// Reads lines and puts objects together that were cut into several.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    held: String,
    parts: usize,
}

impl Lines {
    pub(crate) fn read(&mut self, line: &str) -> Line {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Line::Blank;
        }
        if trimmed.len() > MAX_LINE_BYTES {
            self.drop_held();
            return Line::Unreadable;
        }
        if looks_like_json(trimmed) {
            return self.read_json(trimmed);
        }
        if self.parts > 0 {
            return self.go_on(line);
        }
        // The tail of a cut object would pass the model's words off as the agent's.
        if trimmed.contains("\":") || trimmed.ends_with("\"}") { Line::Unreadable } else { Line::Text }
    }

    fn read_json(&mut self, line: &str) -> Line {
        match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(object)) => {
                self.drop_held();
                Line::Object(object)
            }
            Ok(_) => Line::Unreadable,
            Err(error) if error.is_eof() => {
                if self.parts > 0 {
                    return self.go_on(line);
                }
                self.held = line.to_owned();
                self.parts = 1;
                Line::Unreadable
            }
            Err(_) if self.parts > 0 => self.go_on(line),
            Err(_) => Line::Unreadable,
        }
    }

    fn go_on(&mut self, line: &str) -> Line {
        self.held.push_str(line);
        self.parts += 1;
        match serde_json::from_str::<Value>(&self.held) {
            Ok(Value::Object(object)) => {
                self.drop_held();
                return Line::Object(object);
            }
            Err(error) if error.is_eof() && self.parts < MAX_PARTS && self.held.len() <= MAX_LINE_BYTES => {}
            Ok(_) | Err(_) => self.drop_held(),
        }
        Line::Unreadable
    }

    fn drop_held(&mut self) {
        self.held = String::new();
        self.parts = 0;
    }
}

fn looks_like_json(line: &str) -> bool {
    line.starts_with('{') || line.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let mut lines = Lines::default();
        let table = [
            (r#"{"type":"a"}"#, "object"),
            ("[API Error: no]", "text"),
            ("\u{1b}[31mError in settings", "text"),
            ("   ", "blank"),
            (r#"{"type":"a","text":"cut he"#, "unreadable"),
            (r#"re and on"}"#, "object"),
            (r#"rest of a line","type":"x"}"#, "unreadable"),
            (r#"{"broken" 1}"#, "unreadable"),
            (r#"{"type":"a","text":"cut"#, "unreadable"),
            (r#"{"type":"b"}"#, "object"),
            ("words", "text"),
        ];
        for (line, expected) in table {
            let found = match lines.read(line) {
                Line::Object(_) => "object",
                Line::Text => "text",
                Line::Unreadable => "unreadable",
                Line::Blank => "blank",
            };
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn an_object_that_never_ends_is_given_up() {
        let mut lines = Lines::default();
        lines.read(r#"{"a":""#);
        for _ in 1..MAX_PARTS {
            assert_eq!(lines.read("more"), Line::Unreadable);
        }
        assert_eq!(lines.read("words"), Line::Text);
    }
}
