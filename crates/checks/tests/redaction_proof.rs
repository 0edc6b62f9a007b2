//! Redaction, proven on the core pack: whatever field of whatever evidence a secret stands in, no output shows it, and
//! the words that explain the error stay.
#![expect(clippy::unwrap_used, reason = "a test says what must hold by panicking")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use faultbook_checks::fixture::{CaseKind, SuiteCase};
use faultbook_checks::suite::map_in_parallel;
use faultbook_checks::{Checked, Options, ReportFormat};
use faultbook_document::{Colours, Severity};
use faultbook_engine::{Catalogue, Explanation};
use faultbook_evidence::normal::fold;
use faultbook_evidence::sanitise::planted::{PlantedSecret, secrets};
use faultbook_evidence::{Envelope, is_timing_header};
use faultbook_taxonomy::State;
use serde_json::{Map, Value, json};

mod sample;

const SEEDS: [u64; 3] = [1, 77, 2026];

/// Where a secret is planted. Each stands for a way out that the evidence could take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// In a field of the envelope.
    Field(&'static str),
    /// A key of the envelope that nobody knows.
    EnvelopeKey,
    /// A key of a signal that nobody knows.
    SignalKey,
    /// In place of a rate-limit header's value.
    Header,
    /// Before the text's words.
    TextStart,
    /// Between two of its words.
    TextMiddle,
    /// Behind its last word.
    TextEnd,
    /// A line of its own behind the text.
    TextLine,
    /// A new field of the data.
    DataField,
    /// A new key of the data.
    DataKey,
    /// The key above all the data.
    DataParent,
    /// Behind the words of every string of the data.
    DataLeaf,
}

/// What leaves the error's own words whole and the rules that name agents applicable.
const BESIDE: &[Place] = &[
    Place::Field("id"),
    Place::Field("model"),
    Place::Field("session"),
    Place::Field("execution"),
    Place::Field("time_zone"),
    Place::EnvelopeKey,
    Place::SignalKey,
    Place::Header,
    Place::TextLine,
    Place::DataField,
    Place::DataKey,
];

/// What stands in the midst of what rules read; one list a case, in turn.
const AMIDST: &[&[Place]] = &[
    &[Place::TextStart, Place::DataLeaf],
    &[Place::TextMiddle, Place::DataParent, Place::Field("agent")],
    &[Place::TextEnd, Place::DataLeaf, Place::Field("provider")],
];

/// Takes the kinds of secrets in turn, for each place on its own.
struct Planter {
    secrets: Vec<PlantedSecret>,
    taken: BTreeMap<Place, Taken>,
}

/// Which secrets a place had: so many from the one at `start`.
#[derive(Debug)]
struct Taken {
    start: usize,
    count: usize,
}

impl Planter {
    fn new() -> Self {
        Self { secrets: SEEDS.into_iter().flat_map(secrets).collect(), taken: BTreeMap::new() }
    }

    fn secret(&mut self, place: Place) -> PlantedSecret {
        // Each place begins elsewhere, so that a leak has one place only.
        let start = 37 * self.taken.len();
        let taken = self.taken.entry(place).or_insert(Taken { start, count: 0 });
        taken.count += 1;
        self.secrets[(taken.start + taken.count) % self.secrets.len()].clone()
    }

    /// The evidence with a secret in each of the places, and those secrets.
    fn plant(&mut self, evidence: &Map<String, Value>, places: &[Place]) -> Planted {
        let mut evidence = evidence.clone();
        let mut secrets = Vec::new();
        for &place in places {
            if !has_room(&evidence, place) {
                continue;
            }
            let secret = self.secret(place);
            plant(&mut evidence, place, &secret.text);
            secrets.push((place, secret));
        }
        Planted { envelope: Envelope::from_object(evidence).unwrap(), secrets }
    }
}

struct Planted {
    envelope: Envelope,
    secrets: Vec<(Place, PlantedSecret)>,
}

/// Whether evidence has what the place is in.
fn has_room(evidence: &Map<String, Value>, place: Place) -> bool {
    let any = |key: &str| evidence["signals"].as_array().unwrap().iter().any(|one| !one[key].is_null());
    match place {
        Place::Field(_) | Place::EnvelopeKey | Place::SignalKey | Place::Header => true,
        Place::TextStart | Place::TextMiddle | Place::TextEnd | Place::TextLine => any("text"),
        Place::DataField | Place::DataKey | Place::DataParent | Place::DataLeaf => any("data"),
    }
}

fn plant(evidence: &mut Map<String, Value>, place: Place, secret: &str) {
    match place {
        Place::Field(name) => drop(evidence.insert(name.to_owned(), json!(secret))),
        Place::EnvelopeKey => drop(evidence.insert(secret.to_owned(), json!(1))),
        _ => {
            let signals = evidence.get_mut("signals").and_then(Value::as_array_mut).unwrap();
            signals.iter_mut().filter_map(Value::as_object_mut).for_each(|signal| {
                plant_in_signal(signal, place, secret);
            });
        }
    }
}

