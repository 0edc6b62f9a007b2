//! Pairs worth comparing, found without comparing every rule with every other.
//!
//! Words: one search over the texts of all rules finds which text contains which literal. Structure: a rule without
//! words can only be met, or hide another, where that other asks about the same place and value.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::AhoCorasick;

use super::Prepared;
use super::dnf::Term;
use super::question::Place;

/// Two rules by index, the smaller first.
pub(crate) type Pair = (usize, usize);

fn pair(one: usize, other: usize) -> Pair {
    (one.min(other), one.max(other))
}

/// The pairs of which one rule's questions may be contained in the other's.
pub(crate) fn candidates(rules: &[Prepared<'_>]) -> BTreeSet<Pair> {
    let mut pairs = BTreeSet::new();
    by_words(rules, &mut pairs);
    by_structure(rules, &mut pairs);
    pairs
}

fn by_words(rules: &[Prepared<'_>], pairs: &mut BTreeSet<Pair>) {
    let mut needles: BTreeMap<Vec<u8>, BTreeSet<usize>> = BTreeMap::new();
    let mut texts: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (index, rule) in rules.iter().enumerate() {
        for words in rule.terms.iter().flat_map(|term| &term.words) {
            for needle in words.needles() {
                needles.entry(needle).or_default().insert(index);
            }
            for text in words.texts() {
                texts.entry(text).or_default().insert(index);
            }
        }
    }
    let Ok(searcher) = AhoCorasick::new(needles.keys()) else { return };
    let owners: Vec<&BTreeSet<usize>> = needles.values().collect();
    for (text, holders) in &texts {
        let found: BTreeSet<usize> =
            searcher.find_overlapping_iter(text).map(|hit| hit.pattern().as_usize()).collect();
        for owner in found.iter().filter_map(|&needle| owners.get(needle)).flat_map(|set| set.iter()) {
            pairs
                .extend(holders.iter().filter(|holder| *holder != owner).map(|&holder| pair(holder, *owner)));
        }
    }
}

/// A place and one of its listed answers; without an answer, the place alone.
type Key = (Place, Option<String>);

fn by_structure(rules: &[Prepared<'_>], pairs: &mut BTreeSet<Pair>) {
    let mut index: BTreeMap<Key, BTreeSet<usize>> = BTreeMap::new();
    let mut anywhere: BTreeSet<usize> = BTreeSet::new();
    for (at, rule) in rules.iter().enumerate() {
        for term in rule.terms.iter().filter(|term| term.words.is_empty()) {
            match narrowest(term) {
                Some(keys) => {
                    for key in keys {
                        index.entry(key).or_default().insert(at);
                    }
                }
                None => {
                    anywhere.insert(at);
                }
            }
        }
    }
    for (at, rule) in rules.iter().enumerate() {
        let mut met = anywhere.clone();
        for term in &rule.terms {
            for place in &term.asks {
                met.extend(meeting_at(term, place, &index));
            }
        }
        pairs.extend(met.into_iter().filter(|other| *other != at).map(|other| pair(at, other)));
    }
}

/// The listed answers to the wanted questions about a place; `None` where they cannot be listed.
fn listed(term: &Term, place: &Place) -> Option<Vec<String>> {
    let wanted = term.questions.get(place)?.iter().filter(|question| question.wanted);
    let lists = wanted.filter_map(|question| question.test.listed());
    lists.min_by_key(Vec::len).map(|values| values.iter().map(ToString::to_string).collect())
}

/// The keys of the place that lets the fewest statements through; `None` for a term that asks for nothing.
fn narrowest(term: &Term) -> Option<Vec<Key>> {
    let keys = term.asks.iter().map(|place| match listed(term, place) {
        Some(values) => values.into_iter().map(|value| (place.clone(), Some(value))).collect(),
        None => vec![(place.clone(), None)],
    });
    keys.min_by_key(|keys: &Vec<Key>| {
        (is_coarse(keys), keys.iter().any(|(_, value)| value.is_none()), keys.len())
    })
}

/// Facts that many rules share tell little.
fn is_coarse(keys: &[Key]) -> bool {
    keys.iter().any(|(place, _)| match place {
        Place::Channel | Place::Phase | Place::Terminal | Place::Agent | Place::Provider => true,
        Place::HttpStatus | Place::ExitCode | Place::RpcCode | Place::Header(_) | Place::Field(_) => false,
    })
}

/// The rules in the index that the term may meet at a place.
fn meeting_at(term: &Term, place: &Place, index: &BTreeMap<Key, BTreeSet<usize>>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    match listed(term, place) {
        Some(values) => {
            for value in values.into_iter().map(Some).chain([None]) {
                found.extend(index.get(&(place.clone(), value)).into_iter().flatten());
            }
        }
        None => {
            let from = (place.clone(), None);
            let here = index.range(from..).take_while(|((at, _), _)| at == place);
            found.extend(here.flat_map(|(_, rules)| rules));
        }
    }
    found
}

/// What a rule's ways ask about: those places, and whether words stand beside them.
type Signature = BTreeSet<(BTreeSet<Place>, bool)>;

/// The most groups of other questions, and rules in each, with which a rule is compared.
const MAX_GROUPS: usize = 64;
const MAX_EACH: usize = 4;

/// For each rule that has a way to match without words, some rules of its strength that ask about something else.
/// Bounded: rules that ask about the same places stand for each other.
pub(crate) fn apart(rules: &[Prepared<'_>]) -> Vec<(usize, Vec<usize>)> {
    let mut groups: BTreeMap<_, BTreeMap<Signature, Vec<usize>>> = BTreeMap::new();
    for (at, rule) in rules.iter().enumerate() {
        let signature = rule.terms.iter().map(|term| (term.asks.clone(), !term.words.is_empty())).collect();
        groups.entry(rule.strength).or_default().entry(signature).or_default().push(at);
    }
    let mut found = Vec::new();
    for group in groups.values() {
        for (signature, members) in group {
            if signature.iter().all(|(_, has_words)| *has_words) {
                continue;
            }
            let others = group.iter().filter(|(other, _)| *other != signature).take(MAX_GROUPS);
            let others: Vec<&Vec<usize>> = others.map(|(_, members)| members).collect();
            for &at in members {
                let code = rules.get(at).map(|rule| rule.rule.code);
                let differs = |other: &&usize| rules.get(**other).map(|rule| rule.rule.code) != code;
                let some = others.iter().flat_map(|members| members.iter().filter(differs).take(MAX_EACH));
                found.push((at, some.copied().collect()));
            }
        }
    }
    found
}
