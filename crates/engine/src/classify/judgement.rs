//! Judging a turn: which statements speak, which are healthy, which only announce an attempt, and what matches.

use std::collections::BTreeSet;
use std::sync::Arc;

use faultbook_evidence::{Channel, Role, Shape, Turn};
use faultbook_taxonomy::{Class, Terminal};

use super::evaluate::{Access, Evaluator, Span};
use super::order::Order;
use crate::catalogue::{Catalogue, CompiledRule, Meaning};
use crate::rule::Kind;

/// A rule that matched a statement.
#[derive(Debug, Clone)]
pub(crate) struct Matched {
    /// The index of the rule in the catalogue.
    pub(crate) rule: usize,
    /// What the rule means.
    pub(crate) meaning: Meaning,
    /// The index of the statement in the turn.
    pub(crate) statement: usize,
    /// Where its text atoms matched.
    pub(crate) spans: Vec<Span>,
    /// The statements that satisfied its companions.
    pub(crate) companions: Vec<usize>,
}

/// What is known of a statement beside its words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The speaker rule that promoted it.
    pub(crate) speaker: Option<usize>,
    /// The healthy rule that removes its matches.
    pub(crate) healthy: Option<usize>,
    /// It announces an attempt.
    pub(crate) notice: Option<NoticeBy>,
}

/// Who says that a statement is a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoticeBy {
    /// The signal's role.
    Role,
    /// A rule.
    Rule(usize),
    /// The notice right above, to which it belongs.
    Above,
}

/// Everything that was found out about a turn, before one answer is made of it.
pub(crate) struct Judgement<'c, 't, 'e> {
    pub(crate) catalogue: &'c Catalogue,
    pub(crate) turn: &'t Turn<'e>,
    pub(crate) evaluator: Evaluator<'t, 'e>,
    pub(crate) order: Order<'t, 'e>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) matches: Vec<Matched>,
    /// Rules that were tried on a statement and did not hold; kept for explanations only.
    pub(crate) considered: Vec<(usize, usize)>,
}

/// How rules are chosen for a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Only those that the index triggers.
    Triggered,
    /// Every rule: slow, and the measure of what the index may leave out.
    Every,
}

impl<'c, 't, 'e> Judgement<'c, 't, 'e> {
    /// Judges the turn.
    pub(crate) fn of(catalogue: &'c Catalogue, turn: &'t Turn<'e>, choice: Choice) -> Self {
        let mut judgement = Self {
            catalogue,
            turn,
            evaluator: Evaluator::new(turn),
            order: Order::new(turn),
            marks: vec![Mark::default(); turn.statements.len()],
            matches: Vec::new(),
            considered: Vec::new(),
        };
        let chosen = match choice {
            Choice::Triggered => judgement.triggered(),
            Choice::Every => vec![(0..catalogue.rules.len()).collect(); turn.statements.len()],
        };
        judgement.mark_speakers(&chosen);
        judgement.mark(&chosen, Kind::Healthy);
        judgement.mark(&chosen, Kind::Notice);
        judgement.extend_notices();
        judgement.reopen_completed(&chosen);
        judgement.match_rules(&chosen);
        judgement
    }

    /// The rules that each statement triggers, in the order of their ids.
    fn triggered(&self) -> Vec<BTreeSet<usize>> {
        let index = &self.catalogue.index;
        let always: BTreeSet<usize> = index.always.iter().copied().collect();
        let mut chosen = vec![always; self.turn.statements.len()];
        let mut views: Vec<Vec<(usize, usize, usize)>> = vec![Vec::new(); self.turn.texts.len()];
        for (at, statement) in self.turn.statements.iter().enumerate() {
            for view in &statement.views {
                if let Some(list) = views.get_mut(view.text) {
                    list.push((view.start, view.end, at));
                }
            }
            for root in &statement.roots {
                index.fields(root, |rule| {
                    if let Some(rules) = chosen.get_mut(at) {
                        rules.insert(rule);
                    }
                });
            }
        }
        for (text, views) in self.turn.texts.iter().zip(&views) {
            index.literals(&text.reading.text, |start, end, rules| {
                // Views begin one after the other and so do their ends: those that hold the literal are neighbours.
                let after = views.partition_point(|&(view_start, ..)| view_start <= start);
                for &(_, view_end, at) in views.iter().take(after).rev() {
                    if view_end < end {
                        break;
                    }
                    if let Some(chosen) = chosen.get_mut(at) {
                        chosen.extend(rules);
                    }
                }
            });
        }
        chosen
    }

