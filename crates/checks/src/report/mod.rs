//! What a check found, and how it is shown: to people, to tools, to the forge.

mod github;
mod human;
mod json;
mod junit;
mod sarif;

use faultbook_document::{Colours, Diagnostic, Severity};

use crate::suite::CaseResult;

faultbook_document::diagnostic_codes! {
    UNREADABLE_CORPUS = "unreadable-corpus": "A corpus cannot be read, or a line of it is no record.";
}

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Every problem, sorted by file and line.
    pub findings: Vec<Diagnostic>,
    /// Every case that was run.
    pub results: Vec<CaseResult>,
    /// How much was looked at.
    pub counts: Counts,
    /// Generated files that were rewritten.
    pub blessed: Vec<String>,
}

/// How much a check looked at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Packs that could be loaded.
    pub packs: usize,
    /// Their rules.
    pub rules: usize,
    /// Their suites.
    pub suites: usize,
    /// Pieces of ordinary text in the honeypot.
    pub baits: usize,
    /// Mutants of the rules that were run.
    pub mutants: usize,
    /// Rules with text patterns: that these do not meet others is not proven, only watched.
    pub unproven: usize,
}

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    /// For people.
    Human,
    /// One JSON object.
    Json,
    /// Workflow commands that a forge shows beside the lines.
    Github,
    /// SARIF 2.1.0.
    Sarif,
    /// JUnit XML.
    Junit,
}

impl Report {
    /// How many errors there are.
    #[must_use]
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    /// How many warnings there are.
    #[must_use]
    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// How many cases failed.
    #[must_use]
    pub fn failed_cases(&self) -> usize {
        self.results.iter().filter(|result| !result.holds()).count()
    }

    /// Whether nothing stands in the way.
    #[must_use]
    pub fn is_clean(&self, deny_warnings: bool) -> bool {
        self.errors() == 0 && (!deny_warnings || self.warnings() == 0)
    }

    /// Sorts the findings by place and drops those that are said twice.
    pub fn sort(&mut self) {
        self.findings.sort_by(|left, right| left.order().cmp(&right.order()));
        self.findings.dedup();
    }

    /// The report as text. Only the human form has colours.
    #[must_use]
    pub fn render(&self, format: ReportFormat, colours: Colours) -> String {
        match format {
            ReportFormat::Human => human::render(self, colours),
            ReportFormat::Json => json::render(self),
            ReportFormat::Github => github::render(self),
            ReportFormat::Sarif => sarif::render(self),
            ReportFormat::Junit => junit::render(self),
        }
    }
}
