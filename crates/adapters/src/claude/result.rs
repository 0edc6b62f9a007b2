//! The `result` event: what the agent claims about the end of the turn.

use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::Terminal;
use serde_json::Value;

use crate::builder::TurnBuilder;
use crate::json::{Object, http_status, pick, string};

/// Ends the turn with a `result` event.
pub(super) fn read(event: &Object, turn: &mut TurnBuilder) {
    let is_error = event
        .get("is_error")
        .and_then(Value::as_bool)
        .unwrap_or_else(|| string(event, "subtype").is_some_and(|subtype| subtype.starts_with("error")));
    let answer = string(event, "result").unwrap_or_default();
    let is_models = !is_error || turn.last_words_are(answer);
    if !is_error && !answer.trim().is_empty() && !turn.last_words_are(answer) {
        turn.assistant(Some("result"), answer);
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
    if is_error {
        data.append(&mut pick(event, &["errors"]));
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
