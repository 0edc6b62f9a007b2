//! A report as SARIF 2.1.0, for code scanning.

use std::collections::BTreeSet;

use faultbook_document::{Diagnostic, Location, Severity};
use serde::Serialize;

use super::Report;
use crate::codes;

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
struct Run {
    tool: Tool,
    results: Vec<Finding>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Kind>,
}

/// A kind of problem; SARIF calls it a rule.
#[derive(Serialize)]
struct Kind {
    id: &'static str,
    #[serde(rename = "shortDescription")]
    short_description: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: &'static str,
    level: &'static str,
    message: Message,
    locations: [Place; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Place>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

pub(super) fn render(report: &Report) -> String {
    let used: BTreeSet<&'static str> = report.findings.iter().map(|finding| finding.code).collect();
    let kinds = used.into_iter().map(|id| {
        let text = codes::summary(id).unwrap_or(id).to_owned();
        Kind { id, short_description: Message { text } }
    });
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "faultbook",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: kinds.collect(),
                },
            },
            results: report.findings.iter().map(finding).collect(),
        }],
    };
    // The types hold nothing that JSON cannot.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn finding(diagnostic: &Diagnostic) -> Finding {
    let help = diagnostic.help.as_ref().map_or(String::new(), |help| format!("\n{help}"));
    Finding {
        rule_id: diagnostic.code,
        level: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: Message { text: format!("{}{help}", diagnostic.message) },
        locations: [place(&diagnostic.location(), None)],
        related_locations: diagnostic
            .related
            .iter()
            .map(|related| place(&related.location, Some(related.message.clone())))
            .collect(),
    }
}

fn place(location: &Location, message: Option<String>) -> Place {
    let (start, end) = (location.span.start, location.span.end);
    // A region must not end before it begins; a problem of a whole file ends where it starts.
    let is_forward = (end.line, end.column) >= (start.line, start.column);
    let end = if is_forward { end } else { start };
    Place {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri: uri(&location.file) },
            region: Region {
                start_line: start.line,
                start_column: start.column,
                end_line: end.line,
                end_column: end.column,
            },
        },
        message: message.map(|text| Message { text }),
    }
}

/// A path as a relative reference: the bytes that a reference may not hold are escaped.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
