//! Spanned YAML and JSON documents, schema validation and diagnostics with file, line and column.
//!
//! One pass over the text gives a tree in which every node and key knows its place. The same tree feeds the JSON
//! Schema, the typed structures and the diagnostics, so they cannot disagree. JSON is YAML, so one reader serves
//! both. Files are hostile input: size, nesting and node count are bounded, and nothing in YAML that can expand
//! (anchors, aliases, merge keys, tags) is accepted.
//!
//! ```
//! use faultbook_document::{Document, Limits, Schema, Source};
//! use serde_json::json;
//!
//! let schema = Schema::compile(&json!({
//!     "type": "object",
//!     "properties": { "code": { "enum": ["rate_limited", "quota_limited"] } },
//!     "additionalProperties": false,
//! }))?;
//! let source = Source::new("rule.yaml", "code: rate_limted\n");
//! let document = Document::parse(source, &Limits::default()).map_err(|_| "a syntax error")?;
//! let problems = schema.validate(&document);
//! assert_eq!((problems[0].line, problems[0].column), (1, 7));
//! assert_eq!(problems[0].help.as_deref(), Some("did you mean `rate_limited`?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod codes;
mod diagnostic;
mod document;
mod inside;
mod limits;
mod node;
mod place;
mod render;
mod scalar;
mod schema;
mod source;
mod suggest;
mod tree;

pub use codes::CODES;
pub use diagnostic::{Diagnostic, Related, Severity, quoted};
pub use document::Document;
pub use limits::Limits;
pub use node::{Entry, Node, NodeValue, TextStyle};
pub use place::{Location, Position, Span};
pub use render::{Colours, render};
pub use schema::{Schema, SchemaError};
pub use source::Source;
pub use suggest::{did_you_mean, suggest};
