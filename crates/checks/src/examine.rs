//! Every case of every suite, explained once; the other checks read from it.

use faultbook_engine::{Catalogue, Explanation};

use crate::fixture::{Suite, SuiteCase};
use crate::suite::map_in_parallel;

/// A case and what the engine says about it.
#[derive(Debug)]
pub struct Examined<'s> {
    /// The suite that the case belongs to.
    pub suite: &'s Suite,
    /// The case.
    pub case: &'s SuiteCase,
    /// The engine's answer with its reasons.
    pub explanation: Explanation,
}

/// Explains every case, in parallel; the results stand in the order of the suites and their cases.
#[must_use]
pub fn examine<'s>(catalogue: &Catalogue, suites: &'s [Suite]) -> Vec<Examined<'s>> {
    let cases: Vec<(&Suite, &SuiteCase)> =
        suites.iter().flat_map(|suite| suite.cases.iter().map(move |case| (suite, case))).collect();
    let explanations = map_in_parallel(&cases, |(_, case)| catalogue.explain(&case.envelope));
    cases
        .into_iter()
        .zip(explanations)
        .map(|((suite, case), explanation)| Examined { suite, case, explanation })
        .collect()
}
