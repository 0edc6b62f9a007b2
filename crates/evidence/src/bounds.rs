//! The bounds of an envelope. They are enforced on the way in, so that no later step needs its own.

use faultbook_taxonomy::{SightLost, Terminal};
use serde_json::Value;

use crate::envelope::{Envelope, Signal};

/// The most signals in an envelope.
pub const MAX_SIGNALS: usize = 64;
/// How many of the first signals stay when there are too many.
pub const KEPT_FIRST: usize = 8;
/// The most bytes of text in a signal.
pub const MAX_TEXT_BYTES: usize = 16 * 1024;
/// The most bytes of JSON in a signal.
pub const MAX_DATA_BYTES: usize = 64 * 1024;
/// The deepest nesting of JSON in a signal.
pub const MAX_DATA_DEPTH: usize = 32;
/// The most bytes of all text and JSON in an envelope.
pub const MAX_ENVELOPE_BYTES: usize = 256 * 1024;

const CUT: &str = " […] ";

impl Envelope {
    /// Cuts everything that is over its bound and notes each cut. A second call changes nothing.
    pub fn enforce_bounds(&mut self) {
        let before = self.notes.len();
        self.limit_signals();
        for (index, signal) in self.signals.iter_mut().enumerate() {
            limit_signal(signal, index, &mut self.notes);
        }
        self.limit_total();
        // What was cut may have held the only trace of an effect.
        if self.notes.len() > before {
            self.lose_sight(SightLost {
                reason: "the evidence was cut at its bounds".to_owned(),
                frame: None,
            });
        }
    }

    fn limit_signals(&mut self) {
        let count = self.signals.len();
        if count <= MAX_SIGNALS {
            return;
        }
        let terminal = self.terminal_index();
        let last = MAX_SIGNALS - KEPT_FIRST - 1;
        let kept_from = count - last;
        let terminal_is_kept = terminal.is_none_or(|index| index < KEPT_FIRST || index >= kept_from);
        let from = if terminal_is_kept { kept_from - 1 } else { kept_from };
        let mut index = 0;
        self.signals.retain(|_| {
            let keep = index < KEPT_FIRST || index >= from || Some(index) == terminal;
            index += 1;
            keep
        });
        self.notes
            .push(format!("{} of {count} signals were cut from the middle", count - self.signals.len()));
    }

    /// Empties signals from the middle outwards until the whole envelope fits.
    fn limit_total(&mut self) {
        let mut sizes: Vec<usize> = self.signals.iter().map(signal_bytes).collect();
        let mut total: usize = sizes.iter().sum();
        if total <= MAX_ENVELOPE_BYTES {
            return;
        }
        let count = self.signals.len();
        let mut order: Vec<usize> = (0..count).collect();
        // The first signals and the last ones say most; a terminal signal is emptied last of all.
        order.sort_by_key(|&index| {
            let is_terminal = self.signals.get(index).is_some_and(|signal| signal.terminal.is_some());
            (is_terminal, index < KEPT_FIRST, index)
        });
        let mut emptied = 0;
        for index in order {
            if total <= MAX_ENVELOPE_BYTES {
                break;
            }
            if let (Some(signal), Some(size)) = (self.signals.get_mut(index), sizes.get_mut(index)) {
                signal.text = None;
                signal.data = None;
                total -= *size;
                *size = 0;
                emptied += 1;
            }
        }
        self.notes
            .push(format!("{emptied} signals were emptied: the envelope is over {MAX_ENVELOPE_BYTES} bytes"));
    }
}

fn signal_bytes(signal: &Signal) -> usize {
    signal.text.as_ref().map_or(0, String::len) + signal.data.as_ref().map_or(0, json_bytes)
}

