//! What the host knows beside the evidence, as options of the command line.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use faultbook::Delivery;
use faultbook::policy::{
    ActionRoute, DecisionContext, ExecutionContext, Jitter, RemainingCandidate, Remedy, Route, RouteCycle,
    Used, WaitingRoute,
};
use jiff::Timestamp;

use super::super::policy_options::{ContextName, jitter};
use crate::input::{TextFacts, instant};

/// What the host knows beside the evidence.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Decision")]
pub(super) struct DecisionFacts {
    /// Who is served
    #[arg(long, value_name = "WHO", default_value = "interactive")]
    context: ContextName,
    /// The candidate's policy: `standard`, `immediate` or a file; unattended work needs one
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// The present [default: the clock]
    #[arg(long, visible_alias = "at", value_name = "TIME", value_parser = instant)]
    now: Option<Timestamp>,
    /// The drawn jitter, from 0 to 1
    #[arg(long, value_name = "FRACTION", value_parser = jitter, default_value = "0")]
    jitter: Jitter,
    /// Whether the prompt reached the provider: acknowledged, refused or unknown
    #[arg(long, value_name = "HOW", value_parser = delivery(), hide_possible_values = true)]
    delivery: Option<Delivery>,
    /// The evidence belongs to the prompt that is active now
    ///
    /// Stands for --foreground true and for equal sessions, executions and generations, where nothing else is said.
    #[arg(long)]
    assume_current: bool,
    #[command(flatten)]
    effects: EffectFacts,
    #[command(flatten)]
    correlation: CorrelationFacts,
    #[command(flatten)]
    route: RouteFacts,
    #[command(flatten)]
    cycle: CycleFacts,
}

/// What the prompt has done already.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Effects of the prompt (unknown counts as happened)")]
struct EffectFacts {
    /// Neither the model's words nor a tool had any effect, where the evidence does not say it
    #[arg(long)]
    no_effects: bool,
    /// The model's words reached the user
    #[arg(long, value_name = "BOOL")]
    assistant_output: Option<bool>,
    /// A tool was called
    #[arg(long, value_name = "BOOL")]
    tool_activity: Option<bool>,
    /// The agent guarantees that resuming this session repeats nothing
    #[arg(long, value_name = "BOOL")]
    resume_guarantee: Option<bool>,
    /// A continuation package is stored
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    continuation_package: Option<bool>,
}

/// Where the evidence comes from, and what is active now.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Correlation")]
struct CorrelationFacts {
    /// The session of the evidence
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The execution of the evidence: one run of the agent's process
    #[arg(long, value_name = "ID")]
    execution: Option<String>,
    /// The prompt generation of the evidence
    #[arg(long, value_name = "N")]
    generation: Option<u64>,
    /// The evidence is of the turn in the foreground
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    foreground: Option<bool>,
    /// The active session
    #[arg(long, value_name = "ID")]
    current_session: Option<String>,
    /// The active execution
    #[arg(long, value_name = "ID")]
    current_execution: Option<String>,
    /// The active prompt generation
    #[arg(long, value_name = "N")]
    current_generation: Option<u64>,
    /// The host was restarted since the evidence was made: executions are not compared
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    restarted: Option<bool>,
}

/// The route that failed. Its provider is `--provider`.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Route that failed (its provider is --provider)")]
struct RouteFacts {
    /// The workspace
    #[arg(long, value_name = "NAME")]
    workspace: Option<String>,
    /// The agent profile
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// The model
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The opaque credential binding
    #[arg(long, visible_alias = "binding", value_name = "BINDING")]
    credential_binding: Option<String>,
}

