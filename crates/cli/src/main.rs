//! The binary `faultbook`.
fn main() {}