fn limit_signal(signal: &mut Signal, index: usize, notes: &mut Vec<String>) {
    if let Some(text) = &mut signal.text
        && text.len() > MAX_TEXT_BYTES
    {
        notes.push(format!("signals[{index}].text was cut from {} to {MAX_TEXT_BYTES} bytes", text.len()));
        *text = head_and_tail(text, MAX_TEXT_BYTES);
    }
    if let Some(data) = &mut signal.data {
        let before = json_bytes(data);
        let cut_depth = limit_depth(data, MAX_DATA_DEPTH);
        let cut_size = limit_json(data);
        if cut_depth || cut_size {
            notes.push(format!("signals[{index}].data was cut from {before} to {} bytes", json_bytes(data)));
        }
    }
    if signal.terminal == Some(Terminal::Cancelled) {
        signal.role = crate::Role::Failure;
    }
}

/// The head and the tail of a text within a number of bytes, never splitting a character.
#[must_use]
pub fn head_and_tail(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    let room = max_bytes.saturating_sub(CUT.len());
    let head = text.floor_char_boundary(room / 2);
    let tail = text.ceil_char_boundary(text.len() - (room - room / 2));
    [text.get(..head).unwrap_or_default(), CUT, text.get(tail..).unwrap_or_default()].concat()
}

/// An estimate of the bytes of a value when written: exact for strings without escapes.
fn json_bytes(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 5,
        Value::Number(_) => 12,
        Value::String(text) => text.len() + 2,
        Value::Array(items) => 2 + items.iter().map(|item| json_bytes(item) + 1).sum::<usize>(),
        Value::Object(fields) => {
            2 + fields.iter().map(|(key, item)| key.len() + 4 + json_bytes(item)).sum::<usize>()
        }
    }
}

fn limit_depth(value: &mut Value, room: usize) -> bool {
    let mut is_cut = false;
    match value {
        Value::Array(_) | Value::Object(_) if room == 0 => {
            *value = Value::Null;
            is_cut = true;
        }
        // Every item is visited, whatever was cut before it.
        Value::Array(items) => items.iter_mut().for_each(|item| is_cut |= limit_depth(item, room - 1)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|item| is_cut |= limit_depth(item, room - 1));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    is_cut
}

/// Brings a value under its bound: long strings are cut first, ever shorter, then later array elements, then
/// later keys.
fn limit_json(value: &mut Value) -> bool {
    if json_bytes(value) <= MAX_DATA_BYTES {
        return false;
    }
    for longest in [8192, 1024, 256, 64] {
        cut_strings(value, longest);
        if json_bytes(value) <= MAX_DATA_BYTES {
            return true;
        }
    }
    for longest in [64, 8, 1] {
        cut_arrays(value, longest);
        if json_bytes(value) <= MAX_DATA_BYTES {
            return true;
        }
    }
    let mut budget = MAX_DATA_BYTES;
    cut_keys(value, &mut budget);
    true
}

fn cut_strings(value: &mut Value, longest: usize) {
    match value {
        Value::String(text) if text.len() > longest => *text = head_and_tail(text, longest),
        Value::Array(items) => items.iter_mut().for_each(|item| cut_strings(item, longest)),
        Value::Object(fields) => fields.values_mut().for_each(|item| cut_strings(item, longest)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn cut_arrays(value: &mut Value, longest: usize) {
    match value {
        Value::Array(items) => {
            items.truncate(longest);
            items.iter_mut().for_each(|item| cut_arrays(item, longest));
        }
        Value::Object(fields) => fields.values_mut().for_each(|item| cut_arrays(item, longest)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn cut_keys(value: &mut Value, budget: &mut usize) {
    if let Value::Object(fields) = value {
        fields.retain(|key, item| {
            let bytes = key.len() + 4 + json_bytes(item);
            if bytes <= *budget {
                *budget -= bytes;
                true
            } else {
                cut_keys(item, budget);
                let bytes = key.len() + 4 + json_bytes(item);
                let fits = bytes <= *budget;
                *budget = budget.saturating_sub(if fits { bytes } else { 0 });
                fits
            }
        });
    }
}
