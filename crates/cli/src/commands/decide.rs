//! `faultbook decide`: what may be done about a failure.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use faultbook::policy::{
    CandidatePolicy, Decision, DecisionContext, ExecutionContext, Jitter, RemainingCandidate, Route,
    RouteCycle, Used, decide,
};
use faultbook::{Classification, Delivery, Envelope, Faultbook};
use jiff::Timestamp;
use serde::Serialize;

use super::policy_options::{ContextName, jitter, policy};
use super::stream::{self, Shown, Writing};
use crate::failure::{Ended, Failure};
use crate::input::{InputOptions, Source, instant};
use crate::output::{Format, Output, Palette};
use crate::packs::PackOptions;
use crate::view;

/// Say what may be done about a failure
///
/// Classifies each piece of evidence and evaluates the policy. What is not said is unknown, and unknown never
/// authorises work: with evidence alone the safety gate stays closed and says which condition failed.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Decide {
    #[command(flatten)]
    input: InputOptions,
    #[command(flatten)]
    facts: DecisionFacts,
    /// Decides a complete faultbook decision context (JSON) instead of evidence
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
    faultbook decide --context interactive turn.json";

/// What the host knows beside the evidence.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Decision")]
struct DecisionFacts {
    /// Who is served
    #[arg(long, value_name = "WHO", default_value = "interactive")]
    context: ContextName,
    /// The candidate's policy: `standard`, `immediate` or a file; unattended work needs one
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// The present [default: the clock]
    #[arg(long, value_name = "TIME", value_parser = instant)]
    at: Option<Timestamp>,
    /// The drawn jitter, from 0 to 1
    #[arg(long, value_name = "FRACTION", value_parser = jitter, default_value = "0")]
    jitter: Jitter,
    /// The number of this failure, from 1: how many attempts were made; unknown counts as all of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    attempt: Option<u32>,
    /// The one wait for a reset was used in this route cycle
    #[arg(long)]
    reset_wait_used: bool,
    /// Whether the prompt reached the provider, where the evidence does not say it
    #[arg(long, value_name = "HOW", value_parser = delivery(), hide_possible_values = true)]
    delivery: Option<Delivery>,
    /// Neither the model's words nor a tool had any effect, where the evidence does not say it
    #[arg(long)]
    no_effects: bool,
    /// A continuation package is stored
    #[arg(long)]
    continuation_package: bool,
    /// The evidence belongs to the prompt that is active now
    #[arg(long)]
    assume_current: bool,
    /// The candidate that failed
    #[arg(long, value_name = "NAME")]
    candidate: Option<String>,
    /// The candidates that are left, in the user's order
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    remaining: Vec<String>,
}

fn delivery() -> impl TypedValueParser<Value = Delivery> {
    PossibleValuesParser::new(Delivery::ALL.iter().map(|word| word.as_str()))
        .try_map(|word| word.parse::<Delivery>())
}

impl Decide {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Ended, Failure> {
        if let Some(file) = &self.context_file {
            return decide_context(file, self.format);
        }
        let book = self.packs.open()?;
        let policy = self.facts.policy.as_deref().map(policy).transpose()?;
        let now = self.facts.at.unwrap_or_else(Timestamp::now);
        let writing = Writing { format: self.format, with_tally: false };
        let facts = self.facts;
        stream::run(&self.input, writing, book, move |book, envelope| {
            facts.judge(book, envelope, policy, now)
        })
    }
}

/// Decides a context that somebody else has put together.
fn decide_context(file: &std::path::Path, format: Format) -> Result<Ended, Failure> {
    /// The most bytes of a context.
    const MAX_BYTES: u64 = 1024 * 1024;
    let source = Source::of(&[file.to_owned()]).pop().unwrap_or(Source::Standard);
    let path = source.name().to_string();
    let text = source.read_text(MAX_BYTES).map_err(|error| Failure::File {
        path: path.clone(),
        verb: "read",
        error,
    })?;
    let context: DecisionContext = serde_json::from_str(&text).map_err(|error| {
        Failure::usage(format!("{path}: no decision context: {error}"), "see the schema decision-context")
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

impl DecisionFacts {
    fn judge(
        &self,
        book: &Faultbook,
        envelope: &Envelope,
        policy: Option<CandidatePolicy>,
        now: Timestamp,
    ) -> Decided {
        let classification = book.classify(envelope);
        let context = self.context(envelope, classification.clone(), policy, now);
        Decided { decision: decide(&context), classification }
    }

    /// The evidence's facts, completed by the arguments where it is silent.
    fn context(
        &self,
        envelope: &Envelope,
        mut classification: Classification,
        policy: Option<CandidatePolicy>,
        now: Timestamp,
    ) -> DecisionContext {
        if self.no_effects {
            let effects = &mut classification.effects;
            effects.assistant_output = effects.assistant_output.or(Some(false));
            effects.tool_activity = effects.tool_activity.or(Some(false));
        }
        let mut context = DecisionContext::new(ExecutionContext::from(self.context), now, classification);
        context.jitter = self.jitter;
        context.observed_at = envelope.occurred_at;
        context.route =
            Route { provider: envelope.provider.clone(), model: envelope.model.clone(), ..Route::default() };
        context.policy = policy;
        context.cycle = self.cycle();
        context.continuation_package = self.continuation_package.then_some(true);
        context.phase = envelope.phase;
        context.delivery = envelope.delivery.or(self.delivery);
        self.correlate(envelope, &mut context);
        context
    }

    fn cycle(&self) -> RouteCycle {
        let retries = self.attempt.map(|attempt| attempt.saturating_sub(1));
        let used = Used { retries, reset_wait: self.attempt.map(|_| self.reset_wait_used) };
        let remaining = self
            .remaining
            .iter()
            .map(|name| RemainingCandidate { candidate: name.clone(), route: Route::default() });
        RouteCycle {
            candidate: self.candidate.clone(),
            transient: used,
            hard: used,
            remaining: remaining.collect(),
            ..RouteCycle::default()
        }
    }

    fn correlate(&self, envelope: &Envelope, context: &mut DecisionContext) {
        let evidence = &mut context.evidence;
        evidence.session.clone_from(&envelope.session);
        evidence.execution.clone_from(&envelope.execution);
        evidence.generation = envelope.generation;
        evidence.foreground = envelope.foreground;
        if self.assume_current {
            let assumed = || Some("assumed".to_owned());
            evidence.session = evidence.session.take().or_else(assumed);
            evidence.execution = evidence.execution.take().or_else(assumed);
            evidence.generation = evidence.generation.or(Some(0));
            evidence.foreground = evidence.foreground.or(Some(true));
            context.current.session.clone_from(&evidence.session);
            context.current.execution.clone_from(&evidence.execution);
            context.current.generation = evidence.generation;
        }
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
