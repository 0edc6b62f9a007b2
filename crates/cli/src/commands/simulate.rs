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
    /// The failure as `faultbook classify --format jsonl` wrote it, with its hints, instead of a code
    ///
    /// It is simulated as current, acknowledged and without effects: the timeline of a failure that the gate lets pass.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["code", "scenario", "retry_after", "reset_at"])]
    classification: Option<PathBuf>,
    /// How the timeline is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
    faultbook simulate --code provider_overloaded --candidates primary,backup
    faultbook simulate --code quota_limited --retry-after 7200 --policy my-policy.yaml
    faultbook simulate --code network_unavailable --context interactive --recovers-after 30
    faultbook classify turn.json --format jsonl | faultbook simulate --classification -";

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
            let help = "`faultbook schema scenario` prints the format";
            return document(file, "scenario", help, |value| {
                serde_json::from_value(value).map_err(|error| error.to_string())
            });
        }
        let policy = policy(&self.policy)?;
        let now = self.at.unwrap_or_else(Timestamp::now);
        let mut scenario = self.failure(now)?;
        scenario.failure.jitter = self.jitter;
        scenario.failure.observed_at = Some(now);
        scenario.failure.policy = Some(policy);
        scenario.failure.cycle.candidate = self.candidates.first().cloned();
        scenario.recovers_at = self
            .recovers_after
            .and_then(|seconds| now.checked_add(SignedDuration::from_secs(i64::from(seconds))).ok());
        // Each candidate has a provider, model, profile and credential of its own: what one degrades does not touch
        // the next, and its health ladder climbs.
        let candidate = |name: &String, fails: bool| ScenarioCandidate {
            name: name.clone(),
            route: Route {
                workspace: None,
                profile: Some(name.clone()),
                provider: Some(name.clone()),
                model: Some(name.clone()),
                credential_binding: Some(name.clone()),
            },
            policy: Some(policy),
            fails,
        };
        let unnamed = [String::from("candidate 1")];
        let named = if self.candidates.is_empty() { unnamed.as_slice() } else { &self.candidates };
        let failing = named.iter().map(|name| candidate(name, true));
        scenario.candidates = failing.chain(self.healthy.iter().map(|name| candidate(name, false))).collect();
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
