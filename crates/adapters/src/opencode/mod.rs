//! `OpenCode`'s formats.
//!
//! | field of the agent | in the envelope |
//! | --- | --- |
//! | `error.data.statusCode` | `http_status` |
//! | `error.data.responseHeaders` | `headers` (timing headers only) |
//! | `session.status` of type `retry` | `role`: notice |
//! | an `error` event that is the last thing said | `terminal`: failed; work after it takes that back |
//! | exit code 0 without such an error | `terminal`: completed |

mod plain;
mod run;

pub(crate) use plain::OpenCodePlain;
pub(crate) use run::OpenCodeRun;

#[cfg(test)]
mod tests;
