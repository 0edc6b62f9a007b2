//! What `classify`, `explain` and `decide` share: evidence in, one result a piece out, in order and in constant memory.

use std::io::Write as _;
use std::sync::Arc;

use faultbook::{Classification, Envelope, Faultbook};
use serde::Serialize;

use crate::failure::{Ended, Failure};
use crate::input::{Batch, EvidenceReader, InputError, InputOptions, Piece, PieceError, Source};
use crate::output::{Format, Output, Palette, error_line};
use crate::pipeline::{self, Reading};
use crate::progress::Progress;
use crate::view::Tally;

/// A result that can be shown.
pub(super) trait Shown: Serialize {
    /// The answer in it.
    fn answer(&self) -> &Classification;
    /// The result for people; nothing where it is not worth showing.
    fn human(&self, place: &str, palette: Palette) -> Option<String>;
}

/// How results are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Writing {
    /// The format.
    pub(super) format: Format,
    /// Whether a tally ends the output for people.
    pub(super) with_tally: bool,
}

/// What one batch came to.
#[derive(Default)]
struct Produced {
    text: Vec<u8>,
    problems: Vec<(String, Option<&'static str>)>,
    tally: Tally,
    read: u64,
}

/// Answers every piece of evidence in the input.
pub(super) fn run<T: Shown>(
    input: &InputOptions,
    writing: Writing,
    book: Faultbook,
    judge: impl Fn(&Faultbook, &Envelope) -> T + Send + Sync + 'static,
) -> Result<Ended, Failure> {
    let reader = EvidenceReader::new(input.input, input.facts.clone());
    run_pieces(input, writing, move |bytes, forgotten, place| {
        Ok(judge(&book, &reader.read(bytes, forgotten, place)?))
    })
}

/// Answers every piece of the input. `answer` gets its bytes, how many of its middle are missing, and its place.
pub(super) fn run_pieces<T: Shown>(
    input: &InputOptions,
    writing: Writing,
    answer: impl Fn(&[u8], u64, &str) -> Result<T, InputError> + Send + Sync + 'static,
) -> Result<Ended, Failure> {
    let reading = Reading { sources: Source::of(&input.files), kind: input.input, by: input.by() };
    let palette = Palette::of_output();
    let mut sink = Sink::new(writing, palette, reading.size());
    let answerer = Answerer { format: writing.format, palette, answer };
    pipeline::run(reading, move |batch| answerer.batch(&batch), |produced: Produced| sink.take(&produced))?;
    sink.end()
}

/// The work on one batch.
struct Answerer<F> {
    format: Format,
    palette: Palette,
    answer: F,
}

impl<T: Shown, F: Fn(&[u8], u64, &str) -> Result<T, InputError>> Answerer<F> {
    fn batch(&self, batch: &Batch) -> Produced {
        let mut produced = Produced { read: batch.read, ..Produced::default() };
        for piece in &batch.pieces {
            self.piece(batch, piece, &mut produced);
        }
        produced
    }

    fn piece(&self, batch: &Batch, piece: &Piece, produced: &mut Produced) {
        let place = place(&piece.source, piece.line);
        let range = match &piece.content {
            Ok(range) => range,
            Err(PieceError::Unreadable(error)) => {
                produced.problems.push((format!("cannot read `{}`: {error}", piece.source), None));
                return;
            }
        };
        match (self.answer)(batch.bytes(range), piece.forgotten, &place) {
            Ok(result) => {
                produced.tally.count(result.answer());
                if let Err(error) = self.write(&result, &place, &mut produced.text) {
                    produced.problems.push((format!("{place}: {error}"), None));
                }
            }
            Err(error) => produced.problems.push((format!("{place}: {error}"), error.help())),
        }
    }

    fn write(&self, result: &T, place: &str, text: &mut Vec<u8>) -> Result<(), serde_json::Error> {
        match self.format {
            Format::Human => {
                text.extend_from_slice(result.human(place, self.palette).unwrap_or_default().as_bytes());
            }
            Format::Jsonl => {
                serde_json::to_writer(&mut *text, result)?;
                text.push(b'\n');
            }
            // The comma of the first value is taken away again where the list begins.
            Format::Json => {
                text.extend_from_slice(b",\n");
                serde_json::to_writer_pretty(&mut *text, result)?;
            }
        }
        Ok(())
    }
}

/// The end of the pipeline.
struct Sink {
    output: Output,
    writing: Writing,
    palette: Palette,
    progress: Progress,
    tally: Tally,
    unreadable: u64,
    is_open: bool,
}

impl Sink {
    fn new(writing: Writing, palette: Palette, size: Option<u64>) -> Self {
        Self {
            output: Output::standard(),
            writing,
            palette,
            progress: Progress::over(size),
            tally: Tally::default(),
            unreadable: 0,
            is_open: false,
        }
    }

    fn take(&mut self, produced: &Produced) -> Result<(), Failure> {
        let mut text = produced.text.as_slice();
        if self.writing.format == Format::Json && !self.is_open && !text.is_empty() {
            self.is_open = true;
            self.output.write_all(b"[")?;
            text = text.strip_prefix(b",").unwrap_or(text);
        }
        self.output.write_all(text)?;
        self.output.finish()?;
        self.progress.suspend(|| {
            produced.problems.iter().for_each(|(problem, help)| error_line(problem, *help));
        });
        self.unreadable += produced.problems.len() as u64;
        self.tally.add(&produced.tally);
        self.progress.advance(produced.read, self.tally.total);
        Ok(())
    }

    fn end(mut self) -> Result<Ended, Failure> {
        match self.writing.format {
            Format::Human if self.writing.with_tally && self.tally.total != 1 => {
                self.output.write_all(self.tally.words(self.palette).as_bytes())?;
            }
            Format::Json => self.output.write_all(if self.is_open { b"\n]\n" } else { b"[]\n" })?,
            Format::Human | Format::Jsonl => {}
        }
        self.output.finish()?;
        match self.unreadable {
            0 => Ok(Ended::Done),
            count => Err(Failure::PartlyUnreadable(count)),
        }
    }
}

fn place(source: &Arc<str>, line: u64) -> String {
    format!("{source}:{line}")
}
