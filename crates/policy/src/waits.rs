//! Hints, jitter, the health ladder and absolute deadlines. All durations are whole milliseconds; all
//! arithmetic saturates, so no input can overflow and none can make a deadline earlier than its hint.

use faultbook_taxonomy::Hints;
use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use faultbook_taxonomy::words;

/// Up to here a hint is a lower bound of a retry; above it, it is a wait of its own.
pub const SHORT_HINT_MS: u64 = 60_000;
/// The longest retry delay, after jitter.
pub const MAX_RETRY_DELAY_MS: u64 = 24 * 60 * 60 * 1000;
/// How long a degraded resource rests, by the number of failures in a row; the last step repeats.
pub const HEALTH_LADDER_MINUTES: [u64; 5] = [2, 5, 10, 20, 60];

const MINUTE_MS: u64 = 60_000;
const MIN_RESET_JITTER_MS: u64 = 1000;
const MAX_RESET_JITTER_MS: u64 = 5 * MINUTE_MS;
const MILLION: u32 = 1_000_000;

/// Where in the allowed span of jitter a delay falls, from 0 (none) to 1 (all of it). The caller draws it.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "f64", into = "f64")]
#[schemars(with = "f64", extend("minimum" = 0, "maximum" = 1))]
pub struct Jitter(u32);

impl Jitter {
    /// No jitter.
    pub const NONE: Self = Self(0);
    /// All of the allowed span.
    pub const FULL: Self = Self(MILLION);

    /// The fraction, to the nearest millionth; none outside 0 to 1.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub fn new(fraction: f64) -> Option<Self> {
        (0.0..=1.0).contains(&fraction).then(|| Self((fraction * f64::from(MILLION)).round() as u32))
    }

    fn of(self, span_ms: u64) -> u64 {
        let share = u128::from(span_ms) * u128::from(self.0) / u128::from(MILLION);
        u64::try_from(share).unwrap_or(span_ms)
    }
}

impl TryFrom<f64> for Jitter {
    type Error = String;

    fn try_from(fraction: f64) -> Result<Self, Self::Error> {
        Self::new(fraction).ok_or_else(|| format!("jitter must lie between 0 and 1, not {fraction}"))
    }
}

impl From<Jitter> for f64 {
    fn from(jitter: Jitter) -> Self {
        Self::from(jitter.0) / Self::from(MILLION)
    }
}

/// A hint that lies in the future.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct ValidHint {
    /// The instant before which nothing may be sent, in UTC.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The wait that remains, in milliseconds, rounded up.
    pub remaining_ms: u64,
    /// Where the hint was read, as the classification says.
    pub source: Option<String>,
}

impl ValidHint {
    /// What remains of the classification's hint at `now`. `retry_after_s` counts from `observed_at`, or from
    /// `now` where that is unknown (later, so never too early); where both forms are given, the later counts.
    /// Past, negative and non-finite hints are ignored.
    #[must_use]
    pub fn read(hints: &Hints, observed_at: Option<Timestamp>, now: Timestamp) -> Option<Self> {
        let relative = hints.retry_after_s.and_then(|seconds| after(observed_at.unwrap_or(now), seconds));
        let at = relative.max(hints.reset_at)?;
        let remaining_ms = ms_between(now, at);
        (remaining_ms > 0).then(|| Self { at, remaining_ms, source: hints.source.clone() })
    }

    /// Whether it is over a minute: a wait of its own instead of a lower bound.
    #[must_use]
    pub const fn is_long(&self) -> bool {
        self.remaining_ms > SHORT_HINT_MS
    }
}

/// The instant `seconds` after `start`; none unless the number is finite and not negative.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn after(start: Timestamp, seconds: f64) -> Option<Timestamp> {
    (seconds.is_finite() && seconds >= 0.0).then(|| later(start, (seconds * 1000.0).ceil() as u64))
}

/// The milliseconds from `start` to `end`, rounded up; 0 where `end` is not later.
fn ms_between(start: Timestamp, end: Timestamp) -> u64 {
    // The whole range of instants is some 20 000 years: 6.3e20 ns, 6.3e14 ms.
    let nanoseconds = end.as_nanosecond().saturating_sub(start.as_nanosecond()).max(0);
    u64::try_from(nanoseconds.saturating_add(999_999) / 1_000_000).unwrap_or(u64::MAX)
}

