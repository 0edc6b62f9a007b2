//! Which packs and suites on disk the checking commands look at.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use faultbook_checks::{Checked, CheckedPack, Report, ReportFormat};
use faultbook_document::{Colours, Diagnostic};
use std::io::Write as _;

use crate::failure::{Ended, Failure};
use crate::output::{Output, Palette};

const CORE: &str = "core";

/// The options that choose packs and suites in folders.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Packs and suites")]
pub(crate) struct FolderOptions {
    /// A pack's folder, or a folder of packs; may be given several times [default: rules, where it is
    /// a folder, else the embedded pack alone]
    #[arg(long = "rules", value_name = "DIR")]
    pub(crate) packs: Vec<PathBuf>,
    /// The folder with the suites, `<DIR>/<pack id>/<rule id>.yaml`, and the honeypot [default: fixtures]
    #[arg(long, value_name = "DIR")]
    pub(crate) fixtures: Vec<PathBuf>,
    /// Looks at the packs alone, not beside the embedded `core` pack
    #[arg(long)]
    pub(crate) no_core: bool,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportName {
    /// For people
    #[default]
    Human,
    /// One JSON object
    Json,
    /// Annotations of a GitHub workflow
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// JUnit XML, for test reports
    Junit,
}

impl From<ReportName> for ReportFormat {
    fn from(name: ReportName) -> Self {
        match name {
            ReportName::Human => Self::Human,
            ReportName::Json => Self::Json,
            ReportName::Github => Self::Github,
            ReportName::Sarif => Self::Sarif,
            ReportName::Junit => Self::Junit,
        }
    }
}

impl FolderOptions {
    /// Loads the packs and their suites. The embedded `core` pack stands before them, unless it is among them.
    pub(crate) fn load(&self) -> Result<(Checked, Vec<Diagnostic>), Failure> {
        let (mut checked, problems) = Checked::load(&self.pack_folders()?, &self.fixture_folders());
        let has_core = checked.packs.iter().any(|pack| pack.loaded.pack.manifest.id == CORE);
        let is_about_core = problems
            .iter()
            .any(|problem| Path::new(&problem.file).components().any(|part| part.as_os_str() == CORE));
        if !self.no_core && !has_core && !is_about_core {
            let loaded = faultbook::core_pack().map_err(|diagnostics| Failure::Problems {
                subject: "the embedded pack",
                diagnostics,
                conflicts: Vec::new(),
            })?;
            // Its suites lie in its own repository, so nothing can be said about them here.
            checked.packs.insert(0, CheckedPack { loaded, suites: Vec::new(), has_all_suites: false });
        }
        Ok((checked, problems))
    }

    /// The folders of the packs, `core` first: the others are written beside it.
    pub(crate) fn pack_folders(&self) -> Result<Vec<PathBuf>, Failure> {
        let default = vec![PathBuf::from("rules")];
        let named = if self.packs.is_empty() { &default } else { &self.packs };
        // Outside of a pack's repository there is still the embedded pack.
        if self.packs.is_empty() && !Path::new("rules").is_dir() && !self.no_core {
            return Ok(Vec::new());
        }
        let mut folders = Vec::new();
        for folder in named {
            if !folder.is_dir() {
                let message = format!("there is no folder `{}`", folder.display());
                return Err(Failure::usage(message, "name a pack's folder with --rules DIR"));
            }
            folders.extend(packs_in(folder));
        }
        folders.sort_by_key(|folder| !folder.ends_with(CORE));
        folders.dedup();
        Ok(folders)
    }

    /// The folders of the suites.
    pub(crate) fn fixture_folders(&self) -> Vec<PathBuf> {
        if !self.fixtures.is_empty() {
            return self.fixtures.clone();
        }
        let default = PathBuf::from("fixtures");
        if default.is_dir() { vec![default] } else { Vec::new() }
    }
}

/// The folder itself where it is a pack, else the packs in it, else the folder, so that loading says what is wrong.
fn packs_in(folder: &Path) -> Vec<PathBuf> {
    let is_pack = |folder: &Path| folder.join("pack.yaml").is_file();
    if is_pack(folder) {
        return vec![folder.to_owned()];
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut packs: Vec<PathBuf> = entries.filter(|path| is_pack(path)).collect();
    packs.sort();
    if packs.is_empty() { vec![folder.to_owned()] } else { packs }
}

/// Writes a report and says how the run ended.
pub(super) fn conclude(report: &Report, format: ReportName, deny_warnings: bool) -> Result<Ended, Failure> {
    let colours = if Palette::of_output().is_plain() { Colours::Plain } else { Colours::Ansi };
    let text = report.render(format.into(), colours);
    let mut output = Output::standard();
    output.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        output.write_all(b"\n")?;
    }
    output.finish()?;
    Ok(if report.is_clean(deny_warnings) { Ended::Done } else { Ended::Findings })
}
