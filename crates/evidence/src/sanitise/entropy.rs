//! High-entropy runs: what looks like random characters rather than like words.
//!
//! Shannon entropy alone cannot tell `GenerateRequestsPerDayPerProjectPerModel-FreeTier` from a
//! key: both use many different letters. What differs is how often the character class changes and
//! how much of the run reads as words, so both are measured, a segment at a time.

use super::marker::Marker;

/// Shortest run that is judged, and the number of random-looking characters it must hold.
const MIN_RUN: usize = 20;

/// Shortest segment that is judged at all.
const MIN_SEGMENT: usize = 8;

/// Letter-only segments from this length on must also be pronounceable.
const LONG_WORD: usize = 24;

/// What a segment is made of, counted once.
#[derive(Default)]
struct Shape {
    length: usize,
    digits: usize,
    lower: usize,
    upper: usize,
    /// Changes of class, except from a capital into the word it begins.
    breaks: usize,
    /// Characters that belong to something word-like.
    covered: usize,
    /// Longest sequence of consonants.
    consonants: usize,
}

impl Shape {
    fn of(segment: &[u8]) -> Self {
        let mut shape = Self { length: segment.len(), ..Self::default() };
        let mut consonants = 0;
        for (at, byte) in segment.iter().enumerate() {
            match byte {
                b'0'..=b'9' => shape.digits += 1,
                b'a'..=b'z' => shape.lower += 1,
                _ => shape.upper += 1,
            }
            consonants = if byte.is_ascii_alphabetic() && !is_vowel(*byte) { consonants + 1 } else { 0 };
            shape.consonants = shape.consonants.max(consonants);
            shape.breaks += usize::from(at > 0 && is_break(segment, at));
        }
        shape.covered = words(segment).filter(|word| is_word(word)).map(<[u8]>::len).sum();
        shape
    }

    fn density_at_least(&self, percent: usize) -> bool {
        self.breaks * 100 >= self.length * percent
    }

    fn covered_below(&self, percent: usize) -> bool {
        self.covered * 100 < self.length * percent
    }

    fn is_random(&self) -> bool {
        let letters = self.lower + self.upper;
        if self.length < MIN_SEGMENT || letters == 0 {
            return false;
        }
        if self.digits > 0 {
            let unread = self.length >= MIN_RUN && letters * 2 > self.length && self.covered_below(30);
            let broken = self.density_at_least(30) || (self.density_at_least(13) && self.covered_below(50));
            return unread || (self.breaks >= 3 && broken);
        }
        if self.lower > 0 && self.upper > 0 {
            return self.density_at_least(28) || (self.length >= MIN_RUN && self.covered_below(40));
        }
        self.length >= LONG_WORD && (self.consonants >= 6 || self.covered_below(40))
    }
}

fn is_vowel(byte: u8) -> bool {
    matches!(byte.to_ascii_lowercase(), b'a' | b'e' | b'i' | b'o' | b'u' | b'y')
}

fn class(byte: Option<&u8>) -> u8 {
    match byte {
        Some(b'0'..=b'9') => 0,
        Some(b'a'..=b'z') => 1,
        Some(_) => 2,
        None => 3,
    }
}

/// Whether a new word, number or acronym begins at `at`.
fn is_break(segment: &[u8], at: usize) -> bool {
    let (before, here, after) =
        (class(segment.get(at - 1)), class(segment.get(at)), class(segment.get(at + 1)));
    match (before, here) {
        (1, 2) | (0, 1 | 2) | (1 | 2, 0) => true,
        (2, 2) => after == 1,
        _ => false,
    }
}

fn words(segment: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    (1..=segment.len()).filter_map(move |at| {
        if at < segment.len() && !is_break(segment, at) {
            return None;
        }
        let word = segment.get(start..at);
        start = at;
        word
    })
}

fn is_word(word: &[u8]) -> bool {
    let consonants = word.split(|byte| is_vowel(*byte)).map(<[u8]>::len).max().unwrap_or(0);
    let vowels = word.iter().filter(|byte| is_vowel(**byte)).count();
    word.len() >= 4
        && consonants <= 5
        && word.iter().all(u8::is_ascii_alphabetic)
        && vowels > 0
        && vowels * 6 >= word.len()
}

