//! Wire formats of agents, read as streams into evidence envelopes.
//!
//! One module per wire format. Each is fed with frames and asked for its turns at the end: one envelope a prompt,
//! and one for what failed before any prompt. Adapters extract, separate speakers and correlate. They hold no
//! provider prose and never classify: what words mean is a matter of rules.
//!
//! The error text of a terminal stays inside its `data`, in the agent's own shape, so that a rule sees words, fields
//! and status in one statement.
//!
//! ```
//! use faultbook_adapters::{Adapter, Context, Exit, Frame, Source, Wire};
//!
//! let mut adapter = Wire::of(Some("codex"), "exec-json").adapter(Context::of_agent("codex"));
//! adapter.feed(&Frame::new(10, Source::Stdout, r#"{"type":"turn.started"}"#));
//! adapter.feed(&Frame::new(20, Source::Stdout, r#"{"type":"turn.failed","error":{"message":"no"}}"#));
//! let turns = adapter.finish(&Exit::code(1));
//! assert_eq!(turns.len(), 1);
//! ```

mod acp;
mod bounded;
mod builder;
mod claude;
mod codex;
mod conversation;
mod detect;
mod frame;
mod gate;
mod gemini;
pub mod http;
mod json;
mod json_document;
mod kept;
mod lane;
mod line;
mod one_shot;
mod opencode;
mod process;
pub mod recording;
mod sight;
mod turn;
mod wire;

#[cfg(test)]
mod planted;
#[cfg(test)]
mod testing;

pub use detect::{Detected, detect};
pub use frame::{EndedBy, Exit, Frame, MAX_LINE_BYTES, Source};
pub use recording::{Recorder, Recording, RecordingError};
pub use turn::{Context, Turn, TurnKind};
pub use wire::{Adapter, Wire};
