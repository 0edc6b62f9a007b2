//! `oneOf` and `anyOf`: finding the alternative that the author meant, and saying only what is wrong with that one.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

use super::translate::Translator;
use super::words;
use crate::codes;
use crate::diagnostic::quoted;

/// The errors of each alternative, as the validator gives them.
type Context = [Vec<ValidationError<'static>>];

impl<'d> Translator<'d> {
    /// Reports a failed choice: by the single key, by the word, by the type, by the tag, else by the fewest errors.
    pub(super) fn choice(&mut self, error: &ValidationError<'_>, context: &Context) {
        let pointer = error.instance_path().as_str();
        let value = error.instance().as_ref();
        let alternatives = self.alternatives(error);
        if let Value::Object(map) = value {
            let keys = single_keys(&alternatives);
            if keys.len() >= 2 {
                return self.single_key(pointer, map, &keys, context);
            }
        }
        let constants: Vec<&Value> = alternatives.iter().flat_map(|one| constants(one)).collect();
        if !constants.is_empty() && constants.len() >= alternatives.len() {
            return self.unknown_value(pointer, value, &constants);
        }
        let fitting: Vec<&Vec<ValidationError<'_>>> =
            context.iter().filter(|errors| !errors.iter().any(|one| mistyped(one, pointer))).collect();
        if fitting.is_empty() {
            let expected = context.iter().flatten().filter(|one| one.instance_path().as_str() == pointer);
            let expected: Vec<String> = expected.filter_map(expected_type).collect();
            return self.mistyped(pointer, &words::joined(expected.iter().map(String::as_str)), value);
        }
        self.nearest(&fitting);
    }

    /// The alternatives of the failed keyword, with local references followed.
    fn alternatives(&self, error: &ValidationError<'_>) -> Vec<&'d Value> {
        let found = self.schema_at(error.schema_path().as_str()).and_then(Value::as_array);
        found.map_or_else(Vec::new, |all| all.iter().map(|one| self.follow(one)).collect())
    }

    /// A mapping whose only key says what it is, such as an atom of a rule.
    fn single_key(
        &mut self,
        pointer: &str,
        map: &Map<String, Value>,
        keys: &[(usize, &str)],
        context: &Context,
    ) {
        let names: Vec<&str> = keys.iter().map(|(_, key)| *key).collect();
        let mut present = map.keys();
        if let (Some(only), None) = (present.next(), present.next()) {
            let Some((index, _)) = keys.iter().find(|(_, key)| *key == only.as_str()) else {
                return self.unknown_key(pointer, only, &names);
            };
            for error in context.get(*index).into_iter().flatten() {
                self.add(error);
            }
            return;
        }
        let at = self.document().locate_key(pointer);
        let present: Vec<String> = map.keys().take(8).map(|key| quoted(key)).collect();
        let (message, help) = if present.is_empty() {
            let known = names.iter().map(|key| quoted(key)).collect::<Vec<_>>().join(", ");
            ("expected exactly one key, found none".to_owned(), format!("allowed are {known}"))
        } else {
            let message = format!("expected exactly one key, found {}: {}", map.len(), present.join(", "));
            (message, "make each of them an item of its own".to_owned())
        };
        self.push(codes::SINGLE_KEY, &at, pointer, message, Some(help));
    }

    /// Among alternatives of the right type: the one whose tag fits, else the one with the fewest errors.
    fn nearest(&mut self, fitting: &[&Vec<ValidationError<'static>>]) {
        let tagged = fitting.iter().find(|errors| !errors.iter().any(is_tag));
        let nearest = tagged.or_else(|| fitting.iter().min_by_key(|errors| errors.len()));
        for error in nearest.into_iter().copied().flatten() {
            self.add(error);
        }
    }
}

/// The alternatives that require exactly one key, by index and key.
fn single_keys<'s>(alternatives: &[&'s Value]) -> Vec<(usize, &'s str)> {
    let key = |schema: &'s Value| {
        let required = schema.get("required")?.as_array()?;
        let ([only], Some(false)) = (required.as_slice(), schema.get("additionalProperties")?.as_bool())
        else {
            return None;
        };
        let properties = schema.get("properties")?.as_object()?;
        only.as_str().filter(|_| properties.len() == 1)
    };
    let keys = alternatives.iter().enumerate();
    keys.filter_map(|(index, schema)| Some((index, key(schema)?))).collect()
}

/// The fixed values that an alternative consists of.
fn constants(schema: &Value) -> Vec<&Value> {
    if let Some(one) = schema.get("const") {
        return vec![one];
    }
    schema.get("enum").and_then(Value::as_array).map_or_else(Vec::new, |all| all.iter().collect())
}

fn same_type(value: &Value, constants: &[&Value]) -> bool {
    constants.iter().any(|one| std::mem::discriminant(*one) == std::mem::discriminant(value))
}

/// True for an error that says that the value itself has another type than the alternative.
fn mistyped(error: &ValidationError<'_>, pointer: &str) -> bool {
    error.instance_path().as_str() == pointer && expected_type(error).is_some()
}

/// The type that an error asks for, where it is about the type.
fn expected_type(error: &ValidationError<'_>) -> Option<String> {
    let of_constant = |constant: &Value| {
        let differs = std::mem::discriminant(constant) != std::mem::discriminant(error.instance().as_ref());
        differs.then(|| words::found(constant).to_owned())
    };
    match error.kind() {
        Kind::Type { kind } => Some(words::expected(kind)),
        Kind::Constant { expected_value } => of_constant(expected_value),
        Kind::Enum { options } => {
            let options: Vec<&Value> = options.as_array().map_or_else(Vec::new, |all| all.iter().collect());
            let first = options.first()?;
            (!same_type(error.instance(), &options)).then(|| words::found(first).to_owned())
        }
        _ => None,
    }
}

/// True for an error about a fixed value, which is how tagged alternatives tell themselves apart.
fn is_tag(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), Kind::Constant { .. })
}