/// The walk over the candidates.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Route cycle")]
struct CycleFacts {
    /// The number of this failure, from 1: how many attempts were made; unknown counts as all of them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    attempt: Option<u32>,
    /// The one wait for a reset was used in this route cycle [default: false with --attempt, else unknown]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    reset_wait_used: Option<bool>,
    /// How often the resource was degraded in a row before: its step on the health ladder
    #[arg(long, value_name = "N", default_value = "0")]
    health_step: u32,
    /// The candidate that failed
    #[arg(long, value_name = "NAME")]
    candidate: Option<String>,
    /// The candidates that are left, in the user's order, as NAME or NAME=PROVIDER[/MODEL][@BINDING]
    #[arg(long, value_name = "CANDIDATE", value_delimiter = ',', value_parser = remaining)]
    remaining: Vec<RemainingCandidate>,
    /// The candidates that this cycle has excluded
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    excluded: Vec<String>,
    /// Other routes of the run that wait for capacity, as NAME or NAME=TIME
    #[arg(long, value_name = "ROUTE", value_delimiter = ',', value_parser = waiting)]
    waiting: Vec<WaitingRoute>,
    /// Other routes of the run that need a person, as NAME or NAME=REMEDY
    #[arg(long, value_name = "ROUTE", value_delimiter = ',', value_parser = action_required)]
    action_required: Vec<ActionRoute>,
}

fn delivery() -> impl TypedValueParser<Value = Delivery> {
    PossibleValuesParser::new(Delivery::ALL.iter().map(|word| word.as_str()))
        .try_map(|word| word.parse::<Delivery>())
}

/// A name, and what may stand behind an equals sign.
fn named(text: &str) -> Result<(String, Option<&str>), String> {
    let (name, rest) = text.split_once('=').map_or((text, None), |(name, rest)| (name, Some(rest)));
    if name.is_empty() { Err("a name is missing".to_owned()) } else { Ok((name.to_owned(), rest)) }
}

fn remaining(text: &str) -> Result<RemainingCandidate, String> {
    let (candidate, route) = named(text)?;
    let Some(route) = route else { return Ok(RemainingCandidate { candidate, route: Route::default() }) };
    let (route, binding) =
        route.rsplit_once('@').map_or((route, None), |(route, binding)| (route, Some(binding)));
    let (provider, model) =
        route.split_once('/').map_or((route, None), |(provider, model)| (provider, Some(model)));
    let owned = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let route = Route {
        provider: owned(provider),
        model: model.and_then(owned),
        credential_binding: binding.and_then(owned),
        ..Route::default()
    };
    Ok(RemainingCandidate { candidate, route })
}

fn waiting(text: &str) -> Result<WaitingRoute, String> {
    let (candidate, wake) = named(text)?;
    Ok(WaitingRoute { candidate, wake_at: wake.map(instant).transpose()? })
}

fn action_required(text: &str) -> Result<ActionRoute, String> {
    let (candidate, remedy) = named(text)?;
    let known = |word: &str| {
        let words = Remedy::ALL.iter().map(|remedy| remedy.as_str()).collect::<Vec<_>>().join(", ");
        word.parse().map_err(|_| format!("a remedy is one of {words}"))
    };
    Ok(ActionRoute { candidate, remedy: remedy.map(known).transpose()? })
}

/// Puts what was said on the command line in the place of what the evidence says.
fn say<T: Clone>(place: &mut Option<T>, said: Option<&T>) {
    if let Some(said) = said {
        *place = Some(said.clone());
    }
}

impl DecisionFacts {
    /// Who is served.
    pub(super) fn context(&self) -> ExecutionContext {
        self.context.into()
    }

    /// The policy by its name.
    pub(super) fn policy(&self) -> Option<&str> {
        self.policy.as_deref()
    }

    /// The present, where it was said.
    pub(super) const fn now(&self) -> Option<Timestamp> {
        self.now
    }

    /// Completes what the evidence says about the situation.
    pub(super) fn complete(&self, text: &TextFacts, situation: &mut DecisionContext) {
        situation.jitter = self.jitter;
        situation.health_step = self.cycle.health_step;
        situation.cycle = self.cycle.cycle();
        say(&mut situation.observed_at, text.occurred_at.as_ref());
        say(&mut situation.phase, text.phase.as_ref());
        say(&mut situation.delivery, self.delivery.as_ref());
        say(&mut situation.route.provider, text.provider.as_ref());
        say(&mut situation.route.workspace, self.route.workspace.as_ref());
        say(&mut situation.route.profile, self.route.profile.as_ref());
        say(&mut situation.route.model, self.route.model.as_ref());
        say(&mut situation.route.credential_binding, self.route.credential_binding.as_ref());
        self.effects.complete(situation);
        self.correlation.complete(situation);
        if self.assume_current {
            assume_current(situation);
        }
    }
}

