//! Lines that lose a part, fall apart or run together, and recordings that begin late or stop early.

use faultbook_adapters::{Exit, Frame, Recording, Source};

use super::{Kind, beginning, json, with_frames, with_line};
use crate::mutate::effects;

pub(super) const KINDS: &[Kind] = &[
    Kind::each("cut-head", |recording, at, seed| cut(recording, at, |length| 0..part(length, seed))),
    Kind::each("cut-head-one", |recording, at, _| cut(recording, at, |_| 0..1)),
    Kind::each("cut-tail", |recording, at, seed| {
        cut(recording, at, |length| length - part(length, seed)..length)
    }),
    Kind::each("cut-tail-one", |recording, at, _| cut(recording, at, |length| length - 1..length)),
    Kind::each("cut-middle", |recording, at, seed| {
        cut(recording, at, |length| length / 3..length / 3 + part(length, seed) / 2 + 1)
    }),
    Kind::each("split-in-two", |recording, at, seed| split(recording, at, 2, seed)),
    Kind::each("split-in-three", |recording, at, seed| split(recording, at, 3, seed)),
    Kind::each("joined", |recording, at, _| join(recording, at, "", "", "")),
    Kind::each("joined-by-space", |recording, at, _| join(recording, at, "", " ", "")),
    Kind::each("joined-as-array", |recording, at, _| join(recording, at, "[", ",", "]")),
    Kind::each("begins-late", begins_late),
    Kind::each("stops-early", |recording, at, _| stops_early(recording, at, recording.exit_code)),
    Kind::each("stops-early-exit-unknown", |recording, at, _| stops_early(recording, at, None)),
    Kind::whole("exit-unknown", |recording, _, _| {
        recording.exit_code?;
        Some(Recording { exit_code: Exit::unknown().code, ..recording.clone() })
    }),
];

/// Between an eighth and a half of a line.
fn part(length: usize, seed: u64) -> usize {
    let eighths = usize::try_from(seed % 4).unwrap_or(0) + 1;
    (length * eighths / 8).max(1)
}

/// Loses the bytes of a range, widened to whole characters. Less than two characters would leave no fragment.
fn cut(
    recording: &Recording,
    at: usize,
    range: impl FnOnce(usize) -> std::ops::Range<usize>,
) -> Option<Recording> {
    let line = &recording.frames.get(at)?.line;
    if line.len() < 4 {
        return None;
    }
    let range = range(line.len());
    let head = line.get(..line.floor_char_boundary(range.start))?;
    let tail = line.get(line.ceil_char_boundary(range.end)..)?;
    with_line(recording, at, format!("{head}{tail}"))
}

fn split(recording: &Recording, at: usize, parts: usize, seed: u64) -> Option<Recording> {
    let line = &recording.frames.get(at)?.line;
    let size = (part(line.len(), seed) / (parts - 1)).max(1);
    let mut rest = line.as_str();
    let mut pieces = Vec::new();
    while pieces.len() + 1 < parts {
        let (piece, after) = rest.split_at_checked(rest.ceil_char_boundary(size))?;
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    if pieces.iter().any(|piece| piece.trim().is_empty()) {
        return None;
    }
    with_frames(recording, at, |frame| {
        pieces.iter().map(|piece| Frame { line: (*piece).to_owned(), ..frame.clone() }).collect()
    })
}

fn join(recording: &Recording, at: usize, before: &str, between: &str, after: &str) -> Option<Recording> {
    let (one, other) = (recording.frames.get(at)?, recording.frames.get(at + 1)?);
    if one.source != other.source {
        return None;
    }
    let line = format!("{before}{}{between}{}{after}", one.line, other.line);
    let mut damaged = with_line(recording, at, line)?;
    damaged.frames.remove(at + 1);
    Some(damaged)
}

/// What was said up to a frame was not seen; the opening frames are missing. A format whose error may be the only frame
/// of a run has none that could be missed.
fn begins_late(recording: &Recording, at: usize, _seed: u64) -> Option<Recording> {
    if recording.format.starts_with("run-json") {
        return None;
    }
    let frames = recording.frames.get(at + 1..)?.to_vec();
    (!frames.is_empty()).then(|| Recording { frames, ..recording.clone() })
}

/// What was said after a frame was not seen: the turn was opened and is not closed. A run that ends before its first
/// frame, or before a prompt that is a frame of its own, looks like one that died at its start; and what is lost after
/// the end is missed by nobody.
fn stops_early(recording: &Recording, at: usize, exit_code: Option<i32>) -> Option<Recording> {
    let is_open = recording.frames.iter().take(at + 1).any(|frame| json(frame).is_some());
    let is_closed = last_without_effect(recording).is_none_or(|end| at >= end);
    if at < beginning(recording) || !is_open || is_closed {
        return None;
    }
    let frames = recording.frames.get(..=at)?.to_vec();
    Some(Recording { frames, exit_code, ..recording.clone() })
}

/// The last frame of the agent that carries no effect: its answer, result or error.
fn last_without_effect(recording: &Recording) -> Option<usize> {
    recording.frames.iter().rposition(|frame| {
        matches!(frame.source, Source::Stdout | Source::FromAgent)
            && json(frame).is_some()
            && !effects::carries(frame)
    })
}