    fn rule(&self, index: usize) -> Option<&'c CompiledRule> {
        self.catalogue.rules.get(index).map(Arc::as_ref)
    }

    /// The rules of a kind among those chosen for a statement that apply to the evidence.
    fn of_kind(&self, chosen: &BTreeSet<usize>, kind: Kind) -> Vec<(usize, &'c CompiledRule)> {
        let rules = chosen.iter().filter_map(|&index| Some((index, self.rule(index)?)));
        rules
            .filter(|(_, rule)| rule.rule.kind == kind && self.evaluator.applies(&rule.rule.applies))
            .collect()
    }

    /// A speaker rule promotes the last answer of the assistant as a whole, or its last line.
    fn mark_speakers(&mut self, chosen: &[BTreeSet<usize>]) {
        let statements = &self.turn.statements;
        let is_answer = |at: &usize| statements.get(*at).is_some_and(|s| s.channel == Channel::Assistant);
        let Some(last) = (0..statements.len()).rev().find(is_answer) else { return };
        let Some(signal) = statements.get(last).map(|statement| statement.signal) else { return };
        let first = statements.iter().position(|statement| statement.signal == signal).unwrap_or(last);
        for (at, promoted) in [(first, first..=last), (last, last..=last)] {
            let (Some(statement), Some(rules)) = (statements.get(at), chosen.get(at)) else { continue };
            for (index, rule) in self.of_kind(rules, Kind::Speaker) {
                let mut spans = Vec::new();
                let access = Access::of(rule, statement);
                if self.evaluator.holds(&rule.matches, statement, access, &mut spans)
                    && self.companions(rule, at).is_some()
                {
                    let marks = self.marks.get_mut(promoted).unwrap_or_default();
                    marks.iter_mut().for_each(|mark| mark.speaker = Some(index));
                    return;
                }
            }
        }
    }

    fn mark(&mut self, chosen: &[BTreeSet<usize>], kind: Kind) {
        for (at, statement) in self.turn.statements.iter().enumerate() {
            let is_healthy = self.marks.get(at).is_some_and(|mark| mark.healthy.is_some());
            let role = self.turn.envelope.signals.get(statement.signal).map(|signal| signal.role);
            let is_shared = statement.channel == Channel::Shared;
            if kind == Kind::Notice && role == Some(Role::Notice) && !is_healthy && !is_shared {
                self.set_notice(at, NoticeBy::Role);
                continue;
            }
            if statement.channel.is_work() || is_healthy {
                continue;
            }
            let Some(rules) = chosen.get(at) else { continue };
            for (index, rule) in self.of_kind(rules, kind) {
                let mut spans = Vec::new();
                let access = Access::of(rule, statement);
                if access.is_nothing() || !self.evaluator.holds(&rule.matches, statement, access, &mut spans)
                {
                    continue;
                }
                if self.companions(rule, at).is_none() {
                    continue;
                }
                if kind == Kind::Healthy {
                    if let Some(mark) = self.marks.get_mut(at) {
                        mark.healthy = Some(index);
                    }
                } else {
                    self.set_notice(at, NoticeBy::Rule(index));
                    self.cover_run_on(at, &spans);
                }
                break;
            }
        }
    }

    fn set_notice(&mut self, at: usize, by: NoticeBy) {
        if let Some(mark) = self.marks.get_mut(at)
            && mark.notice.is_none()
        {
            mark.notice = Some(by);
        }
    }

    /// The lines into which the words of a notice ran on belong to it.
    fn cover_run_on(&mut self, at: usize, spans: &[Span]) {
        for span in spans {
            let mut below = at + 1;
            while self.turn.statements.get(below).is_some_and(|statement| {
                statement.continues
                    && statement.views.iter().any(|view| view.text == span.text && view.start < span.end)
            }) {
                self.set_notice(below, NoticeBy::Above);
                below += 1;
            }
        }
    }

    /// Lines indented two columns deeper directly under a notice belong to the notice.
    fn extend_notices(&mut self) {
        let mut notice: Option<(usize, usize)> = None;
        for (at, statement) in self.turn.statements.iter().enumerate() {
            let mark = self.marks.get(at).copied().unwrap_or_default();
            if mark.notice.is_some() && statement.shape != Shape::Data {
                notice = Some((statement.signal, statement.indent));
                continue;
            }
            match notice {
                Some((signal, indent))
                    if signal == statement.signal && statement.line > 0 && statement.indent >= indent + 2 =>
                {
                    if mark.healthy.is_none() {
                        self.set_notice(at, NoticeBy::Above);
                    }
                }
                _ => notice = None,
            }
        }
    }

    /// A promoted statement in which a rule matches makes a `completed` terminal `failed`.
    fn reopen_completed(&mut self, chosen: &[BTreeSet<usize>]) {
        if self.evaluator.terminal != Some(Terminal::Completed)
            || !self.marks.iter().any(|mark| mark.speaker.is_some())
        {
            return;
        }
        self.evaluator.terminal = Some(Terminal::Failed);
        self.match_rules(chosen);
        let is_promoted = |matched: &Matched| {
            self.marks
                .get(matched.statement)
                .is_some_and(|mark| mark.speaker.is_some() && mark.healthy.is_none())
        };
        let is_failed = self.matches.iter().any(is_promoted);
        self.matches.clear();
        self.considered.clear();
        if !is_failed {
            self.evaluator.terminal = Some(Terminal::Completed);
        }
    }

    fn match_rules(&mut self, chosen: &[BTreeSet<usize>]) {
        let facts: BTreeSet<usize> = self.catalogue.index.facts.iter().copied().collect();
        for (at, statement) in self.turn.statements.iter().enumerate() {
            let Some(rules) = chosen.get(at) else { continue };
            let is_promoted = self.marks.get(at).is_some_and(|mark| mark.speaker.is_some());
            for (index, rule) in self.of_kind(rules, Kind::Rule) {
                if facts.contains(&index) {
                    continue;
                }
                let access = if is_promoted { Access::FULL } else { Access::of(rule, statement) };
                if !access.is_nothing() {
                    self.try_rule(index, rule, at, access);
                }
            }
        }
        for (index, rule) in self.of_kind(&facts, Kind::Rule) {
            for at in self.fact_places(rule) {
                self.try_rule(index, rule, at, Access::FULL);
            }
        }
    }

    /// Where a rule about facts and status alone is tried: statuses and codes at the last statement of their
    /// signal, facts at the terminal, else at the last statement.
    fn fact_places(&self, rule: &CompiledRule) -> Vec<usize> {
        let statements = &self.turn.statements;
        if rule.needs.status {
            let is_trusted = |at: &usize| {
                statements.get(*at).is_some_and(|statement| {
                    statement.is_last
                        && !statement.channel.is_work()
                        && !matches!(statement.channel, Channel::Unknown | Channel::Shared)
                })
            };
            return (0..statements.len()).filter(is_trusted).collect();
        }
        let terminal = self.turn.envelope.terminal_index();
        let of_terminal = |at: &usize| statements.get(*at).is_some_and(|s| Some(s.signal) == terminal);
        let last = (0..statements.len()).rev().find(of_terminal).or(statements.len().checked_sub(1));
        last.into_iter().collect()
    }

    fn try_rule(&mut self, index: usize, rule: &'c CompiledRule, at: usize, access: Access) {
        let Some(statement) = self.turn.statements.get(at) else { return };
        let mut spans = Vec::new();
        let holds = self.evaluator.holds(&rule.matches, statement, access, &mut spans);
        let companions = if holds { self.companions(rule, at) } else { None };
        match (companions, rule.meaning()) {
            (Some(companions), Some(meaning)) => {
                self.matches.push(Matched { rule: index, meaning, statement: at, spans, companions });
            }
            (None, _) | (_, None) => self.considered.push((index, at)),
        }
    }

    /// The statements that satisfy the rule's companions: each in another trusted signal of the same attempt.
    fn companions(&self, rule: &CompiledRule, at: usize) -> Option<Vec<usize>> {
        let own = self.turn.statements.get(at)?.signal;
        rule.with
            .iter()
            .map(|group| {
                self.turn.statements.iter().enumerate().position(|(other, statement)| {
                    statement.signal != own
                        && !statement.channel.is_work()
                        && statement.channel != Channel::Unknown
                        && self.is_same_attempt(at, other)
                        && self.evaluator.holds(
                            group,
                            statement,
                            Access {
                                text: statement.text_trust() >= faultbook_evidence::TextTrust::Limited,
                                fields: statement.field_trust() >= faultbook_evidence::TextTrust::Limited,
                            },
                            &mut Vec::new(),
                        )
                })
            })
            .collect()
    }

    /// No notice stands between the two statements.
    fn is_same_attempt(&self, one: usize, other: usize) -> bool {
        let (early, late) = if self.order.is_after(one, other) { (other, one) } else { (one, other) };
        !self.notices().any(|notice| {
            (notice == early || self.order.is_after(notice, early)) && self.order.is_after(late, notice)
        })
    }

    /// The statements that announce an attempt.
    pub(crate) fn notices(&self) -> impl Iterator<Item = usize> {
        self.marks.iter().enumerate().filter(|(_, mark)| mark.notice.is_some()).map(|(at, _)| at)
    }

    /// Whether the match can count at all: not healthy, and not superseded by the turn's end.
    pub(crate) fn is_open(&self, matched: &Matched) -> bool {
        let mark = self.marks.get(matched.statement).copied().unwrap_or_default();
        if mark.healthy.is_some() {
            return false;
        }
        match self.evaluator.terminal {
            Some(Terminal::Completed | Terminal::Cancelled) => {
                mark.speaker.is_some() || self.rule(matched.rule).is_some_and(|rule| rule.needs.terminal)
            }
            Some(Terminal::Failed) | None => true,
        }
    }

    /// Whether the match rests on a tool's output.
    pub(crate) fn is_tool(&self, matched: &Matched) -> bool {
        self.turn
            .statements
            .get(matched.statement)
            .is_some_and(|statement| statement.channel == Channel::Tool)
    }

    /// Whether the match rests on words that MCP servers, hooks and tools share with the agent.
    pub(crate) fn is_shared(&self, matched: &Matched) -> bool {
        self.turn
            .statements
            .get(matched.statement)
            .is_some_and(|statement| statement.channel == Channel::Shared)
    }

    /// Whether the code of the match is transient.
    pub(crate) fn is_transient(matched: &Matched) -> bool {
        matched.meaning.code.class() == Class::Transient
    }
}
