//! Generated files: the JSON Schemas under `schemas/`, made from the types that read and write the formats.

use std::fs;

use faultbook_engine::pack::FileKind;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::root;

/// Writes the generated files, or checks that they are what would be written.
pub(crate) fn run(check: bool) -> Vec<String> {
    files().into_iter().filter_map(|(name, text)| settle(&name, &text, check)).collect()
}

fn settle(name: &str, text: &str, check: bool) -> Option<String> {
    let path = root().join("schemas").join(name);
    if fs::read_to_string(&path).is_ok_and(|there| there == text) {
        return None;
    }
    if check {
        return Some(format!("schemas/{name} is not what its types say; run `cargo xtask generate`"));
    }
    fs::write(&path, text).err().map(|error| format!("schemas/{name}: {error}"))
}

/// Every generated file with what belongs in it.
fn files() -> Vec<(String, String)> {
    let pack = FileKind::ALL.into_iter().map(|kind| (kind.schema_file().to_owned(), kind.generate()));
    let written = [
        ("evidence", "faultbook.evidence/1", of::<faultbook_evidence::Envelope>()),
        ("classification", "faultbook.classification/1", of::<faultbook_taxonomy::Classification>()),
        ("explanation", "faultbook.explanation/1", of::<faultbook_engine::Explanation>()),
    ];
    let answers = written.into_iter().map(|(name, schema, generated)| {
        (format!("{name}.schema.json"), with_schema_name(generated, name, schema))
    });
    let policy = faultbook_policy::schemas::all()
        .into_iter()
        .map(|(name, schema)| (format!("{name}.schema.json"), text(&schema)));
    pack.chain(answers).chain(policy).collect()
}

fn of<T: schemars::JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

/// The schema as text, with the `schema` key that the format carries beside its fields.
fn with_schema_name(schema: Schema, name: &str, schema_name: &str) -> String {
    let mut value = schema.to_value();
    if let Some(object) = value.as_object_mut() {
        object.insert("title".to_owned(), Value::from(format!("Faultbook {name}")));
        let properties = object.entry("properties").or_insert_with(|| Value::Object(Default::default()));
        if let Some(properties) = properties.as_object_mut()
            && name == "evidence"
        {
            let constant =
                serde_json::json!({ "const": schema_name, "description": "The format and its version." });
            properties.insert("schema".to_owned(), constant);
            if let Some(Value::Array(required)) = object.get_mut("required") {
                required.insert(0, Value::from("schema"));
            }
        }
    }
    text(&value)
}

fn text(schema: &Value) -> String {
    serde_json::to_string_pretty(schema).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    #[test]
    fn generated_files_are_what_their_types_say() {
        assert_eq!(super::run(true), Vec::<String>::new());
    }
}
