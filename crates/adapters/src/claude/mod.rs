//! Claude Code's formats.
//!
//! | field of the agent | in the envelope |
//! | --- | --- |
//! | `result`: `is_error` | `terminal`: failed where true, whatever `subtype` says, else completed |
//! | `result`: `terminal_reason` of `aborted…` | `terminal`: cancelled |
//! | `result`: `api_error_status`; `system/api_retry`: `error_status` | `http_status` |
//! | `system/api_retry` | `role`: notice |
//! | `assistant` of model `<synthetic>` | channel `agent_text`, with the event's `error` kind beside the words |
//! | `permission_denials` | their number |
//! | `parent_tool_use_id` | a subagent's words are output of a tool |

mod plain;
mod result;
mod stream;

pub(crate) use plain::ClaudePlain;
pub(crate) use stream::{ClaudeStream, read_event};

#[cfg(test)]
mod tests;
