//! From the validator's errors to diagnostics at the right place, in plain words.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use super::words;
use crate::codes;
use crate::diagnostic::{Diagnostic, quoted};
use crate::document::Document;
use crate::place::Location;
use crate::suggest::did_you_mean;

/// Collects diagnostics for one document.
pub(super) struct Translator<'d> {
    document: &'d Document,
    schema: &'d Value,
    limit: usize,
    problems: Vec<Diagnostic>,
}

impl<'d> Translator<'d> {
    pub(super) fn new(document: &'d Document, schema: &'d Value, limit: usize) -> Self {
        Self { document, schema, limit, problems: Vec::new() }
    }

    /// True when more problems than the limit are known, so that the rest need not be looked for.
    pub(super) fn is_full(&self) -> bool {
        self.problems.len() > self.limit
    }

    /// The diagnostics. Where a value has the wrong type, nothing else about it is worth saying.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        let mistyped: Vec<Option<String>> = self.of_code(codes::WRONG_TYPE);
        self.problems.retain(|one| one.code == codes::WRONG_TYPE || !mistyped.contains(&one.pointer));
        self.problems
    }

    fn of_code(&self, code: &str) -> Vec<Option<String>> {
        self.problems.iter().filter(|one| one.code == code).map(|one| one.pointer.clone()).collect()
    }

    /// Translates one error; a choice between alternatives becomes the errors of the one that was meant.
    pub(super) fn add(&mut self, error: &ValidationError<'_>) {
        if self.is_full() {
            return;
        }
        let pointer = error.instance_path().as_str();
        let value = error.instance().as_ref();
        match error.kind() {
            Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
                self.unknown_keys(error, unexpected);
            }
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => self.choice(error, context),
            Kind::Required { property } => self.missing_key(pointer, property),
            Kind::Type { kind } => self.wrong_type(pointer, kind, value),
            Kind::Enum { options } => {
                let options = options.as_array().map_or(&[][..], Vec::as_slice);
                self.unknown_value(pointer, value, &options.iter().collect::<Vec<_>>());
            }
            Kind::Constant { expected_value } => self.unknown_value(pointer, value, &[expected_value]),
            Kind::Pattern { pattern } => self.wrong_form(error, pattern),
            Kind::UniqueItems => {
                let at = self.document.locate(pointer);
                self.push(
                    codes::DUPLICATE_ITEM,
                    &at,
                    pointer,
                    "the list holds the same item twice".to_owned(),
                    None,
                );
            }
            Kind::PropertyNames { error } => {
                let key = error.instance().as_str().unwrap_or("").to_owned();
                let at = self.document.locate_key(&child(pointer, &key));
                let message = format!("the key {} does not have the right form", quoted(&key));
                self.push(codes::WRONG_FORM, &at, pointer, message, None);
            }
            bound => self.bound_or_other(pointer, value, bound, error),
        }
    }

    pub(super) fn push(
        &mut self,
        code: &'static str,
        at: &Location,
        pointer: &str,
        message: String,
        help: Option<String>,
    ) {
        let mut problem = self.document.error(code, at, message).with_pointer(pointer);
        problem.help = help;
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    pub(super) fn document(&self) -> &'d Document {
        self.document
    }

    /// The part of the schema at a pointer, with a reference at that place followed once.
    pub(super) fn schema_at(&self, pointer: &str) -> Option<&'d Value> {
        self.schema.pointer(pointer).map(|found| self.follow(found))
    }

    /// The target of a local `$ref`, or the schema itself.
    pub(super) fn follow(&self, schema: &'d Value) -> &'d Value {
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#'));
        target.and_then(|target| self.schema.pointer(target)).unwrap_or(schema)
    }

    fn unknown_keys(&mut self, error: &ValidationError<'_>, unexpected: &[String]) {
        let pointer = error.instance_path().as_str();
        let known: Vec<&str> = self
            .schema_at(parent(error.schema_path().as_str()))
            .and_then(|schema| schema.get("properties")?.as_object())
            .map_or_else(Vec::new, |properties| properties.keys().map(String::as_str).collect());
        for key in unexpected {
            self.unknown_key(pointer, key, &known);
        }
    }

    pub(super) fn unknown_key(&mut self, pointer: &str, key: &str, known: &[&str]) {
        if self.is_full() {
            return;
        }
        let pointer = child(pointer, key);
        let at = self.document.locate_key(&pointer);
        let help = did_you_mean(key, known.iter().copied());
        self.push(codes::UNKNOWN_KEY, &at, &pointer, format!("unknown key {}", quoted(key)), help);
    }

    fn missing_key(&mut self, pointer: &str, property: &Value) {
        let key = property.as_str().unwrap_or("");
        let at = self.document.locate_key(pointer);
        self.push(codes::MISSING_KEY, &at, pointer, format!("the key {} is missing", quoted(key)), None);
    }

    fn wrong_type(&mut self, pointer: &str, kind: &TypeKind, value: &Value) {
        let expected = words::expected(kind);
        self.mistyped(pointer, &expected, value);
    }

    pub(super) fn mistyped(&mut self, pointer: &str, expected: &str, value: &Value) {
        let at = self.document.locate(pointer);
        let found = words::found(value);
        let help = match value {
            Value::Number(_) | Value::Bool(_) if expected.starts_with("text") => {
                Some("put it in quotes".to_owned())
            }
            Value::Null => Some("give it a value or leave the key out".to_owned()),
            Value::String(text) if expected.starts_with("a list") && text.len() <= 40 => {
                Some(format!("write a list: {}", quoted(&format!("[{text}]"))))
            }
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => None,
        };
        self.push(codes::WRONG_TYPE, &at, pointer, format!("expected {expected}, found {found}"), help);
    }

    pub(super) fn unknown_value(&mut self, pointer: &str, value: &Value, options: &[&Value]) {
        let at = self.document.locate(pointer);
        let texts: Vec<String> = options.iter().map(|option| option_text(option)).collect();
        let word = option_text(value);
        let message = if value.is_null() {
            "a value is missing here".to_owned()
        } else {
            format!("{} is not allowed here", words::written(value))
        };
        let help = did_you_mean(&word, texts.iter().map(String::as_str));
        self.push(codes::UNKNOWN_VALUE, &at, pointer, message, help);
    }

    fn wrong_form(&mut self, error: &ValidationError<'_>, pattern: &str) {
        let pointer = error.instance_path().as_str();
        let at = self.document.locate(pointer);
        let message = format!("{} does not have the right form", words::written(error.instance()));
        let described = self.schema_at(parent(error.schema_path().as_str()));
        let described = described.and_then(|schema| schema.get("description")?.as_str());
        let help = described.map_or_else(|| format!("it must match {}", quoted(pattern)), str::to_owned);
        self.push(codes::WRONG_FORM, &at, pointer, message, Some(help));
    }

    fn bound_or_other(&mut self, pointer: &str, value: &Value, kind: &Kind, error: &ValidationError<'_>) {
        let at = self.document.locate(pointer);
        let written = words::written(value);
        let message = match kind {
            Kind::Minimum { limit } => format!("{written} is smaller than {limit}"),
            Kind::Maximum { limit } => format!("{written} is larger than {limit}"),
            Kind::ExclusiveMinimum { limit } => format!("{written} must be larger than {limit}"),
            Kind::ExclusiveMaximum { limit } => format!("{written} must be smaller than {limit}"),
            Kind::MinLength { limit } => format!("the text is shorter than {limit} characters"),
            Kind::MaxLength { limit } => format!("the text is longer than {limit} characters"),
            Kind::MinItems { limit } => format!("the list has fewer than {limit} items"),
            Kind::MaxItems { limit } => format!("the list has more than {limit} items"),
            Kind::MinProperties { limit } => format!("the mapping has fewer than {limit} keys"),
            Kind::MaxProperties { limit } => format!("the mapping has more than {limit} keys"),
            // The validator's own words, without the value, which may be long.
            _ => {
                let message = error.masked_with("the value").to_string();
                return self.push(codes::SCHEMA_VIOLATION, &at, pointer, message, None);
            }
        };
        self.push(codes::OUT_OF_BOUNDS, &at, pointer, message, None);
    }
}

/// The pointer of a key under another pointer.
pub(super) fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// A pointer without its last step.
pub(super) fn parent(pointer: &str) -> &str {
    pointer.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn option_text(option: &Value) -> String {
    option.as_str().map_or_else(|| option.to_string(), str::to_owned)
}
