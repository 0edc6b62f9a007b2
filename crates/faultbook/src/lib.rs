//! Know what went wrong when an AI coding agent fails, and recover without doing harm.
//!
//! This is the crate that a host adds to its `Cargo.toml`. It carries the `core` pack, loads further packs, and
//! answers the first of two questions, *what happened?*; the policy crate answers the second, *what may be done
//! about it?*
//!
//! # From evidence to an answer
//! ```
//! use faultbook::{Envelope, Faultbook};
//!
//! let book = Faultbook::core()?;
//! let line = r#"{"schema":"faultbook.evidence/1","signals":[{"channel":"http","http_status":503}]}"#;
//! let answer = book.classify(&Envelope::read(line)?);
//! println!("{}", serde_json::to_string(&answer)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The parts
//! [`Packs`] says what to load, [`Faultbook`] keeps it open and reloads it, [`Envelope`] is the evidence and
//! [`Classification`] the answer; [`Explanation`] shows how it came about.

mod book;
mod decide;
mod packs;

pub use book::Faultbook;
pub use decide::situation;
pub use packs::{Packs, Problems, core_pack};

pub use faultbook_adapters as adapters;
pub use faultbook_document::Diagnostic;
pub use faultbook_engine::{Catalogue, Explanation, PackTrust};
pub use faultbook_evidence::{Channel, Envelope, Signal, sanitise};
pub use faultbook_policy as policy;
pub use faultbook_taxonomy::{
    Agent, Class, Classification, Code, Confidence, Delivery, Effects, Phase, Provider, Scope, State,
    Terminal,
};
