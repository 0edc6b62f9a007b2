//! `faultbook simulate`: the timeline that a failure would take under a policy.

mod candidates;

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use faultbook::Code;
use faultbook::policy::Jitter;
use faultbook::policy::simulate::{Scenario, render, simulate};
use faultbook_taxonomy::Hints;
use jiff::{SignedDuration, Timestamp};

use super::policy_options::{ContextName, document, jitter, policy};
use crate::failure::{Ended, Failure};
use crate::input::{instant, read_classification};
use crate::output::{Format, Output};

/// Show the timeline that a failure would take under a policy
///
/// Every attempt, wait, deadline, degraded resource and the outcome, without waiting for any of it: what does this
/// policy mean when the provider is overloaded for an hour?
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Simulate {
    /// The failure that every attempt meets
    #[arg(long, visible_alias = "for", value_name = "CODE", value_parser = code())]
    #[arg(hide_possible_values = true, required_unless_present_any = ["scenario", "classification"])]
    code: Option<Code>,
    /// Who is served
    #[arg(long, value_name = "WHO", default_value = "unattended")]
    context: ContextName,
    /// The policy of every candidate: `standard`, `immediate` or a file; an interactive session has none
    #[arg(long, value_name = "POLICY", default_value = "standard")]
    policy: String,
    /// The candidates in the user's order; the failure begins at the first
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    candidates: Vec<String>,
    /// Those of the candidates that do not meet the failure; the first one only begins with it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    healthy: Vec<String>,
    /// The wait that the failure states, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    retry_after: Option<f64>,
    /// The reset that the failure states
    #[arg(long, value_name = "TIME", value_parser = instant)]
    reset_at: Option<Timestamp>,
    /// When attempts begin to succeed, in seconds from the start; never where it is absent
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    recovers_after: Option<u32>,
    /// The start [default: the clock]
    #[arg(long, visible_alias = "now", value_name = "TIME", value_parser = instant)]
    at: Option<Timestamp>,
    /// The jitter of every wait, from 0 to 1
    #[arg(long, value_name = "FRACTION", value_parser = jitter, default_value = "0")]
    #[arg(allow_negative_numbers = true)]
    jitter: Jitter,
    /// A complete scenario as JSON, which says all of the above itself
    #[arg(long, value_name = "FILE", conflicts_with_all = SAID_BY_SCENARIO)]
    scenario: Option<PathBuf>,
    /// The failure as `faultbook classify --format jsonl` wrote it, with its hints, instead of a code
    ///
    /// It is simulated as current, acknowledged and without effects: the timeline of a failure that the gate lets pass.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["code", "scenario", "retry_after", "reset_at"])]
    classification: Option<PathBuf>,
    /// How the timeline is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

/// A scenario says these itself.
const SAID_BY_SCENARIO: [&str; 10] = [
    "code",
    "context",
    "policy",
    "candidates",
    "healthy",
    "retry_after",
    "reset_at",
    "recovers_after",
    "at",
    "jitter",
];

const EXAMPLES: &str = "\
Examples:
    faultbook simulate --code provider_overloaded --candidates primary,backup,spare --healthy spare
    faultbook simulate --code quota_limited --retry-after 7200 --policy my-policy.yaml
    faultbook simulate --code network_unavailable --context interactive --recovers-after 30
    faultbook classify turn.json --format jsonl | faultbook simulate --classification -";

fn code() -> impl TypedValueParser<Value = Code> {
    PossibleValuesParser::new(Code::ALL.iter().map(|code| code.as_str())).try_map(|name| name.parse::<Code>())
}

/// Reads a wait.
fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    number.ok_or_else(|| "a wait is a number of seconds, 0 or more".to_owned())
}

impl Simulate {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let timeline = simulate(&self.scenario()?);
        let mut output = Output::standard();
        match self.format {
            Format::Human => output.write_all(render(&timeline).as_bytes())?,
            Format::Json | Format::Jsonl => output.json(&timeline, self.format)?,
        }
        output.finish()?;
        Ok(Ended::Done)
    }

    fn scenario(&self) -> Result<Scenario, Failure> {
        if let Some(file) = &self.scenario {
            let help = "`faultbook schema scenario` prints the format";
            let scenario: Scenario = document(file, "scenario", help, |value| {
                serde_json::from_value(value).map_err(|error| error.to_string())
            })?;
            candidates::distinct(scenario.candidates.iter().map(|candidate| candidate.name.as_str()))?;
            return Ok(scenario);
        }
        let policy = policy(&self.policy)?;
        let candidates = candidates::named(self.context.into(), &self.candidates, &self.healthy)?;
        // Nobody reads a start to the nanosecond.
        let now = self
            .at
            .unwrap_or_else(|| Timestamp::from_second(Timestamp::now().as_second()).unwrap_or_default());
        let mut scenario = self.failure(now)?;
        scenario.failure.jitter = self.jitter;
        scenario.failure.observed_at = Some(now);
        scenario.failure.policy = Some(policy);
        scenario.recovers_at = self
            .recovers_after
            .and_then(|seconds| now.checked_add(SignedDuration::from_secs(i64::from(seconds))).ok());
        scenario.candidates = candidates.into_iter().map(|one| one.with(policy)).collect();
        if let Some(first) = scenario.candidates.first() {
            scenario.failure.route = first.route.clone();
            scenario.failure.cycle.candidate = Some(first.name.clone());
        }
        Ok(scenario)
    }

    /// The failure that is simulated, with nothing else known.
    fn failure(&self, now: Timestamp) -> Result<Scenario, Failure> {
        let context = self.context.into();
        match (self.code, &self.classification) {
            (Some(code), _) => {
                let hints =
                    Hints { retry_after_s: self.retry_after, reset_at: self.reset_at, ..Hints::default() };
                Ok(Scenario::of_code(context, now, code, hints))
            }
            (None, Some(file)) => {
                let help = "give one line of `faultbook classify --format jsonl`";
                let answer = document(file, "classification", help, read_classification)?;
                Ok(Scenario::plain(context, now, answer))
            }
            (None, None) => Err(Failure::usage("there is nothing to simulate", "name a failure with --code")),
        }
    }
}
