//! End-to-end tests: the built binary, as people and programs run it.
//!
//! Each module is about one group of commands. [`world`] runs the binary in a folder of its own.

mod authors;
mod classify;
#[cfg(test)]
mod decisions;
mod explain;
mod hostile;
mod policy;
mod redaction;
mod replay;
mod usage;
#[cfg(test)]
mod world;
