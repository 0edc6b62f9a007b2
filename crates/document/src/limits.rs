//! How much of a hostile file the reader is willing to look at.

/// The bounds of [`Document::parse`](crate::Document::parse). The defaults fit a rule or fixture file many times over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest text in bytes; default 1 MiB.
    pub bytes: usize,
    /// How deep lists and mappings may nest; default 32. The reader recurses to this depth and no further.
    pub nesting: usize,
    /// How many values and keys a document may have; default 100 000.
    pub nodes: usize,
    /// How many problems of one file are reported; default 50.
    pub problems: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 1024 * 1024, nesting: 32, nodes: 100_000, problems: 50 }
    }
}
