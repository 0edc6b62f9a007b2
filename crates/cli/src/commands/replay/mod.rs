//! `faultbook replay`: what a host would have concluded from a recorded run.

mod conclusions;
mod found;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use faultbook::adapters::recording::{MAX_RECORDING_BYTES, RecordingError};
use faultbook::adapters::{Recording, Source as Stream};
use faultbook::{Classification, Envelope, Explanation, Faultbook};
use faultbook_taxonomy::Reason;
use serde::Serialize;

use crate::failure::{Ended, Failure};
use crate::input::Source;
use crate::output::{Format, Output, Palette, error_line, warning_line};
use crate::packs::PackOptions;
use crate::view::{self, Table, counted};
use conclusions::{Change, Conclusion};
use found::Found;

/// Say what a host would have concluded from a recorded run of an agent
///
/// Reads recordings (faultbook.recording/1), feeds their frames to the adapter of their format, and gives one answer
/// for each recording: the last prompt's, else that of the time before any prompt. With --explain it also says after
/// which frame the conclusion changed.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Replay {
    /// Recordings, or folders with recordings (*.json); standard input where none is given
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
    faultbook replay --format jsonl recordings
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
        for Found { source, is_named } in found::sources(&self.files)? {
            let name = source.name();
            match read(&source) {
                Ok(recording) => writer.recording(&recording)?,
                Err(Unreadable::NoRecording(why)) if !is_named => {
                    warning_line(&format!("{name}: left out: {why}"));
                }
                Err(Unreadable::NoRecording(why) | Unreadable::Broken(why)) => {
                    error_line(&format!("{name}: {why}"), None);
                    unreadable += 1;
                }
            }
        }
        writer.end()?;
        if unreadable == 0 { Ok(Ended::Done) } else { Err(Failure::PartlyUnreadable(unreadable)) }
    }
}

/// Why there is no recording.
enum Unreadable {
    /// It is JSON of another kind.
    NoRecording(String),
    /// It cannot be read.
    Broken(String),
}

fn read(source: &Source) -> Result<Recording, Unreadable> {
    let text = source
        .read_text(MAX_RECORDING_BYTES as u64)
        .map_err(|error| Unreadable::Broken(error.to_string()))?;
    Recording::read(&text).map_err(|error| match error {
        RecordingError::NotAnObject | RecordingError::Schema(_) => Unreadable::NoRecording(error.to_string()),
        RecordingError::TooLarge(_) | RecordingError::NotJson(_) | RecordingError::NoFrames => {
            Unreadable::Broken(error.to_string())
        }
    })
}

/// The reasoning behind a recording's answer, and how the conclusion came about in time.
#[derive(Serialize)]
struct Told<'t> {
    #[serde(flatten)]
    explanation: &'t Explanation,
    /// After which frames the conclusion changed.
    conclusions: &'t [Change],
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
            Some(turn) if self.replay.explain => {
                let changes = conclusions::changes(&self.book, recording);
                self.explain(&turn.envelope, Some((recording, &changes)))
            }
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
        self.explain(envelope, None)
    }

    /// The whole reasoning; for a recording's answer with the changes before it.
    fn explain(
        &mut self,
        envelope: &Envelope,
        of_recording: Option<(&Recording, &[Change])>,
    ) -> Result<(), Failure> {
        let told = self.book.explain(envelope);
        match (self.replay.format, of_recording) {
            (Format::Human, of_recording) => {
                let place = told.classification.id.clone().unwrap_or_default();
                if let Some((recording, changes)) = of_recording {
                    let text = self.course(&place, recording, changes, &Conclusion::of(&told.classification));
                    self.output.write_all(text.as_bytes())?;
                }
                let text = view::explanation(&place, &told, &self.book.catalogue(), self.palette);
                Ok(writeln!(self.output, "{text}")?)
            }
            (Format::Json | Format::Jsonl, Some((_, conclusions))) => {
                self.value(&Told { explanation: &told, conclusions })
            }
            (Format::Json | Format::Jsonl, None) => self.value(&told),
        }
    }

    /// The course of a run: each change of the conclusion, and what its end made of it.
    fn course(&self, place: &str, recording: &Recording, changes: &[Change], end: &Conclusion) -> String {
        let frames = counted(recording.frames.len(), "frame");
        let mut text = format!("{}\n", Palette::paint(self.palette.strong, format!("{place}, {frames}")));
        let mut table = Table::default();
        let mut row = |when: String, conclusion: &Conclusion| {
            table.row([(self.palette.faint, when), (anstyle::Style::new(), conclusion.words())]);
        };
        for Change { frame, t_ms, stream, conclusion } in changes {
            row(format!("after frame {frame} at {t_ms} ms, {}", stream_name(*stream)), conclusion);
        }
        let exit = recording.exit_code.map(|code| format!(", exit code {code}")).unwrap_or_default();
        row(format!("at the end{exit}"), end);
        text.push_str(&table.render("  "));
        text.push('\n');
        text
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
    fn value(&mut self, value: &impl Serialize) -> Result<(), Failure> {
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

/// A stream as recordings name it.
const fn stream_name(stream: Stream) -> &'static str {
    match stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
        Stream::FromAgent => "from_agent",
        Stream::ToAgent => "to_agent",
        Stream::Host => "host",
    }
}
