//! The diagnostics that running suites can give.

faultbook_document::diagnostic_codes! {
    FAILED_CASE = "failed-case": "The engine's answer to a case is not what the case expects.";
}
