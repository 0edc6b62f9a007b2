//! Bytes that do not belong into a line of a protocol.

use faultbook_adapters::Recording;

use super::{Kind, json, with_line};

pub(super) const KINDS: &[Kind] = &[
    Kind::each("byte-order-mark", |recording, at, _| around(recording, at, "\u{feff}", "")),
    Kind::each("carriage-return", |recording, at, _| around(recording, at, "", "\r")),
    Kind::each("colour-codes", |recording, at, _| around(recording, at, "\u{1b}[31m", "\u{1b}[0m")),
    Kind::each("comment-after", |recording, at, _| around(recording, at, "", " // end")),
    Kind::each("control-character", |recording, at, seed| in_string(recording, at, seed, "\u{1}")),
    Kind::each("invalid-escape", |recording, at, seed| in_string(recording, at, seed, "\\q")),
    Kind::each("log-prefix", |recording, at, _| around(recording, at, "2026-11-30T12:00:00Z out: ", "")),
    Kind::each("lone-surrogate", |recording, at, seed| in_string(recording, at, seed, "\\ud800")),
    Kind::each("nul-byte", |recording, at, _| around(recording, at, "", "\0")),
    Kind::each("nul-inside", |recording, at, seed| in_string(recording, at, seed, "\0")),
    Kind::each("quoted-once-more", |recording, at, _| {
        let frame = recording.frames.get(at)?;
        json(frame)?;
        with_line(recording, at, serde_json::Value::from(frame.line.as_str()).to_string())
    }),
    Kind::each("server-sent-event", |recording, at, _| around(recording, at, "data: ", "")),
    Kind::each("single-quotes", |recording, at, _| {
        let frame = recording.frames.get(at)?;
        json(frame)?;
        with_line(recording, at, frame.line.replace('"', "'"))
    }),
    Kind::each("trailing-comma", |recording, at, _| around(recording, at, "", ",")),
];

fn around(recording: &Recording, at: usize, before: &str, after: &str) -> Option<Recording> {
    let frame = recording.frames.get(at)?;
    json(frame)?;
    with_line(recording, at, format!("{before}{}{after}", frame.line))
}

/// Inserts something behind the opening quotation mark of some string, key or value.
fn in_string(recording: &Recording, at: usize, seed: u64, what: &str) -> Option<Recording> {
    let frame = recording.frames.get(at)?;
    json(frame)?;
    let opening: Vec<usize> = frame.line.match_indices("\"").map(|(place, _)| place).step_by(2).collect();
    let chosen = usize::try_from(seed % 1024).unwrap_or(0).checked_rem(opening.len())?;
    let (head, tail) = frame.line.split_at_checked(opening.get(chosen)? + 1)?;
    with_line(recording, at, format!("{head}{what}{tail}"))
}
