//! `faultbook classify`: one answer for each piece of evidence.

use clap::Args;
use faultbook::Classification;
use faultbook_taxonomy::Reason;
use serde::Serialize;

use super::stream::{self, Shown, Writing};
use crate::failure::{Ended, Failure};
use crate::input::{By, InputOptions};
use crate::output::{Format, Palette};
use crate::packs::PackOptions;
use crate::view;

/// Say what went wrong
///
/// Reads evidence envelopes, one a line, or what an agent printed, and answers each with one classification.
/// Without options a file (or standard input) is one text, and lines that are envelopes are read as such.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Classify {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    packs: PackOptions,
    /// How answers are written: `jsonl` is one answer a line, with the schema faultbook.classification/1
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
    /// Also shows the pieces in which nothing matched, when cut by line or block (human format)
    #[arg(long, help_heading = "Output")]
    all: bool,
}

const EXAMPLES: &str = "\
Examples:
  A pasted error of Claude Code, with the exit code of its process:
    faultbook classify --agent claude-code --exit-code 1 error.txt

  Every line of a log that went wrong, in constant memory:
    faultbook classify --by line --channel log --agent codex codex.log

  Envelopes of a host, answered one a line and in order:
    faultbook classify --format jsonl < turns.jsonl > answers.jsonl

  With a pack of your own beside the embedded one:
    faultbook classify --rules rules/acme --trust acme error.txt";

impl Classify {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Ended, Failure> {
        let book = self.packs.open()?;
        let hides_silence = self.input.by() != By::File && !self.all;
        let writing = Writing { format: self.format, with_tally: true };
        stream::run(&self.input, writing, book, move |book, envelope| Answer {
            classification: book.classify(envelope),
            hides_silence,
        })
    }
}

/// One answer.
#[derive(Serialize)]
#[serde(transparent)]
struct Answer {
    classification: Classification,
    #[serde(skip)]
    hides_silence: bool,
}

impl Shown for Answer {
    fn answer(&self) -> &Classification {
        &self.classification
    }

    fn human(&self, place: &str, palette: Palette) -> Option<String> {
        let is_silent = self.classification.reason == Some(Reason::None);
        (!(is_silent && self.hides_silence)).then(|| view::answer(place, &self.classification, palette))
    }
}
