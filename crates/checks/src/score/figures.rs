//! The figures of a scored corpus.

use std::collections::BTreeMap;

use faultbook_taxonomy::{Class, Classification, Confidence, State};
use serde::Serialize;

use super::record::{Record, class_of};

/// Stated waits count as found within this many seconds.
const WAIT_TOLERANCE_S: f64 = 1.0;
/// Stated resets count as found within this many seconds.
const RESET_TOLERANCE_S: i64 = 60;
/// How much of a record's text a wrong answer shows, in characters.
const SHOWN_CHARACTERS: usize = 160;

/// What a catalogue makes of a labelled corpus. Shares lie between 0 and 1; a share of nothing is 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Figures {
    /// How many records there are.
    pub records: usize,
    /// The share whose code is the label, or another that an expert accepts.
    pub exact: f64,
    /// The share whose policy class is that of such a label.
    pub class: f64,
    /// The share of records that must not be retried and came back transient with high confidence.
    pub false_retry: f64,
    /// How many those are.
    pub false_retries: usize,
    /// The share of transient records that did not come back transient with high confidence.
    pub missed_retry: f64,
    /// Records without a known failure that came back classified.
    pub false_failure: usize,
    /// Records of a failure that came back as no failure.
    pub false_success: usize,
    /// The share of stated waits that came back within a second.
    pub hints: f64,
    /// How many records state a wait.
    pub hint_records: usize,
    /// The share of stated resets that came back within a minute.
    pub resets: f64,
    /// How many records state a reset.
    pub reset_records: usize,
    /// Answers with a wait where the evidence states none.
    pub false_hints: usize,
    /// Right answers by label.
    pub per_code: BTreeMap<String, PerCode>,
    /// Wrong answers by label and answer, the most frequent first.
    pub confusion: Vec<Confusion>,
    /// Every wrong answer.
    pub wrong: Vec<WrongAnswer>,
    #[serde(skip)]
    counts: Counts,
}

/// How many records of a label there are, and how many came back right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PerCode {
    /// Right answers.
    pub right: usize,
    /// All records.
    pub all: usize,
}

/// How often a label got a wrong answer of one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Confusion {
    /// The label.
    pub label: String,
    /// The answer's code, or its state in brackets.
    pub answer: String,
    /// How often.
    pub count: usize,
}

/// A record that came back wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WrongAnswer {
    /// The record's id.
    pub id: String,
    /// Its label.
    pub label: String,
    /// The answer's code, or its state in brackets.
    pub answer: String,
    /// The rule that won.
    pub rule: Option<String>,
    /// The beginning of the record's text.
    pub text: String,
}

/// Counts that the shares come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    right: usize,
    right_class: usize,
    must_not_retry: usize,
    transient: usize,
    missed: usize,
    waits: usize,
    resets: usize,
}

impl Figures {
    /// Counts one answer.
    pub(super) fn add(&mut self, record: &Record, answer: &Classification) {
        let code = word(answer);
        let is_right = record.is_right(&code);
        self.records += 1;
        let per_code = self.per_code.entry(record.code.clone()).or_default();
        per_code.all += 1;
        per_code.right += usize::from(is_right);
        self.counts.right += usize::from(is_right);
        let is_class = record.labels().any(|label| class_of(label) == class_of(&code));
        self.counts.right_class += usize::from(is_right || is_class);
        self.add_retry(record, answer);
        let is_classified = answer.state == State::Classified;
        self.false_failure += usize::from(record.is_no_known_failure() && is_classified);
        let is_success = answer.state == State::NoFailure;
        self.false_success += usize::from(!record.admits_no_failure() && is_success);
        self.add_hints(record, answer);
        if !is_right {
            self.add_wrong(record, answer, code);
        }
    }

    fn add_retry(&mut self, record: &Record, answer: &Classification) {
        let is_retried = answer.state == State::Classified
            && answer.class == Class::Transient
            && answer.confidence == Some(Confidence::High);
        if record.labels().all(|label| class_of(label) != Class::Transient) {
            self.counts.must_not_retry += 1;
            self.false_retries += usize::from(is_retried);
        } else if record.labels().all(|label| class_of(label) == Class::Transient) {
            self.counts.transient += 1;
            self.counts.missed += usize::from(!is_retried);
        }
    }

    fn add_hints(&mut self, record: &Record, answer: &Classification) {
        let wait = answer.hints.retry_after_s;
        if let Some(want) = record.retry_after_s {
            self.hint_records += 1;
            self.counts.waits +=
                usize::from(wait.is_some_and(|found| (found - want).abs() <= WAIT_TOLERANCE_S));
        } else if let Some(want) = record.reset_at {
            self.reset_records += 1;
            let tolerance = RESET_TOLERANCE_S * 1000;
            let is_found = answer.hints.reset_at.is_some_and(|found| {
                found.as_millisecond().abs_diff(want.as_millisecond()) <= tolerance.unsigned_abs()
            });
            self.counts.resets += usize::from(is_found);
        } else if !record.admits_wait && wait.is_some() {
            self.false_hints += 1;
        }
    }

    fn add_wrong(&mut self, record: &Record, answer: &Classification, code: String) {
        let same = |one: &&mut Confusion| one.label == record.code && one.answer == code;
        match self.confusion.iter_mut().find(same) {
            Some(one) => one.count += 1,
            None => {
                self.confusion.push(Confusion { label: record.code.clone(), answer: code.clone(), count: 1 })
            }
        }
        self.wrong.push(WrongAnswer {
            id: record.id.clone(),
            label: record.code.clone(),
            answer: code,
            rule: answer.rule.as_ref().map(|rule| rule.id.clone()),
            text: record.text.chars().take(SHOWN_CHARACTERS).collect(),
        });
    }

    /// Turns the counts into shares.
    pub(super) fn finish(&mut self) {
        let counts = self.counts;
        self.exact = share(counts.right, self.records);
        self.class = share(counts.right_class, self.records);
        self.false_retry = share(self.false_retries, counts.must_not_retry);
        self.missed_retry = share(counts.missed, counts.transient);
        self.hints = share(counts.waits, self.hint_records);
        self.resets = share(counts.resets, self.reset_records);
        self.confusion.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.cmp(other)));
    }
}

/// The code that an answer stands for. A code counts only in state `classified`.
fn word(answer: &Classification) -> String {
    match (answer.state, answer.code) {
        (State::NoFailure, _) => "none".to_owned(),
        (State::Classified, Some(code)) => code.to_string(),
        (state, _) => format!("({state})"),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a corpus has far fewer than 2^52 records")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
