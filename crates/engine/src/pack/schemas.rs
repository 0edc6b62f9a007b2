//! The published JSON Schemas: generated from the types, committed, and used by the loader itself.

use faultbook_document::{Schema, SchemaError};
use schemars::JsonSchema;
use serde_json::{Value, json};

use crate::rule::{Ambiguous, Manifest, Overlay, Retired, Rule};

/// The kinds of file that the engine reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileKind {
    /// One rule.
    Rule,
    /// `pack.yaml`.
    Manifest,
    /// `ambiguous.yaml`.
    Ambiguous,
    /// `retired.yaml`.
    Retired,
    /// A host's overlay.
    Overlay,
}

impl FileKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Rule, Self::Manifest, Self::Ambiguous, Self::Retired, Self::Overlay];

    /// The schema name that a file of this kind carries, such as `faultbook.rule/1`.
    #[must_use]
    pub const fn schema_name(self) -> &'static str {
        match self {
            Self::Rule => "faultbook.rule/1",
            Self::Manifest => "faultbook.pack/1",
            Self::Ambiguous => "faultbook.ambiguous/1",
            Self::Retired => "faultbook.retired/1",
            Self::Overlay => "faultbook.overlay/1",
        }
    }

    /// The file in the folder `schemas` that holds the schema.
    #[must_use]
    pub const fn schema_file(self) -> &'static str {
        match self {
            Self::Rule => "rule.schema.json",
            Self::Manifest => "pack.schema.json",
            Self::Ambiguous => "ambiguous.schema.json",
            Self::Retired => "retired.schema.json",
            Self::Overlay => "overlay.schema.json",
        }
    }

    /// The published schema, as committed.
    #[must_use]
    pub const fn schema_text(self) -> &'static str {
        match self {
            Self::Rule => include_str!("../../../../schemas/rule.schema.json"),
            Self::Manifest => include_str!("../../../../schemas/pack.schema.json"),
            Self::Ambiguous => include_str!("../../../../schemas/ambiguous.schema.json"),
            Self::Retired => include_str!("../../../../schemas/retired.schema.json"),
            Self::Overlay => include_str!("../../../../schemas/overlay.schema.json"),
        }
    }

    /// The schema as the types give it now, ending in a line break. The committed file must equal it.
    #[must_use]
    pub fn generate(self) -> String {
        match self {
            Self::Rule => generated::<Rule>(self),
            Self::Manifest => generated::<Manifest>(self),
            Self::Ambiguous => generated::<Ambiguous>(self),
            Self::Retired => generated::<Retired>(self),
            Self::Overlay => generated::<Overlay>(self),
        }
    }
}

fn generated<T: JsonSchema>(kind: FileKind) -> String {
    let mut schema = schemars::schema_for!(T).to_value();
    refuse_null(&mut schema);
    // The types hold the version as text, so that a foreign version gets its own message; editors want it fixed.
    if let Some(version) = schema.pointer_mut("/properties/schema").and_then(Value::as_object_mut) {
        version.insert("const".to_owned(), json!(kind.schema_name()));
    }
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// Optional keys are left out, never written as nothing: a key without a value is a slip of the author.
fn refuse_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(refuse_null),
        Value::Object(map) => {
            if let Some(types) = map.get_mut("type")
                && let Some([only, Value::String(null)]) = types.as_array().map(Vec::as_slice)
                && null == "null"
            {
                *types = only.clone();
            }
            if let Some([Value::Object(only), null]) =
                map.get("anyOf").and_then(Value::as_array).map(Vec::as_slice)
                && *null == json!({ "type": "null" })
            {
                let only = only.clone();
                map.remove("anyOf");
                map.extend(only);
            }
            map.values_mut().for_each(refuse_null);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The compiled schemas of all kinds of file.
#[derive(Debug)]
pub(super) struct Schemas {
    rule: Schema,
    manifest: Schema,
    ambiguous: Schema,
    retired: Schema,
}

impl Schemas {
    /// Compiles the committed schemas.
    pub(super) fn new() -> Result<Self, SchemaError> {
        Ok(Self {
            rule: compiled(FileKind::Rule)?,
            manifest: compiled(FileKind::Manifest)?,
            ambiguous: compiled(FileKind::Ambiguous)?,
            retired: compiled(FileKind::Retired)?,
        })
    }

    pub(super) fn of(&self, kind: PackFileKind) -> &Schema {
        match kind {
            PackFileKind::Rule => &self.rule,
            PackFileKind::Manifest => &self.manifest,
            PackFileKind::Ambiguous => &self.ambiguous,
            PackFileKind::Retired => &self.retired,
        }
    }
}

/// Compiles one committed schema.
pub(super) fn compiled(kind: FileKind) -> Result<Schema, SchemaError> {
    Schema::compile(&serde_json::from_str(kind.schema_text()).unwrap_or(Value::Null))
}

/// The kinds of file inside a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PackFileKind {
    Rule,
    Manifest,
    Ambiguous,
    Retired,
}

impl PackFileKind {
    /// The kind of the file at a path relative to the pack's folder.
    pub(super) fn of(path: &str) -> Self {
        match path {
            "pack.yaml" => Self::Manifest,
            "ambiguous.yaml" => Self::Ambiguous,
            "retired.yaml" => Self::Retired,
            _ => Self::Rule,
        }
    }

    pub(super) const fn file_kind(self) -> FileKind {
        match self {
            Self::Rule => FileKind::Rule,
            Self::Manifest => FileKind::Manifest,
            Self::Ambiguous => FileKind::Ambiguous,
            Self::Retired => FileKind::Retired,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `FAULTBOOK_BLESS=1 cargo test -p faultbook-engine schemas` rewrites the committed files.
    #[test]
    fn committed_schemas_are_current() {
        for kind in FileKind::ALL {
            let generated = kind.generate();
            if std::env::var_os("FAULTBOOK_BLESS").is_some() {
                let path = format!("{}/../../schemas/{}", env!("CARGO_MANIFEST_DIR"), kind.schema_file());
                std::fs::write(path, &generated).unwrap();
            } else {
                assert_eq!(kind.schema_text(), generated, "{} is out of date", kind.schema_file());
            }
        }
    }

    #[test]
    fn committed_schemas_compile() {
        for kind in FileKind::ALL {
            let schema = compiled(kind).unwrap();
            assert_eq!(
                schema.as_json().pointer("/properties/schema/const"),
                Some(&json!(kind.schema_name()))
            );
        }
    }
}
