//! Whether a stated wait or instant can be believed, and the two forms in which it is then given.

use faultbook_taxonomy::{Class, Code, Window};
use jiff::{SignedDuration, Timestamp};

use super::{Dropped, Reading, When};

/// The farthest reset that is a hint, in seconds from the evidence: 32 days, a month and a little.
pub const FARTHEST_SECONDS: f64 = 32.0 * 86_400.0;

/// What fails hard does not heal within this many seconds: a shorter wait belongs to a throttle beside it.
const SHORTEST_HARD_SECONDS: f64 = 60.0;

/// The limits that a rule sets for its own hint, in seconds from the evidence, both inclusive.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bounds {
    /// The shortest wait that the rule believes.
    pub min_seconds: Option<f64>,
    /// The longest wait that the rule believes.
    pub max_seconds: Option<f64>,
}

/// A hint that can be believed. At least one of the two forms is there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hint {
    /// The wait in seconds, as the evidence states it; none where it states an instant instead.
    pub retry_after_s: Option<f64>,
    /// The instant of the reset; none for a wait of evidence without a time.
    pub reset_at: Option<Timestamp>,
}

/// Judges a reading for a cause.
///
/// It must lie after the evidence, at most 32 days away, and within the rule's `bounds`. It must also suit the
/// cause: `outside` codes wait for nothing, and a stated wait of less than a minute is meaningless for a `hard`
/// code (a daily quota with "34 s"), unless the rule says that the limit's window is short. An instant is held
/// against the evidence's time and dropped without one; a wait is kept without `reset_at`.
///
/// # Errors
/// The reason why the reading is no hint.
pub fn validate(
    reading: Reading,
    code: Code,
    window: Option<Window>,
    bounds: Bounds,
    when: &When<'_>,
) -> Result<Hint, Dropped> {
    match reading {
        Reading::Wait { seconds } => {
            if seconds.is_nan() || seconds <= 0.0 {
                return Err(Dropped::NoWait { seconds });
            }
            near(seconds)?;
            suits(code, window, seconds, true)?;
            within(bounds, seconds)?;
            let reset_at = when.seen_at.map(|seen| after(seen, seconds)).transpose()?;
            Ok(Hint { retry_after_s: Some(seconds), reset_at })
        }
        Reading::Instant(instant) => {
            let seen = when.seen_at.ok_or(Dropped::NoTime)?;
            if instant <= seen {
                return Err(Dropped::Past);
            }
            let seconds = instant.duration_since(seen).as_secs_f64();
            near(seconds)?;
            suits(code, window, seconds, false)?;
            within(bounds, seconds)?;
            Ok(Hint { retry_after_s: None, reset_at: Some(instant) })
        }
    }
}

fn near(seconds: f64) -> Result<(), Dropped> {
    if seconds > FARTHEST_SECONDS { Err(Dropped::TooFar) } else { Ok(()) }
}

fn within(bounds: Bounds, seconds: f64) -> Result<(), Dropped> {
    let short = bounds.min_seconds.is_some_and(|least| seconds < least);
    let long = bounds.max_seconds.is_some_and(|most| seconds > most);
    if short || long { Err(Dropped::OutsideBounds { seconds }) } else { Ok(()) }
}

/// Whether a cause can end after such a wait. An instant may be near by chance; a stated wait was meant so.
fn suits(code: Code, window: Option<Window>, seconds: f64, stated_wait: bool) -> Result<(), Dropped> {
    let suits = match code.class() {
        Class::Transient | Class::Unclassified => true,
        Class::Hard => !stated_wait || seconds >= SHORTEST_HARD_SECONDS || window == Some(Window::Short),
        Class::Outside => false,
    };
    if suits { Ok(()) } else { Err(Dropped::Meaningless { code, seconds }) }
}

