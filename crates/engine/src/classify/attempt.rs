//! Attempts: notices cut the turn, and what matches after the last of them counts.

use std::collections::BTreeMap;

use faultbook_evidence::{Statement, Stream};
use jiff::Timestamp;

use super::judgement::{Judgement, NoticeBy};

/// Which matches count, and why those.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pool {
    /// Indexes into the judgement's matches.
    pub(crate) counting: Vec<usize>,
    /// Notices are all there is: the last attempt's own announcement names the cause.
    pub(crate) is_notice_only: bool,
    /// For each statement, how many announcements stand at or after it.
    announced: Vec<usize>,
    /// The number of those in the attempt that counts.
    fewest: usize,
}

/// Why a match does not count.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Uncounted {
    /// Its statement is healthy.
    Healthy,
    /// The turn completed or was cancelled afterwards.
    Superseded,
    /// The agent announced another attempt afterwards.
    EarlierAttempt,
    /// It rests on a tool's output, and something else matched.
    ToolOutput,
    /// It rests on a stream that others share, and something else matched.
    SharedStream,
}

impl Pool {
    /// The matches that count in the judgement.
    pub(crate) fn of(judgement: &Judgement<'_, '_, '_>) -> Self {
        let open: Vec<usize> = (0..judgement.matches.len())
            .filter(|&index| judgement.matches.get(index).is_some_and(|matched| judgement.is_open(matched)))
            .collect();
        let open = without_shared(judgement, open);
        let announced = announcements(judgement);
        let followed = |index: &usize| {
            let matched = judgement.matches.get(*index);
            matched.and_then(|matched| announced.get(matched.statement).copied()).unwrap_or(0)
        };
        let fewest = open.iter().map(followed).min().unwrap_or(0);
        let last_attempt: Vec<usize> = open.into_iter().filter(|index| followed(index) == fewest).collect();
        Self {
            counting: without_tools(judgement, last_attempt),
            is_notice_only: fewest > 0,
            announced,
            fewest,
        }
    }

    /// Why a match is not in the pool.
    pub(crate) fn why_not(&self, judgement: &Judgement<'_, '_, '_>, index: usize) -> Option<Uncounted> {
        if self.counting.contains(&index) {
            return None;
        }
        let matched = judgement.matches.get(index)?;
        let mark = judgement.marks.get(matched.statement)?;
        Some(if mark.healthy.is_some() {
            Uncounted::Healthy
        } else if !judgement.is_open(matched) {
            Uncounted::Superseded
        } else if judgement.is_shared(matched) {
            Uncounted::SharedStream
        } else if judgement.is_tool(matched) && !self.counting.is_empty() {
            Uncounted::ToolOutput
        } else {
            Uncounted::EarlierAttempt
        })
    }

    /// Whether a statement belongs to the attempt that counts.
    pub(crate) fn holds(&self, statement: usize) -> bool {
        self.announced.get(statement) == Some(&self.fewest)
    }
}

/// For each statement, how many announcements stand at or certainly after it. Lines that belong to one announcement
/// count as one. Sorted lists keep this near linear, however many announcements there are.
fn announcements(judgement: &Judgement<'_, '_, '_>) -> Vec<usize> {
    let statements = &judgement.turn.statements;
    let signals = &judgement.turn.envelope.signals;
    let terminal = judgement.turn.envelope.terminal_index();
    let seen_at = |signal: usize| signals.get(signal).and_then(|signal| signal.at);
    let is_notice = |at: usize| judgement.marks.get(at).is_some_and(|mark| mark.notice.is_some());
    let is_head = |at: usize| {
        let is_above = judgement.marks.get(at).is_some_and(|mark| mark.notice == Some(NoticeBy::Above));
        !(is_above && at.checked_sub(1).is_some_and(is_notice))
    };
    let mut last: Vec<usize> = Vec::new();
    let mut streams: BTreeMap<Stream, (Vec<usize>, Vec<Timestamp>)> = BTreeMap::new();
    for (at, statement) in statements.iter().enumerate().filter(|(at, _)| is_notice(*at) && is_head(*at)) {
        if Some(statement.signal) == terminal {
            last.push(at);
        } else {
            let (heads, times) = streams.entry(statement.channel.stream()).or_default();
            heads.push(at);
            times.extend(seen_at(statement.signal));
        }
    }
    streams.values_mut().for_each(|(_, times)| times.sort_unstable());
    let from = |heads: &[usize], at: usize| heads.len() - heads.partition_point(|head| *head < at);
    let count = |(at, statement): (usize, &Statement)| {
        let inside = usize::from(is_notice(at) && !is_head(at));
        if Some(statement.signal) == terminal {
            return inside + from(&last, at);
        }
        let own = statement.channel.stream();
        let others = streams.iter().map(|(stream, (heads, times))| match seen_at(statement.signal) {
            _ if *stream == own => from(heads, at),
            Some(seen) => times.len() - times.partition_point(|time| *time <= seen),
            None => 0,
        });
        inside + last.len() + others.sum::<usize>()
    };
    statements.iter().enumerate().map(count).collect()
}

/// Words beside a protocol explain only where nothing else names a cause.
fn without_shared(judgement: &Judgement<'_, '_, '_>, pool: Vec<usize>) -> Vec<usize> {
    let is_shared =
        |index: &usize| judgement.matches.get(*index).is_some_and(|matched| judgement.is_shared(matched));
    if pool.iter().all(is_shared) {
        pool
    } else {
        pool.into_iter().filter(|index| !is_shared(index)).collect()
    }
}

fn without_tools(judgement: &Judgement<'_, '_, '_>, pool: Vec<usize>) -> Vec<usize> {
    let is_tool =
        |index: &usize| judgement.matches.get(*index).is_some_and(|matched| judgement.is_tool(matched));
    if pool.iter().all(is_tool) { pool } else { pool.into_iter().filter(|index| !is_tool(index)).collect() }
}
