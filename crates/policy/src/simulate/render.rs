//! A timeline as text for a terminal: one line per attempt, the longest run of steps cut in the middle.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::{Step, Timeline, TimelineEnd, Trigger};
use crate::decision::{Action, Decision, DegradedUntil, ParkStatus};
use crate::gate::GateResult;
use crate::waits::Wait;

const SHOWN_FIRST: usize = 30;
const SHOWN_LAST: usize = 5;

/// The timeline as plain text without colours; each line ends in a line feed. Times are offsets from the start.
/// At most 35 steps are shown: the first 30 and the last 5.
#[must_use]
pub fn render(timeline: &Timeline) -> String {
    let mut text = format!("starts at {}\n\n", timeline.start);
    let width = timeline.steps.iter().map(|step| step.candidate.chars().count()).max().unwrap_or(0);
    let last = timeline.steps.len().saturating_sub(SHOWN_LAST).max(SHOWN_FIRST);
    let mut cycle = 1;
    for (index, step) in timeline.steps.iter().enumerate() {
        if index == SHOWN_FIRST && last > SHOWN_FIRST {
            line(&mut text, format_args!("{:>16}   {} more attempts", "…", last - SHOWN_FIRST));
        }
        if (SHOWN_FIRST..last).contains(&index) {
            continue;
        }
        if step.cycle != cycle {
            cycle = step.cycle;
            line(&mut text, format_args!("{:>16}   route cycle {cycle}", "──"));
        }
        one_step(&mut text, timeline.start, step, width);
    }
    let ends = offset(timeline.start, timeline.ends_at);
    line(&mut text, format_args!("\nends at {} ({ends}): {}", timeline.ends_at, timeline.end.words()));
    text
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(words);
    text.push('\n');
}

fn one_step(text: &mut String, start: Timestamp, step: &Step, width: usize) {
    let (at, name, what) = (offset(start, step.at), &step.candidate, step.trigger.words());
    let Some(decision) = &step.decision else {
        return line(text, format_args!("{at:>16}   {name:width$}  {what}, succeeds"));
    };
    let next = next(start, decision);
    line(text, format_args!("{at:>16}   {name:width$}  {what}, fails → {next}"));
    if let Some(degraded) = &decision.degraded {
        let until = match degraded.until {
            DegradedUntil::Deadline { wait } => format!("until {}", offset(start, wait.until)),
            DegradedUntil::ActionRequired => "until a person acts".to_owned(),
        };
        line(text, format_args!("{:>16}   {:width$}  degraded {until}: {}", "", "", degraded.resource));
    }
}

fn next(start: Timestamp, decision: &Decision) -> String {
    let at = |wait: &Wait| offset(start, wait.until);
    match &decision.action {
        Action::Retry { attempt, max_attempts, wait, .. } => {
            format!("retry {attempt} of {max_attempts} at {}", at(wait))
        }
        Action::WaitForReset { wait, .. } => format!("wait for the reset until {}", at(wait)),
        Action::NextCandidate { candidate, .. } => format!("candidate {candidate}"),
        Action::Park(park) => match (&park.wake, park.status) {
            (Some(wake), _) => format!("parked until {}", at(wake)),
            (None, ParkStatus::BlockedProviderActionRequired) => "parked until a person acts".to_owned(),
            (None, ParkStatus::WaitingForProviderCapacity) => "parked".to_owned(),
        },
        Action::GiveUpCandidate => format!("candidate given up: {}", why(decision)),
        Action::Stop => format!("stopped: {}", why(decision)),
        Action::Manual => format!("left to a person: {}", why(decision)),
        Action::UserAction => {
            format!("a person has to {}", decision.remedy.map_or("act", crate::Remedy::words))
        }
        Action::Decline => format!("not for automatic recovery: {}", why(decision)),
    }
}

fn why(decision: &Decision) -> &'static str {
    match decision.gate {
        GateResult::Refused { refusal, .. } => refusal.words(),
        GateResult::Open | GateResult::NotNeeded => decision.grounds.words(),
    }
}

/// The time since the start; units that are zero at the front are left out, milliseconds where they are zero.
fn offset(start: Timestamp, at: Timestamp) -> String {
    let ms = (at.as_nanosecond() - start.as_nanosecond()) / 1_000_000;
    let seconds = ms / 1000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let fraction = if ms % 1000 == 0 { String::new() } else { format!(".{:03}", ms % 1000) };
    let rest = format!("{}{fraction}s", seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("+{rest}"),
        (0, 0, _) => format!("+{minutes}m {rest}"),
        (0, _, _) => format!("+{hours}h {minutes}m {rest}"),
        (_, _, _) => format!("+{days}d {hours}h {minutes}m {rest}"),
    }
}

impl Trigger {
    /// The trigger in plain words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::First => "first attempt",
            Self::Retry => "retry",
            Self::AfterReset => "attempt after the reset",
            Self::Switch => "takes over",
            Self::Wake => "woken",
        }
    }
}

impl TimelineEnd {
    /// The end in plain words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Recovered => "recovered",
            Self::Stopped => "stopped; a person decides",
            Self::Manual => "a person decides",
            Self::UserAction => "a person has to act",
            Self::Blocked => "parked until a person acts",
            Self::CandidateGivenUp => "the candidate is given up for this run",
            Self::Declined => "left to the failure's own owner or the host",
            Self::HorizonPassed => "parked for too long; given up to a person",
            Self::Cut => "cut; the timeline goes on",
        }
    }
}
