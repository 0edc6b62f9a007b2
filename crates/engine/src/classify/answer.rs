//! Making one answer of a judgement.

use faultbook_evidence::sanitise::{sanitise_bounded, sanitise_json};
use faultbook_evidence::{Channel, Origin};
use faultbook_taxonomy::{
    CLASSIFICATION_SCHEMA, Candidate, Class, Classification, Confidence, Effects, Hints, Reason,
    RuleReference, Sight, State, Terminal,
};

use super::attempt::Pool;
use super::confidence::{Cap, caps};
use super::judgement::{Judgement, Matched};
use super::precedence::{Verdict, decide};
use super::timing::{HintTrace, hints};

/// The most bytes of an excerpt.
pub(super) const MAX_EXCERPT_BYTES: usize = 4 * 1024;
/// How many bytes of a long line an excerpt shows before the match.
const BEFORE_MATCH: usize = 256;
/// How many bytes of a long line an excerpt shows in all.
const LINE_EXCERPT: usize = 1024;
/// The most candidates that an answer lists.
const MAX_CANDIDATES: usize = 32;

/// A judgement with its verdict: all that an answer and an explanation need.
pub(crate) struct Decided<'c, 't, 'e> {
    pub(crate) judgement: Judgement<'c, 't, 'e>,
    pub(crate) pool: Pool,
    pub(crate) verdict: Verdict,
    pub(crate) caps: Vec<Cap>,
    pub(crate) hint_traces: Vec<HintTrace>,
    hints: Hints,
    confidence: Option<Confidence>,
}

impl<'c, 't, 'e> Decided<'c, 't, 'e> {
    /// Decides a judgement.
    pub(crate) fn of(judgement: Judgement<'c, 't, 'e>) -> Self {
        let pool = Pool::of(&judgement);
        let verdict = decide(&judgement, &pool.counting);
        let mut decided = Self {
            judgement,
            pool,
            verdict,
            caps: Vec::new(),
            hint_traces: Vec::new(),
            hints: Hints::default(),
            confidence: None,
        };
        if let Some(winner) = decided.winner().cloned() {
            (decided.confidence, decided.caps) = decided.weigh(&winner);
            (decided.hints, decided.hint_traces) = hints(&decided.judgement, &decided.pool, &winner);
        }
        decided
    }

    /// The match that stands for the answer.
    pub(crate) fn winner(&self) -> Option<&Matched> {
        match self.verdict {
            Verdict::Winner(index) => self.judgement.matches.get(index),
            Verdict::Nothing | Verdict::Conflict(_) => None,
        }
    }

    /// The highest confidence among the candidates of the winning code, and the caps of the winner where that is
    /// not high.
    fn weigh(&self, winner: &Matched) -> (Option<Confidence>, Vec<Cap>) {
        let mut same = self
            .pool
            .counting
            .iter()
            .filter_map(|&index| self.judgement.matches.get(index))
            .filter(|matched| matched.meaning.code == winner.meaning.code);
        if same.any(|matched| caps(&self.judgement, &self.pool, matched).is_empty()) {
            (Some(Confidence::High), Vec::new())
        } else {
            (Some(Confidence::Medium), caps(&self.judgement, &self.pool, winner))
        }
    }

    /// The answer.
    pub(crate) fn answer(&self) -> Classification {
        let envelope = self.judgement.turn.envelope;
        let (state, reason) = self.state();
        let winner = self.winner().filter(|_| state == State::Classified);
        let meaning = winner.map(|winner| winner.meaning);
        Classification {
            schema: CLASSIFICATION_SCHEMA.to_owned(),
            id: envelope.id.as_deref().map(|id| sanitise_bounded(id, 512)),
            state,
            reason,
            code: meaning.map(|meaning| meaning.code),
            class: meaning.map_or(Class::Unclassified, |meaning| meaning.code.class()),
            confidence: meaning.and(self.confidence),
            scope: meaning.map(|meaning| meaning.scope),
            rule: winner.and_then(|winner| self.reference(winner)),
            catalogue: self.judgement.catalogue.digest().to_owned(),
            hints: if winner.is_some() { self.hints.clone() } else { Hints::default() },
            effects: self.effects(),
            sight: envelope.sight,
            sight_lost: envelope.sight_lost.clone(),
            candidates: if state == State::Unclassified { self.candidates() } else { Vec::new() },
            signals: winner.map(|winner| self.signals(winner)).unwrap_or_default(),
            excerpt: winner.and_then(|winner| self.excerpt(winner)),
            notes: self.notes(winner.is_some()),
        }
    }

