//! A crude look at raw frames, independent of the adapters: which of them carry words of the model or work of a tool?
//!
//! It knows kinds only, no order, no session and no speaker, and so it says too much rather than too little. Words are
//! believed only where the answer itself does not take them for the agent's own (`judge`).

use faultbook_adapters::{Frame, Recording, Source};
use serde_json::Value;

use super::kinds::beginning;

/// Kinds of work: nothing but a model's call brings them about.
const WORK: &[&str] = &[
    "command_execution",
    "file_change",
    "fs/read_text_file",
    "fs/write_text_file",
    "function_call",
    "mcp_tool_call",
    "patch",
    "plan",
    "session/request_permission",
    "terminal/create",
    "todo_list",
    "tool",
    "tool_call",
    "tool_call_update",
    "tool_result",
    "tool_use",
    "web_search",
];
/// Kinds of words.
const WORDS: &[&str] =
    &["agent_message", "agent_message_chunk", "agent_thought_chunk", "reasoning", "text", "thinking"];
/// The keys whose values are kinds.
const KIND_KEYS: &[&str] = &["type", "sessionUpdate", "method"];

/// What a frame carries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Carried {
    /// Words of the model, or of the agent in its place.
    pub(super) words: bool,
    /// Work of a tool.
    pub(super) work: bool,
}

impl Carried {
    fn or(self, other: Self) -> Self {
        Self { words: self.words || other.words, work: self.work || other.work }
    }
}

/// Whether a frame carries anything.
pub(super) fn carries(frame: &Frame) -> bool {
    let carried = of_frame(frame);
    carried.words || carried.work
}

/// What the last turn of a recording carries.
pub(super) fn of_last_turn(recording: &Recording) -> Carried {
    let turn = recording.frames.iter().skip(beginning(recording));
    turn.map(of_frame).fold(Carried::default(), Carried::or)
}

/// Whether the host cancelled the last turn.
pub(super) fn is_cancelled(recording: &Recording) -> bool {
    recording.frames.iter().skip(beginning(recording)).any(|frame| match frame.source {
        Source::Host => frame.line == "cancel",
        Source::ToAgent => frame.line.contains("\"session/cancel\""),
        Source::Stdout | Source::Stderr | Source::FromAgent => false,
    })
}

/// What a frame carries.
pub(super) fn of_frame(frame: &Frame) -> Carried {
    if !matches!(frame.source, Source::Stdout | Source::FromAgent) {
        return Carried::default();
    }
    match serde_json::from_str(&frame.line) {
        Ok(value @ Value::Object(_)) => of_value(&value),
        Ok(_) | Err(_) => Carried::default(),
    }
}

fn of_value(value: &Value) -> Carried {
    match value {
        Value::Object(object) => {
            let kinds = || KIND_KEYS.iter().filter_map(|key| object.get(*key)?.as_str());
            let role = object.get("role").and_then(Value::as_str);
            if role == Some("user") && object.get("content").is_some_and(Value::is_string) {
                return Carried::default();
            }
            let own = Carried {
                work: kinds().any(|kind| WORK.contains(&kind)),
                words: kinds().any(|kind| WORDS.contains(&kind)) || role == Some("assistant"),
            };
            object.values().map(of_value).fold(own, Carried::or)
        }
        Value::Array(items) => items.iter().map(of_value).fold(Carried::default(), Carried::or),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Carried::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_carry_words_work_or_nothing() {
        let table = [
            (r#"{"type":"turn.started"}"#, false, false),
            (r#"{"type":"item.completed","item":{"type":"error","message":"no"}}"#, false, false),
            (r#"{"type":"item.completed","item":{"type":"agent_message","text":"Done"}}"#, true, false),
            (r#"{"type":"item.started","item":{"type":"command_execution"}}"#, false, true),
            (r#"{"type":"assistant","message":{"content":[{"type":"tool_use"}]}}"#, false, true),
            (r#"{"type":"message","role":"user","content":"Do it"}"#, false, false),
            (r#"{"type":"message","role":"assistant","content":"Done"}"#, true, false),
            (r#"{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call"}}}"#, false, true),
            (r#"{"id":9,"method":"fs/write_text_file","params":{}}"#, false, true),
            ("a line", false, false),
        ];
        for (line, words, work) in table {
            let carried = of_frame(&Frame::new(0, Source::Stdout, line));
            assert_eq!(carried, Carried { words, work }, "{line}");
            assert_eq!(of_frame(&Frame::new(0, Source::Stderr, line)), Carried::default());
        }
    }
}
