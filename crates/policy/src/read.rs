//! Policy files, YAML or JSON: from text to a [`ClassPolicy`], with the file, line, column and field of each
//! problem. A file with a problem gives no policy.

use faultbook_document::{Diagnostic, Document, Limits, Schema, Source, codes};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::class_policy::ClassPolicy;
use crate::diagnostics::{LEGACY_ACTIONS, POLICY_BOUNDS};
use crate::document::{InvalidPolicy, PolicyDocument};
use crate::legacy::LegacyActionMap;
use crate::schemas;
use faultbook_taxonomy::words;

words! {
    /// How a policy file is written.
    pub enum PolicyForm {
        /// A class-policy document.
        Document = "document",
        /// A legacy action map, normalised on read.
        LegacyActionMap = "legacy_action_map",
    }
}

/// A policy file that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyFile {
    /// The policy.
    pub policy: ClassPolicy,
    /// How the file is written.
    pub form: PolicyForm,
}

/// The bounds of a policy file: a few dozen lines are the most that one can hold.
const LIMITS: Limits = Limits { bytes: 64 * 1024, nesting: 8, nodes: 2000, problems: 50 };

/// Reads a policy file. A mapping without `version` that has `default` or `codes` is a legacy action map.
///
/// # Errors
/// Every problem, in the order of the file.
pub fn read_policy(source: Source) -> Result<PolicyFile, Vec<Diagnostic>> {
    let document = Document::parse(source, &LIMITS)?;
    if is_legacy(&document) {
        let schema = schemas::legacy_action_map();
        let policy = check::<LegacyActionMap>(&document, &schema, LEGACY_ACTIONS)?;
        return Ok(PolicyFile { policy, form: PolicyForm::LegacyActionMap });
    }
    let policy = check::<PolicyDocument>(&document, &schemas::policy_document(), POLICY_BOUNDS)?;
    Ok(PolicyFile { policy, form: PolicyForm::Document })
}

fn is_legacy(document: &Document) -> bool {
    let has = |key| document.json().get(key).is_some();
    !has("version") && (has("default") || has("codes"))
}

/// Checks by schema and by type. Where both complain about a field, the type's words are kept: they know why.
fn check<T>(document: &Document, schema: &Value, code: &'static str) -> Result<ClassPolicy, Vec<Diagnostic>>
where
    T: DeserializeOwned,
    ClassPolicy: TryFrom<T, Error = InvalidPolicy>,
{
    let schema = Schema::compile(schema).map_err(|error| {
        vec![Diagnostic::of_file(codes::SCHEMA_VIOLATION, document.source().name(), error.to_string())]
    })?;
    let mut problems = schema.validate(document);
    // A bound that stands in the schema twice, with and without its condition, is said once.
    problems.dedup_by(|second, first| {
        second.pointer.is_some() && (&second.pointer, second.code) == (&first.pointer, first.code)
    });
    let policy = match document.read::<T>().map(ClassPolicy::try_from) {
        Ok(Ok(policy)) => Some(policy),
        Ok(Err(InvalidPolicy { problems: fields })) => {
            problems.retain(|one| fields.iter().all(|field| one.pointer.as_ref() != Some(&field.field)));
            problems.extend(fields.into_iter().map(|field| {
                let at = document.locate(&field.field);
                document.error(code, &at, field.message).with_pointer(field.field)
            }));
            None
        }
        Err(unreadable) => {
            if problems.is_empty() {
                problems.push(*unreadable);
            }
            None
        }
    };
    match policy {
        Some(policy) if problems.is_empty() => Ok(policy),
        Some(_) | None => {
            problems.sort_by(|left, right| left.order().cmp(&right.order()));
            Err(problems)
        }
    }
}
