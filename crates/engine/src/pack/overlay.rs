//! Reading a host's overlay.

use faultbook_document::{Diagnostic, Document, Limits, Severity, Source};
use serde_json::Value;

use super::companions::entries;
use super::findings::{At, Findings};
use super::schemas::{FileKind, compiled};
use super::{codes, schema_unusable, versions};
use crate::rule::Overlay;

/// Reads an overlay file. `name` is the path as shown to people. Whether its rules exist is known only beside the
/// packs: see [`Catalogue::compile`](crate::Catalogue::compile).
///
/// # Errors
/// Every problem of the file.
pub fn read_overlay(name: &str, bytes: &[u8]) -> Result<Overlay, Vec<Diagnostic>> {
    let source = Source::from_bytes(name, bytes).map_err(|problem| vec![*problem])?;
    let document = Document::parse(source, &Limits::default())?;
    let mut findings = Findings::new(&document, None);
    if versions::is_supported(&document, FileKind::Overlay, &mut findings) {
        let schema = compiled(FileKind::Overlay).map_err(|error| vec![schema_unusable(name, &error)])?;
        findings.extend(schema.validate(&document));
        check(&document, &mut findings);
    }
    let problems = findings.into_problems();
    if problems.iter().any(|problem| problem.severity == Severity::Error) {
        return Err(super::sorted(problems));
    }
    document.read().map_err(|problem| vec![*problem])
}

fn check(document: &Document, findings: &mut Findings<'_>) {
    for (index, entry) in entries(document, "rules") {
        let pointer = format!("/rules/{index}");
        let disables = entry.get("disable").and_then(Value::as_bool) == Some(true);
        if entry.is_object() && !disables && entry.get("confidence").is_none() && entry.get("rank").is_none()
        {
            let message = "the entry changes nothing";
            let help = "say `disable: true`, or give `confidence` or `rank`";
            findings.error(codes::OVERLAY_CHANGES_NOTHING, At::Value(&pointer), message, help);
        }
        versions::date(entry.get("until"), &format!("{pointer}/until"), findings);
    }
}
