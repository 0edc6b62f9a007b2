//! Clusters of alike texts, within a bound.

use crate::commands::telling;
use std::collections::{BTreeMap, BTreeSet};

use faultbook::Code;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

/// The most clusters that are told apart.
const MAX_CLUSTERS: usize = 20_000;
/// The most near misses that a cluster lists.
const MAX_NEAR_MISSES: usize = 8;
/// The most words of a template.
const MAX_WORDS: usize = 24;
/// Stands for what changes from case to case.
const BLANK: &str = "<…>";
/// One piece of evidence that no rule knows well.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sighting {
    /// Its words without what changes.
    pub(super) template: String,
    /// Its words, sanitised.
    pub(super) example: String,
    /// Where it stands.
    pub(super) place: String,
    /// When the evidence says that it happened: its earliest and its latest instant.
    pub(super) seen: Option<(Timestamp, Timestamp)>,
    /// The code that it got with medium confidence.
    pub(super) code: Option<Code>,
    /// Rules that almost matched.
    pub(super) near_misses: Vec<String>,
    /// The evidence, sanitised.
    pub(super) evidence: Value,
}

/// Evidence with the same template.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Cluster {
    /// What the texts have in common.
    pub(super) template: String,
    /// How often it was seen.
    pub(super) count: u64,
    /// Where first.
    pub(super) first: String,
    /// Where last.
    pub(super) last: String,
    /// When first, in UTC, as far as the evidence says it.
    pub(super) first_seen: Option<Timestamp>,
    /// When last, in UTC, as far as the evidence says it.
    pub(super) last_seen: Option<Timestamp>,
    /// The first text.
    pub(super) example: String,
    /// The code that it gets with medium confidence.
    pub(super) code: Option<Code>,
    /// Rules that almost matched.
    pub(super) near_misses: BTreeSet<String>,
    /// The first evidence.
    pub(super) evidence: Value,
}

/// All clusters so far.
#[derive(Debug, Default)]
pub(super) struct Clusters {
    by_template: BTreeMap<(String, Option<Code>), Cluster>,
    uncounted: u64,
}

impl Clusters {
    /// Counts a sighting. Sightings of new templates are only counted once the bound is reached.
    pub(super) fn add(&mut self, sighting: Sighting) {
        let Sighting { template, example, place, seen, code, near_misses, evidence } = sighting;
        let key = (template.clone(), code);
        let is_full = self.by_template.len() >= MAX_CLUSTERS;
        if is_full && !self.by_template.contains_key(&key) {
            self.uncounted += 1;
            return;
        }
        let cluster = self.by_template.entry(key).or_insert_with(|| Cluster {
            template,
            count: 0,
            first: place.clone(),
            last: place.clone(),
            first_seen: None,
            last_seen: None,
            example,
            code,
            near_misses: BTreeSet::new(),
            evidence,
        });
        cluster.count += 1;
        cluster.last = place;
        if let Some((first, last)) = seen {
            cluster.first_seen = Some(cluster.first_seen.map_or(first, |known| known.min(first)));
            cluster.last_seen = cluster.last_seen.max(Some(last));
        }
        for rule in near_misses {
            if cluster.near_misses.len() < MAX_NEAR_MISSES {
                cluster.near_misses.insert(rule);
            }
        }
    }

    /// Sightings for which there was no room.
    pub(super) const fn uncounted(&self) -> u64 {
        self.uncounted
    }

    /// The clusters that were seen often enough: those that look like failures first, then by count.
    pub(super) fn sorted(self, at_least: u64) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> =
            self.by_template.into_values().filter(|cluster| cluster.count >= at_least).collect();
        clusters.sort_by(|one, other| {
            let rank =
                |cluster: &Cluster| (cluster.code.is_some() || is_telling(&cluster.template), cluster.count);
            rank(other).cmp(&rank(one)).then_with(|| one.template.cmp(&other.template))
        });
        clusters
    }
}

/// Whether a text holds a word of failures.
pub(super) fn is_telling(text: &str) -> bool {
    let folded = text.to_ascii_lowercase();
    telling::is_telling(&folded)
}

/// The words of a text in lower case, with a blank for numbers, ids, paths and the like.
pub(super) fn template(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for token in text.split_whitespace().take(MAX_WORDS) {
        let word = token.to_lowercase();
        let changes =
            word.chars().any(|c| c.is_ascii_digit()) || word.contains("://") || word.matches('/').count() > 1;
        let next = if changes || word.starts_with('[') { BLANK.to_owned() } else { word };
        if words.last().is_none_or(|last| last != BLANK || next != BLANK) {
            words.push(next);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_from_case_to_case_is_blank() {
        for (text, want) in [
            ("2026-11-30 12:00:01 Upstream failed after 3s", "<…> upstream failed after <…>"),
            ("GET https://example.org/v1/x failed", "get <…> failed"),
            ("", ""),
        ] {
            assert_eq!(template(text), want);
        }
        assert_eq!(template(&"word ".repeat(500)).split(' ').count(), MAX_WORDS);
    }
}
