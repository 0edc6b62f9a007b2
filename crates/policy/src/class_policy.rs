//! The policy of one candidate: what classes `transient` and `hard` get, within bounds that cannot be left.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use faultbook_taxonomy::Class;

use crate::document::PolicyDocument;
use faultbook_taxonomy::words;

/// The version of the policy document that this build reads and writes.
pub const POLICY_VERSION: u64 = 1;
/// The most retries that a class may have.
pub const MAX_RETRIES: u32 = 10;
/// The longest initial interval between retries, in seconds.
pub const MAX_INITIAL_INTERVAL_S: u32 = 3600;
/// The longest wait for a reset, in seconds: 7 days.
pub const MAX_RESET_WAIT_S: u32 = 7 * 24 * 3600;

words! {
    /// What happens when a class has used up its retries and waits.
    pub enum OnExhausted {
        /// The candidate is excluded for this route cycle; the next one follows, or the run is parked.
        Skip = "skip",
        /// The run stops for a person.
        Stop = "stop",
    }
}

words! {
    /// What an unknown failure before the start does.
    pub enum PrestartUnknown {
        /// The run stops for a person.
        Stop = "stop",
        /// The next candidate is tried.
        Skip = "skip",
    }
}

/// An enabled retry: 1 to 10 retries, the first after 1 s to 1 h, each following one after twice that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RetryRule {
    max_retries: u32,
    initial_interval_s: u32,
}

impl RetryRule {
    /// None outside the bounds.
    #[must_use]
    pub fn new(max_retries: u32, initial_interval_s: u32) -> Option<Self> {
        let within = (1..=MAX_RETRIES).contains(&max_retries)
            && (1..=MAX_INITIAL_INTERVAL_S).contains(&initial_interval_s);
        within.then_some(Self { max_retries, initial_interval_s })
    }

    /// How many retries there are, 1 to 10.
    #[must_use]
    pub const fn max_retries(self) -> u32 {
        self.max_retries
    }

    /// The delay before the first retry, 1 to 3600 seconds.
    #[must_use]
    pub const fn initial_interval_s(self) -> u32 {
        self.initial_interval_s
    }
}

/// An enabled wait for a reset: at most 1 s to 7 days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResetWait {
    max_wait_s: u32,
}

impl ResetWait {
    /// None outside the bounds.
    #[must_use]
    pub fn new(max_wait_s: u32) -> Option<Self> {
        (1..=MAX_RESET_WAIT_S).contains(&max_wait_s).then_some(Self { max_wait_s })
    }

    /// The longest wait, 1 second to 7 days, in seconds.
    #[must_use]
    pub const fn max_wait_s(self) -> u32 {
        self.max_wait_s
    }
}

/// What one class gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ClassRules {
    /// The retry, where it is enabled.
    pub retry: Option<RetryRule>,
    /// The wait for a reset, where it is enabled. A transient failure with a hint over a minute is evaluated
    /// under `hard`, so only the wait of `hard` ever takes place.
    pub wait_for_reset: Option<ResetWait>,
    /// What follows.
    pub on_exhausted: OnExhausted,
}

impl ClassRules {
    /// No retry and no wait.
    #[must_use]
    pub const fn at_once(on_exhausted: OnExhausted) -> Self {
        Self { retry: None, wait_for_reset: None, on_exhausted }
    }
}

/// The policy of one candidate. Only values within all bounds can exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "PolicyDocument", into = "PolicyDocument")]
#[schemars(with = "PolicyDocument")]
pub struct ClassPolicy {
    /// What an unknown failure before the start does.
    pub prestart_unknown: PrestartUnknown,
    /// What transient failures get.
    pub transient: ClassRules,
    /// What hard failures get.
    pub hard: ClassRules,
}

impl ClassPolicy {
    /// Exactly the unattended table: three transient retries from 5 s, no waits, then the next candidate.
    #[must_use]
    pub const fn standard() -> Self {
        Self {
            prestart_unknown: PrestartUnknown::Stop,
            transient: ClassRules {
                retry: Some(RetryRule { max_retries: 3, initial_interval_s: 5 }),
                wait_for_reset: None,
                on_exhausted: OnExhausted::Skip,
            },
            hard: ClassRules::at_once(OnExhausted::Skip),
        }
    }

    /// No retry, no wait: every provider failure moves on to the next candidate at once.
    #[must_use]
    pub const fn immediate() -> Self {
        Self {
            prestart_unknown: PrestartUnknown::Stop,
            transient: ClassRules::at_once(OnExhausted::Skip),
            hard: ClassRules::at_once(OnExhausted::Skip),
        }
    }

    /// The rules of a configurable class; none for `outside` and `unclassified`.
    #[must_use]
    pub const fn rules(&self, class: Class) -> Option<&ClassRules> {
        match class {
            Class::Transient => Some(&self.transient),
            Class::Hard => Some(&self.hard),
            Class::Outside | Class::Unclassified => None,
        }
    }
}
