//! `faultbook show`: everything about one rule or one code.

use std::io::Write as _;

use clap::Args;
use faultbook::{Catalogue, Code};
use faultbook_document::did_you_mean;
use faultbook_engine::rule::Rule;
use serde_json::{Value, json};

use crate::failure::{Ended, Failure};
use crate::output::{Format, Output, Palette};
use crate::packs::PackOptions;
use crate::view::{code_style, counted};

/// Show one rule, or one code with its rules
///
/// Examples: `faultbook show openai.insufficient-quota` prints the rule as it stands after the overlay, and
/// `faultbook show quota_limited` what the code means and which rules give it.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A rule's id or a code
    #[arg(value_name = "ID")]
    name: String,
    #[command(flatten)]
    packs: PackOptions,
    /// How it is written
    #[arg(long, value_name = "FORMAT", default_value = "human", help_heading = "Output")]
    format: Format,
}

impl Show {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Ended, Failure> {
        let catalogue = self.packs.open()?.catalogue();
        let palette = Palette::of_output();
        let (value, text) = match (catalogue.rule(&self.name), self.name.parse::<Code>()) {
            (Some(rule), _) => rule_view(rule, &catalogue, palette)?,
            (None, Ok(code)) => code_view(code, &catalogue, palette),
            (None, Err(_)) => return Err(self.unknown(&catalogue)),
        };
        let mut output = Output::standard();
        match self.format {
            Format::Human => output.write_all(text.as_bytes())?,
            Format::Json | Format::Jsonl => output.json(&value, self.format)?,
        }
        output.finish()?;
        Ok(Ended::Done)
    }

    fn unknown(&self, catalogue: &Catalogue) -> Failure {
        let rules = catalogue.rules().map(|rule| rule.id.as_str());
        let known: Vec<&str> = rules.chain(Code::ALL.iter().map(|code| code.as_str())).collect();
        let help = did_you_mean(&self.name, known.iter().copied()).filter(|help| help.starts_with("did"));
        let help = help.unwrap_or_else(|| {
            "`faultbook list` lists the rules, `faultbook list codes` the codes".to_owned()
        });
        Failure::usage(format!("there is no rule and no code `{}`", self.name.escape_debug()), help)
    }
}

fn rule_view(rule: &Rule, catalogue: &Catalogue, palette: Palette) -> Result<(Value, String), Failure> {
    let value = serde_json::to_value(rule)?;
    let yaml = serde_yaml::to_string(&value).map_err(|error| Failure::Internal(error.to_string()))?;
    let pack = catalogue
        .pack_of(&rule.id)
        .map_or_else(String::new, |pack| format!("# pack {} {}\n", pack.id, pack.version));
    let pack = Palette::paint(palette.faint, pack);
    Ok((value, format!("{pack}{yaml}")))
}

fn code_view(code: Code, catalogue: &Catalogue, palette: Palette) -> (Value, String) {
    let rules: Vec<&Rule> = catalogue.rules().filter(|rule| rule.code == Some(code)).collect();
    let ids: Vec<&str> = rules.iter().map(|rule| rule.id.as_str()).collect();
    let value = json!({
        "code": code, "class": code.class(), "scope": code.default_scope(), "meaning": code.meaning(), "rules": ids,
    });
    let name = Palette::paint(code_style(palette, code.class()), code);
    let mut text = format!(
        "{name}: {}\nclass {}, scope {}\n\n{}\n",
        code.meaning(),
        code.class(),
        code.default_scope(),
        counted(rules.len(), "rule")
    );
    for rule in rules {
        text.push_str(&format!("  {}  {}\n", rule.id, Palette::paint(palette.faint, &rule.title)));
    }
    (value, text)
}
