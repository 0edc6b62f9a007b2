//! One answer in a few lines, and the tally of many.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anstyle::Style;
use faultbook::{Class, Classification, Code, Confidence, State};
use faultbook_taxonomy::{Hints, Reason};

use crate::output::Palette;

/// The colour of a code's class.
pub(crate) fn code_style(palette: Palette, class: Class) -> Style {
    match class {
        Class::Transient => palette.good,
        Class::Hard => palette.bad,
        Class::Outside => palette.found,
        Class::Unclassified => palette.careful,
    }
}

/// The verdict in one line: the code with class and confidence, or why there is none.
pub(crate) fn verdict(answer: &Classification, palette: Palette) -> String {
    let style = code_style(palette, answer.class);
    match (answer.state, answer.code) {
        (State::Classified, Some(code)) => {
            let confidence = answer.confidence.map_or("no", Confidence::as_str);
            format!("{}  {}, {confidence} confidence", Palette::paint(style, code), answer.class)
        }
        (State::NoFailure, _) => {
            format!("{}  the turn completed", Palette::paint(palette.good, "no_failure"))
        }
        (State::Classified | State::Unclassified, _) => {
            let why = match answer.reason {
                Some(Reason::Conflict) => "rules of different codes match and nothing separates them",
                Some(Reason::Stale) => "no signal belongs to the current prompt",
                Some(Reason::Uncorrelated) => "the evidence is not of the foreground turn",
                Some(Reason::None) | None => "no rule matches",
            };
            format!("{}  {why}", Palette::paint(style, "unclassified"))
        }
    }
}

/// When to try again, in words; nothing without a hint.
pub(crate) fn hint_words(hints: &Hints) -> Option<String> {
    let mut words = match (hints.retry_after_s, hints.reset_at) {
        (Some(wait), Some(at)) => format!("try again after {}, at {at}", seconds(wait)),
        (Some(wait), None) => format!("try again after {}", seconds(wait)),
        (None, Some(at)) => format!("try again at {at}"),
        (None, None) => return hints.window.map(|window| format!("the limit's window is {window}")),
    };
    if let Some(source) = &hints.source {
        let _ = write!(words, " (from {source})");
    }
    if let Some(window) = hints.window {
        let _ = write!(words, "; the limit's window is {window}");
    }
    Some(words)
}

fn seconds(wait: f64) -> String {
    if wait >= 120.0 { format!("{wait} s ({:.0} min)", wait / 60.0) } else { format!("{wait} s") }
}

/// One answer for people: where, what, on whose word, until when.
pub(crate) fn answer(place: &str, answer: &Classification, palette: Palette) -> String {
    let mut out =
        format!("{} {}", Palette::paint(palette.faint, format!("{place}:")), verdict(answer, palette));
    if let Some(rule) = &answer.rule {
        let _ = write!(out, "  {}", Palette::paint(palette.faint, format!("[{}]", rule.id)));
    }
    out.push('\n');
    for candidate in &answer.candidates {
        let _ = writeln!(out, "    could be {} by {}", candidate.code, candidate.rule);
    }
    let excerpt = answer.excerpt.as_deref().map(|excerpt| one_line(excerpt, 160));
    for line in [excerpt, hint_words(&answer.hints)].into_iter().flatten() {
        let _ = writeln!(out, "    {line}");
    }
    for note in &answer.notes {
        let _ = writeln!(out, "    {}", Palette::paint(palette.faint, format!("note: {note}")));
    }
    out
}

/// A number of things, in words.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A text on one line, shortened.
pub(crate) fn one_line(text: &str, max_characters: usize) -> String {
    let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line: String = squeezed.chars().take(max_characters).filter(|c| !c.is_control()).collect();
    if squeezed.chars().nth(max_characters).is_some() {
        line.push('…');
    }
    line
}

/// How many answers of each kind there were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    codes: BTreeMap<Code, u64>,
    /// Answers in all.
    pub(crate) total: u64,
    unclassified: u64,
    no_failure: u64,
}

impl Tally {
    /// Counts an answer.
    pub(crate) fn count(&mut self, answer: &Classification) {
        self.total += 1;
        match (answer.state, answer.code) {
            (State::Classified, Some(code)) => *self.codes.entry(code).or_default() += 1,
            (State::NoFailure, _) => self.no_failure += 1,
            (State::Classified | State::Unclassified, _) => self.unclassified += 1,
        }
    }

    /// Adds another tally.
    pub(crate) fn add(&mut self, other: &Self) {
        self.total += other.total;
        self.unclassified += other.unclassified;
        self.no_failure += other.no_failure;
        for (code, count) in &other.codes {
            *self.codes.entry(*code).or_default() += count;
        }
    }

    /// The tally in words.
    pub(crate) fn words(&self, palette: Palette) -> String {
        let mut parts: Vec<String> = Vec::new();
        for (code, count) in &self.codes {
            parts.push(format!("{count} {}", Palette::paint(code_style(palette, code.class()), code)));
        }
        for (count, name) in [(self.no_failure, "no_failure"), (self.unclassified, "unclassified")] {
            if count > 0 {
                parts.push(format!("{count} {name}"));
            }
        }
        match self.total {
            0 => "no evidence, no answer\n".to_owned(),
            1 => format!("1 answer: {}\n", parts.join(", ")),
            total => format!("{total} answers: {}\n", parts.join(", ")),
        }
    }
}
