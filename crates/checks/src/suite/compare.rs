//! Comparing an answer with what a case expects.

use std::collections::BTreeSet;

use faultbook_engine::rule::Kind;
use faultbook_engine::{Explanation, StatementMark};
use faultbook_taxonomy::{Classification, Reason, State};

use super::outcome::{Difference, Outcome};
use crate::fixture::{CaseKind, Expect, ExpectedMark, MarkKind};

/// Waits that differ by less than this, in seconds, are the same.
const SAME_WAIT_S: f64 = 0.001;

/// A case's expectation beside the engine's answer.
pub(super) struct Comparison<'c> {
    pub(super) kind: CaseKind,
    pub(super) expect: &'c Expect,
    /// The suite's rule, and its kind where the catalogue knows it.
    pub(super) rule: &'c str,
    pub(super) rule_kind: Option<Kind>,
    pub(super) explanation: &'c Explanation,
}

impl Comparison<'_> {
    fn answer(&self) -> &Classification {
        &self.explanation.classification
    }

    /// How the code came out.
    pub(super) fn outcome(&self) -> Outcome {
        let (expect, answer) = (self.expect, self.answer());
        if self.kind == CaseKind::Positive && !self.takes_part() {
            return Outcome::Missing;
        }
        let is_conflict = answer.reason == Some(Reason::Conflict);
        let wants_code = expect.code.is_some() || expect.state == Some(State::Classified);
        let wants_none = expect.state.is_some() || expect.reason.is_some();
        match (answer.code, wants_code, wants_none) {
            (Some(_), false, true) => Outcome::Noisy,
            (Some(found), true, _) if expect.code.is_some_and(|code| code != found) => Outcome::WrongCode,
            (Some(_), _, _) => Outcome::Hit,
            (None, true, _) if is_conflict => Outcome::Conflicting,
            (None, false, true) if is_conflict && expect.reason != Some(Reason::Conflict) => {
                Outcome::Conflicting
            }
            (None, true, _) => Outcome::Missing,
            (None, false, _) => Outcome::Silent,
        }
    }

    /// Every point in which they differ, leaks aside.
    pub(super) fn differences(&self) -> Vec<Difference> {
        let (expect, answer) = (self.expect, self.answer());
        let mut found = Vec::new();
        if let Some(code) = expect.code
            && answer.code != Some(code)
        {
            found.push(difference("code", code, self.stands_for()));
        } else if let Some(state) = expect.state
            && answer.state != state
        {
            found.push(difference("state", state, self.stands_for()));
        }
        found.extend(self.reason());
        found.extend(self.took_part());
        found.extend(expect.confidence.and_then(|want| unequal("confidence", Some(want), answer.confidence)));
        found.extend(expect.scope.and_then(|want| unequal("scope", Some(want), answer.scope)));
        let winner = answer.rule.as_ref().map(|rule| rule.id.as_str());
        found.extend(expect.rule.as_deref().and_then(|want| unequal("rule", Some(want), winner)));
        found.extend(self.hints());
        found.extend(self.effects());
        found.extend(self.candidates());
        found.extend(self.marks());
        found
    }

    /// What the answer comes to, in a few words.
    fn stands_for(&self) -> String {
        let answer = self.answer();
        match (answer.code, answer.reason) {
            (Some(code), _) => {
                let rule = answer.rule.as_ref().map_or("", |rule| rule.id.as_str());
                format!("{code} (by {rule})")
            }
            (None, Some(Reason::Conflict)) => {
                let rules: BTreeSet<&str> = answer.candidates.iter().map(|one| one.rule.as_str()).collect();
                format!("unclassified, conflict of {}", rules.into_iter().collect::<Vec<_>>().join(", "))
            }
            (None, Some(reason)) => format!("{}, {reason}", answer.state),
            (None, None) => answer.state.to_string(),
        }
    }

    fn reason(&self) -> Option<Difference> {
        let (expect, answer) = (self.expect, self.answer());
        match expect.reason {
            Some(want) if answer.reason != Some(want) => Some(difference("reason", want, self.stands_for())),
            None if expect.state == Some(State::Unclassified) && answer.reason == Some(Reason::Conflict) => {
                Some(difference("reason", "anything but conflict", self.stands_for()))
            }
            Some(_) | None => None,
        }
    }

    /// Whether the suite's rule matched and counted, or marked a statement.
    fn takes_part(&self) -> bool {
        let counts = |one: &faultbook_engine::MatchTrace| one.rule == self.rule && one.uncounted.is_none();
        self.explanation.matches.iter().any(counts) || self.marked_by_own().next().is_some()
    }

    fn took_part(&self) -> Option<Difference> {
        if self.kind != CaseKind::Positive || self.takes_part() {
            return None;
        }
        let uncounted = self.explanation.matches.iter().find(|one| one.rule == self.rule);
        let miss = self.explanation.near_misses.iter().find(|miss| miss.rule == self.rule);
        let found = match (uncounted, miss) {
            (Some(one), _) => format!("matched, but did not count: {:?}", one.uncounted),
            (None, Some(miss)) => format!("failed at {}: {}", miss.failed, miss.asked),
            (None, None) => "did not match".to_owned(),
        };
        Some(difference(&format!("match of {}", self.rule), "matches", found))
    }

    fn hints(&self) -> Vec<Difference> {
        let Some(want) = &self.expect.hints else { return Vec::new() };
        let found = &self.answer().hints;
        let wait = want.retry_after_s.and_then(|want| {
            let is_same = match (want, found.retry_after_s) {
                (Some(want), Some(found)) => (want - found).abs() < SAME_WAIT_S,
                (want, found) => want.is_none() && found.is_none(),
            };
            (!is_same).then(|| difference("hints/retry_after_s", shown(want), shown(found.retry_after_s)))
        });
        let reset = want.reset_at.and_then(|want| unequal("hints/reset_at", want, found.reset_at));
        let window = want.window.and_then(|want| unequal("hints/window", want, found.window));
        let source = want.source.clone().and_then(|want| unequal("hints/source", want, found.source.clone()));
        [wait, reset, window, source].into_iter().flatten().collect()
    }

    fn effects(&self) -> Vec<Difference> {
        let Some(want) = &self.expect.effects else { return Vec::new() };
        let found = self.answer().effects;
        [
            ("effects/assistant_output", want.assistant_output, found.assistant_output),
            ("effects/tool_activity", want.tool_activity, found.tool_activity),
            ("effects/resume_guarantee", want.resume_guarantee, found.resume_guarantee),
        ]
        .into_iter()
        .filter_map(|(part, want, found)| want.and_then(|want| unequal(part, want, found)))
        .collect()
    }

    fn candidates(&self) -> Option<Difference> {
        let want: BTreeSet<&str> = self.expect.candidates.as_ref()?.iter().map(String::as_str).collect();
        let found: BTreeSet<&str> = self.answer().candidates.iter().map(|one| one.rule.as_str()).collect();
        let list = |rules: &BTreeSet<&str>| format!("{rules:?}").replace('"', "");
        (want != found).then(|| difference("candidates", list(&want), list(&found)))
    }

    fn marked_by_own(&self) -> impl Iterator<Item = usize> {
        let statements = self.explanation.statements.iter().enumerate();
        statements.filter(|(_, one)| marking(one.mark.as_ref()).1 == Some(self.rule)).map(|(at, _)| at)
    }

    fn marks(&self) -> Vec<Difference> {
        let Some(want) = &self.expect.marks else { return Vec::new() };
        if want.is_empty() {
            let own = self.marked_by_own().next();
            return own.map(|at| difference("marks", "none", self.mark_at(at))).into_iter().collect();
        }
        want.iter().enumerate().filter_map(|(index, mark)| self.mark(index, mark)).collect()
    }

    fn mark(&self, index: usize, want: &ExpectedMark) -> Option<Difference> {
        let is_own_kind = matches!(
            (want.kind, self.rule_kind),
            (MarkKind::Notice, Some(Kind::Notice))
                | (MarkKind::Healthy, Some(Kind::Healthy))
                | (MarkKind::Speaker, Some(Kind::Speaker))
        );
        let by = want.rule.as_deref().or(is_own_kind.then_some(self.rule));
        let holds = |mark: Option<&StatementMark>| {
            let (kind, rule) = marking(mark);
            kind == want.kind && by.is_none_or(|by| rule == Some(by))
        };
        let here: Vec<usize> = (0..self.explanation.statements.len())
            .filter(|&at| {
                self.explanation.statements.get(at).is_some_and(|one| {
                    one.signal == want.signal && want.line.is_none_or(|line| line == one.line)
                })
            })
            .collect();
        let mark_of = |at: &usize| self.explanation.statements.get(*at).and_then(|one| one.mark.as_ref());
        let is_met = match want.kind {
            MarkKind::None => !here.is_empty() && here.iter().all(|at| mark_of(at).is_none()),
            MarkKind::Notice | MarkKind::Healthy | MarkKind::Speaker => {
                here.iter().any(|at| holds(mark_of(at)))
            }
        };
        let by = by.map_or(String::new(), |by| format!(" by {by}"));
        let found = || match here.as_slice() {
            [] => "no such statement".to_owned(),
            all => all.iter().map(|at| self.mark_at(*at)).collect::<Vec<_>>().join("; "),
        };
        (!is_met)
            .then(|| difference(&format!("marks/{index}"), format!("{}{by}", want.kind.as_str()), found()))
    }

    /// How a statement is marked, in words.
    fn mark_at(&self, at: usize) -> String {
        let Some(statement) = self.explanation.statements.get(at) else { return String::new() };
        let (kind, rule) = marking(statement.mark.as_ref());
        let by = rule.map_or(String::new(), |rule| format!(" by {rule}"));
        format!("signal {} line {}: {}{by}", statement.signal, statement.line, kind.as_str())
    }
}

/// The kind of a mark and the rule that set it.
fn marking(mark: Option<&StatementMark>) -> (MarkKind, Option<&str>) {
    match mark {
        None => (MarkKind::None, None),
        Some(StatementMark::Speaker(rule)) => (MarkKind::Speaker, Some(rule)),
        Some(StatementMark::Healthy(rule)) => (MarkKind::Healthy, Some(rule)),
        Some(StatementMark::Notice(rule)) => (MarkKind::Notice, Some(rule)),
        Some(StatementMark::NoticeByRole | StatementMark::NoticeAbove) => (MarkKind::Notice, None),
    }
}

fn difference(part: &str, expected: impl ToString, found: impl ToString) -> Difference {
    Difference { part: part.to_owned(), expected: expected.to_string(), found: found.to_string() }
}

fn unequal<T: PartialEq + ToString>(part: &str, want: Option<T>, found: Option<T>) -> Option<Difference> {
    (want != found).then(|| difference(part, shown(want), shown(found)))
}

fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}
