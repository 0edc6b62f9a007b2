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
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(names()))]
    name: String,
}

/// A format's name is its schema's, between `faultbook.` and the version.
fn name(kind: FileKind) -> &'static str {
    let schema = kind.schema_name();
    let name = schema.strip_prefix("faultbook.").unwrap_or(schema);
    name.split('/').next().unwrap_or(name)
}

fn names() -> Vec<&'static str> {
    FileKind::ALL.iter().map(|kind| name(*kind)).collect()
}

impl Schema {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let kind = FileKind::ALL.into_iter().find(|kind| name(*kind) == self.name);
        let text = kind.map(FileKind::schema_text).ok_or_else(|| {
            Failure::usage(format!("there is no schema `{}`", self.name), "see `faultbook schema --help`")
        })?;
        let mut output = Output::standard();
        output.write_all(text.as_bytes())?;
        output.finish()?;
        Ok(Ended::Done)
    }
}
