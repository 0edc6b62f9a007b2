//! Versions and days: those of the file formats, of the engine and of the taxonomy.

use std::cmp::Ordering;

use faultbook_document::{Document, quoted};
use faultbook_taxonomy::TAXONOMY_VERSION;
use semver::{Comparator, Op, Version, VersionReq};
use serde_json::Value;

use super::codes;
use super::findings::{At, Findings};
use super::schemas::FileKind;
use crate::catalogue::ENGINE_VERSION;

/// The engine version that brought `faultbook.rule/1` with all of its atoms, kinds and hint formats. A feature that
/// comes later gets a version of its own, and a pack that uses it needs that version.
const FORMAT_SINCE: Version = Version::new(1, 0, 0);

/// Says whether this build reads the file's schema version; reports it if not.
pub(super) fn is_supported(document: &Document, kind: FileKind, findings: &mut Findings<'_>) -> bool {
    let Some(found) = document.json().get("schema").and_then(Value::as_str) else { return true };
    let name = kind.schema_name();
    let family = name.rsplit_once('/').map_or(name, |(family, _)| family);
    let is_other_version =
        found.strip_prefix(family).is_some_and(|rest| rest.starts_with('/')) && found != name;
    if is_other_version {
        let message = format!("this build reads {}, not {}", quoted(name), quoted(found));
        let help = "update Faultbook, or write the file for the version that it reads";
        findings.error(codes::UNSUPPORTED_VERSION, At::Value("/schema"), message, help);
    }
    !is_other_version
}

/// Reads a semantic version, reporting it if it is none.
pub(super) fn version(value: Option<&Value>, pointer: &str, findings: &mut Findings<'_>) -> Option<Version> {
    let text = value?.as_str()?;
    match Version::parse(text) {
        Ok(version) => Some(version),
        Err(error) => {
            let message = format!("{} is not a version: {error}", quoted(text));
            findings.error(codes::BAD_VERSION, At::Value(pointer), message, "write it as in `1.2.0`");
            None
        }
    }
}

/// Checks a version that must not be later than the pack's own.
pub(super) fn no_later(
    value: Option<&Value>,
    pointer: &str,
    own: Option<&Version>,
    findings: &mut Findings<'_>,
) {
    if let (Some(found), Some(own)) = (version(value, pointer, findings), own)
        && found > *own
    {
        let message = format!("version {found} is later than the pack's own version {own}");
        findings.error(codes::VERSION_ORDER, At::Value(pointer), message, "raise the version in pack.yaml");
    }
}

/// Checks the engine requirement: this engine satisfies it, and no engine that lacks what the rules use does.
pub(super) fn engine(value: Option<&Value>, pointer: &str, findings: &mut Findings<'_>) {
    let Some(text) = value.and_then(Value::as_str) else { return };
    let requirement = match VersionReq::parse(text) {
        Ok(requirement) => requirement,
        Err(error) => {
            let message = format!("{} is not a version requirement: {error}", quoted(text));
            findings.error(codes::BAD_VERSION, At::Value(pointer), message, "write it as in `^1.0`");
            return;
        }
    };
    let admits_this = Version::parse(ENGINE_VERSION).is_ok_and(|own| requirement.matches(&own));
    if !admits_this {
        let message = format!("the pack needs engine {}; this is {ENGINE_VERSION}", quoted(text));
        findings.error(
            codes::UNSUPPORTED_ENGINE,
            At::Value(pointer),
            message,
            "update Faultbook or the pack",
        );
    } else if lowest(&requirement) < FORMAT_SINCE {
        let message = format!("{} admits engines that lack what the rules use", quoted(text));
        let help = format!("require at least `^{}.{}`", FORMAT_SINCE.major, FORMAT_SINCE.minor);
        findings.error(codes::ENGINE_TOO_LOW, At::Value(pointer), message, &help);
    }
}

/// The lowest version that a requirement may admit.
fn lowest(requirement: &VersionReq) -> Version {
    let bounds = requirement.comparators.iter().filter_map(lower_bound);
    bounds.max_by(Version::cmp_precedence).unwrap_or(Version::new(0, 0, 0))
}

fn lower_bound(comparator: &Comparator) -> Option<Version> {
    match comparator.op {
        Op::Less | Op::LessEq => None,
        Op::Exact | Op::Greater | Op::GreaterEq | Op::Tilde | Op::Caret | Op::Wildcard => {
            Some(Version::new(comparator.major, comparator.minor.unwrap_or(0), comparator.patch.unwrap_or(0)))
        }
        // A comparison that this build does not know bounds nothing.
        _ => None,
    }
}

/// Checks the taxonomy version: same major version, not later than ours.
pub(super) fn taxonomy(value: Option<&Value>, pointer: &str, findings: &mut Findings<'_>) {
    let (Some(found), Ok(own)) = (version(value, pointer, findings), Version::parse(TAXONOMY_VERSION)) else {
        return;
    };
    if found.major != own.major || found.cmp_precedence(&own) == Ordering::Greater {
        let message = format!("the pack was written for taxonomy {found}; this build speaks {own}");
        findings.error(
            codes::UNSUPPORTED_TAXONOMY,
            At::Value(pointer),
            message,
            "update Faultbook or the pack",
        );
    }
}

/// Checks a day.
pub(super) fn date(value: Option<&Value>, pointer: &str, findings: &mut Findings<'_>) {
    let Some(text) = value.and_then(Value::as_str) else { return };
    let well_formed = text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
    if !well_formed {
        let message = format!("{} is not a day", quoted(text));
        findings.error(codes::BAD_DATE, At::Value(pointer), message, "write it as YYYY-MM-DD");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_engine_that_a_requirement_admits() {
        let table = [
            ("^1.0", "1.0.0"),
            ("1.2", "1.2.0"),
            (">=1.4.2, <2", "1.4.2"),
            ("~1", "1.0.0"),
            ("=1.0.3", "1.0.3"),
            ("1.*", "1.0.0"),
            ("<2", "0.0.0"),
            ("*", "0.0.0"),
            (">=0.5", "0.5.0"),
        ];
        for (requirement, want) in table {
            assert_eq!(lowest(&VersionReq::parse(requirement).unwrap()).to_string(), want, "{requirement}");
        }
    }
}
