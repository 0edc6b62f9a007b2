//! Which rule packs a command works with: the embedded one, folders, an overlay, a settings file.

use std::path::PathBuf;

use clap::Args;
use faultbook::{Catalogue, Faultbook, PackTrust, Packs, Problems};

use crate::configuration::Configuration;
use crate::failure::Failure;
use crate::output::warning_line;

/// The options that choose rule packs.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Rule packs")]
pub(crate) struct PackOptions {
    /// A folder with a rule pack, beside the embedded one; may be given several times
    ///
    /// The pack's rules inform at most (medium confidence), unless --trust names the pack.
    #[arg(long, value_name = "DIR", global = false)]
    pub(crate) rules: Vec<PathBuf>,
    /// Leaves the embedded `core` pack out
    #[arg(long)]
    pub(crate) no_core: bool,
    /// Lets the rules of a pack given by --rules authorise work; the same folder, or its last name
    #[arg(long, value_name = "PACK")]
    pub(crate) trust: Vec<PathBuf>,
    /// A file that switches rules off, lowers their confidence or shifts their rank
    #[arg(long, value_name = "FILE")]
    pub(crate) overlay: Option<PathBuf>,
    /// A settings file that names packs and an overlay; by default ./faultbook.yaml, where there is one
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl PackOptions {
    /// Loads the packs and opens them. Warnings about the overlay go to standard error.
    pub(crate) fn open(&self) -> Result<Faultbook, Failure> {
        let book = Faultbook::open(&self.packs()?).map_err(unusable)?;
        warn(&book.catalogue());
        Ok(book)
    }

    /// What is to be loaded, with the settings file's part.
    fn packs(&self) -> Result<Packs, Failure> {
        let settings = Configuration::find(self.config.as_deref())?;
        let with_core = settings.core && !self.no_core;
        let mut packs = if with_core { Packs::core() } else { Packs::none() };
        let own = self.rules.iter().map(|folder| (folder.clone(), self.is_trusted(folder)));
        let listed = settings.packs.into_iter().map(|pack| (pack.folder, pack.trusted));
        let mut count = usize::from(with_core);
        for (folder, is_trusted) in listed.chain(own) {
            let trust = if is_trusted { PackTrust::Trusted } else { PackTrust::Informing };
            packs = packs.folder(folder, trust);
            count += 1;
        }
        if count == 0 {
            let help = "add a pack with --rules DIR, or leave --no-core out";
            return Err(Failure::usage("there is no rule pack to classify with", help));
        }
        self.refuse_idle_trust()?;
        match self.overlay.clone().or(settings.overlay) {
            Some(file) => Ok(packs.overlay(file, today())),
            None => Ok(packs),
        }
    }

    fn is_trusted(&self, folder: &std::path::Path) -> bool {
        self.trust.iter().any(|named| names(named, folder))
    }

    /// A --trust that names no pack is a typing mistake that would silently weaken every answer.
    fn refuse_idle_trust(&self) -> Result<(), Failure> {
        match self.trust.iter().find(|named| !self.rules.iter().any(|folder| names(named, folder))) {
            Some(idle) => {
                let message = format!("--trust {} names no pack that --rules gives", idle.display());
                Err(Failure::usage(message, "name a folder of --rules, or the last part of its path"))
            }
            None => Ok(()),
        }
    }
}

fn names(named: &std::path::Path, folder: &std::path::Path) -> bool {
    named == folder || folder.file_name().is_some_and(|last| last == named.as_os_str())
}

/// Today in UTC, the day that decides which overlay entries have run out.
pub(crate) fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// Problems of packs as a failure.
pub(crate) fn unusable(problems: Problems) -> Failure {
    let conflicts = problems.conflicts.iter().map(ToString::to_string).collect();
    Failure::Problems { subject: "the rule packs", diagnostics: problems.diagnostics, conflicts }
}

fn warn(catalogue: &Catalogue) {
    for note in catalogue.overlay_notes() {
        warning_line(&note.to_string());
    }
}
