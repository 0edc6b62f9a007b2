//! The commands, one module each.

pub(crate) mod check;
pub(crate) mod classify;
pub(crate) mod completions;
pub(crate) mod decide;
pub(crate) mod diff;
pub(crate) mod explain;
mod folders;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod matrix;
pub(crate) mod new;
pub(crate) mod policy;
mod policy_options;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod schema;
pub(crate) mod score;
pub(crate) mod show;
pub(crate) mod simulate;
mod stream;
mod telling;
pub(crate) mod test;
pub(crate) mod triage;

use crate::arguments::{Command, CommandLine};
use crate::failure::{Ended, Failure};

/// Runs the command that was asked for.
pub(crate) fn run(arguments: CommandLine) -> Result<Ended, Failure> {
    match arguments.command {
        Command::Classify(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Record(command) => command.run(),
        Command::Triage(command) => command.run(),
        Command::Decide(command) => command.run(),
        Command::Simulate(command) => command.run(),
        Command::Policy(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Test(command) => command.run(),
        Command::Matrix(command) => command.run(),
        Command::Score(command) => command.run(),
        Command::Diff(command) => command.run(),
        Command::New(command) => command.run(),
        Command::List(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Schema(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    }
}