/// Whether `text` holds a segment that looks random: a letter-and-digit mix or mixed case without words.
pub(super) fn looks_random(text: &str) -> bool {
    segments(text.as_bytes()).any(|segment| Shape::of(segment).is_random())
}

fn segments(run: &[u8]) -> impl Iterator<Item = &[u8]> {
    run.split(|byte| !byte.is_ascii_alphanumeric()).filter(|segment| !segment.is_empty())
}

fn is_run_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-')
}

/// Appends `gap` to `out` with its high-entropy runs replaced.
pub(super) fn append(gap: &str, out: &mut String) {
    let bytes = gap.as_bytes();
    let (mut done, mut at) = (0, 0);
    while let Some(window) = bytes.get(at..at + MIN_RUN) {
        // A run must cover the whole window: look at its far end first, and skip.
        if let Some(stop) = window.iter().rposition(|byte| !is_run_byte(*byte)) {
            at += stop + 1;
            continue;
        }
        let rest = bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|byte| !is_run_byte(*byte)).unwrap_or(rest.len());
        if let Some((from, to)) = random_part(bytes, at, at + length) {
            out.push_str(gap.get(done..from).unwrap_or_default());
            out.push_str(Marker::Secret.as_str());
            done = to;
        }
        at += length;
    }
    out.push_str(gap.get(done..).unwrap_or_default());
}

/// The part of the run `start..end` that looks random, if it holds enough of it.
fn random_part(bytes: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let run = bytes.get(start..end)?;
    if is_digest(bytes.get(..start)?, run) {
        return None;
    }
    if is_random_base64(run) {
        return Some((start, end));
    }
    let spans = spans(run, start);
    let random: Vec<bool> = spans.iter().map(|(_, _, segment)| Shape::of(segment).is_random()).collect();
    let total: usize =
        spans.iter().zip(&random).filter(|(_, random)| **random).map(|(span, _)| span.2.len()).sum();
    if total < MIN_RUN {
        return None;
    }
    let (mut first, mut last) = (random.iter().position(|r| *r)?, random.iter().rposition(|r| *r)?);
    while first > 0 && spans.get(first - 1).is_some_and(|span| !is_plain(span.2)) {
        first -= 1;
    }
    while spans.get(last + 1).is_some_and(|span| !is_plain(span.2)) {
        last += 1;
    }
    let to = if last + 1 == spans.len() { end } else { spans.get(last)?.1 };
    Some((spans.get(first)?.0, to))
}

/// Segments of `run` with their places, counted from `start`.
fn spans(run: &[u8], start: usize) -> Vec<(usize, usize, &[u8])> {
    let mut at = start;
    run.split(|byte| !byte.is_ascii_alphanumeric())
        .map(|segment| {
            let from = at;
            at = from + segment.len() + 1;
            (from, from + segment.len(), segment)
        })
        .filter(|(_, _, segment)| !segment.is_empty())
        .collect()
}

/// A word or a number: it may stay beside a random part.
fn is_plain(segment: &[u8]) -> bool {
    is_word(segment) || segment.iter().all(u8::is_ascii_digit)
}

/// `sha256:` digests name content (catalogues, images) and are kept.
fn is_digest(before: &[u8], run: &[u8]) -> bool {
    before.ends_with(b"sha256:")
        && run.len() == 64
        && run.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Base64 with `/` and `+` falls into short segments; judged as a whole when all classes occur.
fn is_random_base64(run: &[u8]) -> bool {
    if run.len() < 32 || run.iter().any(|byte| matches!(byte, b'_' | b'-')) {
        return false;
    }
    let joined: Vec<u8> = run.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let shape = Shape::of(&joined);
    shape.upper > 2
        && shape.lower > 2
        && shape.digits > 0
        && shape.density_at_least(20)
        && shape.covered_below(45)
}
