//! `faultbook decide`: what may be done about a failure.

mod facts;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::Resettable;
use faultbook::policy::{CandidatePolicy, Decision, DecisionContext, ExecutionContext, decide};
use faultbook::{Classification, situation};
use jiff::Timestamp;
use serde::Serialize;

use super::policy_options::{document, policy};
use super::stream::{self, Shown, Writing};
use crate::failure::{Ended, Failure};
use crate::input::{EvidenceReader, InputOptions, TextFacts, classification};
use crate::output::{Format, Output, Palette};
use crate::packs::PackOptions;
use crate::view;
use facts::DecisionFacts;

/// Say what may be done about a failure
///
/// Reads evidence, which it classifies first, or classifications as `faultbook classify --format jsonl` writes them,
/// and evaluates the policy for each. What is not said is unknown, and unknown never authorises work: with evidence
/// alone the safety gate stays closed and says which condition failed. An option replaces what the evidence says.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
#[command(mut_arg("occurred_at", |arg| arg.visible_alias(Resettable::Reset).visible_alias("observed-at")))]
pub(crate) struct Decide {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    facts: DecisionFacts,
    /// Decides a complete decision context (JSON, see `faultbook schema decision-context`) instead of evidence
    #[arg(long, value_name = "FILE", help_heading = "Decision", conflicts_with = "files")]
    context_file: Option<PathBuf>,
    #[command(flatten)]
    packs: PackOptions,
    /// How decisions are written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  May this be retried? Say what the host knows:
    faultbook decide --context unattended --policy standard --assume-current \\
      --delivery acknowledged --no-effects --attempt 1 turn.json

  Why not?
    faultbook decide --context interactive turn.json

  In two steps, with every fact of the gate said by itself:
    faultbook classify --format jsonl turn.json | faultbook decide --context interactive --attempt 1 \\
      --foreground true --session s-1 --current-session s-1 --execution e-1 --current-execution e-1 \\
      --generation 7 --current-generation 7 --delivery acknowledged --phase prompt_send \\
      --assistant-output false --tool-activity false";

impl Decide {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Ended, Failure> {
        if let Some(file) = &self.context_file {
            return decide_context(file, self.format);
        }
        let book = self.packs.open()?;
        let judge = Judge {
            policy: self.facts.policy().map(policy).transpose()?,
            now: self.facts.now().unwrap_or_else(Timestamp::now),
            facts: self.facts,
            text: self.input.facts.clone(),
        };
        let writing = Writing { format: self.format, with_tally: false };
        let kind = self.input.input;
        let reader = EvidenceReader::new(kind, self.input.facts.clone());
        stream::run_pieces(&self.input, writing, move |bytes, forgotten, place| {
            Ok(match classification(kind, bytes, forgotten) {
                Some(answer) => judge.classification(answer?),
                None => {
                    let envelope = reader.read(bytes, forgotten, place)?;
                    let answer = book.classify(&envelope);
                    judge.decide(situation(&envelope, answer, judge.context(), judge.now))
                }
            })
        })
    }
}

/// Decides a context that somebody else has put together.
fn decide_context(file: &std::path::Path, format: Format) -> Result<Ended, Failure> {
    let help = "`faultbook schema decision-context` prints the format";
    let context: DecisionContext = document(file, "decision context", help, |value| {
        serde_json::from_value(value).map_err(|error| error.to_string())
    })?;
    let decision = decide(&context);
    let mut output = Output::standard();
    match format {
        Format::Human => writeln!(output, "{decision}")?,
        Format::Json | Format::Jsonl => output.json(&decision, format)?,
    }
    output.finish()?;
    Ok(Ended::Done)
}

/// Everything that is the same for all pieces of the input.
struct Judge {
    policy: Option<CandidatePolicy>,
    now: Timestamp,
    facts: DecisionFacts,
    text: TextFacts,
}

impl Judge {
    fn context(&self) -> ExecutionContext {
        self.facts.context()
    }

    /// A classification says nothing about the turn but its effects and hints.
    fn classification(&self, answer: Classification) -> Decided {
        self.decide(DecisionContext::new(self.context(), self.now, answer))
    }

    fn decide(&self, mut situation: DecisionContext) -> Decided {
        situation.policy = self.policy;
        self.facts.complete(&self.text, &mut situation);
        Decided { decision: decide(&situation), classification: situation.classification }
    }
}

/// One decision, with the answer that it rests on.
#[derive(Serialize)]
#[serde(transparent)]
struct Decided {
    decision: Decision,
    #[serde(skip)]
    classification: Classification,
}

impl Shown for Decided {
    fn answer(&self) -> &Classification {
        &self.classification
    }

    fn human(&self, place: &str, palette: Palette) -> Option<String> {
        let mut text = view::answer(place, &self.classification, palette);
        let _ = writeln!(text, "    {}", Palette::paint(palette.strong, &self.decision));
        Some(text)
    }
}
