//! Unwrapping whole JSON-RPC frames, so that a host may hand over what it read from the wire.

use serde_json::{Map, Value};

use crate::Channel;
use crate::envelope::Signal;

/// Reduces a whole frame to the part that the signal's channel names: an error's `error`, a notification's
/// `params.update`, the prompt's `result`. A plain text on `acp_error` is taken as the error's message.
pub(crate) fn unwrap(signal: &mut Signal) {
    match signal.channel {
        Channel::AcpError => {
            if signal.data.is_none()
                && let Some(text) = signal.text.take()
            {
                signal.data = Some(error_of_text(text));
            }
            descend(signal, &["error"]);
            if signal.rpc_code.is_none() {
                signal.rpc_code = signal.data.as_ref().and_then(|data| data.get("code")?.as_i64());
            }
        }
        Channel::AcpUpdate => {
            descend(signal, &["params", "update"]);
            descend(signal, &["update"]);
            take_message_chunk(signal);
        }
        Channel::AcpResult => descend(signal, &["result"]),
        Channel::Event
        | Channel::Http
        | Channel::AgentText
        | Channel::Stderr
        | Channel::Stdout
        | Channel::Log
        | Channel::Mixed
        | Channel::Shared
        | Channel::Exit
        | Channel::Host
        | Channel::Assistant
        | Channel::Tool
        | Channel::Unknown => {}
    }
}

/// A chunk of the agent's message is the model's word, not the agent's: it becomes an `assistant` signal.
fn take_message_chunk(signal: &mut Signal) {
    let Some(data) = &signal.data else { return };
    if data.get("sessionUpdate").and_then(Value::as_str) != Some("agent_message_chunk") {
        return;
    }
    signal.text = data.pointer("/content/text").and_then(Value::as_str).map(str::to_owned);
    signal.channel = Channel::Assistant;
    signal.data = None;
}

fn error_of_text(text: String) -> Value {
    match serde_json::from_str(&text) {
        Ok(value @ Value::Object(_)) => value,
        _ => Value::Object(Map::from_iter([("message".to_owned(), Value::String(text))])),
    }
}

/// Replaces the data by what stands at the path, where every step of it is there.
fn descend(signal: &mut Signal, path: &[&str]) {
    let Some(data) = signal.data.as_mut() else { return };
    let mut place = data;
    for step in path {
        match place.get_mut(*step) {
            Some(next) if next.is_object() => place = next,
            _ => return,
        }
    }
    let found = place.take();
    signal.data = Some(found);
}
