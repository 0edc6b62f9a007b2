//! Explanations: how an answer came about, for a person and for tools.

use std::cmp::Ordering;

use faultbook_evidence::sanitise::{sanitise_bounded, sanitise_pointer};
use faultbook_evidence::{Channel, Origin, Turn};
use faultbook_taxonomy::{Band, Classification, Code, Terminal};
use schemars::JsonSchema;
use serde::Serialize;

use super::answer::Decided;
use super::attempt::Uncounted;
use super::confidence::Cap;
use super::evaluate::{Access, Span};
use super::judgement::{Matched, NoticeBy};
use super::precedence::{Step, step};
use super::timing::HintTrace;
use crate::catalogue::Node;

/// The most bytes of a statement that an explanation shows.
const SHOWN_BYTES: usize = 240;
/// The most near misses that an explanation lists.
const MAX_NEAR_MISSES: usize = 12;

/// How an answer came about. Every text in it has passed the sanitiser.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Explanation {
    /// The answer.
    pub classification: Classification,
    /// The turn's terminal as it counted; a promoted failure turns `completed` into `failed`.
    pub terminal: Option<Terminal>,
    /// How the turn was cut.
    pub statements: Vec<StatementTrace>,
    /// The rules that matched, in the order of their statements.
    pub matches: Vec<MatchTrace>,
    /// Which candidate was preferred to which, and at which step.
    pub contests: Vec<Contest>,
    /// What capped the confidence.
    pub caps: Vec<Cap>,
    /// What became of each hint.
    pub hints: Vec<HintTrace>,
    /// How many rules were tried and did not hold.
    pub considered: usize,
    /// Rules that almost matched.
    pub near_misses: Vec<NearMiss>,
}

/// One statement of the turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatementTrace {
    /// The signal that it belongs to, by index.
    pub signal: usize,
    /// The signal's channel.
    pub channel: Channel,
    /// Its first line in the signal's text, from 1; 0 for data.
    pub line: usize,
    /// How many announcements stand at or after it; the attempt that counts has the fewest.
    pub attempt: usize,
    /// What marks it, if anything.
    pub mark: Option<StatementMark>,
    /// Its first words.
    pub words: String,
}

/// What marks a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatementMark {
    /// A speaker rule promoted it.
    Speaker(String),
    /// A healthy rule removes its matches.
    Healthy(String),
    /// A notice rule says that it announces an attempt.
    Notice(String),
    /// The signal's role says that it announces an attempt.
    NoticeByRole,
    /// It belongs to the notice above it.
    NoticeAbove,
}

/// A rule that matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct MatchTrace {
    /// The rule's id.
    pub rule: String,
    /// Its code.
    pub code: Code,
    /// Its band.
    pub band: Band,
    /// Its rank.
    pub rank: u8,
    /// The statement, by index.
    pub statement: usize,
    /// Where its text atoms matched.
    pub places: Vec<Place>,
    /// The statements that satisfied its companions.
    pub companions: Vec<usize>,
    /// Why it does not count; null for candidates.
    pub uncounted: Option<Uncounted>,
}

/// Where a text atom matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Place {
    /// In the signal's text or in a string of its JSON.
    pub within: TextPlace,
    /// The first byte of the match in the original.
    pub start: usize,
    /// The byte after its last one.
    pub end: usize,
    /// The matched words, in normal form.
    pub words: String,
}

/// A text that atoms see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextPlace {
    /// The signal's text.
    Text,
    /// A string of its JSON, by JSON pointer.
    Leaf(String),
}

/// One candidate against another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Contest {
    /// The preferred rule.
    pub winner: String,
    /// The other.
    pub loser: String,
    /// The step that decided.
    pub step: Step,
}

/// A rule that was tried and failed at one atom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NearMiss {
    /// The rule's id.
    pub rule: String,
    /// The code that it would have given.
    pub code: Option<Code>,
    /// The statement, by index.
    pub statement: usize,
    /// The first atom that did not hold, as a path in the rule.
    pub failed: String,
    /// What that atom asked.
    pub asked: String,
}

