//! Rule packs, the compiled catalogue, classification and its explanation.
//!
//! Packs are loaded and checked, compiled into one immutable [`Catalogue`], and asked: the same evidence gets the
//! same answer, whatever the order of rules and files. The engine has no clock, no randomness, no global state,
//! and does no I/O beyond reading a pack.

mod catalogue;
mod classify;
pub mod pack;
pub mod pattern;
pub mod phrase;
pub mod rule;

pub use catalogue::{
    Catalogue, CompileError, CompileFault, ENGINE_VERSION, OverlayNote, PackIdentity, PackTrust,
};
pub use classify::{
    Cap, Contest, Explanation, HintTrace, MatchTrace, NearMiss, Place, StatementMark, StatementTrace, Step,
    TextPlace, Uncounted,
};