fn after(seen: Timestamp, seconds: f64) -> Result<Timestamp, Dropped> {
    let wait = SignedDuration::try_from_secs_f64(seconds).map_err(|_| Dropped::TooFar)?;
    seen.checked_add(wait).map_err(|_| Dropped::TooFar)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEN: Timestamp = Timestamp::constant(1_796_040_000, 0);

    fn judged(reading: Reading, code: Code, window: Option<Window>) -> Result<Hint, Dropped> {
        let when = When { seen_at: Some(SEEN), time_zone: None };
        validate(reading, code, window, Bounds::default(), &when)
    }

    #[test]
    fn a_wait_is_given_as_stated_and_as_an_instant() {
        let wait = Reading::Wait { seconds: 34.337 };
        let hint = judged(wait, Code::RateLimited, None).unwrap();
        assert_eq!(hint.retry_after_s, Some(34.337));
        assert_eq!(hint.reset_at.unwrap().duration_since(SEEN).as_millis(), 34_337);
        let timeless = validate(wait, Code::RateLimited, None, Bounds::default(), &When::default());
        assert_eq!(timeless, Ok(Hint { retry_after_s: Some(34.337), reset_at: None }));
    }

    #[test]
    fn waits_are_positive_near_and_suit_the_cause() {
        let (short, long) = (Some(Window::Short), Some(Window::Long));
        for (seconds, code, window, kept) in [
            (0.0, Code::RateLimited, None, false),
            (-3.0, Code::RateLimited, None, false),
            (f64::NAN, Code::RateLimited, None, false),
            (f64::INFINITY, Code::RateLimited, None, false),
            (0.028, Code::RateLimited, None, true),
            (FARTHEST_SECONDS, Code::QuotaLimited, None, true),
            (FARTHEST_SECONDS + 1.0, Code::QuotaLimited, None, false),
            (34.0, Code::QuotaLimited, None, false),
            (34.0, Code::QuotaLimited, long, false),
            (34.0, Code::QuotaLimited, short, true),
            (60.0, Code::QuotaLimited, long, true),
            (34.0, Code::SubscriptionRequired, None, false),
            (34.0, Code::ContextOverflow, short, false),
            (3600.0, Code::TaskError, None, false),
            (34.0, Code::ModelCapacity, None, true),
            (34.0, Code::UnknownProviderError, None, true),
        ] {
            let hint = judged(Reading::Wait { seconds }, code, window);
            assert_eq!(hint.is_ok(), kept, "{seconds} {code} {window:?}: {hint:?}");
        }
    }

    #[test]
    fn instants_lie_ahead_and_need_the_time_of_the_evidence() {
        let at = |seconds| Reading::Instant(SEEN + SignedDuration::from_secs(seconds));
        let judge = |seconds| judged(at(seconds), Code::QuotaLimited, None);
        assert_eq!(judge(0), Err(Dropped::Past));
        assert_eq!(judge(-60), Err(Dropped::Past));
        assert_eq!(judge(32 * 86_400 + 1), Err(Dropped::TooFar));
        let near = judge(5).unwrap();
        assert_eq!((near.retry_after_s, near.reset_at), (None, Some(SEEN + SignedDuration::from_secs(5))));
        let timeless = validate(at(5), Code::QuotaLimited, None, Bounds::default(), &When::default());
        assert_eq!(timeless, Err(Dropped::NoTime));
    }

    #[test]
    fn the_rules_bounds_hold_for_both_forms() {
        let bounds = Bounds { min_seconds: Some(10.0), max_seconds: Some(100.0) };
        let when = When { seen_at: Some(SEEN), time_zone: None };
        for (seconds, kept) in [(9, false), (10, true), (100, true), (101, false)] {
            let wait = Reading::Wait { seconds: f64::from(seconds) };
            let instant = Reading::Instant(SEEN + SignedDuration::from_secs(seconds.into()));
            for reading in [wait, instant] {
                let hint = validate(reading, Code::RateLimited, None, bounds, &when);
                assert_eq!(hint.is_ok(), kept, "{reading:?}: {hint:?}");
            }
        }
    }
}