    fn state(&self) -> (State, Option<Reason>) {
        let envelope = self.judgement.turn.envelope;
        let is_stale = !envelope.signals.is_empty() && envelope.signals.iter().all(|s| envelope.is_stale(s));
        if is_stale {
            return (State::Unclassified, Some(Reason::Stale));
        }
        if envelope.foreground == Some(false) {
            return (State::Unclassified, Some(Reason::Uncorrelated));
        }
        match self.verdict {
            Verdict::Winner(_) => (State::Classified, None),
            Verdict::Conflict(_) => (State::Unclassified, Some(Reason::Conflict)),
            Verdict::Nothing if self.judgement.evaluator.terminal == Some(Terminal::Completed) => {
                (State::NoFailure, None)
            }
            Verdict::Nothing => (State::Unclassified, Some(Reason::None)),
        }
    }

    fn reference(&self, winner: &Matched) -> Option<RuleReference> {
        let compiled = self.judgement.catalogue.rules.get(winner.rule)?;
        let pack = self.judgement.catalogue.packs().get(compiled.pack)?;
        Some(RuleReference {
            id: compiled.rule.id.clone(),
            revision: compiled.rule.revision,
            pack: pack.id.clone(),
            pack_version: pack.version.clone(),
        })
    }

    /// The effects that remain: words that a speaker rule promoted were no output of the model.
    fn effects(&self) -> Effects {
        let envelope = self.judgement.turn.envelope;
        let is_partial = envelope.sight == Some(Sight::Partial);
        if envelope.phase.is_some_and(faultbook_taxonomy::Phase::is_pre_start) && !is_partial {
            return Effects::NONE;
        }
        let mut effects = envelope.effects;
        let statements = self.judgement.turn.statements.iter().zip(&self.judgement.marks);
        let mut spoken =
            statements.filter(|(statement, _)| statement.channel == Channel::Assistant).peekable();
        if spoken.peek().is_some() {
            let is_promoted = spoken.all(|(statement, mark)| {
                mark.speaker.is_some() && self.is_whole_own_message(statement.signal)
            });
            // Other words may have been lost where sight is partial.
            effects.assistant_output = if is_promoted { (!is_partial).then_some(false) } else { Some(true) };
        }
        if self.judgement.turn.statements.iter().any(|statement| statement.channel == Channel::Tool) {
            effects.tool_activity = Some(true);
        }
        effects
    }

    /// Whether the message is the agent's own from its first sign to its last: it opens a bracket that closes
    /// at its end. Where no bracket shows the end, or the message goes on after it, the words stay the model's.
    fn is_whole_own_message(&self, signal: usize) -> bool {
        let text = self.judgement.turn.envelope.signals.get(signal).and_then(|signal| signal.text.as_deref());
        text.map(str::trim).is_some_and(|text| text.starts_with('[') && closes_at_its_end(text))
    }

    fn candidates(&self) -> Vec<Candidate> {
        let listed: &[usize] = match &self.verdict {
            Verdict::Conflict(winners) => winners,
            Verdict::Winner(_) | Verdict::Nothing => &self.pool.counting,
        };
        let mut candidates = Vec::new();
        for matched in listed.iter().filter_map(|&index| self.judgement.matches.get(index)) {
            let Some(rule) = self.judgement.catalogue.rules.get(matched.rule) else { continue };
            let is_capped = !caps(&self.judgement, &self.pool, matched).is_empty();
            let candidate = Candidate {
                code: matched.meaning.code,
                rule: rule.rule.id.clone(),
                band: matched.meaning.band,
                rank: matched.meaning.rank,
                confidence: if is_capped { Confidence::Medium } else { matched.meaning.confidence },
            };
            if !candidates.contains(&candidate) && candidates.len() < MAX_CANDIDATES {
                candidates.push(candidate);
            }
        }
        candidates
    }

