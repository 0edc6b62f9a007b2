//! Running cases, one or all.

use faultbook_document::Diagnostic;
use faultbook_engine::{Catalogue, Explanation};

use super::codes::FAILED_CASE;
use super::compare::Comparison;
use super::outcome::{CaseResult, Difference};
use super::parallel;
use crate::fixture::{Suite, SuiteCase};
use crate::redaction;

/// Which cases to run. What is absent admits everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// A pack's id.
    pub pack: Option<String>,
    /// A rule's id, or the beginning of one.
    pub rule: Option<String>,
    /// A part of a case's name.
    pub case: Option<String>,
}

impl Filter {
    /// Whether a case passes.
    #[must_use]
    pub fn admits(&self, suite: &Suite, case: &SuiteCase) -> bool {
        self.pack.as_ref().is_none_or(|pack| *pack == suite.pack)
            && self.rule.as_ref().is_none_or(|rule| suite.rule.starts_with(rule))
            && self.case.as_ref().is_none_or(|part| case.case.name.contains(part))
    }
}

/// Runs the cases of all suites that the filter admits, in parallel; the results stand in the order of the suites.
#[must_use]
pub fn run_suites(catalogue: &Catalogue, suites: &[Suite], filter: &Filter) -> Vec<CaseResult> {
    let cases: Vec<(&Suite, &SuiteCase)> = suites
        .iter()
        .flat_map(|suite| suite.cases.iter().map(move |case| (suite, case)))
        .filter(|(suite, case)| filter.admits(suite, case))
        .collect();
    parallel::map(&cases, |(suite, case)| run_case(catalogue, suite, case))
}

/// Runs one case.
#[must_use]
pub fn run_case(catalogue: &Catalogue, suite: &Suite, case: &SuiteCase) -> CaseResult {
    judge(catalogue, suite, case, &catalogue.explain(&case.envelope))
}

/// Compares an answer that is already there with what the case expects.
pub(crate) fn judge(
    catalogue: &Catalogue,
    suite: &Suite,
    case: &SuiteCase,
    explanation: &Explanation,
) -> CaseResult {
    let comparison = Comparison {
        kind: case.kind,
        expect: &case.case.expect,
        rule: &suite.rule,
        rule_kind: catalogue.rule(&suite.rule).map(|rule| rule.kind),
        explanation,
    };
    let mut differences = comparison.differences();
    differences.extend(redaction::leaks(&case.case.expect.never_emits, explanation, &differences));
    CaseResult {
        pack: suite.pack.clone(),
        rule: suite.rule.clone(),
        kind: case.kind,
        case: case.case.name.clone(),
        outcome: comparison.outcome(),
        differences,
    }
}

/// The failures among results as diagnostics, each at the part of its case that differs first.
#[must_use]
pub fn failures(suites: &[Suite], results: &[CaseResult]) -> Vec<Diagnostic> {
    results.iter().filter(|result| !result.holds()).filter_map(|result| failure(suites, result)).collect()
}

fn failure(suites: &[Suite], result: &CaseResult) -> Option<Diagnostic> {
    let suite = suites.iter().find(|suite| suite.pack == result.pack && suite.rule == result.rule)?;
    let case = suite.cases.iter().find(|case| case.kind == result.kind && case.case.name == result.case)?;
    let part = result.differences.first().map_or("", |Difference { part, .. }| part.as_str());
    let expected = format!("/expect/{part}");
    let is_written = suite.document.node(&format!("{}{expected}", case.pointer)).is_some();
    let at = if is_written { expected.as_str() } else { "/name" };
    let message = format!(
        "{} case `{}` of `{}`: {}\n{}",
        result.kind.as_str(),
        result.case,
        result.rule,
        result.outcome.as_str(),
        result.diff()
    );
    let help = "`-` is what the case expects, `+` what the engine says; `faultbook explain` shows why";
    Some(suite.problem(FAILED_CASE, case, at, message).with_help(help))
}
