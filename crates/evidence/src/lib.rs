//! The evidence that a classification is made from: everything that a host saw of one prompt turn, bounded, in
//! one normal form, cut into statements; what leaves the process passes through one sanitiser.
//!
//! ```
//! use faultbook_evidence::Envelope;
//!
//! let line = r#"{"schema":"faultbook.evidence/1","signals":[{"channel":"stderr","text":"overloaded"}]}"#;
//! let envelope = Envelope::read(line)?;
//! assert_eq!(envelope.signals.len(), 1);
//! # Ok::<(), faultbook_evidence::ReadError>(())
//! ```

mod bounds;
mod channel;
mod envelope;
mod frame;
pub mod hint;
pub mod normal;
mod read;
pub mod reading;
pub mod sanitise;
pub mod statement;

pub use bounds::{
    KEPT_FIRST, MAX_DATA_BYTES, MAX_DATA_DEPTH, MAX_ENVELOPE_BYTES, MAX_SIGNALS, MAX_TEXT_BYTES,
    head_and_tail,
};
pub use channel::{Channel, Stream, TextTrust};
pub use envelope::{EVIDENCE_SCHEMA, Envelope, Role, Signal};
pub use read::{ReadError, is_timing_header};
pub use statement::{Origin, Shape, Statement, Text, Turn, View};
