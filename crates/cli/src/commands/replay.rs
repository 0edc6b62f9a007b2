//! `faultbook replay`: what a host would have concluded from a recorded run.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use faultbook::adapters::Recording;
use faultbook::adapters::recording::MAX_RECORDING_BYTES;
use faultbook::{Classification, Envelope, Faultbook};
use faultbook_taxonomy::Reason;

use crate::failure::{Ended, Failure};
use crate::input::Source;
use crate::output::{Format, Output, Palette, error_line};
use crate::packs::PackOptions;
use crate::view;

/// Say what a host would have concluded from a recorded run of an agent
///
/// Reads recordings (faultbook.recording/1), feeds their frames to the adapter of their format, and gives one answer
/// for each recording: the last prompt's, else that of the time before any prompt.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Replay {
    /// Recordings; standard input where none is given
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also answers each prompt of a recording, as `<id>#n`
    #[arg(long)]
    all_prompts: bool,
    /// Shows the whole reasoning
    #[arg(long)]
    explain: bool,
    /// Prints the evidence envelopes themselves, one a line, instead of answers
    #[arg(long, conflicts_with = "explain")]
    envelopes: bool,
    #[command(flatten)]
    packs: PackOptions,
    /// How answers are written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
    faultbook replay run.json
    faultbook replay --format jsonl recordings/*.json
    faultbook replay --explain run.json
    faultbook replay --envelopes run.json | faultbook new --code rate_limited";

impl Replay {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let book = self.packs.open()?;
        let mut writer = Writer {
            output: Output::standard(),
            book,
            palette: Palette::of_output(),
            replay: self,
            is_first: true,
        };
        let mut unreadable = 0;
        for source in Source::of(&self.files) {
            let name = source.name();
            match read(&source) {
                Ok(recording) => writer.recording(&recording)?,
                Err(why) => {
                    error_line(&format!("{name}: {why}"), None);
                    unreadable += 1;
                }
            }
        }
        writer.end()?;
        if unreadable == 0 { Ok(Ended::Done) } else { Err(Failure::PartlyUnreadable(unreadable)) }
    }
}

fn read(source: &Source) -> Result<Recording, String> {
    let text = source.read_text(MAX_RECORDING_BYTES as u64).map_err(|error| error.to_string())?;
    Recording::read(&text).map_err(|error| error.to_string())
}

struct Writer<'r> {
    output: Output,
    book: Faultbook,
    palette: Palette,
    replay: &'r Replay,
    is_first: bool,
}

impl Writer<'_> {
    fn recording(&mut self, recording: &Recording) -> Result<(), Failure> {
        if self.replay.all_prompts {
            for turn in recording.turns() {
                self.envelope(&turn.envelope)?;
            }
        }
        match recording.answering_turn() {
            Some(turn) => self.envelope(&turn.envelope),
            None if self.replay.envelopes => Ok(()),
            None => {
                let digest = self.book.catalogue().digest().to_owned();
                let id = faultbook::sanitise::sanitise(&recording.id);
                self.answer(&Classification::unclassified(Some(id), Reason::None, digest))
            }
        }
    }

    fn envelope(&mut self, envelope: &Envelope) -> Result<(), Failure> {
        if self.replay.envelopes {
            let value = faultbook::sanitise::sanitise_json(&envelope.to_json()?);
            return self.output.json(&value, Format::Jsonl);
        }
        if !self.replay.explain {
            return self.answer(&self.book.classify(envelope));
        }
        let told = self.book.explain(envelope);
        match self.replay.format {
            Format::Human => {
                let place = told.classification.id.clone().unwrap_or_default();
                let text = view::explanation(&place, &told, &self.book.catalogue(), self.palette);
                Ok(writeln!(self.output, "{text}")?)
            }
            Format::Json | Format::Jsonl => self.value(&told),
        }
    }

    fn answer(&mut self, answer: &Classification) -> Result<(), Failure> {
        match self.replay.format {
            Format::Human => {
                let place = answer.id.clone().unwrap_or_default();
                Ok(self.output.write_all(view::answer(&place, answer, self.palette).as_bytes())?)
            }
            Format::Json | Format::Jsonl => self.value(answer),
        }
    }

    /// A value of the list, or one a line.
    fn value(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        if self.replay.format == Format::Json {
            self.output.write_all(if self.is_first { b"[" } else { b"," })?;
        }
        self.is_first = false;
        self.output.json(value, self.replay.format)
    }

    fn end(&mut self) -> Result<(), Failure> {
        if self.replay.format == Format::Json && !self.replay.envelopes {
            self.output.write_all(if self.is_first { b"[]\n" } else { b"]\n" })?;
        }
        self.output.finish()
    }
}
