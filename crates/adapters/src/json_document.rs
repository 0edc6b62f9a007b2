//! One JSON document at the end: `claude -p --output-format json` (a `result` event), `qwen -o json` (a list of
//! events in Claude Code's format) and `gemini -o json` (`response`, or `error` on standard error).
//!
//! | field of the agent | in the envelope |
//! | --- | --- |
//! | `error.code` of Gemini CLI, where it is an HTTP status | `http_status` |
//! | `error` of Gemini CLI | `terminal`: failed |
//! | `response` | the model's words |
//!
//! The document may span lines; what stands before it is text.

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Phase, Sight, Terminal};
use serde_json::Value;

use crate::builder::TurnBuilder;
use crate::claude::read_event;
use crate::frame::MAX_LINE_BYTES;
use crate::json::{Object, http_status, object, pick, string};
use crate::one_shot::{Parser, Start};
use crate::sight::Lost;

/// Collects the documents of both streams.
#[derive(Debug, Default)]
pub(crate) struct JsonDocument {
    output: Collector,
    errors: Collector,
    begun: bool,
}

/// A document that may span lines: it begins at a line that starts with a bracket and ends where it is complete.
#[derive(Debug, Default)]
struct Collector {
    text: String,
    is_lost: bool,
}

enum Collected {
    /// The line belongs to no document.
    Text,
    /// The document goes on.
    More,
    /// The document is complete.
    Document(Value),
    /// What looked like a document is none.
    Broken,
}

impl Collector {
    fn line(&mut self, line: &str) -> Collected {
        let trimmed = line.trim();
        if self.text.is_empty() {
            let begins = trimmed.starts_with('{')
                || trimmed == "["
                || trimmed.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with('{'));
            if !begins || self.is_lost {
                return Collected::Text;
            }
        }
        if self.text.len() + line.len() > MAX_LINE_BYTES {
            self.is_lost = true;
            self.text = String::new();
            return Collected::Broken;
        }
        self.text.push_str(line);
        self.text.push('\n');
        // Only a closing bracket can complete it; a pretty-printed document closes at the margin.
        let closes = trimmed.ends_with(['}', ']']) && (!line.starts_with(' ') || trimmed.len() > 2);
        if !closes {
            return Collected::More;
        }
        match serde_json::from_str(&self.text) {
            Ok(value) => {
                self.text = String::new();
                Collected::Document(value)
            }
            Err(error) if error.is_eof() => Collected::More,
            Err(_) => {
                self.text = String::new();
                Collected::Broken
            }
        }
    }

    fn is_open(&self) -> bool {
        !self.text.is_empty()
    }
}

impl Parser for JsonDocument {
    const SIGHT: Sight = Sight::Partial;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        match self.output.line(line) {
            Collected::Document(value) => self.document(&value, turn),
            Collected::Text if !line.trim().is_empty() => turn.line(Channel::Mixed, line),
            Collected::Text | Collected::More | Collected::Broken => {}
        }
    }

    fn diagnostics(&mut self, line: &str, turn: &mut TurnBuilder) {
        // Gemini's stack dumps hold brackets of their own, never at the margin.
        let may_begin = line.trim_end() == "{" || self.errors.is_open();
        match if may_begin { self.errors.line(line) } else { Collected::Text } {
            Collected::Document(value) => self.document(&value, turn),
            Collected::Text => turn.stderr(line),
            Collected::More | Collected::Broken => {}
        }
    }

    fn start(&self) -> Start {
        if self.begun { Start::Begun } else { Start::Unknown }
    }

    fn success(&self) -> Option<Terminal> {
        None
    }
}

impl JsonDocument {
    fn document(&mut self, value: &Value, turn: &mut TurnBuilder) {
        match value {
            Value::Array(events) => {
                for event in events.iter().filter_map(Value::as_object) {
                    self.begun |= read_event(event, turn);
                }
            }
            Value::Object(event) if string(event, "type").is_some() => self.begun |= read_event(event, turn),
            Value::Object(answer) => {
                self.begun |= answer.contains_key("response") || answer.contains_key("error");
                gemini(answer, turn);
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        if turn.terminal().is_some() && turn.phase.is_none() {
            turn.phase = Some(Phase::PromptSend);
        }
    }
}

fn gemini(answer: &Object, turn: &mut TurnBuilder) {
    if let Some(session) = string(answer, "session_id") {
        turn.session = Some(session.chars().take(128).collect());
    }
    if let Some(calls) = crate::json::object_at(answer, &["stats", "tools"])
        .and_then(|tools| tools.get("totalCalls")?.as_u64())
        && calls > 0
    {
        turn.tool_called();
        turn.tool_ended();
    }
    if let Some(words) = string(answer, "response") {
        turn.assistant(Some("response"), words);
    }
    match object(answer, "error") {
        Some(error) => {
            let mut signal = Signal::data(Channel::Event, Value::Object(pick(answer, &["error"])));
            signal.http_status = error.get("code").and_then(http_status);
            turn.end(signal, Terminal::Failed);
        }
        None if answer.contains_key("response") => turn.end(Signal::new(Channel::Event), Terminal::Completed),
        None => turn.lost_sight(Lost::BrokenFrame),
    }
}
