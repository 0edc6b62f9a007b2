//! The `result` event: what the agent claims about the end of the turn.

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::Terminal;
use serde_json::Value;

use crate::builder::TurnBuilder;
use crate::json::{Object, content_text, http_status, pick, string};
use crate::sight::{Lost, counts_work};

/// Ends the turn with a `result` event.
pub(super) fn read(event: &Object, turn: &mut TurnBuilder) {
    let is_error = event
        .get("is_error")
        .and_then(Value::as_bool)
        .unwrap_or_else(|| string(event, "subtype").is_some_and(|subtype| subtype.starts_with("error")));
    let answer = string(event, "result").unwrap_or_default();
    let is_models = !is_error || !is_agents(event, answer, turn);
    if is_models && !answer.trim().is_empty() && !turn.last_words_are(answer) {
        turn.assistant(Some("result"), answer);
    }
    if counts_work_of_turn(event) {
        turn.lost_sight(Lost::Summary);
    }
    let mut data = pick(
        event,
        &["type", "subtype", "is_error", "api_error_status", "num_turns", "stop_reason", "terminal_reason"],
    );
    if let Some(denials) = event.get("permission_denials").and_then(Value::as_array)
        && !denials.is_empty()
    {
        data.insert("permission_denials".to_owned(), denials.len().into());
    }
    if !is_models {
        data.append(&mut pick(event, &["result", "error"]));
    }
    // The list collects what others said, MCP servers and hooks among them.
    if is_error && let Some(errors) = event.get("errors") {
        turn.relayed(&content_text(errors));
    }
    let mut signal = Signal::data(Channel::Event, Value::Object(data));
    signal.http_status = event.get("api_error_status").and_then(http_status);
    let aborted = string(event, "terminal_reason").is_some_and(|reason| reason.starts_with("aborted"));
    let terminal = match (aborted, is_error) {
        (true, _) => Terminal::Cancelled,
        (false, true) => Terminal::Failed,
        (false, false) => Terminal::Completed,
    };
    turn.end(signal, terminal);
}

/// Whether the words of a failed result are the agent's: its own message said them before, it names a failure of the
/// API in a field of its own, or its count shows that the model said nothing.
fn is_agents(event: &Object, answer: &str, turn: &TurnBuilder) -> bool {
    let names_failure = event.get("api_error_status").is_some_and(Value::is_number)
        || ["api_error", "api_error_type"].iter().any(|key| event.get(*key).is_some_and(Value::is_string))
        || string(event, "terminal_reason") == Some("api_error")
        || event.get("error").is_some_and(Value::is_object);
    let tokens = event.get("usage").and_then(|usage| usage.get("output_tokens")?.as_u64());
    let turns = event.get("num_turns").and_then(Value::as_u64);
    let model_said_nothing = tokens == Some(0) && turns.is_some_and(|turns| turns <= 1);
    !turn.last_words_are(answer) && (names_failure || model_said_nothing || turn.agent_said(answer))
}

/// `modelUsage` counts the whole session, earlier prompts included, and is left out. Whether the result counts turns, words, tools or refused permissions.
fn counts_work_of_turn(event: &Object) -> bool {
    let turns = event.get("num_turns").and_then(Value::as_u64).unwrap_or(0);
    let has_denials = event
        .get("permission_denials")
        .is_some_and(|denials| !denials.is_null() && denials.as_array().is_none_or(|list| !list.is_empty()));
    let sums = ["usage", "model_usage_since_last_result", "subagent_stats", "stats"];
    turns > 1
        || has_denials
        || string(event, "stop_reason") == Some("tool_use")
        || sums.iter().any(|key| event.get(*key).is_some_and(counts_work))
}
