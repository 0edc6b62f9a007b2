//! A report as one JSON object: counts, findings, and every case that was run.

use faultbook_document::Diagnostic;
use serde::Serialize;

use super::{Counts, Report};
use crate::suite::CaseResult;

#[derive(Serialize)]
struct Json<'r> {
    schema: &'static str,
    errors: usize,
    warnings: usize,
    counts: Counts,
    findings: &'r [Diagnostic],
    cases: &'r [CaseResult],
    blessed: &'r [String],
}

pub(super) fn render(report: &Report) -> String {
    let json = Json {
        schema: "faultbook.report/1",
        errors: report.errors(),
        warnings: report.warnings(),
        counts: report.counts,
        findings: &report.findings,
        cases: &report.results,
        blessed: &report.blessed,
    };
    // The types hold nothing that JSON cannot.
    let mut text = serde_json::to_string_pretty(&json).unwrap_or_default();
    text.push('\n');
    text
}
