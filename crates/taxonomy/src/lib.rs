//! The shared words of Faultbook: what can go wrong, how sure one may be, and how an answer looks.
//!
//! One failure gets one semantic [`Code`]; every code belongs to exactly one policy [`Class`]. Codes may grow,
//! classes do not. This crate holds words and shapes only: it decides nothing.
//!
//! ```
//! use faultbook_taxonomy::{Class, Code};
//!
//! let code: Code = "quota_limited".parse()?;
//! assert_eq!(code.class(), Class::Hard);
//! # Ok::<(), faultbook_taxonomy::UnknownWord>(())
//! ```

mod classification;
mod code;
mod names;
mod scope;
mod turn;
mod words;

pub use classification::{
    Band, CLASSIFICATION_SCHEMA, Candidate, Classification, Hints, Reason, RuleReference, State,
};
pub use code::{Class, Code};
pub use names::{Agent, Provider};
pub use scope::{Confidence, Scope, Window};
pub use turn::{Delivery, Effects, Phase, Sight, SightLost, Terminal};
pub use words::UnknownWord;

/// The version of the taxonomy that this build speaks; packs name the one they were written for.
pub const TAXONOMY_VERSION: &str = "1.0.0";
