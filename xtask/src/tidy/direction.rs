//! The direction of dependencies: each crate may depend on what the table of `ARCHITECTURE.md` says, no more.

use std::fs;

use crate::root;

/// For each crate folder, the crates of the workspace that it may depend on.
const MAY_DEPEND: &[(&str, &[&str])] = &[
    ("taxonomy", &[]),
    ("document", &[]),
    ("evidence", &["taxonomy"]),
    ("engine", &["taxonomy", "document", "evidence"]),
    ("policy", &["taxonomy", "document"]),
    ("adapters", &["taxonomy", "evidence"]),
    ("checks", &["taxonomy", "document", "evidence", "engine"]),
    ("faultbook", &["taxonomy", "document", "evidence", "engine", "policy", "adapters"]),
    ("cli", &["taxonomy", "document", "evidence", "engine", "policy", "adapters", "checks", "faultbook"]),
];

/// Dependencies that a host which only classifies must not pay for.
const HEAVY: &[&str] = &["tokio", "rusqlite", "axum", "hyper", "reqwest", "tokio-postgres"];

/// Checks the manifest of every crate.
pub(crate) fn check() -> Vec<String> {
    let mut problems = Vec::new();
    let folders = fs::read_dir(root().join("crates")).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    for name in names {
        let Some((_, allowed)) = MAY_DEPEND.iter().find(|(known, _)| *known == name) else {
            problems.push(format!("crates/{name}: say in {} what it may depend on", file!()));
            continue;
        };
        let manifest =
            fs::read_to_string(root().join("crates").join(&name).join("Cargo.toml")).unwrap_or_default();
        let ordinary = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        let section = ordinary.split("[dependencies]").nth(1).unwrap_or_default();
        for line in section.lines().take_while(|line| !line.starts_with('[')) {
            let dependency = line.split(['.', ' ', '=']).next().unwrap_or_default();
            let own =
                dependency.strip_prefix("faultbook-").or((dependency == "faultbook").then_some("faultbook"));
            if let Some(own) = own
                && !allowed.contains(&own)
            {
                problems.push(format!("crates/{name}: must not depend on {own}"));
            }
            if HEAVY.contains(&dependency) {
                problems.push(format!("crates/{name}: {dependency} does not belong before the supervisor"));
            }
        }
    }
    problems
}
