//! `claude -p --output-format stream-json`, one event a line.

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Phase, Sight, Terminal};
use serde_json::{Value, json};

use super::result;
use crate::builder::TurnBuilder;
use crate::json::{Object, content_text, http_status, object, pick, string, unknown_event};
use crate::line::Lines;
use crate::one_shot::{Parser, Start, event_of};
use crate::sight::Lost;

/// The model's name in messages that the agent wrote itself.
const SYNTHETIC: &str = "<synthetic>";

/// Reads the events.
#[derive(Debug, Default)]
pub(crate) struct ClaudeStream {
    lines: Lines,
    begun: bool,
    has_init: bool,
    lost: bool,
}

impl Parser for ClaudeStream {
    const SIGHT: Sight = Sight::Full;

    fn output(&mut self, line: &str, turn: &mut TurnBuilder) {
        match event_of(&mut self.lines, line, turn) {
            Some(event) => {
                self.has_init |= string(&event, "subtype") == Some("init");
                self.begun |= read_event(&event, turn);
            }
            None => self.lost |= !line.trim().is_empty(),
        }
    }

    fn end(&mut self, turn: &mut TurnBuilder) {
        if self.begun && !self.has_init {
            turn.lost_sight(Lost::NoPrompt);
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
        // Permissions, hooks and servers are asked for here.
        "control_request" | "control_response" | "control_cancel_request" => {
            turn.lost_sight(Lost::WorkUnderWay);
        }
        "keep_alive" => {}
        "error" => turn.event(pick(event, &["type", "error", "message"])),
        _ => {
            turn.lost_sight(Lost::UnknownKind);
            turn.event(unknown_event(event));
        }
    }
    true
}

/// Subtypes of `system` that say nothing about work, beside `init` and `api_retry`: Claude Code 2.1.197 and 2.1.332,
/// `retry` of Qwen Code 0.24.4.
const EFFECT_FREE: &[&str] = &["model_refusal_no_fallback", "retry", "status"];

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
        // Hooks are the user's own programs, tasks the agent's.
        subtype if subtype.starts_with("hook") || subtype.starts_with("task") => {
            turn.lost_sight(Lost::WorkUnderWay);
        }
        subtype => {
            if !EFFECT_FREE.contains(&subtype) {
                turn.lost_sight(Lost::UnknownKind);
            }
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
    let message = object(event, "message");
    if message.is_none() {
        turn.lost_sight(Lost::BrokenFrame);
    }
    let message = message.unwrap_or(&empty);
    let content = message.get("content").unwrap_or(&Value::Null);
    if event.get("parent_tool_use_id").is_some_and(Value::is_string) {
        turn.tool_output(None, &content_text(content));
        return;
    }
    let is_synthetic = string(message, "model") == Some(SYNTHETIC)
        || event.get("isApiErrorMessage").and_then(Value::as_bool) == Some(true);
    if is_synthetic {
        if !is_text_alone(content) {
            turn.lost_sight(Lost::UnknownKind);
        }
        let mut data = pick(event, &["type", "error"]);
        let text = content_text(content);
        let mut words = pick(message, &["stop_reason"]);
        words.insert("content".to_owned(), json!([{ "type": "text", "text": text }]));
        data.insert("message".to_owned(), Value::Object(words));
        turn.signal(Signal::data(Channel::AgentText, Value::Object(data)));
        return;
    }
    // A message of the model without words or tools is not known to be nothing.
    if !content.is_string() && content.as_array().is_none_or(Vec::is_empty) {
        turn.lost_sight(Lost::BrokenFrame);
    }
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    for block in blocks {
        let Some(block) = block.as_object() else {
            turn.lost_sight(Lost::BrokenFrame);
            continue;
        };
        match string(block, "type").unwrap_or_default() {
            "text" => match string(block, "text").filter(|text| !text.trim().is_empty()) {
                Some(text) => turn.assistant(string(message, "id"), text),
                None => turn.lost_sight(Lost::BrokenFrame),
            },
            "thinking" => turn.assistant(Some("thinking"), string(block, "thinking").unwrap_or_default()),
            "tool_use" | "server_tool_use" | "mcp_tool_use" => turn.tool_called(),
            _ => {
                turn.lost_sight(Lost::UnknownKind);
                turn.tool_output(None, &content_text(&Value::Object(block.clone())));
            }
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
    let content = object(event, "message").and_then(|message| message.get("content"));
    match content {
        Some(content) if content.is_string() || is_text_alone(content) => {}
        Some(Value::Array(_)) => {}
        Some(_) | None => turn.lost_sight(Lost::BrokenFrame),
    }
    let blocks = content.and_then(Value::as_array);
    for block in blocks.into_iter().flatten() {
        let Some(block) = block.as_object() else {
            turn.lost_sight(Lost::BrokenFrame);
            continue;
        };
        if !matches!(string(block, "type"), Some("text" | "tool_result")) {
            turn.lost_sight(Lost::UnknownKind);
        }
        if string(block, "type") == Some("tool_result") {
            turn.tool_ended();
            let text = content_text(block.get("content").unwrap_or(&Value::Null));
            turn.tool_output(string(block, "tool_use_id"), &text);
        }
    }
}

/// Partial messages come again as a whole; only that they were seen counts, and an error among them. The state of a
/// goal (Qwen Code 0.24.4) is none of them.
fn stream_event(event: &Object, turn: &mut TurnBuilder) {
    let Some(inner) = object(event, "event") else { return turn.lost_sight(Lost::BrokenFrame) };
    match string(inner, "type").unwrap_or_default() {
        "goal_state" | "message_start" | "message_stop" | "ping" => {}
        "content_block_delta" | "content_block_start" => turn.words_seen(),
        "error" => turn.event(pick(inner, &["type", "error"])),
        _ => turn.lost_sight(Lost::UnknownKind),
    }
}

/// Whether content holds blocks of text and nothing else.
fn is_text_alone(content: &Value) -> bool {
    let is_text = |block: &Value| block.get("type").and_then(Value::as_str) == Some("text");
    content.as_array().is_some_and(|blocks| !blocks.is_empty() && blocks.iter().all(is_text))
}
