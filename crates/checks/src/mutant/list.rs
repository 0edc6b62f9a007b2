//! The mutants of a rule: each a rule that says less, or stands elsewhere in the precedence.

use faultbook_engine::rule::{Atom, Rule};
use faultbook_taxonomy::Band;

use super::site::{Group, sites};
use super::widen::widened;

/// What a mutant changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// An atom or companion is gone.
    Drop,
    /// A list or bound admits more.
    Widen,
    /// Something that was refused no longer is, or the rule applies to everyone.
    Remove,
    /// The band is one stronger.
    BandUp,
    /// The band is one weaker.
    BandDown,
    /// The rank is 99.
    RankUp,
    /// The rank is 0.
    RankDown,
}

/// A rule that was changed in one point.
#[derive(Debug, Clone, PartialEq)]
pub struct Mutant {
    /// The stable name, such as `drop:match.all[1]` or `widen:match.all[0].http_status`. An `equivalent` entry of a
    /// rule uses it.
    pub name: String,
    /// What it changes.
    pub change: Change,
    /// The JSON pointer of the changed part in the rule's file.
    pub pointer: String,
    /// The changed rule, under the same id.
    pub rule: Rule,
}

/// The mutants of a rule, in the order of its file.
#[must_use]
pub fn mutants(rule: &Rule) -> Vec<Mutant> {
    let mut found = Vec::new();
    applies(rule, &mut found);
    atoms(rule, &mut found);
    companions(rule, &mut found);
    precedence(rule, &mut found);
    found
}

fn applies(rule: &Rule, found: &mut Vec<Mutant>) {
    let mut remove = |part: &str, changed: Rule| {
        found.push(Mutant {
            name: format!("remove:applies.{part}"),
            change: Change::Remove,
            pointer: format!("/applies/{part}"),
            rule: changed,
        });
    };
    let mut changed = rule.clone();
    changed.applies.agents.clear();
    if changed != *rule {
        remove("agents", changed);
    }
    let mut changed = rule.clone();
    changed.applies.providers.clear();
    if changed != *rule {
        remove("providers", changed);
    }
}

fn atoms(rule: &Rule, found: &mut Vec<Mutant>) {
    for (site, atom) in sites(rule) {
        let (name, pointer) = (site.name(), site.pointer());
        let (word, change) = match site.list() {
            Group::All | Group::Any => ("drop", Change::Drop),
            Group::None => ("remove", Change::Remove),
        };
        // A `none` inside a list is taken apart below it.
        if !matches!(atom, Atom::None(_)) {
            found.extend(site.dropped(rule).map(|rule| Mutant {
                name: format!("{word}:{name}"),
                change,
                pointer: pointer.clone(),
                rule,
            }));
        }
        if change == Change::Remove {
            continue;
        }
        for (part, wider) in widened(atom) {
            found.extend(site.replaced(rule, wider).map(|rule| Mutant {
                name: format!("widen:{name}.{part}"),
                change: Change::Widen,
                pointer: pointer.clone(),
                rule,
            }));
        }
    }
}

fn companions(rule: &Rule, found: &mut Vec<Mutant>) {
    for index in 0..rule.with.len() {
        let mut changed = rule.clone();
        changed.with.remove(index);
        found.push(Mutant {
            name: format!("drop:with[{index}]"),
            change: Change::Drop,
            pointer: format!("/with/{index}"),
            rule: changed,
        });
    }
}

fn precedence(rule: &Rule, found: &mut Vec<Mutant>) {
    let Some(band) = rule.band else { return };
    let (weaker, stronger) = match band {
        Band::Generic => (None, Some(Band::Message)),
        Band::Message => (Some(Band::Generic), Some(Band::Cause)),
        Band::Cause => (Some(Band::Message), None),
    };
    for (change, other) in [(Change::BandDown, weaker), (Change::BandUp, stronger)] {
        found.extend(other.map(|other| Mutant {
            name: format!("band:{band}->{other}"),
            change,
            pointer: "/band".to_owned(),
            rule: Rule { band: Some(other), ..rule.clone() },
        }));
    }
    for (change, rank) in [(Change::RankDown, 0), (Change::RankUp, 99)] {
        if rule.rank() != rank {
            found.push(Mutant {
                name: format!("rank:{rank}"),
                change,
                pointer: if rule.rank.is_some() { "/rank" } else { "/band" }.to_owned(),
                rule: Rule { rank: Some(rank), ..rule.clone() },
            });
        }
    }
}
