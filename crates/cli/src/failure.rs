//! Everything that ends a run early: its words, what to do about it, and the exit code.

use std::io;
use std::process::ExitCode;

use faultbook::Diagnostic;
use faultbook_document::{Colours, render};

use crate::output::{Palette, error_line, error_text};

/// How a run ended. The numbers are part of the command line's contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Everything was done, whatever the answers were.
    Done,
    /// A check, a suite or a comparison found something.
    Findings,
    /// Bad usage, or input that cannot be read.
    Unusable,
    /// A fault of the program itself.
    Internal,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        Self::from(match ended {
            Ended::Done => 0,
            Ended::Findings => 1,
            Ended::Unusable => 2,
            Ended::Internal => 3,
        })
    }
}

/// Why a run ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments do not make sense together.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
    /// A file or folder cannot be read or written.
    File {
        /// Its path as the user gave it.
        path: String,
        /// What was tried, such as `read`.
        verb: &'static str,
        /// What the system said.
        error: io::Error,
    },
    /// Files of packs, overlays or settings are broken.
    Problems {
        /// What cannot be used, such as `the rule packs`.
        subject: &'static str,
        /// Problems with a place in a file.
        diagnostics: Vec<Diagnostic>,
        /// Problems between files.
        conflicts: Vec<String>,
    },
    /// Some of the input could not be read; each part was reported when it was met.
    PartlyUnreadable(u64),
    /// Whoever read the output has closed it. Not an error.
    OutputClosed,
    /// The output cannot be written.
    Output(io::Error),
    /// A fault of the program itself.
    Internal(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Output(error),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        match error.io_error_kind() {
            Some(kind) => io::Error::from(kind).into(),
            None => Self::Internal(format!("an answer cannot be written as JSON: {error}")),
        }
    }
}

impl Failure {
    /// A usage error.
    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: help.into() }
    }

    /// How the run ends.
    pub(crate) const fn ended(&self) -> Ended {
        match self {
            Self::OutputClosed => Ended::Done,
            Self::Usage { .. } | Self::File { .. } | Self::Problems { .. } | Self::PartlyUnreadable(_) => {
                Ended::Unusable
            }
            Self::Output(_) => Ended::Unusable,
            Self::Internal(_) => Ended::Internal,
        }
    }

    /// Says it on standard error.
    pub(crate) fn report(&self) {
        match self {
            Self::OutputClosed => {}
            Self::Usage { message, help } => error_line(message, Some(help)),
            Self::File { path, verb, error } => error_line(&format!("cannot {verb} `{path}`: {error}"), None),
            Self::Problems { subject, diagnostics, conflicts } => {
                report_problems(subject, diagnostics, conflicts);
            }
            Self::PartlyUnreadable(count) => {
                let parts = if *count == 1 { "part" } else { "parts" };
                error_line(&format!("{count} {parts} of the input could not be read; see above"), None);
            }
            Self::Output(error) => error_line(&format!("cannot write the output: {error}"), None),
            Self::Internal(what) => {
                let help = "this is a bug in faultbook; please report it with the command and its input";
                error_line(&format!("internal error: {what}"), Some(help));
            }
        }
    }
}

fn report_problems(subject: &str, diagnostics: &[Diagnostic], conflicts: &[String]) {
    let colours = if Palette::of_errors().is_plain() { Colours::Plain } else { Colours::Ansi };
    for diagnostic in diagnostics {
        error_text(&format!("{}\n\n", render(diagnostic, colours)));
    }
    for conflict in conflicts {
        error_line(conflict, None);
    }
    let count = diagnostics.len() + conflicts.len();
    let problems = if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") };
    let help = "`faultbook check` says everything about a pack; nothing was classified";
    error_line(&format!("{subject} cannot be used: {problems}"), Some(help));
}
