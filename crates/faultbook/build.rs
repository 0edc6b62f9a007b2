//! Lists the files of the `core` pack, so that the library carries them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let pack = manifest.join("../../rules/core").canonicalize()?;
    println!("cargo::rerun-if-changed={}", pack.display());
    let mut files = Vec::new();
    collect(&pack, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let path = file.strip_prefix(&pack).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(list, "    ({path:?}, include_bytes!({:?}).as_slice()),", file.display().to_string());
    }
    list.push(']');
    let out = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(out.join("core_pack.rs"), list)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    Ok(())
}
