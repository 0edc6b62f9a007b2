//! `faultbook schema`: the published JSON Schemas.

use std::io::Write as _;

use clap::Args;
use clap::builder::PossibleValuesParser;
use faultbook::policy::schemas;
use faultbook_engine::pack::FileKind;
use serde_json::Value;

use crate::configuration;
use crate::failure::{Ended, Failure};
use crate::output::{Format, Output};

/// Print a JSON Schema
///
/// The schemas are those that the program itself validates with.
/// For completion and checks in an editor with a YAML language server, begin a rule file with
///
///     # yaml-language-server: $schema=../../../schemas/rule.schema.json
///
/// Example: `faultbook schema rule > rule.schema.json`
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Schema {
    /// Which format
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(names()))]
    name: String,
}

/// The formats that packs do not hold, by name.
const WRITTEN: [(&str, &str); 5] = [
    ("fixture", faultbook_checks::fixture::schema_text()),
    ("evidence", include_str!("../../../../schemas/evidence.schema.json")),
    ("classification", include_str!("../../../../schemas/classification.schema.json")),
    ("explanation", include_str!("../../../../schemas/explanation.schema.json")),
    // Recordings are read field by field, tolerantly, so that no type could generate this one.
    ("recording", include_str!("../../../../schemas/recording.schema.json")),
];

/// The schemas that are kept as text. A pack file's name is its schema's, between `faultbook.` and the version.
fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_packs = FileKind::ALL.into_iter().map(|kind| {
        let schema = kind.schema_name();
        let name = schema.strip_prefix("faultbook.").unwrap_or(schema);
        (name.split('/').next().unwrap_or(name), kind.schema_text())
    });
    of_packs.chain(WRITTEN)
}

/// The schemas that are made from their types when they are asked for.
fn values() -> impl Iterator<Item = (&'static str, Value)> {
    schemas::all().into_iter().chain([("config", configuration::schema())])
}

fn names() -> Vec<&'static str> {
    texts().map(|(name, _)| name).chain(values().map(|(name, _)| name)).collect()
}

impl Schema {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let mut output = Output::standard();
        if let Some((_, text)) = texts().find(|(name, _)| *name == self.name) {
            output.write_all(text.as_bytes())?;
        } else if let Some((_, value)) = values().find(|(name, _)| *name == self.name) {
            output.json(&value, Format::Json)?;
        } else {
            let message = format!("there is no schema `{}`", self.name);
            return Err(Failure::usage(message, "see `faultbook schema --help`"));
        }
        output.finish()?;
        Ok(Ended::Done)
    }
}
