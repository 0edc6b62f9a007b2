//! Input: files or standard input, cut into pieces, each of which becomes one evidence envelope.
//!
//! [`source`] opens files, [`window`] bounds what is kept of a piece, [`cut`] finds the pieces, [`options`] are the
//! arguments, [`evidence`] makes envelopes, and [`answer`] reads answers that were given before.

mod answer;
mod cut;
mod evidence;
mod options;
mod source;
mod window;

pub(crate) use answer::{classification, read as read_classification};
pub(crate) use cut::{Batch, Piece, PieceError, cut};
pub(crate) use evidence::{EvidenceReader, InputError};
pub(crate) use options::{By, InputOptions, Kind, TextFacts, instant};
pub(crate) use source::Source;
