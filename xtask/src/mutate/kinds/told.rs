//! The same thing told another way: work that only a request of the agent, or only the summary of the turn, shows.

use faultbook_adapters::Recording;
use serde_json::{Map, Value, json};

use super::{Kind, each_object, json as object_of, last_said, with_json, with_line};
use crate::mutate::effects;

pub(super) const KINDS: &[Kind] = &[
    Kind::effects("told-as-permission", |recording, at, _| {
        instead(recording, at, "session/request_permission", "can_use_tool")
    }),
    Kind::effects("told-as-file-request", |recording, at, _| {
        instead(recording, at, "fs/write_text_file", "write_file")
    }),
    Kind::effects("told-as-terminal", |recording, at, _| {
        instead(recording, at, "terminal/create", "hook_callback")
    }),
    Kind::effects("told-as-mcp-message", |recording, at, _| {
        instead(recording, at, "mcp/message", "mcp_message")
    }),
    Kind::whole("told-by-summary-turns", |recording, _, _| summary(recording, &["num_turns"], 3)),
    Kind::whole("told-by-summary-tokens", |recording, _, _| {
        summary(recording, &["output_tokens", "candidates", "output"], 900)
    }),
    Kind::whole("told-by-summary-tools", |recording, _, _| {
        summary(recording, &["tool_calls", "totalCalls"], 2)
    }),
    Kind::whole("told-by-denials", |recording, _, _| {
        let mut damaged = without_effects(recording)?;
        let end = last_said(&damaged)?;
        let value = object_of(damaged.frames.get(end)?)?;
        value.get("permission_denials")?;
        damaged = with_json(&damaged, end, |value| {
            value["permission_denials"] = json!([{ "tool_name": "Bash", "tool_use_id": "t" }]);
        })?;
        Some(damaged)
    }),
];

/// A request in place of the frame: JSON-RPC where the protocol is that, else an agent's control request.
fn instead(recording: &Recording, at: usize, method: &str, control: &str) -> Option<Recording> {
    let value = object_of(recording.frames.get(at)?)?;
    let request = match value.get("jsonrpc") {
        Some(_) => {
            let session = value["params"]["sessionId"].clone();
            let mut params = Map::new();
            params.insert("sessionId".to_owned(), session);
            json!({ "jsonrpc": "2.0", "id": 9001, "method": method, "params": params })
        }
        None => json!({ "type": "control_request", "request_id": "r", "request": { "subtype": control } }),
    };
    // The other frames of the same effect would tell it themselves.
    let mut damaged = with_line(recording, at, request.to_string())?;
    let mut number = 0;
    damaged.frames.retain(|frame| {
        number += 1;
        number - 1 == at || !effects::carries(frame)
    });
    Some(damaged)
}

/// All effects gone without a trace, but the turn's own summary counts them.
fn summary(recording: &Recording, keys: &[&str], count: u64) -> Option<Recording> {
    let damaged = without_effects(recording)?;
    let end = last_said(&damaged)?;
    let mut is_told = false;
    let damaged = with_json(&damaged, end, |value| {
        each_object(value, &mut |object| {
            for key in keys {
                if let Some(number @ Value::Number(_)) = object.get_mut(*key) {
                    *number = count.into();
                    is_told = true;
                }
            }
        });
    });
    damaged.filter(|_| is_told)
}

fn without_effects(recording: &Recording) -> Option<Recording> {
    let mut damaged = recording.clone();
    damaged.frames.retain(|frame| !effects::carries(frame));
    (damaged.frames.len() < recording.frames.len()).then_some(damaged)
}
