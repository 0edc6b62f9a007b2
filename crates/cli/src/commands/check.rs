//! `faultbook check`: everything that can be said about packs and their suites.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use faultbook_checks::{Options, check_loaded};

use super::folders::{FolderOptions, ReportName, conclude};
use crate::failure::{Ended, Failure};

/// Check packs and their suites
///
/// Loads every file of the packs and reports all problems at once, with file, line, column and what to do. Then runs
/// every suite, compares the generated matrices, looks for rules that collide, are shadowed or can never match, and
/// for rules that fire on ordinary text. Exit code 1 means that something was found.
///
/// Without arguments it checks the packs in ./rules with the suites in ./fixtures; in Faultbook's own repository this is
/// the shipped pack, rules/core. Where there is no folder ./rules, it checks the embedded pack, whose suites are not at
/// hand.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    folders: FolderOptions,
    /// A labelled corpus in which rules of different codes that match together are looked for
    #[arg(long, value_name = "FILE")]
    corpus: Vec<PathBuf>,
    /// Rewrites the generated matrices instead of reporting that they are out of date
    #[arg(long)]
    bless: bool,
    /// What counts as a finding beside errors
    #[arg(long, value_name = "WHAT")]
    deny: Option<Deny>,
    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: ReportName,
}

const EXAMPLES: &str = "\
Examples:
  Everything in ./rules with the suites in ./fixtures:
    faultbook check

  A pack of your own, beside the embedded one, in a workflow:
    faultbook check --rules acme --fixtures acme-fixtures --deny warnings --format github

  After a change that is meant, write the matrices anew:
    faultbook check --bless";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Deny {
    /// Warnings, too
    Warnings,
}

impl Check {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Ended, Failure> {
        let (checked, problems) = self.folders.load()?;
        let options = Options { corpora: self.corpus, bless: self.bless };
        let report = check_loaded(&checked, problems, &options);
        conclude(&report, self.format, self.deny == Some(Deny::Warnings))
    }
}
