//! `faultbook man`: the manual pages.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man as Page;

use crate::arguments::CommandLine;
use crate::failure::{Ended, Failure};
use crate::output::Output;

/// Print the manual page, or write one for each command
///
/// Examples: `faultbook man | man -l -` shows the page; `faultbook man --out man1` writes faultbook.1,
/// faultbook-classify.1 and so on into the folder.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// A folder to write one page a command into
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let command = CommandLine::command();
        match &self.out {
            Some(folder) => {
                fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command, folder)).map_err(
                    |error| Failure::File { path: folder.display().to_string(), verb: "write", error },
                )?;
            }
            None => {
                let mut text = Vec::new();
                Page::new(command).render(&mut text)?;
                let mut output = Output::standard();
                output.write_all(&text)?;
                output.finish()?;
            }
        }
        Ok(Ended::Done)
    }
}
