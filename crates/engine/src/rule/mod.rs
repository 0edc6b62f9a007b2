//! The rule format `faultbook.rule/1` and its companions, as types.
//!
//! These types are the format: the published JSON Schemas are generated from them, and their doc comments are
//! what an author sees in the editor. Loading checks more than types can say; see [`crate::pack`].

mod atom;
mod hint;
mod manifest;
mod model;
mod overlay;

pub use atom::{
    Atom, FieldAtom, FieldTest, HeaderAtom, Match, Numbers, Pointers, Range, TextAtom, TextTest, field_test,
    header_test, text_test,
};
pub use hint::{HintKind, HintRule, HintSource};
pub use manifest::{Ambiguous, AmbiguousValue, Manifest, Pack, Retired, Tombstone};
pub use model::{Applies, Equivalent, Kind, RULE_SCHEMA, Reference, Rule, Status};
pub use overlay::{Overlay, OverlayEntry};
