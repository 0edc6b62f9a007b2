//! What would be done automatically after a recording, asked the way a host asks: both contexts, current evidence.

use faultbook::policy::{
    Action, BuiltIn, CandidatePolicy, ClassPolicy, ClassRules, Correlation, Current, Decision,
    ExecutionContext, MAX_INITIAL_INTERVAL_S, MAX_RESET_WAIT_S, MAX_RETRIES, OnExhausted, PrestartUnknown,
    RemainingCandidate, ResetWait, RetryRule, Route, RouteCycle, decide,
};
use faultbook::{Classification, Code, Faultbook, situation};
use faultbook_adapters::Recording;
use jiff::Timestamp;

use super::effects;

/// Answers, and the policies under which they are asked about.
pub(super) struct Judge {
    book: Faultbook,
    settings: [(&'static str, ExecutionContext, Option<CandidatePolicy>); 3],
}

/// An action that sends something without a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Authorised {
    /// Under which setting.
    pub(super) setting: &'static str,
    /// What is done.
    pub(super) action: &'static str,
    /// The code that it answers.
    pub(super) code: Option<Code>,
}

/// What is true of an undamaged recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Truth {
    /// The model spoke or a tool worked in its last turn.
    pub(super) is_effectful: bool,
    /// The user cancelled its last turn.
    pub(super) is_cancelled: bool,
    /// What is authorised after it.
    pub(super) authorised: Option<Authorised>,
}

impl Truth {
    /// Whether nothing may ever be sent again by itself after it.
    pub(super) fn forbids(&self) -> bool {
        self.is_effectful || self.is_cancelled
    }
}

impl Judge {
    /// Opens the embedded pack.
    pub(super) fn new() -> Result<Self, String> {
        let book =
            Faultbook::core().map_err(|problems| format!("the core pack does not load: {problems:?}"))?;
        let generous = generous().ok_or("the generous policy leaves the bounds")?;
        let standard = CandidatePolicy::BuiltIn(BuiltIn::Standard);
        let settings = [
            ("interactive", ExecutionContext::Interactive, None),
            ("unattended, standard", ExecutionContext::Unattended, Some(standard)),
            ("unattended, generous", ExecutionContext::Unattended, Some(CandidatePolicy::Document(generous))),
        ];
        Ok(Self { book, settings })
    }

    /// What is true of an undamaged recording. Work is believed where the raw frames show it; words where the answer
    /// does not take those that the adapter saw for the agent's own.
    pub(super) fn truth(&self, recording: &Recording) -> Truth {
        let carried = effects::of_last_turn(recording);
        let turn = recording.answering_turn();
        let answer = turn.as_ref().map(|turn| self.book.classify(&turn.envelope));
        let told = |answer: &Classification| {
            answer.effects.assistant_output == Some(true) || answer.effects.tool_activity == Some(true)
        };
        let is_own = turn.as_ref().zip(answer.as_ref()).is_some_and(|(turn, answer)| {
            answer.code.is_some_and(|code| code != Code::Cancelled) && !told(answer) && {
                let seen = turn.envelope.effects.assistant_output == Some(true);
                seen || speaks_itself(turn)
            }
        });
        Truth {
            is_effectful: carried.work || (carried.words && !is_own) || answer.as_ref().is_some_and(told),
            is_cancelled: effects::is_cancelled(recording)
                || answer.as_ref().is_some_and(|answer| answer.code == Some(Code::Cancelled)),
            authorised: self.authorised(recording),
        }
    }

    /// The first setting that sends something by itself after a recording.
    pub(super) fn authorised(&self, recording: &Recording) -> Option<Authorised> {
        let turn = recording.answering_turn()?;
        let answer = self.book.classify(&turn.envelope);
        self.settings.iter().find_map(|(setting, execution, policy)| {
            let mut context = situation(&turn.envelope, answer.clone(), *execution, now(recording)?);
            context.evidence = Correlation {
                session: Some("s".to_owned()),
                execution: Some("e".to_owned()),
                generation: Some(1),
                foreground: Some(true),
            };
            context.current = Current {
                session: Some("s".to_owned()),
                execution: Some("e".to_owned()),
                generation: Some(1),
                restarted: None,
            };
            context.policy = *policy;
            context.cycle = cycle();
            let action = sends(&decide(&context))?;
            Some(Authorised { setting, action, code: answer.code })
        })
    }
}

/// The agent's own words are no effect where the adapter knows them by structure.
fn speaks_itself(turn: &faultbook_adapters::Turn) -> bool {
    turn.envelope.signals.iter().any(|signal| signal.channel == faultbook::Channel::AgentText)
}

/// The action, if it sends something without a person.
fn sends(decision: &Decision) -> Option<&'static str> {
    match decision.action {
        Action::Retry { .. } | Action::WaitForReset { .. } | Action::NextCandidate { .. } => {
            Some(decision.action.kind().as_str())
        }
        // A parked run asks the gate again when it wakes; the others wait for a person or end the run.
        Action::Park(_)
        | Action::GiveUpCandidate
        | Action::Stop
        | Action::Manual
        | Action::UserAction
        | Action::Decline => None,
    }
}

/// A moment after the end, so that hints lie ahead; recordings without a start get a fixed one.
fn now(recording: &Recording) -> Option<Timestamp> {
    recording.started_at.or_else(|| "2026-11-30T12:00:00Z".parse().ok())
}

/// A walk that has used nothing and has another candidate on a route of its own.
fn cycle() -> RouteCycle {
    let route = Route {
        provider: Some("another".to_owned()),
        credential_binding: Some("another".to_owned()),
        ..Route::default()
    };
    RouteCycle {
        candidate: Some("first".to_owned()),
        remaining: vec![RemainingCandidate { candidate: "second".to_owned(), route }],
        ..RouteCycle::fresh()
    }
}

/// The most that a policy document can give.
fn generous() -> Option<ClassPolicy> {
    let rules = ClassRules {
        retry: Some(RetryRule::new(MAX_RETRIES, MAX_INITIAL_INTERVAL_S)?),
        wait_for_reset: Some(ResetWait::new(MAX_RESET_WAIT_S)?),
        on_exhausted: OnExhausted::Skip,
    };
    Some(ClassPolicy { prestart_unknown: PrestartUnknown::Skip, transient: rules, hard: rules })
}
