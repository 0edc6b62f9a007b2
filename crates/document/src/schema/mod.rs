//! JSON Schema validation with places, suggestions and plain words.

mod choice;
mod translate;
mod words;

use jsonschema::Validator;
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::{Document, bounded};
use translate::Translator;

/// How many problems of one document are reported.
const PROBLEMS: usize = 50;

/// A compiled JSON Schema.
#[derive(Debug)]
pub struct Schema {
    validator: Validator,
    schema: Value,
}

/// Why a schema itself cannot be used.
#[derive(Debug)]
pub struct SchemaError(String);

impl std::fmt::Display for SchemaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the schema is not valid: {}", self.0)
    }
}

impl std::error::Error for SchemaError {}

impl Schema {
    /// Compiles a schema. References may only point inside it; nothing is fetched.
    ///
    /// # Errors
    /// When the value is no valid JSON Schema.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        let validator = jsonschema::options()
            .offline()
            .should_validate_formats(false)
            .build(schema)
            .map_err(|error| SchemaError(error.to_string()))?;
        Ok(Self { validator, schema: schema.clone() })
    }

    /// The schema as it was given.
    pub fn as_json(&self) -> &Value {
        &self.schema
    }

    /// Every violation, sorted by place; at most 50 and a last one that says that there are more.
    pub fn validate(&self, document: &Document) -> Vec<Diagnostic> {
        // Saying that all is well is several times cheaper than looking for what is not.
        if self.validator.is_valid(document.json()) {
            return Vec::new();
        }
        let mut translator = Translator::new(document, &self.schema, PROBLEMS);
        for error in self.validator.iter_errors(document.json()) {
            translator.add(&error);
            if translator.is_full() {
                break;
            }
        }
        bounded(translator.finish(), PROBLEMS, document.source().name())
    }
}
