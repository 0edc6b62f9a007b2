//! Timing hints of an answer: the extractors of every candidate of the winning code, over every current, trusted
//! statement of the winning attempt.

use faultbook_evidence::hint::{Bounds, Dropped, Reading, When, read, read_json, validate};
use faultbook_evidence::{Signal, TextTrust};
use faultbook_taxonomy::{Hints, Window};
use schemars::JsonSchema;
use serde::Serialize;

use super::attempt::Pool;
use super::evaluate::first_value;
use super::judgement::{Judgement, Matched};
use crate::catalogue::{CompiledHint, CompiledRule, CompiledSource};

/// What became of one hint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct HintTrace {
    /// The rule whose hint it is.
    pub rule: String,
    /// Where it was read.
    pub source: String,
    /// The signal in which it was read, by index.
    pub signal: usize,
    /// Why it was dropped; null for the one that was used.
    pub dropped: Option<String>,
}

/// The hints of an answer and what became of every source that was there.
pub(crate) fn hints(
    judgement: &Judgement<'_, '_, '_>,
    pool: &Pool,
    winner: &Matched,
) -> (Hints, Vec<HintTrace>) {
    let mut traces = Vec::new();
    let mut found = Hints::default();
    let candidates = candidates(judgement, pool, winner);
    found.window = candidates
        .iter()
        .filter_map(|matched| judgement.catalogue.rules.get(matched.rule)?.rule.window)
        .next();
    let statements = places(judgement, pool, winner);
    for matched in candidates {
        let Some(rule) = judgement.catalogue.rules.get(matched.rule) else { continue };
        for hint in &rule.hints {
            for &at in &statements {
                let Some((reading, signal)) = read_at(judgement, hint, at) else { continue };
                let source = source_name(hint);
                let judged = reading.and_then(|reading| judge(judgement, rule, hint, reading, signal));
                let index = judgement.turn.statements.get(at).map_or(0, |statement| statement.signal);
                let dropped = judged.as_ref().err().map(ToString::to_string);
                traces.push(HintTrace {
                    rule: rule.rule.id.clone(),
                    source: source.clone(),
                    signal: index,
                    dropped,
                });
                if let Ok(hint) = judged
                    && complete(&mut found, hint, source)
                {
                    return (found, traces);
                }
            }
        }
    }
    (found, traces)
}

/// Adds what a hint states and earlier ones did not: the first wait and the first instant count. Says whether both
/// are there.
fn complete(found: &mut Hints, hint: faultbook_evidence::hint::Hint, source: String) -> bool {
    found.retry_after_s = found.retry_after_s.or(hint.retry_after_s);
    found.reset_at = found.reset_at.or(hint.reset_at);
    found.source.get_or_insert(source);
    found.retry_after_s.is_some() && found.reset_at.is_some()
}

/// The candidates of the winning code, the winner first.
fn candidates<'j>(
    judgement: &'j Judgement<'_, '_, '_>,
    pool: &Pool,
    winner: &'j Matched,
) -> Vec<&'j Matched> {
    let others = pool.counting.iter().filter_map(|&index| judgement.matches.get(index));
    let same =
        others.filter(|matched| matched.meaning.code == winner.meaning.code && matched.rule != winner.rule);
    std::iter::once(winner).chain(same).collect()
}

/// The statements that may carry a hint: the winner's own first, then the others of its attempt.
fn places(judgement: &Judgement<'_, '_, '_>, pool: &Pool, winner: &Matched) -> Vec<usize> {
    let is_usable = |at: &usize| {
        let mark = judgement.marks.get(*at).copied().unwrap_or_default();
        let is_trusted = mark.speaker.is_some()
            || judgement
                .turn
                .statements
                .get(*at)
                .is_some_and(|s| s.field_trust().max(s.text_trust()) >= TextTrust::Limited);
        *at != winner.statement && mark.healthy.is_none() && is_trusted && pool.holds(*at)
    };
    std::iter::once(winner.statement).chain((0..judgement.turn.statements.len()).filter(is_usable)).collect()
}

type Read<'e> = (Result<Reading, Dropped>, &'e Signal);

/// Reads a hint's source in a statement; `None` where the source is not there.
fn read_at<'e>(judgement: &Judgement<'_, '_, 'e>, hint: &CompiledHint, at: usize) -> Option<Read<'e>> {
    let turn = judgement.turn;
    let statement = turn.statements.get(at)?;
    let signal = turn.envelope.signals.get(statement.signal)?;
    let when = when(judgement, signal);
    let zone = hint.zone.as_deref();
    let is_promoted = judgement.marks.get(at).is_some_and(|mark| mark.speaker.is_some());
    let reading = match &hint.source {
        CompiledSource::Header(name) => read(signal.headers.get(name)?, &hint.formats, zone, &when),
        CompiledSource::Field(pointers) => {
            if statement.field_trust() < TextTrust::Limited && !is_promoted {
                return None;
            }
            let value = statement.roots.iter().find_map(|root| first_value(root, pointers))?;
            read_json(value, &hint.formats, zone, &when)
        }
        CompiledSource::Text(pattern) => {
            if statement.text_trust() < TextTrust::Limited && !is_promoted {
                return None;
            }
            let stated = statement.views.iter().find_map(|view| {
                let words = turn.words(view);
                let (start, end) = pattern.capture(words.as_bytes(), view.own_end - view.start)?;
                words.get(start..end)
            })?;
            read(stated, &hint.formats, zone, &when)
        }
    };
    Some((reading, signal))
}

fn judge(
    judgement: &Judgement<'_, '_, '_>,
    rule: &CompiledRule,
    hint: &CompiledHint,
    reading: Reading,
    signal: &Signal,
) -> Result<faultbook_evidence::hint::Hint, Dropped> {
    let bounds = Bounds { min_seconds: hint.min_seconds, max_seconds: hint.max_seconds };
    let window: Option<Window> = rule.rule.window;
    let code = rule.rule.code.ok_or(Dropped::Unreadable)?;
    validate(reading, code, window, bounds, &when(judgement, signal))
}

fn when<'e>(judgement: &Judgement<'_, '_, 'e>, signal: &Signal) -> When<'e> {
    let envelope = judgement.turn.envelope;
    When { seen_at: signal.at.or(envelope.occurred_at), time_zone: envelope.time_zone.as_deref() }
}

fn source_name(hint: &CompiledHint) -> String {
    match &hint.source {
        CompiledSource::Field(pointers) => format!("field:{}", pointers.join("|")),
        CompiledSource::Header(name) => format!("header:{name}"),
        CompiledSource::Text(_) => "text".to_owned(),
    }
}
