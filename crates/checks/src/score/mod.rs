//! Scoring a catalogue on a labelled corpus: the confusion matrix, and figures about what the labels would cost.
//!
//! A corpus holds one JSON object a line: what a machine printed, where it was seen, and the code that an expert
//! gave it ([`record`]). Each becomes one evidence envelope; nothing of the label reaches the engine.

mod figures;
mod record;

use std::io::BufRead;

use faultbook_engine::Catalogue;
use serde_json::Value;

pub use figures::{Confusion, Figures, PerCode, WrongAnswer};
pub use record::{DEFAULT_NOW, Record, RecordError};

use crate::suite::map_in_parallel;

/// The longest line of a corpus, in bytes.
const MAX_LINE_BYTES: u64 = 1024 * 1024;
/// How many records are classified at a time; memory stays bounded however long the corpus is.
const BATCH: usize = 512;

/// Why a corpus cannot be scored.
#[derive(Debug)]
pub enum ScoreError {
    /// The input cannot be read.
    Read(std::io::Error),
    /// A line is longer than 1 MiB; its number, from 1.
    LineTooLong(usize),
    /// A line is no record: its number, from 1, and why.
    Record(usize, RecordError),
}

impl std::fmt::Display for ScoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the corpus cannot be read: {error}"),
            Self::LineTooLong(line) => write!(f, "line {line} is longer than {MAX_LINE_BYTES} bytes"),
            Self::Record(line, error) => write!(f, "line {line}: {error}"),
        }
    }
}

impl std::error::Error for ScoreError {}

/// Scores a catalogue on a corpus.
///
/// # Errors
/// Where the input cannot be read, or a line is no labelled record.
pub fn score(reader: impl BufRead, catalogue: &Catalogue) -> Result<Figures, ScoreError> {
    let mut figures = Figures::default();
    for_each_record(reader, |batch| {
        let answers = map_in_parallel(batch, |record| catalogue.classify(&record.envelope));
        for (record, answer) in batch.iter().zip(&answers) {
            figures.add(record, answer);
        }
    })?;
    figures.finish();
    Ok(figures)
}

/// Reads a corpus in batches of bounded size.
///
/// # Errors
/// As [`score`].
pub fn for_each_record(mut reader: impl BufRead, mut work: impl FnMut(&[Record])) -> Result<(), ScoreError> {
    use std::io::Read;
    let mut batch = Vec::new();
    let mut line = String::new();
    for number in 1_usize.. {
        line.clear();
        let read = reader.by_ref().take(MAX_LINE_BYTES + 1).read_line(&mut line).map_err(ScoreError::Read)?;
        if read == 0 {
            break;
        }
        if u64::try_from(read).unwrap_or(u64::MAX) > MAX_LINE_BYTES {
            return Err(ScoreError::LineTooLong(number));
        }
        if line.trim().is_empty() {
            continue;
        }
        let value: Value = serde_json::from_str(&line)
            .map_err(|error| ScoreError::Record(number, RecordError::NotJson(error.to_string())))?;
        let record = Record::of(value, number).map_err(|error| ScoreError::Record(number, error))?;
        batch.push(record);
        if batch.len() == BATCH {
            work(&batch);
            batch.clear();
        }
    }
    work(&batch);
    Ok(())
}