impl Explanation {
    pub(crate) fn of(decided: &Decided<'_, '_, '_>) -> Self {
        Self {
            classification: decided.answer(),
            terminal: decided.judgement.evaluator.terminal,
            statements: statements(decided),
            matches: matches(decided),
            contests: contests(decided),
            caps: decided.caps.clone(),
            hints: decided.hint_traces.clone(),
            considered: decided.judgement.considered.len(),
            near_misses: near_misses(decided),
        }
    }
}

fn rule_id(decided: &Decided<'_, '_, '_>, index: usize) -> String {
    decided.judgement.catalogue.rules.get(index).map(|rule| rule.rule.id.clone()).unwrap_or_default()
}

fn statements(decided: &Decided<'_, '_, '_>) -> Vec<StatementTrace> {
    let judgement = &decided.judgement;
    let notices: Vec<usize> = judgement.notices().collect();
    let traces = judgement.turn.statements.iter().zip(&judgement.marks).enumerate();
    traces
        .map(|(at, (statement, mark))| {
            let notice = mark.notice.map(|by| match by {
                NoticeBy::Role => StatementMark::NoticeByRole,
                NoticeBy::Rule(index) => StatementMark::Notice(rule_id(decided, index)),
                NoticeBy::Above => StatementMark::NoticeAbove,
            });
            let healthy = mark.healthy.map(|index| StatementMark::Healthy(rule_id(decided, index)));
            let speaker = mark.speaker.map(|index| StatementMark::Speaker(rule_id(decided, index)));
            let follows = |notice: &&usize| **notice == at || judgement.order.is_after(**notice, at);
            StatementTrace {
                signal: statement.signal,
                channel: statement.channel,
                line: statement.line,
                attempt: notices.iter().filter(follows).count(),
                mark: healthy.or(notice).or(speaker),
                words: shown(judgement.turn, at),
            }
        })
        .collect()
}

/// The first words of a statement as it was seen.
fn shown(turn: &Turn<'_>, at: usize) -> String {
    let Some(statement) = turn.statements.get(at) else { return String::new() };
    let words = match (turn.original(statement), statement.roots.first()) {
        (Some(original), _) => original.trim().to_owned(),
        (None, Some(root)) => root.to_string(),
        (None, None) => String::new(),
    };
    sanitise_bounded(&words, SHOWN_BYTES)
}

fn matches(decided: &Decided<'_, '_, '_>) -> Vec<MatchTrace> {
    let judgement = &decided.judgement;
    let mut traces: Vec<MatchTrace> = judgement
        .matches
        .iter()
        .enumerate()
        .map(|(index, matched)| MatchTrace {
            rule: rule_id(decided, matched.rule),
            code: matched.meaning.code,
            band: matched.meaning.band,
            rank: matched.meaning.rank,
            statement: matched.statement,
            places: matched.spans.iter().filter_map(|span| place(judgement.turn, span)).collect(),
            companions: matched.companions.clone(),
            uncounted: decided.pool.why_not(judgement, index),
        })
        .collect();
    traces.sort_by(|one, other| one.statement.cmp(&other.statement).then_with(|| one.rule.cmp(&other.rule)));
    traces
}

fn place(turn: &Turn<'_>, span: &Span) -> Option<Place> {
    let text = turn.texts.get(span.text)?;
    let words = text.reading.text.get(span.start..span.end)?;
    Some(Place {
        within: match &text.origin {
            Origin::Text(_) => TextPlace::Text,
            Origin::Leaf { pointer, .. } => TextPlace::Leaf(sanitise_pointer(pointer, SHOWN_BYTES)),
        },
        start: text.reading.original(span.start),
        end: text.reading.original(span.end.saturating_sub(1)) + 1,
        words: sanitise_bounded(words, SHOWN_BYTES),
    })
}

