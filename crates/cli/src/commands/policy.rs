//! `faultbook policy`: checking and showing class-policy documents.

use std::fmt::Write as _;
use std::io::Write as _;

use anstyle::Style;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use faultbook::Code;
use faultbook::policy::{fallback, interactive_row, owner, remedy, unattended_row};
use serde_json::{Value, json};

use super::policy_options::{policy, read};
use crate::failure::{Ended, Failure};
use crate::output::{Format, Output, Palette};
use crate::view::Table;

/// Check class-policy documents, or show what a policy does
#[derive(Debug, Args)]
pub(crate) struct Policy {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check policy files and report every problem with file, line, column and field
    ///
    /// Legacy action maps are read, too. Exit code 1 means that a file has problems.
    /// Example: `faultbook policy check policies/*.yaml`
    Check {
        /// The files
        #[arg(value_name = "FILE", required = true)]
        files: Vec<String>,
    },
    /// Show a policy as a document, or what happens to a code whatever the document says
    ///
    /// Examples: `faultbook policy show --policy immediate`, `faultbook policy show --for quota_limited`
    Show {
        /// `standard`, `immediate`, or a file
        #[arg(long, value_name = "POLICY", default_value = "standard")]
        policy: String,
        /// The code whose row of the tables is shown
        #[arg(long = "for", value_name = "CODE", value_parser = code(), hide_possible_values = true)]
        code: Option<Code>,
        /// How it is written
        #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
        format: Format,
    },
}

fn code() -> impl TypedValueParser<Value = Code> {
    PossibleValuesParser::new(Code::ALL.iter().map(|code| code.as_str())).try_map(|name| name.parse::<Code>())
}

impl Policy {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        match &self.action {
            Action::Check { files } => check(files),
            Action::Show { policy: name, code, format } => show(name, *code, *format),
        }
    }
}

fn check(files: &[String]) -> Result<Ended, Failure> {
    let mut output = Output::standard();
    let mut ended = Ended::Done;
    for file in files {
        match read(file) {
            Ok(policy) => writeln!(output, "{file}: sound ({})", policy.form)?,
            Err(problems @ Failure::Problems { .. }) => {
                problems.report();
                ended = Ended::Findings;
            }
            Err(other) => return Err(other),
        }
    }
    output.finish()?;
    Ok(ended)
}

fn show(name: &str, code: Option<Code>, format: Format) -> Result<Ended, Failure> {
    let document = serde_json::to_value(policy(name)?.policy())?;
    let yaml = serde_yaml::to_string(&document).map_err(|error| Failure::Internal(error.to_string()))?;
    let palette = Palette::of_output();
    let mut text = format!("{}\n{yaml}", Palette::paint(palette.faint, format!("# {name}")));
    let mut value = json!({ "policy": name, "document": document });
    if let Some(code) = code {
        let rows = rows(code);
        let mut table = Table::default();
        for (name, row) in &rows {
            table.row([(palette.faint, (*name).to_owned()), (Style::new(), row.clone())]);
        }
        let _ = write!(text, "\n{code}\n{}", table.render("  "));
        let object: serde_json::Map<String, Value> =
            rows.into_iter().map(|(name, row)| (name.to_owned(), Value::String(row))).collect();
        if let Some(shown) = value.as_object_mut() {
            shown.insert("code".to_owned(), json!(code));
            shown.insert("rows".to_owned(), Value::Object(object));
        }
    }
    let mut output = Output::standard();
    match format {
        Format::Human => output.write_all(text.as_bytes())?,
        Format::Json | Format::Jsonl => output.json(&value, format)?,
    }
    output.finish()?;
    Ok(Ended::Done)
}

/// What the tables say about a code.
fn rows(code: Code) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("class", code.class().to_string()),
        ("interactive", interactive_row(code).to_string()),
        ("unattended", unattended_row(code).to_string()),
        ("fallback", fallback(code).to_string()),
    ];
    rows.extend(remedy(code).map(|remedy| ("remedy", remedy.to_string())));
    rows.extend(owner(code).map(|owner| ("owner", owner.to_string())));
    rows
}
