//! How the commands about decisions name a policy, a context and the jitter.

use std::path::Path;

use clap::ValueEnum;
use faultbook::policy::{BuiltIn, CandidatePolicy, ExecutionContext, Jitter, PolicyFile, read_policy};
use faultbook_document::Source;
use serde_json::Value;

use crate::failure::Failure;
use crate::input::Source as Input;

/// Who is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ContextName {
    /// One profile, chosen and watched by a person
    Interactive,
    /// A list of candidates that the user configured beforehand
    Unattended,
}

impl From<ContextName> for ExecutionContext {
    fn from(name: ContextName) -> Self {
        match name {
            ContextName::Interactive => Self::Interactive,
            ContextName::Unattended => Self::Unattended,
        }
    }
}

/// A policy by name, else from a file.
pub(super) fn policy(name: &str) -> Result<CandidatePolicy, Failure> {
    match BuiltIn::ALL.iter().find(|built_in| built_in.as_str() == name) {
        Some(built_in) => Ok(CandidatePolicy::BuiltIn(*built_in)),
        None if Path::new(name).exists() => Ok(CandidatePolicy::Document(read(name)?.policy)),
        None => {
            let message = format!("there is no policy and no file `{}`", name.escape_debug());
            Err(Failure::usage(message, "policies are `standard`, `immediate`, or a class-policy document"))
        }
    }
}

/// Reads a policy file, or standard input for `-`.
pub(super) fn read(path: &str) -> Result<PolicyFile, Failure> {
    let problems =
        |diagnostics| Failure::Problems { subject: "the policy", diagnostics, conflicts: Vec::new() };
    /// The most bytes of a policy file.
    const MAX_BYTES: u64 = 1024 * 1024;
    let source = Input::of(&[path.into()]).pop().unwrap_or(Input::Standard);
    let bytes = source.read_bytes(MAX_BYTES).map_err(|error| Failure::File {
        path: path.to_owned(),
        verb: "read",
        error,
    })?;
    let source = Source::from_bytes(path, &bytes).map_err(|problem| problems(vec![*problem]))?;
    read_policy(source).map_err(problems)
}

/// Reads one JSON document from a file, or from standard input for `-`. `what` names it, `help` says what it is.
pub(super) fn document<T>(
    file: &Path,
    what: &str,
    help: &str,
    read: impl FnOnce(Value) -> Result<T, String>,
) -> Result<T, Failure> {
    /// The most bytes of a document.
    const MAX_BYTES: u64 = 1024 * 1024;
    let source = Input::of(&[file.to_owned()]).pop().unwrap_or(Input::Standard);
    let path = source.name().to_string();
    let text = source.read_text(MAX_BYTES).map_err(|error| Failure::File {
        path: path.clone(),
        verb: "read",
        error,
    })?;
    let value = serde_json::from_str(&text).map_err(|error| error.to_string());
    value.and_then(read).map_err(|why| Failure::usage(format!("{path}: no {what}: {why}"), help))
}

/// Reads a jitter.
pub(super) fn jitter(text: &str) -> Result<Jitter, String> {
    let fraction = text.parse().ok().and_then(Jitter::new);
    fraction.ok_or_else(|| "a jitter is a number from 0 to 1".to_owned())
}
