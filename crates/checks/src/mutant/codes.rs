//! The diagnostics of the mutants, by slug.

faultbook_document::diagnostic_codes! {
    SURVIVING_MUTANT = "surviving-mutant": "A rule was weakened or shifted, and no case noticed.";
    UNKNOWN_MUTANT = "unknown-mutant": "A rule declares a mutant as equivalent that it does not have.";
    KILLED_EQUIVALENT = "killed-equivalent": "A rule declares a mutant as equivalent, and a case tells them apart.";
}
