//! A report for people: each problem with its place, then one line that sums up.

use faultbook_document::{Colours, render as render_diagnostic};

use super::Report;

pub(super) fn render(report: &Report, colours: Colours) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&render_diagnostic(finding, colours));
        text.push_str("\n\n");
    }
    for path in &report.blessed {
        text.push_str(&format!("rewritten: {path}\n"));
    }
    text.push_str(&summary(report));
    text.push('\n');
    if report.counts.unproven > 0 {
        text.push_str(&format!(
            "not proven: collisions of text patterns in {}; matrix, honeypot and co-occurrences are their check\n",
            counted(report.counts.unproven, "rule")
        ));
    }
    text
}

fn summary(report: &Report) -> String {
    let counts = report.counts;
    let mut looked = vec![
        counted(counts.packs, "pack"),
        counted(counts.rules, "rule"),
        counted(report.results.len(), "case"),
    ];
    if counts.baits > 0 {
        looked.push(format!("{} of ordinary text", counted(counts.baits, "piece")));
    }
    if counts.mutants > 0 {
        looked.push(counted(counts.mutants, "mutant"));
    }
    let failed = match report.failed_cases() {
        0 => String::new(),
        failed => format!(" ({} failed)", counted(failed, "case")),
    };
    let found = match (report.errors(), report.warnings()) {
        (0, 0) => "no problems".to_owned(),
        (errors, 0) => counted(errors, "error"),
        (0, warnings) => counted(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
    };
    format!("checked {}: {found}{failed}", looked.join(", "))
}

fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
