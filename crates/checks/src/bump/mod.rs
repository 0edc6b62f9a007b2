//! Version bumps: what changed between two versions of a pack, the bump that this needs, and whether it was made.
//!
//! Another code for a fixture that was there before, or for a record of the corpus, is major; so is a code that is no
//! longer given. A new rule, a newly recognised case, a retired rule and another confidence are minor. Everything else
//! is a patch.

use std::collections::BTreeMap;

use faultbook_document::{Diagnostic, quoted};
use faultbook_engine::Catalogue;
use faultbook_engine::pack::LoadedPack;
use faultbook_engine::rule::Rule;
use faultbook_evidence::Envelope;
use faultbook_taxonomy::{Classification, Code, Confidence, Hints, State};
use semver::Version;
use serde::Serialize;

use crate::fixture::{CaseKind, Suite};
use crate::suite::map_in_parallel;

mod findings;
#[cfg(test)]
mod tests;

faultbook_document::diagnostic_codes! {
    BUMP_TOO_SMALL = "bump-too-small": "A pack's version does not rise as far as its changes need.";
    REVISION_NOT_RAISED = "revision-not-raised": "A rule changed what it means, and kept its revision.";
    RULE_GONE = "rule-gone": "A rule is gone, and has no entry in retired.yaml.";
}

/// One version of a pack, ready to be asked.
#[derive(Debug, Clone, Copy)]
pub struct Edition<'p> {
    /// The pack.
    pub pack: &'p LoadedPack,
    /// The pack compiled, alone or beside the packs that it is loaded with.
    pub catalogue: &'p Catalogue,
    /// Its suites.
    pub suites: &'p [Suite],
    /// Its manifest's file, as shown to people.
    pub manifest: &'p str,
}

/// By how much a version rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bump {
    /// Nothing changed.
    None,
    /// Wording, references, more precise hints.
    Patch,
    /// A new or retired rule, a newly recognised case, another confidence.
    Minor,
    /// Another code for evidence that had one.
    Major,
}

impl Bump {
    /// The bump's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }

    /// The lowest version that is so much higher.
    #[must_use]
    pub fn applied(self, version: &Version) -> Version {
        match self {
            Self::None => version.clone(),
            Self::Patch => Version::new(version.major, version.minor, version.patch.saturating_add(1)),
            Self::Minor => Version::new(version.major, version.minor.saturating_add(1), 0),
            Self::Major => Version::new(version.major.saturating_add(1), 0, 0),
        }
    }
}

/// Evidence whose answer was compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Evidence {
    /// A case of a suite.
    Case {
        /// The suite's rule.
        rule: String,
        /// The kind of case.
        kind: CaseKind,
        /// The case's name.
        name: String,
        /// Whether the old version had it.
        is_old: bool,
    },
    /// A record of a corpus, by id.
    Record(String),
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Case { rule, kind, name, is_old } => {
                let new = if *is_old { "" } else { "new " };
                write!(f, "the {new}{} case `{name}` of `{rule}`", kind.as_str())
            }
            Self::Record(id) => write!(f, "the record `{id}`"),
        }
    }
}

/// What is compared of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The state.
    pub state: State,
    /// The code, if there is one.
    pub code: Option<Code>,
    /// The confidence, if there is a code.
    pub confidence: Option<Confidence>,
    /// The hints.
    pub hints: Hints,
}

impl Answer {
    fn of(classification: Classification) -> Self {
        let Classification { state, code, confidence, hints, .. } = classification;
        Self { state, code, confidence, hints }
    }

    /// The code, or the state where there is none.
    fn in_words(&self) -> String {
        match (self.code, self.confidence) {
            (Some(code), Some(confidence)) => format!("{code} ({confidence})"),
            (Some(code), None) => code.to_string(),
            (None, _) => self.state.to_string(),
        }
    }

    /// The bump that a change from this answer to another needs.
    fn bump_to(&self, after: &Self, is_old: bool) -> Bump {
        match (self.code, after.code) {
            (Some(before), Some(now)) if before == now && self.confidence != after.confidence => Bump::Minor,
            (Some(before), Some(now)) if before == now => Bump::Patch,
            (Some(_), _) if is_old => Bump::Major,
            (None, None) if self.state == after.state => Bump::Patch,
            (Some(_) | None, _) => Bump::Minor,
        }
    }
}

/// Evidence that is answered otherwise than before.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// Which evidence.
    pub evidence: Evidence,
    /// The old answer.
    pub before: Answer,
    /// The new one.
    pub after: Answer,
    /// The bump that it needs.
    pub bump: Bump,
}

/// What changed between two versions of a pack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diff {
    /// The evidence that is answered otherwise, in the order in which it was compared.
    pub changes: Vec<Change>,
    /// Rules that are new, by id.
    pub new_rules: Vec<String>,
    /// Rules that are no longer there, by id.
    pub gone_rules: Vec<String>,
    /// Rules whose text changed in any way, by id.
    pub changed_rules: Vec<String>,
    /// The bump that all of it needs.
    pub needed: Bump,
    /// The old version, and the new one as it is stated.
    pub versions: (String, String),
    /// What must be put right: a bump that is too small, revisions, missing tombstones.
    pub findings: Vec<Diagnostic>,
}

