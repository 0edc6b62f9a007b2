//! How the commands about decisions name a policy, a context and the jitter.

use std::path::Path;

use clap::ValueEnum;
use faultbook::policy::{BuiltIn, CandidatePolicy, ExecutionContext, Jitter, PolicyFile, read_policy};
use faultbook_document::Source;

use crate::failure::Failure;

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

/// Reads a policy file.
pub(super) fn read(path: &str) -> Result<PolicyFile, Failure> {
    let problems =
        |diagnostics| Failure::Problems { subject: "the policy", diagnostics, conflicts: Vec::new() };
    let bytes =
        std::fs::read(path).map_err(|error| Failure::File { path: path.to_owned(), verb: "read", error })?;
    let source = Source::from_bytes(path, &bytes).map_err(|problem| problems(vec![*problem]))?;
    read_policy(source).map_err(problems)
}

/// Reads a jitter.
pub(super) fn jitter(text: &str) -> Result<Jitter, String> {
    let fraction = text.parse().ok().and_then(Jitter::new);
    fraction.ok_or_else(|| "a jitter is a number from 0 to 1".to_owned())
}
