//! A report in every format, as people and tools see it.

use faultbook_checks::fixture::CaseKind;
use faultbook_checks::suite::{CaseResult, Difference, Outcome};
use faultbook_checks::{Counts, Report, ReportFormat};
use faultbook_document::{Colours, Diagnostic, Source};

fn report() -> Report {
    let source = Source::new("fixtures/core/a b,c.yaml", "schema: x\nrule: sample.busy\ncases: {}\n");
    let failed = Diagnostic::error(
        "failed-case",
        &source,
        source.span(16, 27),
        "positive case `50% <busy>` of `sample.busy`: missing\n- code: rate_limited\n+ code: unclassified, none",
    )
    .with_rule("sample.busy")
    .with_help("see `faultbook explain`");
    let drift = Diagnostic::error("matrix-drift", &source, source.span(10, 14), "the file is old")
        .with_related(&source, source.span(0, 6), "since here");
    let warning = Diagnostic::of_file("undecided-cooccurrence", "rules/core", "two rules meet").as_warning();
    let difference = Difference {
        part: "code".to_owned(),
        expected: "rate_limited".to_owned(),
        found: "unclassified, none".to_owned(),
    };
    let result = |case: &str, outcome, differences| CaseResult {
        pack: "core".to_owned(),
        rule: "sample.busy".to_owned(),
        kind: CaseKind::Positive,
        case: case.to_owned(),
        outcome,
        differences,
    };
    Report {
        findings: vec![drift, failed, warning],
        results: vec![
            result("plain", Outcome::Hit, Vec::new()),
            result("50% <busy>", Outcome::Missing, vec![difference]),
        ],
        counts: Counts { packs: 1, rules: 1, suites: 1, baits: 3, mutants: 9, unproven: 1 },
        blessed: Vec::new(),
    }
}

#[test]
fn human() {
    insta::assert_snapshot!(report().render(ReportFormat::Human, Colours::Plain));
}

#[test]
fn json() {
    let text = report().render(ReportFormat::Json, Colours::Plain);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value["errors"], &value["warnings"]), (&2.into(), &1.into()));
    assert_eq!(value["findings"].as_array().map(Vec::len), Some(3));
    assert_eq!(value["cases"][1]["outcome"], "missing");
}

#[test]
fn github_annotations_stay_on_one_line() {
    let text = report().render(ReportFormat::Github, Colours::Plain);
    assert_eq!(text.lines().count(), 3);
    insta::assert_snapshot!(text);
}

#[test]
fn sarif() {
    let text = report().render(ReportFormat::Sarif, Colours::Plain);
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn junit() {
    insta::assert_snapshot!(report().render(ReportFormat::Junit, Colours::Plain));
}

#[test]
fn warnings_can_be_denied() {
    let mut report = report();
    report.findings.retain(|finding| finding.code == "undecided-cooccurrence");
    assert!(report.is_clean(false) && !report.is_clean(true));
}
