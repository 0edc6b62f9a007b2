//! `session/update` notifications: who speaks, what was done, and what the agent says about itself.

use agent_client_protocol_schema::v1::{NoticeSeverity, ToolCallStatus};
use faultbook_evidence::{Channel, Signal};
use serde_json::Value;

use super::protocol::{Kind, word};
use crate::builder::TurnBuilder;
use crate::codex::status_of_info;
use crate::conversation::Exchange;
use crate::json::{Object, content_text, object, object_at, object_of, pick, string};
use crate::sight::Lost;

/// Reads `params.update`.
pub(super) fn read(update: &Object, exchange: &mut Exchange) {
    match Kind::of(update) {
        Kind::Message => chunk(update, exchange),
        Kind::Thought => {
            exchange.turn.lost_sight(Lost::WorkUnderWay);
            exchange.turn.assistant(Some("thought"), &words(update));
        }
        Kind::ToolCall => {
            exchange.turn.tool_called();
            tool(update, &mut exchange.turn);
        }
        Kind::ToolCallUpdate => {
            exchange.turn.tool_called();
            tool(update, &mut exchange.turn);
        }
        Kind::Notice => notice(update, &mut exchange.turn),
        Kind::Aside => {}
        Kind::Work => exchange.turn.lost_sight(Lost::WorkUnderWay),
        Kind::Itself => about_itself(update, exchange),
        Kind::Unknown => {
            exchange.turn.lost_sight(Lost::UnknownKind);
            about_itself(update, exchange);
        }
    }
}

fn words(update: &Object) -> String {
    update.get("content").map(content_text).unwrap_or_default()
}

fn chunk(update: &Object, exchange: &mut Exchange) {
    let message = string(update, "messageId");
    let text = words(update);
    if text.trim().is_empty() {
        exchange.turn.lost_sight(Lost::BrokenFrame);
    }
    // The agent's own words are in no message of the model.
    if exchange.system_error && message.is_none() {
        exchange.turn.say(Channel::AgentText, None, &text);
    } else {
        exchange.turn.assistant(message, &text);
    }
}

/// A tool's output counts once it is whole, or in the pieces that codex-acp sends. Titles, paths and arguments are
/// left out.
fn tool(update: &Object, turn: &mut TurnBuilder) {
    let call = string(update, "toolCallId");
    let status = word(update, "status");
    if let Some(piece) =
        object_at(update, &["_meta", "terminal_output_delta"]).and_then(|delta| string(delta, "data"))
    {
        turn.tool_output(call, piece);
    }
    if !matches!(status, Some(ToolCallStatus::Completed | ToolCallStatus::Failed)) {
        return;
    }
    turn.tool_ended();
    let text = words(update);
    if !text.trim().is_empty() {
        turn.tool_output(call, &text);
        return;
    }
    match update.get("rawOutput") {
        Some(Value::Object(output)) => {
            let keys =
                ["formatted_output", "aggregated_output", "stdout", "stderr", "output", "error", "message"];
            if let Some(value) =
                keys.iter().find_map(|key| output.get(*key).filter(|value| value.is_string()))
            {
                turn.tool_output(call, &content_text(value));
            }
        }
        Some(value) => turn.tool_output(call, &content_text(value)),
        None => {}
    }
}

/// Words for the user that the agent passes on, of its MCP servers among others. Only an error is kept.
fn notice(update: &Object, turn: &mut TurnBuilder) {
    if word(update, "severity") == Some(NoticeSeverity::Error) {
        let fields = pick(update, &["title", "description"]);
        turn.relayed(&content_text(&fields.into_iter().map(|(_, value)| value).collect()));
    }
}

/// What the agent says about itself: its error objects become events, the rest keeps its structure only.
fn about_itself(update: &Object, exchange: &mut Exchange) {
    let kind = string(update, "sessionUpdate").unwrap_or_default();
    let empty = Object::new();
    let meta = object(update, "_meta").unwrap_or(&empty);
    if let Some(error) = object(update, "error").or_else(|| object_at(meta, &["codex", "error"])) {
        error_event(error, &mut exchange.turn);
    }
    session_failure(meta, &mut exchange.turn);
    let thread = object_at(meta, &["codex", "threadStatus"]);
    if let Some(status) = thread.and_then(|thread| string(thread, "type")) {
        exchange.system_error = status == "systemError";
        let status = object_of([("type", status.chars().take(64).collect::<String>().into())]);
        let codex = object_of([("threadStatus", Value::Object(status))]);
        let data = object_of([
            ("sessionUpdate", kind.into()),
            ("_meta", Value::Object(object_of([("codex", Value::Object(codex))]))),
        ]);
        exchange.turn.signal(Signal::data(Channel::AcpUpdate, Value::Object(data)));
    } else if kind != "session_info_update" {
        let name: String = kind.chars().take(64).collect();
        let data = object_of([("sessionUpdate", name.into())]);
        exchange.turn.signal(Signal::data(Channel::AcpUpdate, Value::Object(data)));
    }
}

fn error_event(error: &Object, turn: &mut TurnBuilder) {
    let fields =
        pick(error, &["message", "code", "codexErrorInfo", "additionalDetails", "willRetry", "data"]);
    let mut signal =
        Signal::data(Channel::Event, Value::Object(object_of([("error", Value::Object(fields))])));
    signal.http_status = error.get("codexErrorInfo").and_then(status_of_info);
    let goes_on = error.get("willRetry").and_then(Value::as_bool) == Some(true);
    turn.signal(if goes_on { signal.notice() } else { signal });
}

/// The `sessionFailure` that codex-acp gives clients which ask for it; whether it ends the turn.
pub(super) fn session_failure(meta: &Object, turn: &mut TurnBuilder) -> bool {
    let Some(failure) = object_at(meta, &["jetbrains", "air", "sessionFailure"]) else { return false };
    let fields = pick(failure, &["category", "severity", "title", "message", "description"]);
    let data = object_of([("sessionFailure", Value::Object(fields))]);
    let signal = Signal::data(Channel::Event, Value::Object(data));
    let is_warning = string(failure, "severity") == Some("warning");
    turn.signal(if is_warning { signal.notice() } else { signal });
    !is_warning
}
