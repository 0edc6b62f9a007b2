//! The commands, one module each.

pub(crate) mod classify;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod schema;
pub(crate) mod show;
mod stream;

use crate::arguments::{Command, CommandLine};
use crate::failure::{Ended, Failure};

/// Runs the command that was asked for.
pub(crate) fn run(arguments: CommandLine) -> Result<Ended, Failure> {
    match arguments.command {
        Command::Classify(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::List(command) => command.run(),
        Command::Show(command) => command.run(),
        Command::Schema(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    }
}
