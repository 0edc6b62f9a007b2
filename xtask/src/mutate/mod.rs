//! `cargo xtask mutate-recordings`: whatever is damaged on the way, nothing that happened is done again.
//!
//! Every recording in which something happened, or which the user cancelled, is damaged in every way and at every frame;
//! after none of them may anything be sent by itself. The seed of a damage comes from the recording's id, the kind and
//! the frame, so that each run does the same. The undamaged recordings keep what `expected.jsonl` grants them
//! (`"decision": "automatic"`), and nothing else is granted.

mod effects;
mod judge;
mod kinds;
mod load;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use clap::Args;
use faultbook_adapters::Recording;

use judge::{Authorised, Judge, Truth};
use kinds::{Aim, Kind};
use load::Loaded;

/// The most frames of one recording that a kind is tried at: long streams repeat the same few kinds of frame.
const MAX_FRAMES: usize = 40;
/// The most frames with an effect that a dear kind is tried at.
const MAX_EFFECTS: usize = 4;

/// What to damage.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Recordings, or folders with recordings [default: fixtures/recordings]
    paths: Vec<PathBuf>,
    /// Writes the damaged recordings that are authorised into this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// A damaged recording after which something would be sent.
struct Failure {
    agent: String,
    id: String,
    kind: &'static str,
    frame: usize,
    seed: u64,
    authorised: Authorised,
    damaged: Recording,
}

/// What came of one recording, or of many.
#[derive(Default)]
struct Outcome {
    damaged: usize,
    failures: Vec<Failure>,
    kept: usize,
    granted: usize,
    problems: Vec<String>,
}

/// Damages and judges; the problems.
pub(crate) fn run(options: &Options) -> Vec<String> {
    let (loaded, judge) = match load::all(&options.paths).and_then(|loaded| Ok((loaded, Judge::new()?))) {
        Ok(both) => both,
        Err(problem) => return vec![problem],
    };
    let mut outcome = judge_all(&judge, &loaded);
    println!(
        "{} damaged readings of effectful or cancelled recordings, {} authorised; {} of {} undamaged authorisations kept",
        outcome.damaged,
        outcome.failures.len(),
        outcome.kept,
        outcome.granted,
    );
    let mut problems = std::mem::take(&mut outcome.problems);
    problems.extend(options.keep.as_deref().and_then(|folder| keep(folder, &outcome.failures).err()));
    problems.extend(by_kind(&outcome.failures));
    problems.extend(smallest(&outcome.failures));
    problems
}

/// Recordings are independent of each other: each thread takes the next one.
fn judge_all(judge: &Judge, loaded: &[Loaded]) -> Outcome {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = loaded.get(number) else { return mine };
            mine.push((number, judge_one(judge, one)));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut outcomes: Vec<(usize, Outcome)> = thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
    });
    outcomes.sort_by_key(|(number, _)| *number);
    let mut sum = Outcome::default();
    for (_, outcome) in outcomes {
        sum.damaged += outcome.damaged;
        sum.failures.extend(outcome.failures);
        sum.kept += outcome.kept;
        sum.granted += outcome.granted;
        sum.problems.extend(outcome.problems);
    }
    sum
}

/// A thread that panicked judged nothing; that is a problem, never a pass.
fn lost() -> Vec<(usize, Outcome)> {
    let problems = vec!["a reading panicked; see above".to_owned()];
    vec![(usize::MAX, Outcome { problems, ..Outcome::default() })]
}

fn judge_one(judge: &Judge, loaded: &Loaded) -> Outcome {
    let mut outcome = Outcome::default();
    let recording = &loaded.recording;
    let truth = judge.truth(recording);
    undamaged(&truth, loaded, &mut outcome);
    if !truth.forbids() {
        return outcome;
    }
    for kind in kinds::all() {
        for at in aims(kind, recording) {
            let seed = seed(&recording.id, kind.name, at);
            let Some(damaged) = (kind.apply)(recording, at, seed).filter(|damaged| damaged != recording)
            else {
                continue;
            };
            outcome.damaged += 1;
            if let Some(authorised) = judge.authorised(&damaged) {
                outcome.failures.push(Failure {
                    agent: format!("{} {}", recording.agent.as_deref().unwrap_or("?"), recording.format),
                    id: recording.id.clone(),
                    kind: kind.name,
                    frame: at,
                    seed,
                    authorised,
                    damaged,
                });
            }
        }
    }
    outcome
}

