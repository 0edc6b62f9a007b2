//! The settings file: which packs and which overlay every command works with.
//!
//! ```yaml
//! schema: faultbook.config/1
//! core: true                       # the embedded pack; true unless said otherwise
//! packs:
//!   - { folder: rules/acme, trusted: true }
//! overlay: overlay.yaml
//! ```
//! Paths are relative to the file. It is read from `--config FILE`, else from `faultbook.yaml` in the current
//! folder; no other folder is searched.

use std::path::{Path, PathBuf};

use faultbook_document::{Diagnostic, Document, Limits, Schema, Source};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::failure::Failure;

const SCHEMA: &str = "faultbook.config/1";
const DEFAULT_FILE: &str = "faultbook.yaml";

/// The settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Configuration {
    /// `faultbook.config/1`.
    schema: String,
    /// Whether the embedded `core` pack is loaded.
    #[serde(default = "yes")]
    pub(crate) core: bool,
    /// The packs beside it.
    #[serde(default)]
    pub(crate) packs: Vec<ConfiguredPack>,
    /// A host's changes to loaded rules.
    #[serde(default)]
    pub(crate) overlay: Option<PathBuf>,
}

/// One pack of the settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfiguredPack {
    /// The pack's folder.
    pub(crate) folder: PathBuf,
    /// Whether its rules may authorise work.
    #[serde(default)]
    pub(crate) trusted: bool,
}

const fn yes() -> bool {
    true
}

impl Default for Configuration {
    fn default() -> Self {
        Self { schema: SCHEMA.to_owned(), core: true, packs: Vec::new(), overlay: None }
    }
}

impl Configuration {
    /// Reads the file that was named, else the default one where it exists.
    pub(crate) fn find(named: Option<&Path>) -> Result<Self, Failure> {
        let default = Path::new(DEFAULT_FILE);
        match named {
            Some(file) => Self::read(file),
            None if default.is_file() => Self::read(default),
            None => Ok(Self::default()),
        }
    }

    fn read(file: &Path) -> Result<Self, Failure> {
        let path = file.display().to_string();
        let bytes =
            std::fs::read(file).map_err(|error| Failure::File { path: path.clone(), verb: "read", error })?;
        let mut settings = parse(&path, &bytes).map_err(|diagnostics| Failure::Problems {
            subject: "the settings file",
            diagnostics,
            conflicts: Vec::new(),
        })?;
        let folder = file.parent().unwrap_or(Path::new(""));
        for pack in &mut settings.packs {
            pack.folder = folder.join(&pack.folder);
        }
        settings.overlay = settings.overlay.map(|overlay| folder.join(overlay));
        Ok(settings)
    }
}

/// The schema of the settings file.
pub(crate) fn schema() -> Value {
    let mut schema = schemars::schema_for!(Configuration);
    schema.insert("title".to_owned(), "Faultbook settings, version 1".into());
    schema.to_value()
}

fn parse(name: &str, bytes: &[u8]) -> Result<Configuration, Vec<Diagnostic>> {
    let source = Source::from_bytes(name, bytes).map_err(|problem| vec![*problem])?;
    let document = Document::parse(source, &Limits::default())?;
    let schema = Schema::compile(&schema()).map_err(|error| {
        vec![Diagnostic::of_file(faultbook_document::codes::SCHEMA_VIOLATION, name, error.to_string())]
    })?;
    let problems = schema.validate(&document);
    if !problems.is_empty() {
        return Err(problems);
    }
    let settings: Configuration = document.read().map_err(|problem| vec![*problem])?;
    if settings.schema != SCHEMA {
        let at = document.locate("/schema");
        let code = faultbook_document::codes::UNKNOWN_VALUE;
        let problem = document.error(code, &at, "the settings file is of another version");
        return Err(vec![problem.with_help(format!("this program reads `{SCHEMA}`"))]);
    }
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_strict_and_say_where() {
        let good = b"schema: faultbook.config/1\npacks:\n  - { folder: a, trusted: true }\n";
        let settings = parse("f.yaml", good).unwrap();
        assert!(settings.core && settings.packs[0].trusted);
        for (text, line) in [
            ("schema: faultbook.config/2\n", 1),
            ("schema: faultbook.config/1\npakcs: []\n", 2),
            ("schema: faultbook.config/1\ncore: yes please\n", 2),
            ("", 1),
        ] {
            let problems = parse("f.yaml", text.as_bytes()).unwrap_err();
            assert_eq!((problems.len(), problems[0].line), (1, line), "{text:?} {problems:?}");
        }
    }
}