/// The winner against the strongest match of every other rule.
fn contests(decided: &Decided<'_, '_, '_>) -> Vec<Contest> {
    let judgement = &decided.judgement;
    let super::precedence::Verdict::Winner(winner) = decided.verdict else { return Vec::new() };
    let rule = |index: usize| judgement.matches.get(index).map(|matched: &Matched| matched.rule);
    let mut contests: Vec<Contest> = Vec::new();
    for &other in &decided.pool.counting {
        let (Some(first), Some(second)) = (rule(winner), rule(other)) else { continue };
        let (order, step) = step(judgement, winner, other);
        let loser = rule_id(decided, second);
        if first != second && order != Ordering::Less && contests.iter().all(|contest| contest.loser != loser)
        {
            contests.push(Contest { winner: rule_id(decided, first), loser, step });
        }
    }
    contests
}

fn near_misses(decided: &Decided<'_, '_, '_>) -> Vec<NearMiss> {
    let judgement = &decided.judgement;
    let is_matched = |rule: usize| judgement.matches.iter().any(|matched| matched.rule == rule);
    let mut misses: Vec<NearMiss> = Vec::new();
    for &(index, at) in &judgement.considered {
        let (Some(rule), Some(statement)) =
            (judgement.catalogue.rules.get(index), judgement.turn.statements.get(at))
        else {
            continue;
        };
        if misses.len() == MAX_NEAR_MISSES
            || is_matched(index)
            || misses.iter().any(|m| m.rule == rule.rule.id)
        {
            continue;
        }
        let access = Access::of(rule, statement);
        let failure = judgement.evaluator.first_failure(&rule.matches, statement, access);
        // A rule that fails at its first atom was only tried, it did not almost match.
        let (failed, asked) = match failure {
            Some((path, _)) if path == "all[0]" || (path == "any" && rule.matches.all.is_empty()) => continue,
            Some((path, node)) => (format!("match.{path}"), asked(node)),
            None => ("with".to_owned(), "a companion in another signal of the same attempt".to_owned()),
        };
        misses.push(NearMiss {
            rule: rule.rule.id.clone(),
            code: rule.rule.code,
            statement: at,
            failed,
            asked,
        });
    }
    misses
}

/// What an atom asks, in a few words.
fn asked(node: &Node) -> String {
    match node {
        Node::Channel(channels) => format!("channel {channels:?}").to_lowercase(),
        Node::Phase(phases) => format!("phase {phases:?}").to_lowercase(),
        Node::Terminal(ends) => format!("terminal {ends:?}").to_lowercase(),
        Node::HttpStatus(numbers) => format!("http_status {numbers:?}").to_lowercase(),
        Node::ExitCode(numbers) => format!("exit_code {numbers:?}").to_lowercase(),
        Node::RpcCode(numbers) => format!("rpc_code {numbers:?}").to_lowercase(),
        Node::Header { name, .. } => format!("header {name}"),
        Node::Field { at, .. } => format!("field {}", at.join(" or ")),
        Node::Phrases(phrases) => {
            let first = phrases.first().map(|phrase| String::from_utf8_lossy(phrase.needle()).into_owned());
            let more = phrases.len().saturating_sub(1);
            let more = if more > 0 { format!(" or {more} more") } else { String::new() };
            format!("text \"{}\"{more}", first.unwrap_or_default())
        }
        Node::Regex(pattern) => format!("text matching {}", pattern.source()),
        Node::Equals(text) => format!("text equal to \"{text}\""),
        Node::Starts(text) => format!("text starting with \"{text}\""),
        Node::Whole => "the statement is the whole output".to_owned(),
        Node::All(_) => "all of several atoms".to_owned(),
        Node::Any(_) => "any of several atoms".to_owned(),
        Node::None(_) => "none of several atoms".to_owned(),
    }
}
