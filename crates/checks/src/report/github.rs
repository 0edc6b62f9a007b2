//! A report as GitHub workflow commands: one annotation a finding.

use faultbook_document::{Diagnostic, Severity};

use super::Report;

pub(super) fn render(report: &Report) -> String {
    report.findings.iter().map(annotation).collect()
}

fn annotation(finding: &Diagnostic) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let help = finding.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
    format!(
        "::{level} file={},line={},endLine={},col={},title={}::{}\n",
        property(&finding.file),
        finding.line,
        finding.end.line.max(finding.line),
        finding.column,
        property(finding.code),
        data(&format!("{}{help}", finding.message)),
    )
}

/// Escapes a message, so that a line break or a command in it stays text.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property, in which colons and commas separate.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
