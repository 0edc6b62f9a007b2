//! A decision in one sentence that a person understands.

use std::fmt::{self, Display, Formatter};

use jiff::Timestamp;

use crate::code_traits::Remedy;
use crate::context::ExecutionContext;
use crate::decision::{Action, Decision, Grounds, Park, ParkStatus};
use crate::gate::{DispatchMode, GateResult};

impl Remedy {
    /// The remedy in plain words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::LogIn => "log in again",
            Self::SetCredentials => "set or correct the credential",
            Self::FixBilling => "settle billing or change the plan",
            Self::WaitForReset => "wait for the reset, or use another account or plan",
            Self::RequestAccess => "ask for access, or use another account or region",
            Self::ChooseModel => "choose another model",
            Self::FixConfiguration => "correct the configuration of the agent or provider",
            Self::StartFreshSession => "start a fresh session",
            Self::ShortenContext => "shorten the conversation",
            Self::ChangeRequest => "change the request",
            Self::RepairRuntime => "repair the local install or machine",
            Self::ResolveRepository => "put the repository in order",
            Self::FixTask => "fix what the work ran into",
        }
    }
}

impl Grounds {
    /// The grounds in plain words, to stand after "because".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::BudgetLeft => "retries are left",
            Self::ResetWithinWait => "the stated reset lies within the configured wait",
            Self::BudgetSpent => "all automatic retries are used",
            Self::NoRetryConfigured => "the policy configures no retry",
            Self::HintBeyondRetry => "the stated wait is longer than any retry may wait",
            Self::HintOverAMinute => "the stated wait is over a minute",
            Self::ThrottleNotShort => "nothing confirms that the throttle is short",
            Self::AllowanceUsedUp => "a used-up allowance is never retried by time",
            Self::ActionRequired => "only a person can put it right",
            Self::NotAProviderFailure => "the provider is not the cause",
            Self::CauseUnknown => "the cause is not known",
            Self::TransportLostAfterStart => "the agent may still have been at work",
            Self::PrestartUnknown => "the policy says so for unknown failures before the start",
            Self::GateRefused => "the safety gate is closed",
            Self::PolicyMissing => "the candidate names no policy",
            Self::NothingFailed => "nothing failed",
        }
    }
}

impl Decision {
    /// The decision in one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        self.to_string()
    }

    fn subject(&self) -> String {
        let meaning = self.code.map_or("no single cause is known", |code| code.meaning());
        let mut letters = meaning.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    fn because(&self) -> &'static str {
        match self.gate {
            GateResult::Refused { refusal, .. } => refusal.words(),
            GateResult::Open | GateResult::NotNeeded => self.grounds.words(),
        }
    }

    fn same(&self) -> &'static str {
        match self.context {
            ExecutionContext::Interactive => "profile",
            ExecutionContext::Unattended => "route",
        }
    }

    /// The remedy and the reset, where a person is left to deal with the failure.
    fn help(&self) -> String {
        let remedy = self.remedy.map(|remedy| format!("; to put it right: {}", remedy.words()));
        let reset = self.hint.as_ref().map(|hint| format!("; the stated wait ends at {}", instant(hint.at)));
        remedy.into_iter().chain(reset).collect()
    }
}

fn instant(at: Timestamp) -> impl Display {
    at
}

fn mode(dispatch: DispatchMode) -> &'static str {
    match dispatch {
        DispatchMode::OriginalPrompt => "",
        DispatchMode::ResumeSession => ", resuming the session",
        DispatchMode::FreshSessionWithContinuation => ", in a fresh session with the continuation package",
    }
}

fn parked(park: &Park, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str("no candidate is left, so the run is parked")?;
    if let Some(wake) = &park.wake {
        write!(f, " until {}", instant(wake.until))?;
    }
    match park.status {
        ParkStatus::WaitingForProviderCapacity => f.write_str(" and then tries again")?,
        ParkStatus::BlockedProviderActionRequired => f.write_str(" until a person acts")?,
    }
    f.write_str(mode(park.dispatch))
}

impl Display for Decision {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.subject())?;
        let because = self.because();
        match &self.action {
            Action::Retry { attempt, max_attempts, wait, dispatch } => {
                let (same, at) = (self.same(), instant(wait.until));
                write!(f, "retry {attempt} of {max_attempts} on the same {same} at {at}{}", mode(*dispatch))?;
            }
            Action::WaitForReset { wait, dispatch } => {
                let at = instant(wait.until);
                write!(f, "wait for the reset and try the same route once at {at}{}", mode(*dispatch))?;
            }
            Action::NextCandidate { candidate, dispatch } => {
                write!(f, "go on with candidate {candidate}{}, because {because}", mode(*dispatch))?;
            }
            Action::Park(park) => {
                parked(park, f)?;
                if let (ParkStatus::BlockedProviderActionRequired, Some(remedy)) = (park.status, self.remedy)
                {
                    write!(f, "; to put it right: {}", remedy.words())?;
                }
            }
            Action::GiveUpCandidate => {
                write!(f, "this candidate is given up for the run, because {because}")?;
            }
            Action::Stop => write!(f, "the run stops for a person, because {because}{}", self.help())?,
            Action::Manual => write!(f, "left to a person, because {because}{}", self.help())?,
            Action::UserAction => write!(f, "a person has to act{}", self.help())?,
            Action::Decline => match self.owner {
                Some(owner) => write!(f, "left to its owner, the {owner}{}", self.help())?,
                None => write!(f, "left to the host's own handling, because {because}")?,
            },
        }
        f.write_str(".")
    }
}
