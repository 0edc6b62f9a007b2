//! The honeypot: ordinary text full of trigger words, in which nothing may classify with high confidence.
//!
//! A `.jsonl` file holds evidence envelopes, one a line. Any other file is plain text: it is shown to the engine
//! whole, as the model's words, as a tool's output and as a stream that both share, and line by line as the last.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use faultbook_document::{Diagnostic, Source, Span, quoted};
use faultbook_engine::Catalogue;
use faultbook_evidence::{Channel, Envelope, MAX_TEXT_BYTES, Signal};
use faultbook_taxonomy::Confidence;

use crate::suite::map_in_parallel;

faultbook_document::diagnostic_codes! {
    HONEYPOT_CLASSIFIED = "honeypot-classified": "Ordinary text is classified with high confidence.";
    HONEYPOT_UNREADABLE = "honeypot-unreadable": "A file or line of the honeypot cannot be read.";
}

/// The largest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 4 * 1024 * 1024;
/// The most files that are read.
const MAX_FILES: usize = 1_000;

/// A piece of ordinary text as evidence.
#[derive(Debug, Clone)]
pub struct Bait {
    /// The evidence.
    pub envelope: Envelope,
    source: Source,
    span: Span,
}

/// Reads every file directly in a folder, hidden ones aside.
#[must_use]
pub fn read_honeypot(folder: &Path) -> (Vec<Bait>, Vec<Diagnostic>) {
    let mut baits = Vec::new();
    let mut problems = Vec::new();
    let files = match files(folder) {
        Ok(files) => files,
        Err(error) => {
            let name = folder.display().to_string();
            return (baits, vec![Diagnostic::of_file(HONEYPOT_UNREADABLE, &name, error.to_string())]);
        }
    };
    for path in files {
        let name = path.display().to_string();
        match read_bounded(&path).map(|bytes| Source::from_bytes(name.as_str(), &bytes)) {
            Ok(Ok(source)) => {
                let is_evidence = path.extension().is_some_and(|ending| ending == "jsonl");
                let found = if is_evidence { evidence(&source) } else { Ok(text(&source)) };
                match found {
                    Ok(found) => baits.extend(found),
                    Err(found) => problems.extend(found),
                }
            }
            Ok(Err(problem)) => problems.push(*problem),
            Err(error) => problems.push(Diagnostic::of_file(HONEYPOT_UNREADABLE, &name, error.to_string())),
        }
    }
    (baits, problems)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_hidden = entry.file_name().to_str().is_none_or(|name| name.starts_with('.'));
        if entry.file_type()?.is_file() && !is_hidden {
            files.push(entry.path());
        }
    }
    if files.len() > MAX_FILES {
        return Err(io::Error::other(format!("the folder has more than {MAX_FILES} files")));
    }
    files.sort_unstable();
    Ok(files)
}

fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read;
    let mut bytes = Vec::new();
    let read = fs::File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if u64::try_from(read).unwrap_or(u64::MAX) > MAX_FILE_BYTES {
        return Err(io::Error::other(format!("the file has more than {MAX_FILE_BYTES} bytes")));
    }
    Ok(bytes)
}

/// The lines of a text with their spans.
fn lines(source: &Source) -> impl Iterator<Item = (&str, Span)> {
    let mut offset = 0;
    source.text().split_inclusive('\n').map(move |line| {
        let start = offset;
        offset += line.len();
        let words = line.trim_end_matches(['\n', '\r']);
        (words, source.span(start, start + words.len()))
    })
}

fn evidence(source: &Source) -> Result<Vec<Bait>, Vec<Diagnostic>> {
    let mut baits = Vec::new();
    let mut problems = Vec::new();
    for (line, span) in lines(source).filter(|(line, _)| !line.trim().is_empty()) {
        match Envelope::read(line) {
            Ok(envelope) => baits.push(Bait { envelope, source: source.clone(), span }),
            Err(error) => {
                problems.push(Diagnostic::error(HONEYPOT_UNREADABLE, source, span, error.to_string()));
            }
        }
    }
    if problems.is_empty() { Ok(baits) } else { Err(problems) }
}

fn text(source: &Source) -> Vec<Bait> {
    let mut baits = Vec::new();
    let mut add = |channel: Channel, text: &str, span: Span| {
        let signal = Signal { text: Some(text.to_owned()), ..Signal::new(channel) };
        baits.push(Bait { envelope: Envelope::of(vec![signal]), source: source.clone(), span });
    };
    let mut part = String::new();
    let mut begin = Span::START;
    for (line, span) in lines(source) {
        if part.len() + line.len() + 1 > MAX_TEXT_BYTES {
            whole(&mut add, &part, begin);
            part.clear();
        }
        if part.is_empty() {
            begin = span;
        }
        part.push_str(line);
        part.push('\n');
        if !line.trim().is_empty() {
            add(Channel::Mixed, line, span);
        }
    }
    whole(&mut add, &part, begin);
    baits
}

fn whole(add: &mut impl FnMut(Channel, &str, Span), part: &str, span: Span) {
    for channel in [Channel::Mixed, Channel::Assistant, Channel::Tool] {
        add(channel, part, span);
    }
}

/// Everything in the honeypot that classifies with high confidence, each line and rule once.
#[must_use]
pub fn check_honeypot(catalogue: &Catalogue, baits: &[Bait]) -> Vec<Diagnostic> {
    let answers = map_in_parallel(baits, |bait| catalogue.classify(&bait.envelope));
    let mut problems: Vec<Diagnostic> = Vec::new();
    for (bait, answer) in baits.iter().zip(answers) {
        let Some((rule, code)) = answer.rule.as_ref().map(|rule| &rule.id).zip(answer.code) else { continue };
        if answer.confidence != Some(Confidence::High) {
            continue;
        }
        let message = format!(
            "ordinary text is classified as `{code}` by rule {}: {}",
            quoted(rule),
            quoted(answer.excerpt.as_deref().unwrap_or_default())
        );
        let problem = Diagnostic::error(HONEYPOT_CLASSIFIED, &bait.source, bait.span, message)
            .with_rule(rule)
            .with_help("ask for more of what only the failure says: a prefix, a field, a longer phrase");
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    problems
}
