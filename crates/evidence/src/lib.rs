//! The evidence envelope: bounds, normal form, statements, sanitiser and timing hints.
