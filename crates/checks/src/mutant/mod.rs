//! Mutants: a suite is only as good as the changes to its rule that it notices.
//!
//! For each rule every atom and companion is dropped, every list and bound widened, every `none` and `applies`
//! removed, and band and rank shifted. For each of these at least one case of the pack must fail, or the rule says
//! that the mutant is `equivalent` and why. Shifts that no case puts to the test are idle and need no word.

use std::collections::BTreeMap;

use faultbook_document::{Diagnostic, Document, did_you_mean, quoted};
use faultbook_engine::rule::Rule;

pub mod codes;
mod list;
mod run;
mod site;
#[cfg(test)]
mod tests;
mod widen;

pub use codes::CODES;
pub use list::{Change, Mutant, mutants};
pub use run::{Fate, Trial, run_mutants};

/// What the trials of rules say to their authors. `documents` are the rules' files, by id.
#[must_use]
pub fn findings<'r>(
    rules: impl IntoIterator<Item = &'r Rule>,
    trials: &[Trial],
    documents: &BTreeMap<String, Document>,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for rule in rules {
        let document = documents.get(&rule.id);
        let own: Vec<&Trial> = trials.iter().filter(|trial| trial.rule == rule.id).collect();
        problems.extend(own.iter().filter_map(|trial| of_trial(rule, trial, document)));
        for (index, entry) in rule.equivalent.iter().enumerate() {
            if own.iter().any(|trial| trial.mutant.name == entry.mutant) {
                continue;
            }
            let message = format!("{} has no mutant {}", quoted(&rule.id), quoted(&entry.mutant));
            let pointer = format!("/equivalent/{index}/mutant");
            let names = own.iter().map(|trial| trial.mutant.name.as_str());
            let help = did_you_mean(&entry.mutant, names).unwrap_or_else(|| "remove the entry".to_owned());
            problems.push(
                at(rule, document, codes::UNKNOWN_MUTANT, &pointer, message).with_help(help).as_warning(),
            );
        }
    }
    problems
}

fn of_trial(rule: &Rule, trial: &Trial, document: Option<&Document>) -> Option<Diagnostic> {
    let name = quoted(&trial.mutant.name);
    let declared = rule.equivalent.iter().position(|entry| entry.mutant == trial.mutant.name);
    match (&trial.fate, declared) {
        (Fate::Survived, _) => {
            let message = format!("no case notices the mutant {name} of {}", quoted(&rule.id));
            let help =
                format!("{}; or declare it under `equivalent` with a reason", advice(trial.mutant.change));
            Some(
                at(rule, document, codes::SURVIVING_MUTANT, &trial.mutant.pointer, message)
                    .with_help(help)
                    .as_warning(),
            )
        }
        (Fate::Killed { suite, case }, Some(index)) => {
            let message = format!(
                "the mutant {name} is declared as equivalent, and the case {} of {} tells them apart",
                quoted(case),
                quoted(suite)
            );
            let pointer = format!("/equivalent/{index}");
            let problem = at(rule, document, codes::KILLED_EQUIVALENT, &pointer, message);
            Some(problem.with_help("remove the entry").as_warning())
        }
        (Fate::Killed { .. } | Fate::Equivalent(_) | Fate::Idle, _) => None,
    }
}

fn advice(change: Change) -> &'static str {
    match change {
        Change::Drop => "add a negative case that lacks only this",
        Change::Widen => "add a negative case with another value here",
        Change::Remove => "add a negative case that only this excludes",
        Change::BandUp | Change::BandDown | Change::RankUp | Change::RankDown => {
            "let the case in which this step decides expect the code"
        }
    }
}

fn at(
    rule: &Rule,
    document: Option<&Document>,
    code: &'static str,
    pointer: &str,
    message: String,
) -> Diagnostic {
    let problem = match document {
        Some(document) => document.error(code, &document.locate(pointer), message),
        None => Diagnostic::of_file(code, &format!("{}.yaml", rule.id), message),
    };
    problem.with_rule(&rule.id).with_pointer(pointer)
}