/// A comparison under way. Suites are compared at once; records of a corpus are added in batches, so that memory
/// stays bounded.
#[derive(Debug)]
pub struct Comparison<'p> {
    old: Edition<'p>,
    new: Edition<'p>,
    changes: Vec<Change>,
}

/// Compares two versions of a pack on their suites alone.
#[must_use]
pub fn diff(old: Edition<'_>, new: Edition<'_>) -> Diff {
    Comparison::of(old, new).finish()
}

impl<'p> Comparison<'p> {
    /// Compares the answers for every case of both versions; a case that both have counts as old.
    #[must_use]
    pub fn of(old: Edition<'p>, new: Edition<'p>) -> Self {
        let mut cases: Vec<(Evidence, &Envelope)> = Vec::new();
        for (edition, is_old) in [(old, true), (new, false)] {
            for suite in edition.suites {
                for case in &suite.cases {
                    if is_old || !has_case(old.suites, &suite.rule, &case.envelope) {
                        let (rule, name) = (suite.rule.clone(), case.case.name.clone());
                        cases.push((Evidence::Case { rule, kind: case.kind, name, is_old }, &case.envelope));
                    }
                }
            }
        }
        let mut comparison = Self { old, new, changes: Vec::new() };
        comparison.add(&cases);
        comparison
    }

    /// Compares the answers for records of a corpus, each with its id.
    pub fn add_records<'e>(&mut self, records: impl IntoIterator<Item = (&'e str, &'e Envelope)>) {
        let named = records.into_iter().map(|(id, envelope)| (Evidence::Record(id.to_owned()), envelope));
        self.add(&named.collect::<Vec<_>>());
    }

    fn add(&mut self, evidence: &[(Evidence, &Envelope)]) {
        let (old, new) = (self.old.catalogue, self.new.catalogue);
        let answers = map_in_parallel(evidence, |(_, envelope)| {
            (Answer::of(old.classify(envelope)), Answer::of(new.classify(envelope)))
        });
        for ((evidence, _), (before, after)) in evidence.iter().zip(answers) {
            if before != after {
                let is_old = !matches!(evidence, Evidence::Case { is_old: false, .. });
                let bump = before.bump_to(&after, is_old);
                self.changes.push(Change { evidence: evidence.clone(), before, after, bump });
            }
        }
    }

    /// What changed, the bump that it needs, and what must be put right.
    #[must_use]
    pub fn finish(self) -> Diff {
        let by_id = |edition: &Edition<'p>| -> BTreeMap<&'p str, &'p Rule> {
            edition.pack.pack.rules.iter().map(|rule| (rule.id.as_str(), rule)).collect()
        };
        let (before, after) = (by_id(&self.old), by_id(&self.new));
        let missing = |from: &BTreeMap<&str, &Rule>, of: &BTreeMap<&str, &Rule>| -> Vec<String> {
            of.keys().filter(|id| !from.contains_key(*id)).map(|id| (*id).to_owned()).collect()
        };
        let is_changed = |id: &&&str| before.get(**id).is_some_and(|rule| after.get(**id) != Some(rule));
        let changed = after.keys().filter(is_changed).map(|id| (*id).to_owned()).collect::<Vec<_>>();
        let (new_rules, gone_rules) = (missing(&before, &after), missing(&after, &before));
        let (old_pack, new_pack) = (&self.old.pack.pack, &self.new.pack.pack);
        let mut needed = self.changes.iter().map(|change| change.bump).max().unwrap_or(Bump::None);
        if !new_rules.is_empty() || !gone_rules.is_empty() {
            needed = needed.max(Bump::Minor);
        }
        let mut unversioned = new_pack.manifest.clone();
        unversioned.version.clone_from(&old_pack.manifest.version);
        let is_same = unversioned == old_pack.manifest
            && changed.is_empty()
            && old_pack.ambiguous == new_pack.ambiguous
            && old_pack.retired == new_pack.retired;
        if !is_same {
            needed = needed.max(Bump::Patch);
        }
        let mut diff = Diff {
            changes: self.changes,
            new_rules,
            gone_rules,
            changed_rules: changed,
            needed,
            versions: (old_pack.manifest.version.clone(), new_pack.manifest.version.clone()),
            findings: Vec::new(),
        };
        diff.findings.extend(findings::bump_too_small(&diff, self.new.manifest));
        diff.findings.extend(findings::rules_gone(&diff, self.new));
        diff.findings.extend(findings::revisions(&before, &after, self.new));
        diff
    }
}

fn has_case(suites: &[Suite], rule: &str, envelope: &Envelope) -> bool {
    suites
        .iter()
        .filter(|suite| suite.rule == rule)
        .any(|suite| suite.cases.iter().any(|case| case.envelope == *envelope))
}

/// A version as a number; `None` for one that loading refuses.
fn version(text: &str) -> Option<Version> {
    Version::parse(text).ok()
}

/// A short list of ids for a message.
fn listed(ids: &[String]) -> String {
    let shown: Vec<String> = ids.iter().take(3).map(|id| quoted(id)).collect();
    let more = ids.len().saturating_sub(3);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
