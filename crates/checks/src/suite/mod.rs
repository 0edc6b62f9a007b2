//! Running suites: each case through the real engine, each failure as one clear diff.

mod codes;
mod compare;
mod outcome;
mod parallel;
mod run;

pub use codes::{CODES, FAILED_CASE};
pub use outcome::{CaseResult, Difference, Outcome};
pub use parallel::map as map_in_parallel;
pub(crate) use run::judge;
pub use run::{Filter, failures, run_case, run_suites};
