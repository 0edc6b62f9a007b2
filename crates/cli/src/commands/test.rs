//! `faultbook test`: the suites of rules.

use clap::Args;
use faultbook_checks::suite::Filter;
use faultbook_checks::{Checked, test_loaded};

use super::folders::{FolderOptions, ReportName, conclude};
use crate::failure::{Ended, Failure};

/// Run the suites of rules
///
/// Each case goes through the real engine. A failure shows what the case expects (`-`) and what the engine says
/// (`+`), at the line of the case.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Test {
    /// A rule's id, the beginning of one, or a pack's id; everything where it is absent
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Only cases whose name contains this
    #[arg(long, value_name = "TEXT")]
    case: Option<String>,
    #[command(flatten)]
    folders: FolderOptions,
    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: ReportName,
}

const EXAMPLES: &str = "\
Examples:
    faultbook test
    faultbook test openai.insufficient-quota
    faultbook test anthropic. --case overloaded
    faultbook test acme --rules acme --fixtures acme-fixtures --format junit > report.xml";

impl Test {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<Ended, Failure> {
        let (checked, problems) = self.folders.load()?;
        let filter = self.filter(&checked);
        let report = test_loaded(&checked, problems, &filter);
        if report.results.is_empty() && report.findings.is_empty() {
            let help = "suites lie at fixtures/<pack id>/<rule id>.yaml; --fixtures names another folder";
            return Err(Failure::usage("no case was run: nothing has this name", help));
        }
        conclude(&report, self.format, false)
    }

    fn filter(&self, checked: &Checked) -> Filter {
        let is_pack = |name: &String| checked.packs.iter().any(|pack| pack.loaded.pack.manifest.id == *name);
        let (pack, rule) = match self.name.clone() {
            Some(name) if is_pack(&name) => (Some(name), None),
            name => (None, name),
        };
        Filter { pack, rule, case: self.case.clone() }
    }
}