fn plant_in_signal(signal: &mut Map<String, Value>, place: Place, secret: &str) {
    match place {
        Place::SignalKey => drop(signal.insert(secret.to_owned(), json!(1))),
        Place::Header => {
            let headers = signal.entry("headers").or_insert_with(|| json!({})).as_object_mut().unwrap();
            let name = "x-ratelimit-reset-tokens";
            assert!(is_timing_header(name));
            headers.entry(name).or_insert_with(|| json!(secret));
        }
        Place::TextStart | Place::TextMiddle | Place::TextEnd | Place::TextLine => {
            if let Some(Value::String(text)) = signal.get_mut("text") {
                *text = with_words(text, place, secret);
            }
        }
        _ => {
            if let Some(data) = signal.get_mut("data") {
                plant_in_data(data, place, secret);
            }
        }
    }
}

fn with_words(text: &str, place: Place, secret: &str) -> String {
    match place {
        Place::TextStart => format!("{secret} {text}"),
        Place::TextEnd => format!("{text} {secret}"),
        Place::TextMiddle => {
            let half = text.floor_char_boundary(text.len() / 2);
            let at = text[half..].find(' ').map_or(text.len(), |blank| half + blank);
            format!("{} {secret}{}", &text[..at], &text[at..])
        }
        _ => format!("{text}\n{secret}"),
    }
}

fn plant_in_data(data: &mut Value, place: Place, secret: &str) {
    match (place, data) {
        (Place::DataField, Value::Object(fields)) => drop(fields.insert("extra".to_owned(), json!(secret))),
        (Place::DataKey, Value::Object(fields)) => drop(fields.insert(secret.to_owned(), json!("x"))),
        (Place::DataParent, data) => *data = json!({ secret: data.take() }),
        (Place::DataLeaf, Value::String(text)) => *text = format!("{text} {secret}"),
        (Place::DataLeaf, Value::Object(fields)) => {
            fields.values_mut().for_each(|value| plant_in_data(value, place, secret));
        }
        (_, Value::Array(items)) => items.iter_mut().for_each(|item| plant_in_data(item, place, secret)),
        _ => {}
    }
}