impl EffectFacts {
    fn complete(&self, situation: &mut DecisionContext) {
        let effects = &mut situation.classification.effects;
        say(&mut effects.assistant_output, self.assistant_output.as_ref());
        say(&mut effects.tool_activity, self.tool_activity.as_ref());
        say(&mut effects.resume_guarantee, self.resume_guarantee.as_ref());
        if self.no_effects {
            effects.assistant_output = effects.assistant_output.or(Some(false));
            effects.tool_activity = effects.tool_activity.or(Some(false));
        }
        situation.continuation_package = self.continuation_package;
    }
}

impl CorrelationFacts {
    fn complete(&self, situation: &mut DecisionContext) {
        let evidence = &mut situation.evidence;
        say(&mut evidence.session, self.session.as_ref());
        say(&mut evidence.execution, self.execution.as_ref());
        say(&mut evidence.generation, self.generation.as_ref());
        say(&mut evidence.foreground, self.foreground.as_ref());
        let current = &mut situation.current;
        say(&mut current.session, self.current_session.as_ref());
        say(&mut current.execution, self.current_execution.as_ref());
        say(&mut current.generation, self.current_generation.as_ref());
        say(&mut current.restarted, self.restarted.as_ref());
    }
}

/// Fills what is unknown on either side from the other, so that what was said to differ still differs.
fn assume_current(situation: &mut DecisionContext) {
    let (evidence, current) = (&mut situation.evidence, &mut situation.current);
    let names =
        [(&mut evidence.session, &mut current.session), (&mut evidence.execution, &mut current.execution)];
    for (of_evidence, of_now) in names {
        let known = of_evidence.clone().or_else(|| of_now.clone()).or_else(|| Some("assumed".to_owned()));
        *of_now = of_now.take().or_else(|| known.clone());
        *of_evidence = of_evidence.take().or(known);
    }
    let known = evidence.generation.or(current.generation).or(Some(0));
    evidence.generation = evidence.generation.or(known);
    current.generation = current.generation.or(known);
    evidence.foreground = evidence.foreground.or(Some(true));
}

impl CycleFacts {
    fn cycle(&self) -> RouteCycle {
        let retries = self.attempt.map(|attempt| attempt.saturating_sub(1));
        let reset_wait = self.reset_wait_used.or(retries.map(|_| false));
        let used = Used { retries, reset_wait };
        RouteCycle {
            candidate: self.candidate.clone(),
            transient: used,
            hard: used,
            excluded: self.excluded.clone(),
            remaining: self.remaining.clone(),
            waiting: self.waiting.clone(),
            action_required: self.action_required.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_and_routes_are_written_short() {
        let route = |provider: Option<&str>, model: Option<&str>, binding: Option<&str>| Route {
            provider: provider.map(str::to_owned),
            model: model.map(str::to_owned),
            credential_binding: binding.map(str::to_owned),
            ..Route::default()
        };
        for (text, want) in [
            ("b", route(None, None, None)),
            ("b=openai", route(Some("openai"), None, None)),
            ("b=openrouter/x-ai/grok", route(Some("openrouter"), Some("x-ai/grok"), None)),
            ("b=openai/gpt@k1", route(Some("openai"), Some("gpt"), Some("k1"))),
            ("b=openai@k1", route(Some("openai"), None, Some("k1"))),
        ] {
            assert_eq!(remaining(text).unwrap().route, want, "{text}");
        }
        assert!(remaining("=openai").is_err() && waiting("b=soon").is_err());
        assert_eq!(action_required("b=log_in").unwrap().remedy, Some(Remedy::LogIn));
        assert!(action_required("b=pray").unwrap_err().contains("log_in, "));
    }
}
