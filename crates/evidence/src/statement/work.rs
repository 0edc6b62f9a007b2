//! Parts of an event that are the model's, a tool's or the user's, by the structure that agents share.
//!
//! An `event` is the agent's own, without such text. A host may hand over an event as it came from the wire; what
//! these parts hold is then no evidence: message blocks, items and parts by their `type`, messages by their `role`,
//! and the `result` of a turn that claims no error. A message of the model `<synthetic>` is the agent's own.

use serde_json::{Map, Value};

/// Types of blocks, items and parts that hold the work itself.
const WORK_TYPES: &[&str] = &[
    "agent_message",
    "agent_thought",
    "command_execution",
    "file_change",
    "function_call",
    "function_call_output",
    "mcp_tool_call",
    "reasoning",
    "server_tool_use",
    "thinking",
    "todo_list",
    "tool",
    "tool_call",
    "tool_result",
    "tool_use",
    "user_message",
    "web_search",
];

/// Whether the words inside an object are work.
pub(super) fn is_work(object: &Map<String, Value>) -> bool {
    let word = |key: &str| object.get(key).and_then(Value::as_str);
    let is_block = word("type").is_some_and(|kind| WORK_TYPES.contains(&kind));
    let is_message = matches!(word("role"), Some("assistant" | "user" | "tool" | "model"));
    (is_block || is_message) && word("model") != Some("<synthetic>")
}

/// Whether a key of the object holds the answer of a turn that claims no error.
pub(super) fn is_answer(object: &Map<String, Value>, key: &str) -> bool {
    key == "result"
        && object.get("type").and_then(Value::as_str) == Some("result")
        && object.get("is_error").and_then(Value::as_bool) == Some(false)
}