    /// The signals that the answer rests on: its candidates', their companions', and the terminal.
    fn signals(&self, winner: &Matched) -> Vec<usize> {
        let signal = |at: &usize| self.judgement.turn.statements.get(*at).map(|statement| statement.signal);
        let same = self.pool.counting.iter().filter_map(|&index| self.judgement.matches.get(index));
        let mut signals: Vec<usize> = same
            .filter(|matched| matched.meaning.code == winner.meaning.code)
            .flat_map(|matched| std::iter::once(&matched.statement).chain(&matched.companions))
            .filter_map(signal)
            .chain(self.judgement.turn.envelope.terminal_index())
            .collect();
        signals.sort_unstable();
        signals.dedup();
        signals
    }

    /// The sanitised words in which the winner matched.
    pub(crate) fn excerpt(&self, winner: &Matched) -> Option<String> {
        let turn = self.judgement.turn;
        let statement = turn.statements.get(winner.statement)?;
        let span = winner.spans.first();
        let text = span.and_then(|span| turn.texts.get(span.text));
        let words = match text.map(|text| (&text.origin, &text.reading)) {
            Some((Origin::Leaf { original, .. }, _)) => original.clone(),
            Some((Origin::Text(_), reading)) => {
                let original = turn.original(statement)?;
                let start = turn.envelope.signals.get(statement.signal)?.text.as_deref()?;
                let line_start = original.as_ptr() as usize - start.as_ptr() as usize;
                let place = span.map_or(0, |span| reading.original(span.start)).saturating_sub(line_start);
                window(original, place)
            }
            None => match (turn.original(statement), statement.roots.first()) {
                (Some(original), _) => window(original, 0),
                (None, Some(root)) => window(&sanitise_json(root).to_string(), 0),
                (None, None) => return None,
            },
        };
        Some(sanitise_bounded(words.trim(), MAX_EXCERPT_BYTES)).filter(|excerpt| !excerpt.is_empty())
    }

    fn notes(&self, is_classified: bool) -> Vec<String> {
        let envelope = self.judgement.turn.envelope;
        let mut notes = envelope.notes.clone();
        let stale = envelope.signals.iter().filter(|signal| envelope.is_stale(signal)).count();
        if stale > 0 {
            notes.push(format!("{stale} signals of another generation were ignored"));
        }
        if is_classified {
            for trace in &self.hint_traces {
                if let Some(dropped) = &trace.dropped {
                    notes.push(format!("hint {} of {} was dropped: {dropped}", trace.source, trace.rule));
                }
            }
        }
        notes
    }
}

/// Whether the square bracket that a text begins with closes with its last sign. Brackets inside JSON strings that do
/// not pair make the answer no, which is the safe side.
fn closes_at_its_end(text: &str) -> bool {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices() {
        match sign {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + sign.len_utf8() == text.len();
        }
    }
    false
}

/// The part of a long line around a place in it. The line is redacted before it is cut: a cut could take away the
/// words that give a secret away.
fn window(line: &str, place: usize) -> String {
    if line.len() <= LINE_EXCERPT {
        return line.to_owned();
    }
    let before = line.get(..line.floor_char_boundary(place)).unwrap_or_default();
    let place = sanitise_bounded(before, usize::MAX).len();
    let line = sanitise_bounded(line, usize::MAX);
    let start = line.floor_char_boundary(place.saturating_sub(BEFORE_MATCH));
    let end = line.floor_char_boundary((start + LINE_EXCERPT).min(line.len()));
    line.get(start..end).unwrap_or_default().to_owned()
}
