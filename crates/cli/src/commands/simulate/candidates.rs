//! The candidates that the command line names.

use std::collections::BTreeSet;

use faultbook::policy::simulate::ScenarioCandidate;
use faultbook::policy::{CandidatePolicy, ExecutionContext, Route};
use faultbook_document::did_you_mean;

use crate::failure::Failure;

/// A candidate by its name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Named {
    name: String,
    fails: bool,
}

impl Named {
    /// The candidate as a scenario has it. Each has a provider, model, profile and credential of its own: what one
    /// degrades does not touch the next, and its health ladder climbs.
    pub(super) fn with(self, policy: CandidatePolicy) -> ScenarioCandidate {
        let name = Some(self.name.clone());
        ScenarioCandidate {
            name: self.name,
            route: Route {
                workspace: None,
                profile: name.clone(),
                provider: name.clone(),
                model: name.clone(),
                credential_binding: name,
            },
            policy: Some(policy),
            fails: self.fails,
        }
    }
}

/// The candidates in their order, the healthy ones marked where they stand.
pub(super) fn named(
    context: ExecutionContext,
    candidates: &[String],
    healthy: &[String],
) -> Result<Vec<Named>, Failure> {
    distinct(candidates.iter().map(String::as_str))?;
    distinct(healthy.iter().map(String::as_str))?;
    if context == ExecutionContext::Interactive && candidates.len() > 1 {
        let message = "an interactive session has one profile and never moves to another candidate";
        return Err(Failure::usage(message, "name one candidate, or use --context unattended"));
    }
    if let Some(unknown) = healthy.iter().find(|name| !candidates.contains(name)) {
        let message = format!("--healthy names `{}`, which is no candidate", unknown.escape_debug());
        let names = candidates.iter().map(String::as_str);
        let help = did_you_mean(unknown, names);
        return Err(Failure::usage(
            message,
            help.unwrap_or_else(|| "name all of them with --candidates".to_owned()),
        ));
    }
    let named = |name: &String| Named { name: name.clone(), fails: !healthy.contains(name) };
    if candidates.is_empty() {
        return Ok(vec![Named { name: "candidate 1".to_owned(), fails: true }]);
    }
    Ok(candidates.iter().map(named).collect())
}

/// Refuses candidates that nobody could tell apart.
pub(super) fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.trim().is_empty() {
            return Err(Failure::usage(
                "a candidate has no name",
                "write names with commas between them: a,b,c",
            ));
        }
        if !seen.insert(name) {
            let message = format!("the candidate `{}` is named twice", name.escape_debug());
            return Err(Failure::usage(
                message,
                "name each candidate once; one that is tried again needs no second name",
            ));
        }
    }
    Ok(())
}
