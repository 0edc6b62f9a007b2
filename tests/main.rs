//! End-to-end tests: the built binary, as people and programs run it.
