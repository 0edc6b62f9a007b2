//! The pipeline: one thread reads, two work, one writes; order is kept and memory is bounded.
//!
//! Batch number *n* goes to worker *n* mod 2, and results are taken from the workers in the same turn, so that
//! nothing has to be sorted. The queues hold a few batches each; a slow reader of the output slows everything down.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::failure::Failure;
use crate::input::{Batch, By, Kind, Source, cut};

/// How many threads work on batches.
const WORKERS: usize = 2;
/// How many batches wait for each worker, and how many of its results wait.
const QUEUE: usize = 2;

/// What is read, and how it is cut.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    /// Where it comes from.
    pub(crate) sources: Vec<Source>,
    /// What it holds.
    pub(crate) kind: Kind,
    /// What gets one answer.
    pub(crate) by: By,
}

impl Reading {
    /// The bytes of all sources, where they are known.
    pub(crate) fn size(&self) -> Option<u64> {
        self.sources.iter().map(Source::size).sum()
    }
}

/// Reads, works and hands each result to `write`, in the order of the input.
///
/// The threads are left alone when `write` fails: they may wait for input that never comes, and the process ends.
pub(crate) fn run<T: Send + 'static>(
    reading: Reading,
    work: impl Fn(Batch) -> T + Send + Sync + 'static,
    mut write: impl FnMut(T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let work = Arc::new(work);
    let mut inputs = Vec::with_capacity(WORKERS);
    let mut results = Vec::with_capacity(WORKERS);
    let mut workers = Vec::with_capacity(WORKERS);
    for _ in 0..WORKERS {
        let (input, batches) = sync_channel::<Batch>(QUEUE);
        let (answers, result) = sync_channel::<T>(QUEUE);
        let work = Arc::clone(&work);
        workers.push(thread::spawn(move || drain(&batches, &answers, &*work)));
        inputs.push(input);
        results.push(result);
    }
    let reader = thread::spawn(move || feed(&reading, &inputs));
    for result in results.iter().cycle() {
        match result.recv() {
            Ok(answer) => write(answer)?,
            // The first worker without another result is the first that will get no further batch.
            Err(_) => break,
        }
    }
    // A worker that still holds a result must not wait for a reader of it.
    drop(results);
    let is_complete = matches!(reader.join(), Ok(Fed::All));
    if is_complete && workers.into_iter().all(|worker| worker.join().is_ok()) {
        Ok(())
    } else {
        Err(Failure::Internal("a thread of the pipeline ended early".to_owned()))
    }
}

/// How feeding ended.
enum Fed {
    All,
    WorkerGone,
}

fn feed(reading: &Reading, inputs: &[SyncSender<Batch>]) -> Fed {
    let mut turn = inputs.iter().cycle();
    let mut fed = Fed::All;
    cut(
        &reading.sources,
        reading.kind,
        reading.by,
        &mut |batch| match turn.next().map(|to| to.send(batch)) {
            Some(Ok(())) => ControlFlow::Continue(()),
            Some(Err(_)) | None => {
                fed = Fed::WorkerGone;
                ControlFlow::Break(())
            }
        },
    );
    fed
}

fn drain<T>(batches: &Receiver<Batch>, answers: &SyncSender<T>, work: &dyn Fn(Batch) -> T) {
    for batch in batches {
        if answers.send(work(batch)).is_err() {
            return;
        }
    }
}