/// `start` plus `ms`, or the last instant that can be written.
pub(crate) fn later(start: Timestamp, ms: u64) -> Timestamp {
    i64::try_from(ms)
        .ok()
        .and_then(|ms| start.checked_add(SignedDuration::from_millis(ms)).ok())
        .unwrap_or(Timestamp::MAX)
}

words! {
    /// What sets the length of a wait.
    pub enum SetBy {
        /// The retry schedule.
        Schedule = "schedule",
        /// A validated hint.
        Hint = "hint",
        /// The health ladder.
        Ladder = "ladder",
        /// What another route of the run waits for.
        OtherRoute = "other_route",
    }
}

/// A wait with its exact end. Consumers show `until` and never compute it again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Wait {
    /// The delay by schedule, ladder or reset, in milliseconds, before hint and jitter.
    pub nominal_ms: u64,
    /// What jitter added, in milliseconds, before the cap.
    pub jitter_ms: u64,
    /// The whole delay from `now`, in milliseconds.
    pub delay_ms: u64,
    /// The absolute deadline, in UTC.
    #[schemars(with = "String")]
    pub until: Timestamp,
    /// What set the length.
    pub set_by: SetBy,
}

impl Wait {
    fn new(
        now: Timestamp,
        nominal_ms: u64,
        least_ms: u64,
        jitter_ms: u64,
        cap_ms: u64,
        set_by: SetBy,
    ) -> Self {
        let delay_ms = nominal_ms.max(least_ms).saturating_add(jitter_ms).min(cap_ms);
        Self { nominal_ms, jitter_ms, delay_ms, until: later(now, delay_ms), set_by }
    }

    /// The wait before a retry. None where the hint lies beyond the longest retry delay: it is not shortened.
    pub(crate) fn retry(
        now: Timestamp,
        nominal_ms: u64,
        hint: Option<&ValidHint>,
        jitter: Jitter,
    ) -> Option<Self> {
        let least_ms = hint.map_or(0, |hint| hint.remaining_ms);
        if least_ms > MAX_RETRY_DELAY_MS {
            return None;
        }
        let nominal_ms = nominal_ms.min(MAX_RETRY_DELAY_MS);
        let set_by = if least_ms > nominal_ms { SetBy::Hint } else { SetBy::Schedule };
        let jitter_ms = jitter.of(nominal_ms / 5);
        Some(Self::new(now, nominal_ms, least_ms, jitter_ms, MAX_RETRY_DELAY_MS, set_by))
    }

    /// The wait for a reset. None where the reset lies beyond `max_ms`: it is not shortened.
    pub(crate) fn reset(now: Timestamp, hint: &ValidHint, max_ms: u64, jitter: Jitter) -> Option<Self> {
        let nominal_ms = hint.remaining_ms;
        (nominal_ms <= max_ms).then(|| {
            Self::new(now, nominal_ms, nominal_ms, reset_jitter(nominal_ms, jitter), max_ms, SetBy::Hint)
        })
    }

    /// The rest of a degraded resource: until the reset where there is one, else the ladder's step.
    pub(crate) fn wake(now: Timestamp, step: u32, reset: Option<&ValidHint>, jitter: Jitter) -> Self {
        let step_ms = ladder_step_ms(step);
        match reset {
            Some(hint) => {
                let nominal_ms = hint.remaining_ms;
                Self::new(now, nominal_ms, nominal_ms, reset_jitter(step_ms, jitter), u64::MAX, SetBy::Hint)
            }
            None => Self::new(now, step_ms, step_ms, jitter.of(step_ms / 5), u64::MAX, SetBy::Ladder),
        }
    }

    /// A wake at the instant that another route of the run waits for, at `now` if that is past.
    pub(crate) fn other_route(now: Timestamp, at: Timestamp) -> Self {
        let until = at.max(now);
        let delay_ms = ms_between(now, until);
        Self { nominal_ms: delay_ms, jitter_ms: 0, delay_ms, until, set_by: SetBy::OtherRoute }
    }
}

fn reset_jitter(basis_ms: u64, jitter: Jitter) -> u64 {
    jitter.of((basis_ms / 5).clamp(MIN_RESET_JITTER_MS, MAX_RESET_JITTER_MS))
}

/// The ladder's step in milliseconds; `step` 0 is the first failure, and steps past the end repeat the last.
#[must_use]
pub fn ladder_step_ms(step: u32) -> u64 {
    let [first, second, third, fourth, last] = HEALTH_LADDER_MINUTES;
    MINUTE_MS
        * match step {
            0 => first,
            1 => second,
            2 => third,
            3 => fourth,
            4.. => last,
        }
}
