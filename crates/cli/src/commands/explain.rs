//! `faultbook explain`: answers with the whole reasoning.

use std::sync::Arc;

use clap::Args;
use faultbook::{Catalogue, Classification, Explanation};
use serde::Serialize;

use super::stream::{self, Shown, Writing};
use crate::failure::{Ended, Failure};
use crate::input::InputOptions;
use crate::output::{Format, Palette};
use crate::packs::PackOptions;
use crate::view;

/// Say what went wrong, and why that is the answer
///
/// Takes the same input as `classify`. Shows how the turn was cut into statements and attempts, which rules matched
/// where (bytes of the original), which rule was preferred to which and at which step, what capped the confidence,
/// which hints were used or dropped, and which rules almost matched.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Explain {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    packs: PackOptions,
    /// How explanations are written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  Why is this a quota and no throttle?
    faultbook explain --agent codex --channel stderr error.txt

  Why did no rule match? The last section lists those that almost did:
    pbpaste | faultbook explain

  One envelope of a file:
    sed -n 12p turns.jsonl | faultbook explain";

impl Explain {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Ended, Failure> {
        let book = self.packs.open()?;
        let writing = Writing { format: self.format, with_tally: false };
        stream::run(&self.input, writing, book, |book, envelope| Explained {
            explanation: book.explain(envelope),
            catalogue: book.catalogue(),
        })
    }
}

/// One explanation, with the catalogue that gave it.
#[derive(Serialize)]
#[serde(transparent)]
struct Explained {
    explanation: Explanation,
    #[serde(skip)]
    catalogue: Arc<Catalogue>,
}

impl Shown for Explained {
    fn answer(&self) -> &Classification {
        &self.explanation.classification
    }

    fn human(&self, place: &str, palette: Palette) -> Option<String> {
        Some(view::explanation(place, &self.explanation, &self.catalogue, palette) + "\n")
    }
}
