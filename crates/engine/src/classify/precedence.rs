//! Precedence: band, then the later statement, then rank. What is still level is a conflict.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::judgement::{Judgement, Matched};

/// The step at which one candidate was preferred to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The stronger band.
    Band,
    /// The later statement: the last word of the turn.
    Later,
    /// The higher rank.
    Rank,
    /// The smaller id, among candidates of one code.
    Id,
    /// Nothing separates them.
    Level,
}

/// What the candidates come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No candidate at all.
    Nothing,
    /// One code; the index of the match that stands for it.
    Winner(usize),
    /// Different codes that nothing separates.
    Conflict(Vec<usize>),
}

/// Decides among the counting matches.
pub(crate) fn decide(judgement: &Judgement<'_, '_, '_>, counting: &[usize]) -> Verdict {
    // Within a stream order is total, so each stream first names its own strongest candidates.
    let mut streams: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for &index in counting {
        let stream =
            judgement.matches.get(index).and_then(|matched| judgement.order.stream(matched.statement));
        streams.entry(stream).or_default().push(index);
    }
    let tops: Vec<usize> = streams.values().flat_map(|pool| undefeated(judgement, pool)).collect();
    let winners = undefeated(judgement, &tops);
    let code = |index: &usize| judgement.matches.get(*index).map(|matched| matched.meaning.code);
    let Some(first) = winners.first() else {
        return if counting.is_empty() { Verdict::Nothing } else { Verdict::Conflict(counting.to_vec()) };
    };
    if winners.iter().any(|index| code(index) != code(first)) {
        return Verdict::Conflict(winners);
    }
    let best = winners.iter().copied().min_by(|one, other| {
        let pair = judgement.matches.get(*one).zip(judgement.matches.get(*other));
        pair.map_or(Ordering::Equal, |(one, other)| {
            strength(other)
                .cmp(&strength(one))
                .then(one.rule.cmp(&other.rule))
                .then(one.statement.cmp(&other.statement))
        })
    });
    best.map_or(Verdict::Nothing, Verdict::Winner)
}

fn strength(matched: &Matched) -> (faultbook_taxonomy::Band, u8) {
    (matched.meaning.band, matched.meaning.rank)
}

/// Those that no other of the pool beats.
fn undefeated(judgement: &Judgement<'_, '_, '_>, pool: &[usize]) -> Vec<usize> {
    let beaten =
        |index: usize| pool.iter().any(|&other| step(judgement, other, index).0 == Ordering::Greater);
    pool.iter().copied().filter(|&index| !beaten(index)).collect()
}

/// How two candidates compare, and the step that decides it. Rules are in the order of their ids.
pub(crate) fn step(judgement: &Judgement<'_, '_, '_>, one: usize, other: usize) -> (Ordering, Step) {
    let Some((first, second)) = judgement.matches.get(one).zip(judgement.matches.get(other)) else {
        return (Ordering::Equal, Step::Level);
    };
    let band = first.meaning.band.cmp(&second.meaning.band);
    if band != Ordering::Equal {
        return (band, Step::Band);
    }
    match judgement.order.compare(first.statement, second.statement) {
        Some(order) if order != Ordering::Equal => return (order, Step::Later),
        Some(_) | None => {}
    }
    let rank = first.meaning.rank.cmp(&second.meaning.rank);
    if rank != Ordering::Equal {
        return (rank, Step::Rank);
    }
    let level = if first.meaning.code == second.meaning.code { Step::Id } else { Step::Level };
    (Ordering::Equal, level)
}
