//! A timeline as text for a terminal: one line per attempt, equal cycles once, a long rest cut in the middle.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::{Step, Timeline, TimelineEnd, Trigger};
use crate::decision::{Action, Decision, DegradedUntil, ParkStatus};
use crate::gate::GateResult;
use crate::waits::Wait;

/// Rows are shown whole up to here; of more, these many first and last ones.
const SHOWN_FIRST: usize = 30;
const SHOWN_LAST: usize = 5;
/// The most cycles that one pattern is looked for in: candidates that wake in turn repeat after as many cycles.
const LONGEST_PATTERN: usize = 8;

/// The timeline as plain text without colours; each line ends in a line feed. Times are offsets from the start.
/// Cycles that are equal to those before them are drawn once, with a count. At most 35 rows are shown: the first 30
/// and the last 5.
#[must_use]
pub fn render(timeline: &Timeline) -> String {
    let mut text = format!("starts at {}\n\n", timeline.start);
    let rows = rows(timeline);
    let last = rows.len().saturating_sub(SHOWN_LAST).max(SHOWN_FIRST);
    let mut cycle = 1;
    for (index, row) in rows.iter().enumerate() {
        if index == SHOWN_FIRST && last > SHOWN_FIRST {
            let hidden: usize = rows.iter().take(last).skip(SHOWN_FIRST).map(|row| row.attempts).sum();
            line(&mut text, format_args!("{:>16}   {hidden} more attempts", "…"));
        }
        if (SHOWN_FIRST..last).contains(&index) {
            continue;
        }
        if row.cycle != cycle {
            cycle = row.cycle;
            line(&mut text, format_args!("{:>16}   route cycle {cycle}", "──"));
        }
        text.push_str(&row.text);
    }
    let ends = offset(timeline.start, timeline.ends_at);
    line(&mut text, format_args!("\nends at {} ({ends}): {}", timeline.ends_at, timeline.end.words()));
    text
}

/// What is drawn together: an attempt with what it degraded, or cycles that are like those above.
struct Row {
    cycle: u32,
    text: String,
    attempts: usize,
}

fn rows(timeline: &Timeline) -> Vec<Row> {
    let width = timeline.steps.iter().map(|step| step.candidate.chars().count()).max().unwrap_or(0);
    let cycles: Vec<&[Step]> = timeline.steps.chunk_by(|one, next| one.cycle == next.cycle).collect();
    // Drawn against its own start, so that cycles are equal when a reader would see them so.
    let shapes: Vec<String> = cycles.iter().map(|steps| shape(steps, width)).collect();
    let mut rows = Vec::new();
    let mut rest = (&cycles[..], &shapes[..]);
    while !rest.0.is_empty() {
        let (period, times) = pattern(rest.1);
        let (drawn, later) = rest.0.split_at(period);
        let row =
            |step: &Step| Row { cycle: step.cycle, text: one_step(timeline.start, step, width), attempts: 1 };
        rows.extend(drawn.iter().copied().flatten().map(row));
        let repeated = later.get(..period.saturating_mul(times - 1)).unwrap_or_default();
        rows.extend(the_same(drawn, repeated));
        rest = (
            rest.0.get(period * times..).unwrap_or_default(),
            rest.1.get(period * times..).unwrap_or_default(),
        );
    }
    rows
}

fn shape(steps: &[Step], width: usize) -> String {
    let start = steps.first().map(|step| step.at);
    start.map_or_else(String::new, |start| steps.iter().map(|step| one_step(start, step, width)).collect())
}

/// How many cycles at the front make a pattern, and how often in a row it stands there: the shortest that repeats.
fn pattern(shapes: &[String]) -> (usize, usize) {
    let times = |period: usize| {
        let first = shapes.get(..period)?;
        let times = shapes.chunks_exact(period).take_while(|chunk| *chunk == first).count();
        (times > 1).then_some((period, times))
    };
    (1..=LONGEST_PATTERN).find_map(times).unwrap_or((1, 1))
}

/// The row that stands for cycles which repeat those that were drawn before it.
fn the_same(drawn: &[&[Step]], repeated: &[&[Step]]) -> Option<Row> {
    let begins = |cycles: &[&[Step]]| cycles.first().and_then(|steps| steps.first()).map(|step| step.at);
    let first = repeated.first()?.first()?;
    let last = repeated.last()?.last()?;
    let every = length(first.at.as_nanosecond() - begins(drawn)?.as_nanosecond());
    let mut text = String::new();
    let (from, to) = (first.cycle, last.cycle);
    let times = repeated.len() / drawn.len();
    let head =
        if from == to { format!("route cycle {from}") } else { format!("route cycles {from} to {to}") };
    let what =
        if drawn.len() == 1 { "the same".to_owned() } else { format!("the last {} cycles", drawn.len()) };
    if times == 1 {
        line(&mut text, format_args!("{:>16}   {head}: {what} once more, {every} later", "──"));
    } else {
        line(&mut text, format_args!("{:>16}   {head}: {what} {times} more times, every {every}", "──"));
    }
    let cycle = drawn.last()?.last()?.cycle;
    Some(Row { cycle, text, attempts: repeated.iter().map(|steps| steps.len()).sum() })
}

fn line(text: &mut String, words: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = text.write_fmt(words);
    text.push('\n');
}

fn one_step(start: Timestamp, step: &Step, width: usize) -> String {
    let mut text = String::new();
    let (at, name, what) = (offset(start, step.at), &step.candidate, step.trigger.words());
    let Some(decision) = &step.decision else {
        line(&mut text, format_args!("{at:>16}   {name:width$}  {what}, succeeds"));
        return text;
    };
    let next = next(start, decision);
    line(&mut text, format_args!("{at:>16}   {name:width$}  {what}, fails → {next}"));
    if let Some(degraded) = &decision.degraded {
        let until = match degraded.until {
            DegradedUntil::Deadline { wait } => format!("until {}", offset(start, wait.until)),
            DegradedUntil::ActionRequired => "until a person acts".to_owned(),
        };
        line(&mut text, format_args!("{:>16}   {:width$}  degraded {until}: {}", "", "", degraded.resource));
    }
    text
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

/// The time since the start.
fn offset(start: Timestamp, at: Timestamp) -> String {
    format!("+{}", length(at.as_nanosecond() - start.as_nanosecond()))
}

/// A length of time; units that are zero at the front are left out, milliseconds where they are zero.
fn length(nanoseconds: i128) -> String {
    let ms = nanoseconds / 1_000_000;
    let seconds = ms / 1000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let fraction = if ms % 1000 == 0 { String::new() } else { format!(".{:03}", ms % 1000) };
    let rest = format!("{}{fraction}s", seconds % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => rest,
        (0, 0, _) => format!("{minutes}m {rest}"),
        (0, _, _) => format!("{hours}h {minutes}m {rest}"),
        (_, _, _) => format!("{days}d {hours}h {minutes}m {rest}"),
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
