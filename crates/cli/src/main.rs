//! The binary `faultbook`: what went wrong, why that is the answer, and the tools of those who write rules.
//!
//! [`arguments`] declares the command line, each module of [`commands`] runs one command, and everything that
//! ends a run early is a [`Failure`](failure::Failure), which knows its words and its exit code.

mod arguments;
mod commands;
mod configuration;
mod failure;
mod input;
mod output;
mod packs;
mod pipeline;
mod progress;
mod view;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use arguments::CommandLine;
use clap::Parser;
use failure::{Ended, Failure};

fn main() -> ExitCode {
    let arguments = match CommandLine::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let is_answer = !error.use_stderr();
            let is_printed = error.print().is_ok();
            return if is_answer && is_printed { Ended::Done.into() } else { Ended::Unusable.into() };
        }
    };
    // The hook has already printed where it happened; what is left is to end with the right code.
    let outcome = catch_unwind(AssertUnwindSafe(|| commands::run(arguments)))
        .unwrap_or_else(|_| Err(Failure::Internal("a step panicked".to_owned())));
    match outcome {
        Ok(ended) => ended.into(),
        Err(failure) => {
            failure.report();
            failure.ended().into()
        }
    }
}
