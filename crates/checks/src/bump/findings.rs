//! What an author must put right before the new version may go out.

use std::collections::BTreeMap;

use faultbook_document::{Diagnostic, quoted};
use faultbook_engine::rule::Rule;

use super::{BUMP_TOO_SMALL, Bump, Diff, Edition, REVISION_NOT_RAISED, RULE_GONE, listed, version};

/// The stated version is lower than the one that the changes need.
pub(super) fn bump_too_small(diff: &Diff, manifest: &str) -> Option<Diagnostic> {
    let (before, stated) = (version(&diff.versions.0)?, version(&diff.versions.1)?);
    let needed = diff.needed.applied(&before);
    if stated >= needed {
        return None;
    }
    let message = format!(
        "version {stated} is too low: the changes since {before} are {}, which needs {needed}; {}",
        diff.needed.as_str(),
        reason(diff)
    );
    let help = format!("set `version: {needed}` or higher");
    Some(Diagnostic::of_file(BUMP_TOO_SMALL, manifest, message).with_pointer("/version").with_help(help))
}

/// The first change that needs the bump.
fn reason(diff: &Diff) -> String {
    if let Some(change) = diff.changes.iter().find(|change| change.bump == diff.needed) {
        let (before, after) = (change.before.in_words(), change.after.in_words());
        return format!("{} was {before}, is {after}", change.evidence);
    }
    match diff.needed {
        Bump::Major | Bump::Minor if !diff.new_rules.is_empty() => {
            format!("new rules: {}", listed(&diff.new_rules))
        }
        Bump::Major | Bump::Minor => format!("rules are gone: {}", listed(&diff.gone_rules)),
        Bump::Patch if !diff.changed_rules.is_empty() => {
            format!("changed rules: {}", listed(&diff.changed_rules))
        }
        Bump::Patch | Bump::None => "the pack's own files changed".to_owned(),
    }
}

/// Rules that went without a tombstone.
pub(super) fn rules_gone(diff: &Diff, new: Edition<'_>) -> Vec<Diagnostic> {
    let retired = |id: &&String| !new.pack.pack.retired.iter().any(|tombstone| tombstone.id == **id);
    diff.gone_rules
        .iter()
        .filter(retired)
        .map(|id| {
            let message = format!("the rule {} is gone, and retired.yaml does not name it", quoted(id));
            let help = format!(
                "add it to retired.yaml with `last: {}`, a reason and its successor, so that its id is never reused",
                diff.versions.0
            );
            Diagnostic::of_file(RULE_GONE, new.manifest, message).with_rule(id).with_help(help)
        })
        .collect()
}

/// Rules that mean something else under the same revision.
pub(super) fn revisions(
    before: &BTreeMap<&str, &Rule>,
    after: &BTreeMap<&str, &Rule>,
    new: Edition<'_>,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for (id, rule) in after {
        let Some(old) = before.get(id) else { continue };
        if rule.revision > old.revision || means_the_same(old, rule) {
            continue;
        }
        let message = format!(
            "{} changed its match, code, band, rank or confidence, and is still at revision {}",
            quoted(id),
            rule.revision
        );
        let problem = match new.pack.documents.get(*id) {
            Some(document) => document.error(REVISION_NOT_RAISED, &document.locate("/revision"), message),
            None => Diagnostic::of_file(REVISION_NOT_RAISED, &format!("{id}.yaml"), message),
        };
        let help = format!("set `revision: {}`", old.revision.saturating_add(1));
        problems.push(problem.with_rule(*id).with_pointer("/revision").with_help(help));
    }
    problems
}

fn means_the_same(old: &Rule, new: &Rule) -> bool {
    let meaning = |rule: &Rule| (rule.kind, rule.code, rule.band, rule.rank(), rule.confidence);
    meaning(old) == meaning(new)
        && old.applies == new.applies
        && old.matches == new.matches
        && old.with == new.with
}
