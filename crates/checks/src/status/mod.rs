//! Status: `stable` is earned by checks, never by age.
//!
//! A stable rule has no surviving mutant, a positive that somebody saw (recorded, documented or reported, with its
//! source), two near misses, and a reference. A near miss is a negative that contains one of the rule's own phrases,
//! or has a value at one of its fields or headers; for a rule about facts alone, one that has such a fact.

use std::collections::BTreeMap;

use faultbook_document::{Diagnostic, Document, quoted};
use faultbook_engine::rule::{Rule, Status};

use crate::fixture::{CaseKind, Origin, Suite};
use crate::mutant::{Fate, Trial};

mod near;
#[cfg(test)]
mod tests;

pub use near::is_near_miss;

faultbook_document::diagnostic_codes! {
    STATUS_NOT_EARNED = "status-not-earned": "A rule is called stable, and does not meet the conditions.";
}

/// The fewest near misses of a stable rule.
pub const MIN_NEAR_MISSES: usize = 2;

/// A condition of `stable` that a rule does not meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unmet {
    /// These mutants survive.
    Mutants(Vec<String>),
    /// No positive case is recorded, documented or reported with a source.
    RealPositive,
    /// So many near misses, and no more.
    NearMisses(usize),
    /// The rule has no reference.
    Reference,
}

impl std::fmt::Display for Unmet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Mutants(names) => {
                let noun = if names.len() == 1 { "mutant survives" } else { "mutants survive" };
                write!(f, "{} {noun} ({})", names.len(), names.join(", "))
            }
            Self::RealPositive => {
                f.write_str("no positive is recorded, documented or reported with a source")
            }
            Self::NearMisses(0) => f.write_str("no negative is a near miss, two are needed"),
            Self::NearMisses(_) => f.write_str("one negative is a near miss, two are needed"),
            Self::Reference => f.write_str("there is no reference"),
        }
    }
}

/// The conditions of `stable` that the rule does not meet, whatever its status says.
#[must_use]
pub fn unmet(rule: &Rule, suite: Option<&Suite>, trials: &[Trial]) -> Vec<Unmet> {
    let mut found = Vec::new();
    let survivors: Vec<String> = trials
        .iter()
        .filter(|trial| trial.rule == rule.id && trial.fate == Fate::Survived)
        .map(|trial| trial.mutant.name.clone())
        .collect();
    if !survivors.is_empty() {
        found.push(Unmet::Mutants(survivors));
    }
    let of = |kind| suite.into_iter().flat_map(move |suite| suite.of(kind));
    let is_real = |origin: Origin| match origin {
        Origin::Recorded | Origin::Documented | Origin::Reported => true,
        Origin::Synthetic => false,
    };
    if !of(CaseKind::Positive).any(|one| is_real(one.case.origin) && one.case.source.is_some()) {
        found.push(Unmet::RealPositive);
    }
    let near = of(CaseKind::Negative).filter(|one| is_near_miss(rule, &one.envelope)).count();
    if near < MIN_NEAR_MISSES {
        found.push(Unmet::NearMisses(near));
    }
    if rule.references.is_empty() {
        found.push(Unmet::Reference);
    }
    found
}

/// One finding for each stable rule that has not earned it.
#[must_use]
pub fn check_status<'r>(
    rules: impl IntoIterator<Item = &'r Rule>,
    suites: &[Suite],
    trials: &[Trial],
    documents: &BTreeMap<String, Document>,
) -> Vec<Diagnostic> {
    let of_rule = |rule: &&Rule| match rule.status {
        Status::Stable => true,
        Status::Experimental | Status::Deprecated => false,
    };
    let mut problems = Vec::new();
    for rule in rules.into_iter().filter(of_rule) {
        let suite = suites.iter().find(|suite| suite.rule == rule.id);
        let conditions: Vec<String> = unmet(rule, suite, trials).iter().map(ToString::to_string).collect();
        if conditions.is_empty() {
            continue;
        }
        let message = format!("{} is not stable yet: {}", quoted(&rule.id), conditions.join("; "));
        let problem = match documents.get(&rule.id) {
            Some(document) => document.error(STATUS_NOT_EARNED, &document.locate("/status"), message),
            None => Diagnostic::of_file(STATUS_NOT_EARNED, &format!("{}.yaml", rule.id), message),
        };
        let help = "meet the conditions, or call it `experimental` until it does";
        problems.push(problem.with_rule(&rule.id).with_pointer("/status").with_help(help));
    }
    problems
}
