//! Work on the workspace itself: `cargo xtask generate`, `cargo xtask tidy`, `cargo xtask bench`,
//! `cargo xtask mutate-recordings`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for the terminal")]

mod bench;
mod generate;
mod mutate;
mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Work on the Faultbook workspace itself")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Writes every generated file: the JSON Schemas.
    Generate {
        /// Changes nothing; fails if a file is not what would be written.
        #[arg(long)]
        check: bool,
    },
    /// Times the binary and the engine.
    Bench,
    /// Damages recordings in every way: nothing that happened may be authorised again.
    MutateRecordings(mutate::Options),
    /// Checks the source tree: module docs, sizes, words, dependencies, invariants of absence.
    Tidy,
}

fn main() -> ExitCode {
    let problems = match Arguments::parse().task {
        Task::Generate { check } => generate::run(check),
        Task::Bench => bench::run(),
        Task::MutateRecordings(options) => mutate::run(&options),
        Task::Tidy => tidy::problems(),
    };
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The root of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
