//! A report as JUnit XML: one test suite for each rule's cases, and one for everything else that was found.

use quick_junit::{NonSuccessKind, Report as Xml, TestCase, TestCaseStatus, TestSuite};

use faultbook_document::{Diagnostic, Severity};

use super::Report;
use crate::suite::{CaseResult, FAILED_CASE};

pub(super) fn render(report: &Report) -> String {
    let mut xml = Xml::new("faultbook");
    for results in report.results.chunk_by(|one, other| (&one.pack, &one.rule) == (&other.pack, &other.rule))
    {
        let Some(first) = results.first() else { continue };
        let mut suite = TestSuite::new(format!("{}/{}", first.pack, first.rule));
        suite.add_test_cases(results.iter().map(case));
        xml.add_test_suite(suite);
    }
    // Failed cases stand among the cases already.
    let mut checks = TestSuite::new("check");
    checks.add_test_cases(report.findings.iter().filter(|one| one.code != FAILED_CASE).map(finding));
    if checks.test_cases.is_empty() {
        checks.add_test_case(TestCase::new("no problems", TestCaseStatus::success()));
    }
    xml.add_test_suite(checks);
    // Writing to memory cannot fail.
    xml.to_string().unwrap_or_default()
}

fn case(result: &CaseResult) -> TestCase {
    let status = if result.holds() {
        TestCaseStatus::success()
    } else {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(FAILED_CASE).set_message(result.outcome.as_str()).set_description(result.diff());
        status
    };
    let mut case = TestCase::new(format!("{}: {}", result.kind.as_str(), result.case), status);
    case.set_classname(result.rule.as_str());
    case
}

/// An error is a failure. A warning is none, but should be seen.
fn finding(diagnostic: &Diagnostic) -> TestCase {
    let place = format!("{}:{}:{}", diagnostic.file, diagnostic.line, diagnostic.column);
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
    let words = format!("{place}\n{}{help}", diagnostic.message);
    let status = match diagnostic.severity {
        Severity::Error => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(diagnostic.code).set_message(diagnostic.message.as_str());
            status.set_description(words.as_str());
            status
        }
        Severity::Warning => TestCaseStatus::success(),
    };
    let mut case = TestCase::new(format!("{}: {place}", diagnostic.code), status);
    case.set_classname(diagnostic.code);
    if diagnostic.severity == Severity::Warning {
        case.set_system_out(words.as_str());
    }
    case
}
