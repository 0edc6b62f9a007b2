//! `faultbook schema`: the published JSON Schemas.

use std::io::Write as _;

use clap::Args;
use clap::builder::PossibleValuesParser;
use faultbook_engine::pack::FileKind;

use crate::failure::{Ended, Failure};
use crate::output::Output;

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
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(all().map(|(name, _)| name)))]
    name: String,
}

/// The formats that packs do not hold, by name.
const OTHERS: [(&str, &str); 4] = [
    ("fixture", faultbook_checks::fixture::schema_text()),
    ("evidence", include_str!("../../../../schemas/evidence.schema.json")),
    ("classification", include_str!("../../../../schemas/classification.schema.json")),
    ("explanation", include_str!("../../../../schemas/explanation.schema.json")),
];

/// Every schema by name. A pack file's name is its schema's, between `faultbook.` and the version.
fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_packs = FileKind::ALL.into_iter().map(|kind| {
        let schema = kind.schema_name();
        let name = schema.strip_prefix("faultbook.").unwrap_or(schema);
        (name.split('/').next().unwrap_or(name), kind.schema_text())
    });
    of_packs.chain(OTHERS)
}

impl Schema {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let found = all().find(|(name, _)| *name == self.name);
        let (_, text) = found.ok_or_else(|| {
            Failure::usage(format!("there is no schema `{}`", self.name), "see `faultbook schema --help`")
        })?;
        let mut output = Output::standard();
        output.write_all(text.as_bytes())?;
        output.finish()?;
        Ok(Ended::Done)
    }
}