/// Holds an undamaged reading against what is expected of it.
fn undamaged(truth: &Truth, loaded: &Loaded, outcome: &mut Outcome) {
    let id = &loaded.recording.id;
    let is_granted = truth.authorised.is_some();
    match loaded.is_automatic {
        Some(true) => {
            outcome.granted += 1;
            outcome.kept += usize::from(is_granted);
            if !is_granted {
                outcome.problems.push(format!("{id}: undamaged, and nothing is authorised any more"));
            }
        }
        // Without an expectation the truth decides: what happened must not be done again.
        Some(false) | None if is_granted && (truth.forbids() || loaded.is_automatic.is_some()) => {
            let told = truth.authorised.as_ref().map(words).unwrap_or_default();
            outcome.problems.push(format!("{id}: undamaged, and yet {told}"));
        }
        Some(false) => {}
        None => {
            outcome.granted += usize::from(is_granted);
            outcome.kept += usize::from(is_granted);
        }
    }
}

/// The frames at which a kind is tried: those with an effect first, then the others, spread evenly.
fn aims(kind: &Kind, recording: &Recording) -> Vec<usize> {
    let carrying = |at: &usize| recording.frames.get(*at).is_some_and(effects::carries);
    let (mut with, without): (Vec<usize>, Vec<usize>) = (0..recording.frames.len()).partition(carrying);
    match kind.aim {
        Aim::Whole => vec![0],
        Aim::Effects => spread(&with, MAX_EFFECTS),
        Aim::Each => {
            with = spread(&with, MAX_FRAMES / 2);
            with.extend(spread(&without, MAX_FRAMES - with.len()));
            with
        }
    }
}

/// At most so many of them, evenly, the first and the last among them.
fn spread(frames: &[usize], most: usize) -> Vec<usize> {
    let last = frames.len().saturating_sub(1);
    if frames.len() <= most || most < 2 {
        return frames.iter().copied().take(most).collect();
    }
    (0..most).filter_map(|number| frames.get(number * last / (most - 1)).copied()).collect()
}

/// FNV-1a over the recording's id, the kind and the frame.
fn seed(id: &str, kind: &str, at: usize) -> u64 {
    let text = format!("{id}\n{kind}\n{at}");
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn words(authorised: &Authorised) -> String {
    let code = authorised.code.map_or("an unknown cause".to_owned(), |code| code.to_string());
    format!("{} after {code} ({})", authorised.action, authorised.setting)
}

/// One line for each kind and adapter that fails, with a count.
fn by_kind(failures: &[Failure]) -> Vec<String> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for failure in failures {
        *counts.entry((&failure.agent, failure.kind)).or_default() += 1;
    }
    counts.into_iter().map(|((agent, kind), count)| format!("{agent}: {kind}: {count} authorised")).collect()
}

/// The failure with the least to read.
fn smallest(failures: &[Failure]) -> Option<String> {
    let size =
        |failure: &&Failure| failure.damaged.frames.iter().map(|frame| frame.line.len()).sum::<usize>();
    let failure = failures.iter().min_by_key(size)?;
    let line = failure.damaged.frames.get(failure.frame).map_or("", |frame| &frame.line);
    let shown = line.get(..line.floor_char_boundary(300)).unwrap_or_default();
    Some(format!(
        "the smallest: {}, kind {}, seed {:016x}, frame {}: {}\n    {shown}",
        failure.id,
        failure.kind,
        failure.seed,
        failure.frame + 1,
        words(&failure.authorised),
    ))
}

/// Writes each failing recording, named by its id, kind and frame.
fn keep(folder: &Path, failures: &[Failure]) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(failed)?;
    for failure in failures {
        let name = format!("{}--{}--{}.json", failure.id.replace('/', "_"), failure.kind, failure.frame + 1);
        fs::write(folder.join(name), format!("{:#}\n", failure.damaged.to_json())).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
