//! Collisions that show at load time: rules of different codes on the same structured value that neither band nor
//! rank tells apart.
//!
//! Only rules that ask for structured values and facts alone are compared; whether words can meet is for
//! `faultbook check` to say, which also shows a witness.

use std::collections::{BTreeMap, BTreeSet};

use faultbook_taxonomy::{Agent, Provider};
use serde_json::Value;

use crate::rule::{Applies, Atom, FieldAtom, FieldTest, Kind, Numbers, Rule, field_test};

/// The pairs of rules that collide, by their place in the list.
pub(super) fn collisions(rules: &[&Rule]) -> Vec<(usize, usize)> {
    let mut by_value: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
    for (index, rule) in rules.iter().enumerate().filter(|(_, rule)| is_structured(rule)) {
        for (pointer, value) in fields(rule).flat_map(asked) {
            by_value.entry((pointer, value.to_string())).or_default().push(index);
        }
    }
    let mut pairs = BTreeSet::new();
    for sharing in by_value.values() {
        for (at, &one) in sharing.iter().enumerate() {
            for &other in sharing.iter().skip(at + 1) {
                if let (Some(first), Some(second)) = (rules.get(one), rules.get(other))
                    && one != other
                    && is_level(first, second)
                    && can_meet(first, second)
                {
                    pairs.insert((one.min(other), one.max(other)));
                }
            }
        }
    }
    pairs.into_iter().collect()
}

/// Whether the rule asks for structured values and facts alone, all of them together.
fn is_structured(rule: &Rule) -> bool {
    let is_plain = |atom: &Atom| match atom {
        Atom::Channel(_)
        | Atom::Phase(_)
        | Atom::Terminal(_)
        | Atom::HttpStatus(_)
        | Atom::ExitCode(_)
        | Atom::RpcCode(_) => true,
        Atom::Field(field) => matches!(field_test(field), Some(FieldTest::Within(_))),
        Atom::Header(_) | Atom::Text(_) | Atom::Whole(_) | Atom::All(_) | Atom::Any(_) | Atom::None(_) => {
            false
        }
    };
    rule.kind == Kind::Rule
        && rule.with.is_empty()
        && rule.matches.any.is_empty()
        && rule.matches.none.is_empty()
        && rule.matches.all.iter().all(is_plain)
}

fn fields(rule: &Rule) -> impl Iterator<Item = &FieldAtom> {
    rule.matches.all.iter().filter_map(|atom| match atom {
        Atom::Field(field) => Some(field),
        _ => None,
    })
}

/// Each pointer with each value that the atom accepts there.
fn asked(field: &FieldAtom) -> Vec<(&str, &Value)> {
    let values = match field_test(field) {
        Some(FieldTest::Within(values)) => values,
        _ => &[],
    };
    field.at.as_slice().iter().flat_map(|at| values.iter().map(move |value| (at.as_str(), value))).collect()
}

/// Whether the codes differ and nothing in the rules prefers one.
fn is_level(one: &Rule, other: &Rule) -> bool {
    one.code != other.code && one.band == other.band && one.rank() == other.rank()
}

/// Whether one statement can satisfy both.
fn can_meet(one: &Rule, other: &Rule) -> bool {
    let atoms = || {
        one.matches.all.iter().flat_map(|first| other.matches.all.iter().map(move |second| (first, second)))
    };
    applies_meet(&one.applies, &other.applies) && atoms().all(|(first, second)| atoms_meet(first, second))
}

fn atoms_meet(one: &Atom, other: &Atom) -> bool {
    match (one, other) {
        (Atom::Channel(one), Atom::Channel(other)) => one.iter().any(|word| other.contains(word)),
        (Atom::Phase(one), Atom::Phase(other)) => one.iter().any(|word| other.contains(word)),
        (Atom::Terminal(one), Atom::Terminal(other)) => one.iter().any(|word| other.contains(word)),
        (Atom::HttpStatus(one), Atom::HttpStatus(other))
        | (Atom::ExitCode(one), Atom::ExitCode(other))
        | (Atom::RpcCode(one), Atom::RpcCode(other)) => numbers_meet(one, other),
        (Atom::Field(one), Atom::Field(other)) if one.at == other.at => {
            let values = asked(other);
            asked(one).iter().any(|asked| values.contains(asked))
        }
        _ => true,
    }
}

fn numbers_meet(one: &Numbers, other: &Numbers) -> bool {
    match (one, other) {
        (Numbers::Values(values), any) | (any, Numbers::Values(values)) => {
            values.iter().any(|value| any.contains(*value))
        }
        (Numbers::Range(one), Numbers::Range(other)) => one.min <= other.max && other.min <= one.max,
    }
}

/// Whether some evidence can satisfy both; what names nobody applies to all.
fn applies_meet(one: &Applies, other: &Applies) -> bool {
    let agents = |one: &Agent, other: &Agent| one.covers(*other) || other.covers(*one);
    let providers = |one: &Provider, other: &Provider| one.covers(*other) || other.covers(*one);
    meet(&one.agents, &other.agents, agents) && meet(&one.providers, &other.providers, providers)
}

fn meet<T>(one: &[T], other: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    one.is_empty()
        || other.is_empty()
        || one.iter().any(|first| other.iter().any(|second| same(first, second)))
}
