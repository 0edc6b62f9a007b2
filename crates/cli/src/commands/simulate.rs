//! `faultbook simulate`: the timeline that a failure would take under a policy.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use faultbook::Code;
use faultbook::policy::simulate::{Scenario, ScenarioCandidate, render, simulate};
use faultbook::policy::{Jitter, Route};
use faultbook_taxonomy::Hints;
use jiff::{SignedDuration, Timestamp};

use super::policy_options::{ContextName, jitter, policy};
use crate::failure::{Ended, Failure};
use crate::input::{Source, instant};
use crate::output::{Format, Output};

/// Show the timeline that a failure would take under a policy
///
/// Every attempt, wait, deadline, degraded resource and the outcome, without waiting for any of it: what does this
/// policy mean when the provider is overloaded for an hour?
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Simulate {
    /// The failure that every attempt meets
    #[arg(long, value_name = "CODE", value_parser = code(), hide_possible_values = true)]
    #[arg(required_unless_present = "scenario")]
    code: Option<Code>,
    /// Who is served
    #[arg(long, value_name = "WHO", default_value = "unattended")]
    context: ContextName,
    /// The policy of every candidate: `standard`, `immediate` or a file
    #[arg(long, value_name = "POLICY", default_value = "standard")]
    policy: String,
    /// The candidates in the user's order; the failure begins at the first, and all meet it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    candidates: Vec<String>,
    /// Candidates that do not meet the failure
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    healthy: Vec<String>,
    /// The wait that the failure states, in seconds
    #[arg(long, value_name = "SECONDS")]
    retry_after: Option<f64>,
    /// The reset that the failure states
    #[arg(long, value_name = "TIME", value_parser = instant)]
    reset_at: Option<Timestamp>,
    /// When attempts begin to succeed, in seconds from the start; never where it is absent
    #[arg(long, value_name = "SECONDS")]
    recovers_after: Option<u32>,
    /// The start [default: the clock]
    #[arg(long, visible_alias = "now", value_name = "TIME", value_parser = instant)]
    at: Option<Timestamp>,
    /// The jitter of every wait, from 0 to 1
    #[arg(long, value_name = "FRACTION", value_parser = jitter, default_value = "0")]
    jitter: Jitter,
    /// A complete scenario as JSON instead
    #[arg(long, value_name = "FILE", conflicts_with = "code")]
    scenario: Option<PathBuf>,
    /// How the timeline is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
    faultbook simulate --code provider_overloaded --candidates primary,backup
    faultbook simulate --code quota_limited --retry-after 7200 --policy my-policy.yaml
    faultbook simulate --code network_unavailable --context interactive --recovers-after 30";

fn code() -> impl TypedValueParser<Value = Code> {
    PossibleValuesParser::new(Code::ALL.iter().map(|code| code.as_str())).try_map(|name| name.parse::<Code>())
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
            return read(file);
        }
        let Some(code) = self.code else {
            return Err(Failure::usage("there is nothing to simulate", "name a failure with --code"));
        };
        let policy = policy(&self.policy)?;
        let now = self.at.unwrap_or_else(Timestamp::now);
        let hints = Hints { retry_after_s: self.retry_after, reset_at: self.reset_at, ..Hints::default() };
        let mut scenario = Scenario::of_code(self.context.into(), now, code, hints);
        scenario.failure.jitter = self.jitter;
        scenario.failure.observed_at = Some(now);
        scenario.failure.policy = Some(policy);
        scenario.failure.cycle.candidate = self.candidates.first().cloned();
        scenario.recovers_at = self
            .recovers_after
            .and_then(|seconds| now.checked_add(SignedDuration::from_secs(i64::from(seconds))).ok());
        // Each candidate has a provider of its own: what one degrades does not touch the next.
        let candidate = |name: &String, fails: bool| ScenarioCandidate {
            name: name.clone(),
            route: Route { provider: Some(name.clone()), ..Route::default() },
            policy: Some(policy),
            fails,
        };
        let failing = self.candidates.iter().map(|name| candidate(name, true));
        scenario.candidates = failing.chain(self.healthy.iter().map(|name| candidate(name, false))).collect();
        if let Some(first) = scenario.candidates.first() {
            scenario.failure.route = first.route.clone();
            scenario.failure.cycle.candidate = Some(first.name.clone());
        }
        Ok(scenario)
    }
}

fn read(file: &std::path::Path) -> Result<Scenario, Failure> {
    /// The most bytes of a scenario.
    const MAX_BYTES: u64 = 1024 * 1024;
    let source = Source::of(&[file.to_owned()]).pop().unwrap_or(Source::Standard);
    let path = source.name().to_string();
    let text = source.read_text(MAX_BYTES).map_err(|error| Failure::File {
        path: path.clone(),
        verb: "read",
        error,
    })?;
    serde_json::from_str(&text)
        .map_err(|error| Failure::usage(format!("{path}: no scenario: {error}"), "see the schema scenario"))
}
