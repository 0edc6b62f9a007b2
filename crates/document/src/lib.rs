//! Spanned YAML and JSON documents, schema validation and diagnostics with file, line and column.
