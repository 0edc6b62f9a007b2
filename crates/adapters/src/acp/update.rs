//! `session/update` notifications: who speaks, what was done, and what the agent says about itself.

use faultbook_evidence::{Channel, Signal};
use serde_json::Value;

use crate::builder::TurnBuilder;
use crate::codex::status_of_info;
use crate::conversation::Exchange;
use crate::json::{Object, content_text, object, object_at, object_of, pick, string};

/// Reads `params.update`.
pub(super) fn read(update: &Object, exchange: &mut Exchange) {
    let kind = string(update, "sessionUpdate").unwrap_or_default();
    match kind {
        "agent_message_chunk" => chunk(update, exchange),
        "agent_thought_chunk" => exchange.turn.assistant(Some("thought"), &words(update)),
        "tool_call" => {
            exchange.turn.tool_called();
            tool(update, &mut exchange.turn);
        }
        "tool_call_update" => tool(update, &mut exchange.turn),
        // The user's words, and what the host shows beside the conversation.
        "user_message_chunk"
        | "plan"
        | "available_commands_update"
        | "current_mode_update"
        | "usage_update"
        | "config_option_update"
        | "current_model_update" => {}
        _ => about_itself(kind, update, exchange),
    }
}

fn words(update: &Object) -> String {
    update.get("content").map(content_text).unwrap_or_default()
}

fn chunk(update: &Object, exchange: &mut Exchange) {
    let message = string(update, "messageId");
    let text = words(update);
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
    let status = string(update, "status");
    if let Some(piece) =
        object_at(update, &["_meta", "terminal_output_delta"]).and_then(|delta| string(delta, "data"))
    {
        turn.tool_output(call, piece);
    }
    if !matches!(status, Some("completed" | "failed")) {
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

/// What the agent says about itself: its error objects become events, the rest keeps its structure only.
fn about_itself(kind: &str, update: &Object, exchange: &mut Exchange) {
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
