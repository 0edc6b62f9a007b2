//! Carries the `core` pack: its files as they are, for tools that check it, and its rules as JSON, which loads many
//! times faster than YAML. A test holds the two against each other.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let pack = manifest.join("../../rules/core").canonicalize()?;
    let mut files = Vec::new();
    collect(&pack, &mut files)?;
    files.sort();
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("core_pack.rs"), list(&pack, &files))?;
    // A file that is no YAML is for the check to report, with its place; the build does not stand in its way.
    let rules = read(&pack, &files).unwrap_or(Value::Null);
    fs::write(out.join("core_pack.json"), rules.to_string())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}

fn list(pack: &Path, files: &[PathBuf]) -> String {
    let mut list = String::from("&[\n");
    for file in files {
        let path = file.strip_prefix(pack).unwrap_or(file).to_string_lossy().replace('\\', "/");
        let _ =
            writeln!(list, "    ({path:?}, include_bytes!({:?}).as_slice()),", file.display().to_string());
    }
    list.push(']');
    list
}

fn read(pack: &Path, files: &[PathBuf]) -> Option<Value> {
    let (mut manifest, mut ambiguous, mut retired) = (Value::Null, json!([]), json!([]));
    let mut rules = Vec::new();
    for file in files {
        let mut value: Value = serde_yaml::from_str(&fs::read_to_string(file).ok()?).ok()?;
        match file.strip_prefix(pack).ok()?.to_str()? {
            "pack.yaml" => manifest = value,
            "ambiguous.yaml" => ambiguous = value.get_mut("values")?.take(),
            "retired.yaml" => retired = value.get_mut("retired")?.take(),
            _ => rules.push(value),
        }
    }
    rules.sort_by(|one, other| one["id"].as_str().cmp(&other["id"].as_str()));
    Some(json!({ "manifest": manifest, "rules": rules, "ambiguous": ambiguous, "retired": retired }))
}
