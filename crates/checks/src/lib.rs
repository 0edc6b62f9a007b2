//! What rule authors and CI need: collisions, suites, matrix, mutants, scoring and reports.

pub mod fixture;
pub mod redaction;
pub mod score;
pub mod suite;
