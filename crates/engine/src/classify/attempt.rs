//! Attempts: notices cut the turn, and what matches after the last of them counts.

use super::judgement::{Judgement, Matched};

/// Which matches count, and why those.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pool {
    /// Indexes into the judgement's matches.
    pub(crate) counting: Vec<usize>,
    /// Notices are all there is: the last attempt's own announcement names the cause.
    pub(crate) is_notice_only: bool,
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
}

impl Pool {
    /// The matches that count in the judgement.
    pub(crate) fn of(judgement: &Judgement<'_, '_, '_>) -> Self {
        let open: Vec<usize> = (0..judgement.matches.len())
            .filter(|&index| judgement.matches.get(index).is_some_and(|matched| judgement.is_open(matched)))
            .collect();
        let notices: Vec<usize> = judgement.notices().collect();
        let followed = |index: &usize| {
            judgement.matches.get(*index).map_or(0, |matched| notices_from(judgement, &notices, matched))
        };
        let fewest = open.iter().map(followed).min().unwrap_or(0);
        let last_attempt: Vec<usize> = open.into_iter().filter(|index| followed(index) == fewest).collect();
        Self { counting: without_tools(judgement, last_attempt), is_notice_only: fewest > 0 }
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
        } else if judgement.is_tool(matched) && !self.counting.is_empty() {
            Uncounted::ToolOutput
        } else {
            Uncounted::EarlierAttempt
        })
    }

    /// Whether a statement belongs to the attempt that counts.
    pub(crate) fn holds(&self, judgement: &Judgement<'_, '_, '_>, statement: usize) -> bool {
        let notices: Vec<usize> = judgement.notices().collect();
        let count = |at: usize| from(judgement, &notices, at);
        let fewest = self
            .counting
            .iter()
            .filter_map(|&index| judgement.matches.get(index))
            .map(|matched| count(matched.statement))
            .min()
            .unwrap_or(0);
        count(statement) == fewest
    }
}

fn notices_from(judgement: &Judgement<'_, '_, '_>, notices: &[usize], matched: &Matched) -> usize {
    from(judgement, notices, matched.statement)
}

/// How many announcements stand at or certainly after a statement. Lines that belong to one announcement count as
/// one.
fn from(judgement: &Judgement<'_, '_, '_>, notices: &[usize], statement: usize) -> usize {
    let mut count = 0;
    let mut above: Option<usize> = None;
    for &notice in notices {
        let belongs = above == notice.checked_sub(1)
            && judgement
                .marks
                .get(notice)
                .is_some_and(|mark| mark.notice == Some(super::judgement::NoticeBy::Above));
        above = Some(notice);
        let stands = notice == statement || judgement.order.is_after(notice, statement);
        if stands && !(belongs && count > 0) {
            count += 1;
        }
    }
    count
}

fn without_tools(judgement: &Judgement<'_, '_, '_>, pool: Vec<usize>) -> Vec<usize> {
    let is_tool =
        |index: &usize| judgement.matches.get(*index).is_some_and(|matched| judgement.is_tool(matched));
    if pool.iter().all(is_tool) { pool } else { pool.into_iter().filter(|index| !is_tool(index)).collect() }
}
