//! Codex's formats.
//!
//! | field of the agent | in the envelope |
//! | --- | --- |
//! | `turn.failed`, `turn/completed` of status `failed` | `terminal`: failed |
//! | `turn.completed`, `turn/completed` of status `completed` | `terminal`: completed |
//! | `turn/completed` of status `interrupted` | `terminal`: cancelled |
//! | `error` (exec) | a failure; which of them announce a retry only their words tell |
//! | `error` with `willRetry: true` (app-server), an item of type `error` | `role`: notice |
//! | `codexErrorInfo.*.httpStatusCode` | `http_status` |
//! | exit code without an ended turn | `terminal`: failed |

mod app_server;
mod exec;
mod item;
mod plain;

pub(crate) use app_server::AppServer;
pub(crate) use exec::CodexExec;
pub(crate) use item::status_of_info;
pub(crate) use plain::CodexPlain;

#[cfg(test)]
mod tests;
