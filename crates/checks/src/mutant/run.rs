//! Running mutants: each against the cases of its pack, its own suite first.

use std::collections::BTreeMap;

use faultbook_engine::rule::Rule;
use faultbook_engine::{Catalogue, Explanation, Step};

use super::list::{Change, Mutant, mutants};
use crate::examine::Examined;
use crate::fixture::{CaseKind, Suite, SuiteCase};
use crate::suite::{judge, map_in_parallel};

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A case failed: the one named.
    Killed {
        /// The rule whose suite holds the case.
        suite: String,
        /// The case's name.
        case: String,
    },
    /// The rule declares it as equivalent, and no case tells them apart. The declared reason.
    Equivalent(String),
    /// A shift of band or rank that no case puts to the test: in none of them does that step decide between the rule
    /// and a rule of another code, or what decides next decides alike.
    Idle,
    /// No case failed.
    Survived,
}

/// One mutant of one rule and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The rule's id.
    pub rule: String,
    /// The mutant.
    pub mutant: Mutant,
    /// What became of it.
    pub fate: Fate,
}

/// Runs all mutants of these rules. `examined` are the cases that may kill, explained by `catalogue`; cases that
/// already fail kill nothing. The trials stand in the order of the rules and their mutants, whatever thread ran them.
#[must_use]
pub fn run_mutants<'r>(
    catalogue: &Catalogue,
    rules: impl IntoIterator<Item = &'r Rule>,
    examined: &[Examined<'_>],
) -> Vec<Trial> {
    let sound: Vec<&Examined<'_>> =
        examined.iter().filter(|one| holds(catalogue, one.suite, one.case, &one.explanation)).collect();
    let contests = contests(&sound);
    let rules: Vec<&Rule> = rules.into_iter().collect();
    let trials = map_in_parallel(&rules, |rule| {
        // A near miss notices most of what a rule may lose.
        let is_own = |one: &&Examined<'_>| one.suite.rule == rule.id;
        let (near, own): (Vec<_>, Vec<_>) =
            sound.iter().copied().filter(is_own).partition(|one| one.case.kind == CaseKind::Negative);
        let others = sound.iter().copied().filter(|one| one.suite.rule != rule.id);
        let cases: Vec<&Examined<'_>> = near.into_iter().chain(own).chain(others).collect();
        let decided = contests.get(rule.id.as_str()).map_or(&[][..], Vec::as_slice);
        mutants(rule)
            .into_iter()
            .map(|mutant| try_one(catalogue, rule, mutant, &cases, decided))
            .collect::<Vec<_>>()
    });
    trials.into_iter().flatten().collect()
}

fn holds(catalogue: &Catalogue, suite: &Suite, case: &SuiteCase, explanation: &Explanation) -> bool {
    judge(catalogue, suite, case, explanation).holds()
}

/// A step that decided between a rule and one of another code, and whether the rule won.
type Decided = (Step, bool);

/// By rule, the steps that decided in some case.
fn contests(examined: &[&Examined<'_>]) -> BTreeMap<String, Vec<Decided>> {
    let mut found: BTreeMap<String, Vec<Decided>> = BTreeMap::new();
    for one in examined {
        let code = |rule: &str| {
            one.explanation.matches.iter().find(|trace| trace.rule == rule).map(|trace| trace.code)
        };
        for contest in &one.explanation.contests {
            if code(&contest.winner) != code(&contest.loser) {
                found.entry(contest.winner.clone()).or_default().push((contest.step, true));
                found.entry(contest.loser.clone()).or_default().push((contest.step, false));
            }
        }
    }
    found
}

fn try_one(
    catalogue: &Catalogue,
    rule: &Rule,
    mutant: Mutant,
    cases: &[&Examined<'_>],
    decided: &[Decided],
) -> Trial {
    let fate = match step(mutant.change) {
        Some(step) if !decided.contains(&step) => Fate::Idle,
        shift => match against_cases(catalogue, &mutant, cases) {
            Outcome::Killed(one) => {
                Fate::Killed { suite: one.suite.rule.clone(), case: one.case.case.name.clone() }
            }
            Outcome::Unchanged if shift.is_some() => Fate::Idle,
            Outcome::Unchanged | Outcome::Unnoticed => {
                match rule.equivalent.iter().find(|entry| entry.mutant == mutant.name) {
                    Some(entry) => Fate::Equivalent(entry.reason.clone()),
                    None => Fate::Survived,
                }
            }
        },
    };
    Trial { rule: rule.id.clone(), mutant, fate }
}

/// The step of the precedence that a shift reverses, and who won by it; `None` for other changes.
fn step(change: Change) -> Option<Decided> {
    match change {
        Change::Drop | Change::Widen | Change::Remove => None,
        Change::BandUp => Some((Step::Band, false)),
        Change::BandDown => Some((Step::Band, true)),
        Change::RankUp => Some((Step::Rank, false)),
        Change::RankDown => Some((Step::Rank, true)),
    }
}

/// What the cases say about a mutant.
enum Outcome<'x, 's> {
    /// This case fails.
    Killed(&'x Examined<'s>),
    /// Some answer has another code, and no case fails.
    Unnoticed,
    /// No answer has another code.
    Unchanged,
}

/// Runs the cases until one fails. A mutant that does not compile cannot be told from its rule.
fn against_cases<'x, 's>(
    catalogue: &Catalogue,
    mutant: &Mutant,
    cases: &[&'x Examined<'s>],
) -> Outcome<'x, 's> {
    let Ok(variant) = catalogue.with_rule(mutant.rule.clone()) else { return Outcome::Unchanged };
    let mut is_changed = false;
    let is_shift = step(mutant.change).is_some();
    for one in cases {
        // Where the rule does not match, its place in the precedence means nothing.
        if is_shift && !one.explanation.matches.iter().any(|found| found.rule == mutant.rule.id) {
            continue;
        }
        let explanation = variant.explain(&one.case.envelope);
        if !holds(&variant, one.suite, one.case, &explanation) {
            return Outcome::Killed(one);
        }
        is_changed |= explanation.classification.code != one.explanation.classification.code;
    }
    if is_changed { Outcome::Unnoticed } else { Outcome::Unchanged }
}