/// Every key and string of what people and programs get, one a line, in lower case.
fn shown(explanation: &Explanation) -> String {
    let mut open = vec![serde_json::to_value(explanation).unwrap()];
    let mut shown = String::new();
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => shown.extend([text.as_str(), "\n"]),
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => {
                for (key, value) in fields {
                    shown.extend([key.as_str(), "\n"]);
                    open.push(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    shown.to_lowercase()
}

/// Whether an output shows the secret or a considerable piece of it.
fn shows(shown: &str, secret: &PlantedSecret) -> bool {
    let needle = secret.needle.to_lowercase();
    let pieces: Vec<String> =
        needle.as_bytes().chunks_exact(12).map(|piece| String::from_utf8_lossy(piece).into_owned()).collect();
    let pieces = if pieces.is_empty() { vec![needle] } else { pieces };
    pieces.iter().any(|piece| shown.contains(piece))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn core() -> (Checked, Catalogue) {
    let (checked, problems) = Checked::load(&[root().join("rules/core")], &[root().join("fixtures")]);
    let errors: Vec<_> = problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "the core pack and its suites load: {errors:#?}");
    let catalogue = checked.compile(checked.packs_until(0)).unwrap();
    (checked, catalogue)
}

/// The words in which the answer's rule matched, where it asks for words.
fn winning_words(explanation: &Explanation) -> Vec<&str> {
    let Some(rule) = &explanation.classification.rule else { return Vec::new() };
    let won = explanation.matches.iter().filter(|one| one.rule == rule.id && one.uncounted.is_none());
    won.flat_map(|one| &one.places).map(|place| place.words.as_str()).collect()
}

/// Whether the excerpt still has words in which the rule matched. Those in the path of a URL are never shown.
fn keeps_its_words(explanation: &Explanation, evidence: &str) -> bool {
    let in_url = |words: &str| {
        evidence.split_whitespace().any(|word| word.contains("://") && fold(word).contains(words))
    };
    let words = winning_words(explanation);
    let excerpt = fold(explanation.classification.excerpt.as_deref().unwrap_or_default());
    words.is_empty() || words.iter().any(|words| excerpt.contains(words) || in_url(words))
}

struct Outcome {
    name: String,
    faults: Vec<String>,
    same_rule: bool,
}

fn outcome(catalogue: &Catalogue, rule: &str, case: &SuiteCase, planted: &[Planted; 2]) -> Outcome {
    let name = format!("{rule}: {}", case.case.name);
    let mut faults = Vec::new();
    let clean = catalogue.explain(&case.envelope);
    let evidence = case.envelope.to_json().unwrap().to_string();
    if !keeps_its_words(&clean, &evidence) {
        let excerpt = clean.classification.excerpt.clone().unwrap_or_default();
        faults.push(format!("{:?} is not in {excerpt:?}", winning_words(&clean)));
    }
    let told = planted.iter().map(|one| catalogue.explain(&one.envelope)).collect::<Vec<_>>();
    for (one, explanation) in planted.iter().zip(&told) {
        let output = shown(explanation);
        for (place, secret) in one.secrets.iter().filter(|(_, secret)| shows(&output, secret)) {
            faults.push(format!("{} shows in {place:?}", secret.kind));
        }
    }
    let id = |explanation: &Explanation| explanation.classification.rule.as_ref().map(|rule| rule.id.clone());
    let same_rule = id(&told[0]) == id(&clean);
    if same_rule && !keeps_its_words(&told[0], &evidence) {
        faults.push(format!("the words are lost beside {:?}", told[0].classification.excerpt));
    }
    Outcome { name, faults, same_rule }
}

#[test]
fn no_output_shows_a_secret_and_the_errors_words_stay() {
    let (checked, catalogue) = core();
    let mut planter = Planter::new();
    let mut work = Vec::new();
    for suite in checked.packs.iter().flat_map(|pack| &pack.suites) {
        for case in suite.of(CaseKind::Positive) {
            let evidence = &case.case.evidence;
            let amidst = AMIDST[work.len() % AMIDST.len()];
            let planted = [planter.plant(evidence, BESIDE), planter.plant(evidence, amidst)];
            work.push((suite.rule.as_str(), case, planted));
        }
    }
    // The secrets of one seed follow each other: so many in a row are one of each kind.
    let all = planter.secrets.len() / SEEDS.len();
    let thin: Vec<_> = planter.taken.iter().filter(|(_, taken)| taken.count < all).collect();
    assert!(thin.is_empty(), "of {all} kinds not all were planted: {thin:?}");
    let outcomes = map_in_parallel(&work, |(rule, case, planted)| outcome(&catalogue, rule, case, planted));
    let faults: Vec<String> = outcomes
        .iter()
        .flat_map(|outcome| outcome.faults.iter().map(move |fault| format!("{}: {fault}", outcome.name)))
        .collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    let same = outcomes.iter().filter(|outcome| outcome.same_rule).count();
    assert!(same * 10 >= outcomes.len() * 9, "secrets beside the error change {same} of {}", outcomes.len());
}

/// A line too long to be shown whole is cut beside the match: the cut must not take the sign of a secret away.
#[test]
fn no_cut_of_a_long_line_uncovers_a_secret() {
    let (checked, catalogue) = core();
    let words = "You've hit your usage limit";
    let answer = |text: &str| {
        let signal = json!({ "channel": "agent_text", "text": text });
        let evidence = json!({ "agent": "codex", "signals": [signal] });
        catalogue.explain(&Envelope::from_object(evidence.as_object().unwrap().clone()).unwrap())
    };
    assert_eq!(answer(words).classification.state, State::Classified, "{}", checked.packs.len());
    let mut faults = Vec::new();
    for secret in secrets(SEEDS[0]) {
        let distance = 256 - secret.needle.len().min(200);
        for filler in (distance.saturating_sub(24)..256).step_by(7) {
            let before = format!("{}{} {}", "w ".repeat(200), secret.text, "x ".repeat(filler / 2));
            let text = format!("{before}{words}{}", " y".repeat(600));
            if shows(&shown(&answer(&text)), &secret) {
                faults.push(format!("{} {filler}", secret.kind));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// A suite whose cases fail, each with a secret that must never be emitted: no report shows one in any format.
#[test]
fn no_diagnostic_shows_a_secret() {
    let sample = sample::Sample::new();
    let planted = secrets(SEEDS[0]);
    let mut cases = "  positive:\n".to_owned();
    for (index, secret) in planted.iter().enumerate() {
        let case = json!({
            "name": format!("case {index}"),
            "origin": "synthetic",
            "evidence": { "signals": [{ "channel": "stderr", "text": format!("sample provider is busy\n{}", secret.text) }] },
            "expect": { "code": "rate_limited", "never_emits": [secret.needle] },
        });
        cases.push_str(&format!("    - {case}\n"));
    }
    sample.suite("sample.busy", &cases);
    let report = sample.check(&Options::default());
    assert!(report.failed_cases() >= planted.len(), "{}", report.failed_cases());
    for format in [
        ReportFormat::Human,
        ReportFormat::Json,
        ReportFormat::Github,
        ReportFormat::Sarif,
        ReportFormat::Junit,
    ] {
        let output = report.render(format, Colours::Plain).to_lowercase();
        let leaked: Vec<&str> =
            planted.iter().filter(|secret| shows(&output, secret)).map(|secret| secret.kind).collect();
        assert!(leaked.is_empty(), "{format:?}: {leaked:?}");
    }
}
