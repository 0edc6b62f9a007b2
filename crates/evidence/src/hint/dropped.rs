//! Why a hint was dropped, in words for the answer's notes.

use faultbook_taxonomy::Code;

use crate::sanitise::sanitise_bounded;

/// The reason why what the evidence states is no hint. Its display form goes into the answer's `notes`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Dropped {
    /// None of the rule's formats fits the value.
    #[error("none of the rule's formats reads it")]
    Unreadable,
    /// A time of day or date names no zone, and neither the rule nor the envelope gives one.
    #[error("a time of day without a zone, and the evidence has no time_zone")]
    NoZone,
    /// The stated zone is not in the database.
    #[error("unknown time zone `{0}`")]
    UnknownZone(String),
    /// The stated abbreviation stands for several zones.
    #[error("the time zone `{0}` has several meanings")]
    AmbiguousZone(String),
    /// The evidence has no time, so that neither the next occurrence nor the future can be told.
    #[error("the evidence has no time to count from")]
    NoTime,
    /// The wait is zero or negative.
    #[error("a wait of {seconds} s is none")]
    NoWait {
        /// The wait as stated.
        seconds: f64,
    },
    /// The instant is not after the evidence.
    #[error("the reset has passed")]
    Past,
    /// The instant or the end of the wait is more than 32 days away.
    #[error("the reset is more than 32 days away")]
    TooFar,
    /// The wait lies outside the rule's own bounds.
    #[error("a wait of {seconds} s is outside the rule's bounds")]
    OutsideBounds {
        /// The wait, from the evidence to the reset.
        seconds: f64,
    },
    /// The wait cannot belong to the cause.
    #[error("a wait of {seconds} s is meaningless for {code}")]
    Meaningless {
        /// The cause.
        code: Code,
        /// The wait as stated, or from the evidence to the reset.
        seconds: f64,
    },
}

impl Dropped {
    /// What may be repeated of a zone's name, which comes from the evidence: all of it where it looks like one.
    fn zone_name(name: &str) -> String {
        let clean = sanitise_bounded(name, 64);
        let is_step = |step: &str| {
            let all = |kind: fn(&char) -> bool| step.chars().all(|c| kind(&c));
            (step.len() <= 14 && all(char::is_ascii_alphabetic))
                || (step.len() <= 4 && all(char::is_ascii_digit))
        };
        let is_name = clean.len() <= 40 && clean.split(['_', '/', '+', '-', ' ']).all(is_step);
        if is_name { clean } else { "[withheld]".to_owned() }
    }

    /// [`Dropped::UnknownZone`] with a bounded, plain name.
    pub(super) fn unknown_zone(name: &str) -> Self {
        Self::UnknownZone(Self::zone_name(name))
    }

    /// [`Dropped::AmbiguousZone`] with a bounded, plain name.
    pub(super) fn ambiguous_zone(name: &str) -> Self {
        Self::AmbiguousZone(Self::zone_name(name))
    }
}
