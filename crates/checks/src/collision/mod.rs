//! Static collision analysis: rules that can match one statement and that nothing separates, rules that a stronger
//! one always hides, and rules that nothing satisfies.
//!
//! Each match is brought into disjunctive form ([`dnf`]); two ways to match are intersected place by place
//! ([`solve`]), whole-field patterns by a product walk over automata ([`language`]), words by inclusion ([`words`]).
//! A collision comes with a witness that is replayed through the real engine ([`witness`]).
//!
//! "Contains A and contains B" is always possible and says nothing, so rules that only ask for unrelated words or
//! fields do not collide: for them, co-occurrences that were seen are the check. [`Overlap`] says where the line is.

use faultbook_document::{Diagnostic, Document};
use faultbook_engine::pack::LoadedPack;
use faultbook_engine::rule::{AmbiguousValue, Kind, Rule};
use faultbook_evidence::Envelope;
use faultbook_taxonomy::Band;
use std::collections::BTreeSet;

pub mod codes;
mod dnf;
mod findings;
mod language;
mod pairs;
mod question;
mod solve;
#[cfg(test)]
mod tests;
mod verdict;
mod witness;
pub(crate) mod words;

pub use codes::CODES;
use dnf::Term;
use verdict::{is_hidden, is_unsatisfiable, meeting};

/// A rule to analyse, with the file that it stands in, if there is one.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'p> {
    /// The rule.
    pub rule: &'p Rule,
    /// Its file, for diagnostics that point into it.
    pub document: Option<&'p Document>,
}

impl<'p> Subject<'p> {
    /// The rules of a loaded pack.
    pub fn of_pack(pack: &'p LoadedPack) -> impl Iterator<Item = Self> {
        pack.pack.rules.iter().map(|rule| Self { rule, document: pack.documents.get(&rule.id) })
    }
}

/// How two rules of different codes meet, the gravest way first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Overlap {
    /// One rule's questions are all contained in the other's. An error.
    Nested,
    /// What one of them asks beside the other is facts alone (statuses, codes, headers, the turn's end), which
    /// accompany any words and fields. An error.
    Beside,
    /// The budget ran out before they could be told apart. An error.
    OverBudget,
    /// They share a question, and each asks for words or fields of its own. A warning.
    Apart,
}

/// Two rules of different codes and equal strength that one statement lets match.
#[derive(Debug, Clone, PartialEq)]
pub struct Collision {
    /// The rule with the smaller id.
    pub first: String,
    /// The other.
    pub second: String,
    /// How they meet.
    pub overlap: Overlap,
    /// Evidence in which both match and the engine answers with a conflict; `None` over budget.
    pub witness: Option<Envelope>,
}

/// What the analysis found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Analysis {
    /// The findings, by file and line.
    pub findings: Vec<Diagnostic>,
    /// The collisions, by the ids of their rules.
    pub collisions: Vec<Collision>,
    /// Rules whose text patterns are not proven here: matrix, honeypot and co-occurrences are their check.
    pub unproven: BTreeSet<String>,
    /// How many pairs of rules were compared.
    pub compared: usize,
}

/// A rule with its ways to match.
#[derive(Debug)]
pub(crate) struct Prepared<'p> {
    pub(crate) rule: &'p Rule,
    pub(crate) document: Option<&'p Document>,
    pub(crate) terms: Vec<Term>,
    pub(crate) strength: (Option<Band>, u8),
}

/// Analyses all rules that are loaded together. `ambiguous` are the packs' ambiguous values, which the replay of a
/// witness needs. The order of the rules means nothing.
#[must_use]
pub fn analyse<'p>(
    subjects: impl IntoIterator<Item = Subject<'p>>,
    ambiguous: &[AmbiguousValue],
) -> Analysis {
    let mut subjects: Vec<Subject<'p>> = subjects.into_iter().collect();
    subjects.sort_by(|one, other| one.rule.id.cmp(&other.rule.id));
    let mut analysis = Analysis::default();
    let mut rules = Vec::new();
    for subject in subjects {
        match dnf::terms(subject.rule) {
            Ok(terms) => {
                let strength = (subject.rule.band, subject.rule.rank());
                let prepared = Prepared { rule: subject.rule, document: subject.document, terms, strength };
                analysis.note(&prepared);
                rules.push(prepared);
            }
            Err(dnf::TooMany) => analysis.findings.push(findings::too_many(&subject)),
        }
    }
    rules.retain(|prepared| prepared.rule.kind == Kind::Rule && prepared.rule.code.is_some());
    analysis.compare(&rules, ambiguous);
    analysis.findings.sort_by(|one, other| one.order().cmp(&other.order()));
    analysis.collisions.sort_by(|one, other| (&one.first, &one.second).cmp(&(&other.first, &other.second)));
    analysis
}

impl Analysis {
    fn note(&mut self, rule: &Prepared<'_>) {
        if is_unsatisfiable(rule) {
            self.findings.push(findings::unsatisfiable(rule));
        }
        if rule.terms.iter().any(|term| term.words.iter().any(words::Words::is_regex)) {
            self.unproven.insert(rule.rule.id.clone());
        }
    }

    fn compare(&mut self, rules: &[Prepared<'_>], ambiguous: &[AmbiguousValue]) {
        let mut hidden = BTreeSet::new();
        let mut met = BTreeSet::new();
        for (at, other) in pairs::candidates(rules) {
            let (Some(first), Some(second)) = (rules.get(at), rules.get(other)) else { continue };
            if first.rule.code == second.rule.code {
                continue;
            }
            self.compared += 1;
            if first.strength == second.strength {
                met.insert((at, other));
                self.meet(first, second, ambiguous);
                continue;
            }
            let (weaker, stronger) =
                if first.strength < second.strength { (first, second) } else { (second, first) };
            if !hidden.contains(&weaker.rule.id) && is_hidden(weaker, stronger) {
                hidden.insert(weaker.rule.id.clone());
                self.findings.push(findings::shadowed(weaker, stronger));
            }
        }
        for (at, others) in pairs::apart(rules) {
            for other in others {
                let pair = (at.min(other), at.max(other));
                let (Some(first), Some(second)) = (rules.get(pair.0), rules.get(pair.1)) else { continue };
                if !met.insert(pair) {
                    continue;
                }
                self.compared += 1;
                // One example a rule is enough: the cure is the same for all.
                if self.meet(first, second, ambiguous) {
                    break;
                }
            }
        }
    }

    /// Compares two rules of equal strength; says whether they meet.
    fn meet(&mut self, first: &Prepared<'_>, second: &Prepared<'_>, ambiguous: &[AmbiguousValue]) -> bool {
        let Some((overlap, assignment)) = meeting(first, second) else { return false };
        let mut witness = None;
        if let Some(found) = assignment {
            // Pointers that contradict each other leave no statement for both.
            let Some(envelope) = witness::envelope(&found) else { return false };
            if !witness::reproduces(first.rule, second.rule, ambiguous, &envelope) {
                // A sample of a text pattern may change in normal form; that proves nothing either way.
                if !self.unproven.contains(&first.rule.id) && !self.unproven.contains(&second.rule.id) {
                    self.findings.push(findings::not_reproduced(first, second, &envelope));
                }
                return false;
            }
            witness = Some(envelope);
        }
        self.findings.push(findings::collision(first, second, overlap, witness.as_ref()));
        let (first, second) = (first.rule.id.clone(), second.rule.id.clone());
        self.collisions.push(Collision { first, second, overlap, witness });
        true
    }
}
