//! What rule authors and CI need: collisions, suites, matrix, mutants, scoring and reports.
//!
//! [`check()`] runs everything on packs in folders and gives a [`Report`]; its parts can be called on their own.

pub mod bump;
mod check;
pub mod codes;
pub mod collision;
pub mod cooccurrence;
pub mod coverage;
mod examine;
pub mod fixture;
pub mod honeypot;
mod loaded;
pub mod matrix;
pub mod mutant;
pub mod order;
pub mod redaction;
mod report;
pub mod score;
pub mod status;
pub mod suite;
#[cfg(test)]
mod testing;

pub use check::{Options, check, check_loaded, test_loaded};
pub use examine::{Examined, examine};
pub use loaded::{CATALOGUE_REFUSED, Checked, CheckedPack};
pub use matrix::{bless_matrix, build_matrix};
pub use report::{Counts, Report, ReportFormat, UNREADABLE_CORPUS};
pub use score::score;
pub use suite::run_suites;
