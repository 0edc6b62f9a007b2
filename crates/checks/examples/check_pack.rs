//! Checks a pack folder with its fixtures folder, and scores it on a corpus if one is named:
//! `cargo run -p faultbook-checks --example check_pack -- rules/core fixtures [corpus.jsonl] [--bless]`.

use std::error::Error;
use std::fs::File;
use std::io::{BufReader, Write, stdout};
use std::path::PathBuf;

use faultbook_checks::{Checked, Options, ReportFormat, check, score};
use faultbook_document::Colours;

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let [pack, fixtures, corpus @ ..] = paths.as_slice() else {
        return Err("name a pack folder and a fixtures folder".into());
    };
    let packs = [pack.clone()];
    let options = Options { corpora: corpus.to_vec(), bless: flags.iter().any(|flag| flag == "--bless") };
    let report = check(&packs, std::slice::from_ref(fixtures), &options);
    let mut out = stdout().lock();
    write!(out, "{}", report.render(ReportFormat::Human, Colours::Plain))?;
    for path in corpus {
        let (checked, _) = Checked::load(&packs, &[]);
        let catalogue = checked.compile(checked.packs_until(0)).map_err(|_| "the pack does not compile")?;
        let figures = score(BufReader::new(File::open(path)?), &catalogue)?;
        writeln!(out, "{}", serde_json::to_string_pretty(&figures)?)?;
    }
    Ok(())
}
