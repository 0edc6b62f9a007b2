//! Frames that come in another order, twice, or at another time.

use faultbook_adapters::{Frame, Recording};

use super::{Kind, beginning, json, last_said, with_frames};

pub(super) const KINDS: &[Kind] = &[
    Kind::each("after-the-end", |recording, at, _| {
        let last = recording.frames.len().checked_sub(1)?;
        moves(recording, at, last).filter(|_| last_said(recording) > Some(at))
    }),
    Kind::each("before-the-prompt", |recording, at, _| {
        let prompt = beginning(recording);
        (at > prompt).then(|| moves(recording, at, prompt)).flatten()
    }),
    Kind::each("end-before-it", |recording, at, _| {
        let end = last_said(recording)?;
        (at < end && at > beginning(recording)).then(|| moves(recording, end, at)).flatten()
    }),
    Kind::each("beginning-after-it", |recording, at, _| {
        let prompt = beginning(recording);
        (at > prompt && speaks_of_turns(recording)).then(|| moves(recording, prompt, at)).flatten()
    }),
    Kind::each("beginning-again-after-it", |recording, at, _| {
        let prompt = beginning(recording);
        if at <= prompt || !speaks_of_turns(recording) {
            return None;
        }
        let again = recording.frames.get(prompt)?.clone();
        with_frames(recording, at, |frame| vec![frame.clone(), again])
    }),
    Kind::each("beginning-lost", |recording, at, _| {
        (at == beginning(recording) && speaks_of_turns(recording))
            .then(|| with_frames(recording, at, |_| Vec::new()))
            .flatten()
    }),
    Kind::each("doubled", |recording, at, _| {
        with_frames(recording, at, |frame| vec![frame.clone(), frame.clone()])
    }),
    Kind::each("swapped-with-next", |recording, at, _| moves(recording, at, at + 1)),
    Kind::whole("backwards", |recording, _, _| {
        let mut damaged = recording.clone();
        damaged.frames.reverse();
        Some(damaged)
    }),
    Kind::each("time-backwards", |recording, at, _| time(recording, at, |_| 0)),
    Kind::each("time-far-ahead", |recording, at, _| time(recording, at, |t_ms| t_ms + 4_000_000_000)),
    Kind::whole("time-reversed", |recording, _, _| {
        let mut damaged = recording.clone();
        let times: Vec<u64> = recording.frames.iter().rev().map(|frame| frame.t_ms).collect();
        damaged.frames.iter_mut().zip(times).for_each(|(frame, t_ms)| frame.t_ms = t_ms);
        Some(damaged)
    }),
];

/// Whether the first frame of the turn is one of a protocol, so that its absence or repetition is seen.
fn speaks_of_turns(recording: &Recording) -> bool {
    recording.frames.len() > 1 && recording.frames.get(beginning(recording)).and_then(json).is_some()
}

fn moves(recording: &Recording, from: usize, to: usize) -> Option<Recording> {
    let last = recording.frames.len().checked_sub(1)?;
    if from == to || from > last || to > last {
        return None;
    }
    let mut damaged = recording.clone();
    let frame = damaged.frames.remove(from);
    damaged.frames.insert(to, frame);
    // The clock ran on; only the order of what was said differs.
    for (frame, original) in damaged.frames.iter_mut().zip(&recording.frames) {
        frame.t_ms = original.t_ms;
    }
    Some(damaged)
}

fn time(recording: &Recording, at: usize, change: fn(u64) -> u64) -> Option<Recording> {
    with_frames(recording, at, |frame| vec![Frame { t_ms: change(frame.t_ms), ..frame.clone() }])
}
