//! The answer to a prompt: a stop reason or an error.

use agent_client_protocol_schema::v1::{ErrorCode, StopReason};
use faultbook_evidence::{Channel, Signal};
use faultbook_taxonomy::{Agent, Terminal};
use serde_json::Value;

use super::protocol::word;
use super::update::session_failure;
use crate::codex::status_of_info;
use crate::conversation::Exchange;
use crate::json::{Object, http_status, object, object_at, pick};
use crate::sight::{Lost, counts_work};

/// Ends the exchange.
pub(super) fn read(message: &Object, exchange: &mut Exchange, agent: Option<&str>) {
    if let Some(error) = object(message, "error") {
        exchange.turn.promote_last(|words| repeats(error, words));
        let signal = error_signal(error, agent);
        exchange.turn.end(signal, Terminal::Failed);
    } else {
        let empty = Object::new();
        let result = object(message, "result").unwrap_or(&empty);
        if counts_work(&Value::Object(result.clone())) {
            exchange.turn.lost_sight(Lost::Summary);
        }
        let failed = object(result, "_meta").is_some_and(|meta| session_failure(meta, &mut exchange.turn));
        let signal = Signal::data(Channel::AcpResult, Value::Object(pick(result, &["stopReason"])));
        let failed = failed || exchange.system_error;
        let claim = result.get("stopReason").and_then(|_| terminal(word(result, "stopReason"), failed));
        match claim.filter(|claim| *claim != Terminal::Completed || !counts_nothing(result, agent)) {
            Some(terminal) => exchange.turn.end(signal, terminal),
            None => exchange.turn.signal(signal),
        }
        exchange.turn.acknowledged();
    }
    exchange.close();
}

/// What a stop reason claims. One that is not of the protocol, or of a later one, claims nothing of itself.
fn terminal(reason: Option<StopReason>, failed: bool) -> Option<Terminal> {
    match reason {
        Some(StopReason::Cancelled) => Some(Terminal::Cancelled),
        Some(StopReason::Refusal | StopReason::MaxTokens | StopReason::MaxTurnRequests) => {
            Some(Terminal::Failed)
        }
        Some(StopReason::EndTurn) if !failed => Some(Terminal::Completed),
        Some(_) | None => failed.then_some(Terminal::Failed),
    }
}

/// Whether Gemini CLI says that the turn cost no tokens at all: then no answer of the model was ever completed, and
/// the end of the turn claims nothing.
fn counts_nothing(result: &Object, agent: Option<&str>) -> bool {
    let count = object_at(result, &["_meta", "quota", "token_count"]);
    let is_zero = |key: &str| count.is_some_and(|count| count.get(key).and_then(Value::as_u64) == Some(0));
    is_gemini(agent) && is_zero("input_tokens") && is_zero("output_tokens")
}

fn is_gemini(agent: Option<&str>) -> bool {
    let family = agent.and_then(|agent| agent.parse::<Agent>().ok()).map(Agent::family);
    matches!(family, Some(Agent::GeminiCli | Agent::QwenCode))
}

/// The error as a signal: its texts are the agent's, but for the list of ways to log in.
pub(super) fn error_signal(error: &Object, agent: Option<&str>) -> Signal {
    let mut data = pick(error, &["code", "message", "data"]);
    if let Some(Value::Object(details)) = data.get_mut("data")
        && let Some(methods) = details.get_mut("authMethods")
    {
        *methods = methods.as_array().map_or(0, Vec::len).into();
    }
    let code = error.get("code").and_then(Value::as_i64);
    let details = object(error, "data");
    let info =
        details.and_then(|details| details.get("codexErrorInfo").or_else(|| details.get("codex_error_info")));
    // What JSON-RPC or the protocol define is no status.
    let is_free = code
        .and_then(|code| i32::try_from(code).ok())
        .is_some_and(|code| matches!(ErrorCode::from(code), ErrorCode::Other(_)));
    let code_is_status = is_free && is_gemini(agent);
    let mut signal = Signal::data(Channel::AcpError, Value::Object(data));
    signal.rpc_code = code;
    signal.http_status = info
        .and_then(status_of_info)
        .or_else(|| {
            details.and_then(|details| http_status(details.get("statusCode").or(details.get("status"))?))
        })
        .or_else(|| error.get("code").filter(|_| code_is_status).and_then(http_status));
    signal
}

/// Whether the error says these very words.
fn repeats(error: &Object, words: &str) -> bool {
    let words = words.trim();
    // The whole message, with nothing before it but the agent's own head.
    let said = |text: &str| {
        let text = text.trim();
        text == words || text.strip_prefix("Internal error: ") == Some(words)
    };
    // Names of kinds are words that anybody may say; only what is a message is compared.
    let details = object(error, "data").map(|data| [data.get("message"), data.get("details")]);
    let texts = std::iter::once(error.get("message")).chain(details.into_iter().flatten()).flatten();
    !words.is_empty() && texts.filter_map(Value::as_str).any(said)
}
