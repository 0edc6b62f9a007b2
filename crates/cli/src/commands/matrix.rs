//! `faultbook matrix`: for each case, which rule wins and which others match.

use std::io::Write as _;

use clap::Args;
use faultbook_checks::matrix::{Matrix as CaseMatrix, build_matrix};

use super::folders::FolderOptions;
use crate::failure::{Ended, Failure};
use crate::output::{Format, Output, error_text};

/// Show which rules match in which cases
///
/// For each case of a suite: the answer (`=`), the other rules that match (`+`), those that do not count (`-`), and
/// marks (`*`). The same text is kept beside the suite and compared by `faultbook check`.
///
/// Example: `faultbook matrix openai.insufficient-quota`
#[derive(Debug, Args)]
pub(crate) struct Matrix {
    /// A rule's id, or the beginning of one; every rule where it is absent
    #[arg(value_name = "RULE", default_value = "", hide_default_value = true)]
    rule: String,
    #[command(flatten)]
    folders: FolderOptions,
    /// How the matrix is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

impl Matrix {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let (checked, problems) = self.folders.load()?;
        let last = checked.packs.len().saturating_sub(1);
        let catalogue = checked.compile(checked.packs_until(last)).map_err(|diagnostics| {
            Failure::Problems { subject: "the rule packs", diagnostics, conflicts: Vec::new() }
        })?;
        if !problems.is_empty() {
            error_text(
                "warning: some files have problems, see `faultbook check`; what can be read is shown\n",
            );
        }
        let suites: Vec<_> = checked.packs.iter().flat_map(|pack| pack.suites.iter().cloned()).collect();
        let wanted: Vec<_> = suites.into_iter().filter(|suite| suite.rule.starts_with(&self.rule)).collect();
        if wanted.is_empty() {
            let help =
                "`faultbook list` lists the rules; suites lie in ./fixtures unless --fixtures says otherwise";
            return Err(Failure::usage(format!("no suite is of a rule `{}`", self.rule), help));
        }
        let matrices = build_matrix(&catalogue, &wanted);
        self.write(&matrices)
    }

    fn write(&self, matrices: &[CaseMatrix]) -> Result<Ended, Failure> {
        let mut output = Output::standard();
        match self.format {
            Format::Human => {
                for matrix in matrices {
                    let rows = matrix.text();
                    let body = rows.lines().filter(|line| !line.starts_with('#'));
                    writeln!(output, "{} ({})", matrix.rule, matrix.pack)?;
                    for line in body {
                        writeln!(output, "{line}")?;
                    }
                    writeln!(output)?;
                }
                output.finish()?;
            }
            Format::Json | Format::Jsonl => output.list(matrices, self.format)?,
        }
        Ok(Ended::Done)
    }
}
