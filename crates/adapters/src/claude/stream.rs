//! `claude -p --output-format stream-json`, one event a line.

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Phase, Terminal};
use serde_json::{Value, json};

use super::result;
use crate::builder::{Sight, TurnBuilder};
use crate::json::{Object, content_text, http_status, object, pick, string, unknown_event};
use crate::line::Lines;
use crate::one_shot::{Parser, Start, event_of};

/// The model's name in messages that the agent wrote itself.
const SYNTHETIC: &str = "<synthetic>";

/// Reads the events.
#[derive(Debug, Default)]
pub(crate) struct ClaudeStream {
    lines: Lines,
    begun: bool,
    lost: bool,
}

impl Parser for ClaudeStream {
    const SIGHT: Sight = Sight::Full;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        match event_of(&mut self.lines, line, turn) {
            Some(event) => self.begun |= read_event(&event, turn),
            None => self.lost |= !line.trim().is_empty(),
        }
    }

    fn start(&self) -> Start {
        match (self.begun, self.lost) {
            (true, _) => Start::Begun,
            (false, true) => Start::Unknown,
            (false, false) => Start::NotBegun(Phase::SessionInit),
        }
    }

    fn success(&self) -> Option<Terminal> {
        None
    }
}

/// Reads one event; whether it shows that the session is there.
pub(crate) fn read_event(event: &Object, turn: &mut TurnBuilder) -> bool {
    if let Some(session) = string(event, "session_id") {
        turn.session = Some(session.chars().take(128).collect());
    }
    match string(event, "type").unwrap_or_default() {
        "system" => return system(event, turn),
        "assistant" => assistant(event, turn),
        "user" => user(event, turn),
        "result" => {
            result::read(event, turn);
            return event.get("num_turns").and_then(Value::as_u64) != Some(0);
        }
        "rate_limit_event" => turn.event(pick(event, &["type", "rate_limit_info"])),
        "auth_status" => turn.event(pick(event, &["type", "isAuthenticating", "error"])),
        "stream_event" => stream_event(event, turn),
        "tool_progress" | "tool_use_summary" => turn.tool_called(),
        "control_request" | "control_response" | "control_cancel_request" | "keep_alive" => {}
        "error" => turn.event(pick(event, &["type", "error", "message"])),
        _ => turn.event(unknown_event(event)),
    }
    true
}

fn system(event: &Object, turn: &mut TurnBuilder) -> bool {
    match string(event, "subtype").unwrap_or_default() {
        "init" => turn.model = string(event, "model").map(|model| model.chars().take(128).collect()),
        "api_retry" => {
            let data = pick(
                event,
                &["type", "subtype", "attempt", "max_retries", "retry_delay_ms", "error_status", "error"],
            );
            let mut signal = Signal::data(Channel::Event, Value::Object(data)).notice();
            signal.http_status = event.get("error_status").and_then(http_status);
            turn.signal(signal);
        }
        // Hooks are the user's own programs.
        subtype if subtype.starts_with("hook") || subtype.starts_with("task") => {}
        _ => {
            let data = pick(
                event,
                &[
                    "type",
                    "subtype",
                    "status",
                    "level",
                    "error",
                    "error_status",
                    "compact_result",
                    "compact_error",
                    "api_refusal_category",
                    "api_refusal_explanation",
                ],
            );
            // A bare status says nothing that a rule could use.
            if data.len() > 2 || data.get("subtype").is_some_and(|subtype| subtype != "status") {
                turn.event(data);
            }
        }
    }
    true
}

fn assistant(event: &Object, turn: &mut TurnBuilder) {
    let empty = Object::new();
    let message = object(event, "message").unwrap_or(&empty);
    let content = message.get("content").unwrap_or(&Value::Null);
    if event.get("parent_tool_use_id").is_some_and(Value::is_string) {
        turn.tool_output(None, &content_text(content));
        return;
    }
    let is_synthetic = string(message, "model") == Some(SYNTHETIC)
        || event.get("isApiErrorMessage").and_then(Value::as_bool) == Some(true);
    if is_synthetic {
        let mut data = pick(event, &["type", "error"]);
        let text = content_text(content);
        let mut words = pick(message, &["stop_reason"]);
        words.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
        data.insert("message".to_owned(), Value::Object(words));
        turn.signal(Signal::data(Channel::AgentText, Value::Object(data)));
        return;
    }
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    for block in blocks.iter().filter_map(Value::as_object) {
        match string(block, "type").unwrap_or_default() {
            "text" => turn.assistant(string(message, "id"), string(block, "text").unwrap_or_default()),
            "thinking" => turn.assistant(Some("thinking"), string(block, "thinking").unwrap_or_default()),
            "tool_use" | "server_tool_use" | "mcp_tool_use" => turn.tool_called(),
            _ => turn.tool_output(None, &content_text(&Value::Object(block.clone()))),
        }
    }
    if let Some(words) = content.as_str() {
        turn.assistant(string(message, "id"), words);
    }
    if string(event, "error").is_some() {
        turn.event(pick(event, &["type", "error"]));
    }
}

/// What the user typed is left out; what tools gave back is kept as a tool's words.
fn user(event: &Object, turn: &mut TurnBuilder) {
    let blocks = object(event, "message").and_then(|message| message.get("content")?.as_array());
    for block in blocks.into_iter().flatten().filter_map(Value::as_object) {
        if string(block, "type") == Some("tool_result") {
            turn.tool_ended();
            let text = content_text(block.get("content").unwrap_or(&Value::Null));
            turn.tool_output(string(block, "tool_use_id"), &text);
        }
    }
}

/// Partial messages come again as a whole; only that they were seen counts, and an error among them.
fn stream_event(event: &Object, turn: &mut TurnBuilder) {
    let Some(inner) = object(event, "event") else { return };
    match string(inner, "type").unwrap_or_default() {
        "content_block_delta" => turn.words_seen(),
        "error" => turn.event(pick(inner, &["type", "error"])),
        _ => {}
    }
}
