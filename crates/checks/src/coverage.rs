//! Whether rules and suites belong together: a suite for every rule, with the kinds of case that the rule needs.

use std::collections::BTreeMap;

use faultbook_document::{Diagnostic, Document, did_you_mean, quoted};
use faultbook_engine::rule::{Kind, Pack, Rule};

use crate::fixture::{CaseKind, Suite};

faultbook_document::diagnostic_codes! {
    MISSING_FIXTURE = "missing-fixture": "A rule has no suite.";
    MISSING_FIXTURE_KIND = "missing-fixture-kind": "A suite lacks a kind of case that its rule needs.";
    UNKNOWN_FIXTURE_RULE = "unknown-fixture-rule": "A suite names a rule that is not in the pack.";
}

/// Checks the suites of a pack against its rules. `documents` are the rules' files, by id.
#[must_use]
pub fn check_coverage(
    pack: &Pack,
    documents: &BTreeMap<String, Document>,
    suites: &[Suite],
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for rule in &pack.rules {
        match suites.iter().find(|suite| suite.rule == rule.id) {
            Some(suite) => problems.extend(missing_kinds(rule, suite)),
            None => {
                problems.extend(documents.get(&rule.id).map(|document| missing_suite(pack, rule, document)))
            }
        }
    }
    let is_known = |suite: &&Suite| pack.rules.iter().any(|rule| rule.id == suite.rule);
    problems.extend(suites.iter().filter(|suite| !is_known(suite)).map(|suite| unknown_rule(pack, suite)));
    problems
}

fn missing_suite(pack: &Pack, rule: &Rule, document: &Document) -> Diagnostic {
    let message = format!("rule {} has no suite", quoted(&rule.id));
    let help = format!("add `{}/{}.yaml` with positive and negative cases", pack.manifest.id, rule.id);
    document.error(MISSING_FIXTURE, &document.locate("/id"), message).with_rule(&rule.id).with_help(help)
}

/// Every rule needs a positive and a negative case. A rule that looks beyond its statement (companions, the
/// turn's end, marks) needs one that shows what the rest of the turn changes.
fn missing_kinds(rule: &Rule, suite: &Suite) -> Vec<Diagnostic> {
    let looks_beyond = !rule.with.is_empty() || matches!(rule.kind, Kind::Speaker | Kind::Notice);
    let needed = [
        (CaseKind::Positive, true, "a case in which the rule must match"),
        (CaseKind::Negative, true, "a near miss"),
        (CaseKind::Correlation, looks_beyond, "a case in which the rest of the turn changes the answer"),
    ];
    needed
        .into_iter()
        .filter(|(kind, is_needed, _)| *is_needed && suite.of(*kind).next().is_none())
        .map(|(kind, _, what)| {
            let message = format!("the suite has no {} case", kind.as_str());
            suite
                .suite_problem(MISSING_FIXTURE_KIND, message)
                .with_help(format!("add {what} under `cases: {}`", kind.as_str()))
        })
        .collect()
}

fn unknown_rule(pack: &Pack, suite: &Suite) -> Diagnostic {
    let message = format!("rule {} is not in the pack {}", quoted(&suite.rule), quoted(&pack.manifest.id));
    let problem = suite.suite_problem(UNKNOWN_FIXTURE_RULE, message);
    let retired = pack.retired.iter().find(|tombstone| tombstone.id == suite.rule);
    let help = match retired {
        Some(tombstone) => Some(match &tombstone.successor {
            Some(successor) => format!("it was retired; move the cases to `{successor}`"),
            None => "it was retired; remove the suite".to_owned(),
        }),
        None => did_you_mean(&suite.rule, pack.rules.iter().map(|rule| rule.id.as_str())),
    };
    match help {
        Some(help) => problem.with_help(help),
        None => problem,
    }
}
