//! `faultbook completions`: completions for a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write as _;

use crate::arguments::CommandLine;
use crate::failure::{Ended, Failure};
use crate::output::Output;

/// Print completions for a shell
///
/// Write them to where your shell looks for completions and start a new shell.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
    faultbook completions bash > ~/.local/share/bash-completion/completions/faultbook
    faultbook completions zsh > ~/.zfunc/_faultbook
    faultbook completions fish > ~/.config/fish/completions/faultbook.fish";

impl Completions {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "faultbook", &mut text);
        let mut output = Output::standard();
        output.write_all(&text)?;
        output.finish()?;
        Ok(Ended::Done)
    }
}
