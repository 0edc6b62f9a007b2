//! The specification as two tables that a person can read: what each code is, and what is decided about it.
//!
//! `FAULTBOOK_BLESS=1 cargo test -p faultbook-policy --test golden` writes them anew.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use faultbook_policy::{
    Action, DecisionContext, DegradedUntil, DispatchMode, GateResult, PrestartUnknown, Resource, decide,
    default_scope, fallback, interactive_row, owner, remedy, unattended_row,
};
use faultbook_policy::{CandidatePolicy, ClassPolicy};
use faultbook_taxonomy::{Class, Code, Confidence, Effects, Reason, State, Window};

use support::{alone, hint_s, interactive, pre_start, route, spent, unattended};

fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("FAULTBOOK_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{name} has changed; look at it, then bless it:\n{text}");
}

#[test]
fn what_each_code_is() {
    let mut text = String::from(
        "What policy knows about each code. Resource: what it degrades on a route whose names are all known.\n\n",
    );
    let dash = |word: Option<&str>| word.unwrap_or("-").to_owned();
    let mut rows = vec![
        ["code", "class", "scope", "resource", "fallback", "interactive", "unattended", "remedy", "owner"]
            .map(str::to_owned),
    ];
    for code in Code::ALL {
        let resource = Resource::of(*code, None, &route("a")).map(|resource| match resource {
            Resource::ProviderFromHost { .. } => "provider_from_host",
            Resource::Provider { .. } => "provider",
            Resource::ProviderModel { .. } => "provider+model",
            Resource::ProviderCredential { .. } => "provider+credential",
            Resource::Profile { .. } => "profile",
        });
        rows.push([
            code.to_string(),
            code.class().to_string(),
            default_scope(*code).to_string(),
            dash(resource),
            fallback(*code).to_string(),
            interactive_row(*code).to_string(),
            unattended_row(*code).to_string(),
            dash(remedy(*code).map(|remedy| remedy.as_str())),
            dash(owner(*code).map(|owner| owner.as_str())),
        ]);
    }
    for row in rows {
        let [code, class, scope, resource, fallback, interactive, unattended, remedy, owner] = row;
        let line = format!(
            "{code:26}{class:14}{scope:10}{resource:21}{fallback:16}{interactive:18}{unattended:13}{remedy:21}{owner}"
        );
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    compare("codes.txt", &text);
}

/// One value of each dimension, by index into the dimension's words.
type Point = [usize; 6];

const CONTEXTS: [&str; 3] = ["interactive", "unattended", "unattended, prestart_unknown: skip"];
const PHASES: [&str; 2] = ["before start", "after start"];
const CONFIDENCES: [&str; 2] = ["high", "medium"];
const EFFECTS: [&str; 4] = ["none", "happened", "resumable", "continuation"];
const HINTS: [&str; 6] = ["none", "past", "window short", "window long", "30 s", "2 h"];
const NO_CODE: [&str; 3] = ["(unclassified)", "(unclassified: stale)", "(no failure)"];

fn subjects() -> Vec<String> {
    Code::ALL.iter().map(ToString::to_string).chain(NO_CODE.map(str::to_owned)).collect()
}

fn set_subject(context: &mut DecisionContext, subject: usize) {
    let classification = &mut context.classification;
    if let Some(code) = Code::ALL.get(subject) {
        (classification.code, classification.class) = (Some(*code), code.class());
        classification.scope = Some(default_scope(*code));
        return;
    }
    classification.class = Class::Unclassified;
    (classification.code, classification.scope, classification.confidence) = (None, None, None);
    (classification.state, classification.reason) = match NO_CODE[subject - Code::ALL.len()] {
        "(unclassified)" => (State::Unclassified, Some(Reason::None)),
        "(unclassified: stale)" => (State::Unclassified, Some(Reason::Stale)),
        _ => (State::NoFailure, None),
    };
}

fn context(point: Point, others: bool, used_up: bool) -> DecisionContext {
    let [subject, context, phase, confidence, effects, hint] = point;
    let base = Code::ProviderUnavailable;
    let mut decision = match (CONTEXTS[context], others) {
        ("interactive", _) => interactive(base),
        (_, true) => unattended(base),
        (_, false) => alone(base),
    };
    if CONTEXTS[context].ends_with("skip") {
        let policy = ClassPolicy { prestart_unknown: PrestartUnknown::Skip, ..ClassPolicy::standard() };
        decision.policy = Some(CandidatePolicy::Document(policy));
    }
    if PHASES[phase] == "before start" {
        decision = pre_start(decision);
    }
    if used_up {
        decision = spent(decision);
    }
    decision.classification.confidence =
        Some(if CONFIDENCES[confidence] == "high" { Confidence::High } else { Confidence::Medium });
    let happened = Effects { assistant_output: Some(true), ..Effects::NONE };
    decision.classification.effects = match EFFECTS[effects] {
        "none" => Effects::NONE,
        "resumable" => Effects { resume_guarantee: Some(true), ..happened },
        _ => happened,
    };
    decision.continuation_package = Some(EFFECTS[effects] == "continuation");
    decision.observed_at = Some(support::after(-10));
    let hints = &mut decision.classification.hints;
    match HINTS[hint] {
        "past" => *hints = hint_s(5.0),
        "window short" => hints.window = Some(Window::Short),
        "window long" => hints.window = Some(Window::Long),
        "30 s" => *hints = hint_s(40.0),
        "2 h" => *hints = hint_s(7210.0),
        _ => {}
    }
    set_subject(&mut decision, subject);
    decision
}

/// A decision in a few words, without its times.
fn words(context: &DecisionContext) -> String {
    let decision = decide(context);
    let mode = |dispatch: DispatchMode| match dispatch {
        DispatchMode::OriginalPrompt => "",
        DispatchMode::ResumeSession => " by resuming",
        DispatchMode::FreshSessionWithContinuation => " with continuation",
    };
    let mut text = match &decision.action {
        Action::Retry { max_attempts, dispatch, .. } => {
            format!("retry up to {max_attempts}×{}", mode(*dispatch))
        }
        Action::WaitForReset { dispatch, .. } => format!("wait for reset{}", mode(*dispatch)),
        Action::NextCandidate { dispatch, .. } => format!("next candidate{}", mode(*dispatch)),
        Action::Park(park) => {
            let wake = park.wake.map_or("no timed wake".to_owned(), |wake| format!("by {}", wake.set_by));
            format!("park {} ({wake}){}", park.status, mode(park.dispatch))
        }
        other => other.kind().to_string(),
    };
    if let GateResult::Refused { refusal, .. } = decision.gate {
        write!(text, " [gate: {refusal}]").unwrap();
    }
    if let Some(degraded) = decision.degraded {
        let until = match degraded.until {
            DegradedUntil::Deadline { wait } => wait.set_by.as_str(),
            DegradedUntil::ActionRequired => "action_required",
        };
        write!(text, " {{degrade by {until}}}").unwrap();
    }
    text
}

/// What happens while the budget lasts, when it is used up, and when no other candidate is left.
fn answer(point: Point) -> String {
    let fresh = words(&context(point, true, false));
    let mut steps = vec![fresh, words(&context(point, true, true)), words(&context(point, false, true))];
    steps.dedup();
    steps.join("; then ")
}

/// Sets of values for each dimension that all have the same answer.
type Block = [Vec<usize>; 6];

/// Blocks with their answers.
type Rows = Vec<(Block, String)>;

/// Joins blocks that differ in one dimension only, dimension by dimension.
fn collapse(points: Vec<(Point, String)>) -> Rows {
    let mut blocks: Rows =
        points.into_iter().map(|(point, answer)| (point.map(|value| vec![value]), answer)).collect();
    for dimension in [5, 4, 3, 2, 1, 0] {
        let mut joined: BTreeMap<(Vec<Vec<usize>>, String), Block> = BTreeMap::new();
        for (block, answer) in blocks {
            let mut rest = block.to_vec();
            rest[dimension].clear();
            joined
                .entry((rest, answer))
                .and_modify(|known| known[dimension].extend(&block[dimension]))
                .or_insert(block);
        }
        blocks = joined.into_iter().map(|((_, answer), block)| (block, answer)).collect();
    }
    blocks.sort();
    blocks
}

fn values(words: &[&str], chosen: &[usize]) -> String {
    if chosen.len() == words.len() {
        return "any".to_owned();
    }
    chosen.iter().map(|index| words[*index]).collect::<Vec<_>>().join(" | ")
}

fn unknown_effects_are_as_the_head_of_the_table_says(point: Point) {
    let expected = if PHASES[point[2]] == "before start" { "none" } else { "happened" };
    if EFFECTS[point[4]] == expected {
        let known = context(point, true, false);
        let mut unknown = known.clone();
        unknown.classification.effects = Effects::default();
        assert_eq!(words(&unknown), words(&known));
    }
}

/// The collapsed rows of one subject.
fn rows(subject: usize) -> Rows {
    let mut points = Vec::new();
    for context in 0..CONTEXTS.len() {
        for phase in 0..PHASES.len() {
            for confidence in 0..CONFIDENCES.len() {
                for effects in 0..EFFECTS.len() {
                    for hint in 0..HINTS.len() {
                        let point = [subject, context, phase, confidence, effects, hint];
                        unknown_effects_are_as_the_head_of_the_table_says(point);
                        points.push((point, answer(point)));
                    }
                }
            }
        }
    }
    let mut rows = collapse(points);
    rows.iter_mut().for_each(|(block, _)| block[0].clear());
    rows
}

fn context_words(chosen: &[usize]) -> &'static str {
    match chosen {
        [0] => "interactive",
        [1] => "unattended, prestart_unknown: stop",
        [2] => "unattended, prestart_unknown: skip",
        [1, 2] => "unattended",
        _ => "any context",
    }
}

#[test]
fn what_is_decided() {
    let mut groups: Vec<(Vec<String>, Rows)> = Vec::new();
    for (subject, name) in subjects().into_iter().enumerate() {
        let rows = rows(subject);
        match groups.iter_mut().find(|(_, known)| *known == rows) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], rows)),
        }
    }
    let mut text = String::from(
        "What is decided under `standard` (and with `prestart_unknown: skip`), for a current, delivered prompt.\n\
         Code × context × phase × confidence × effects × hint. A dimension that does not matter is left out.\n\
         \"; then\": when the budget is used up, and when no other candidate is left.\n\
         {degrade by …}: the code's resource is degraded for as long as that says.\n\
         Unknown effects are none before the start and have happened after it. A hint of 30 s is a lower bound of\n\
         the retry. Effects `resumable` and `continuation` have happened; the agent guarantees a resume, or the host has a\n\
         continuation package.\n",
    );
    for (names, rows) in groups {
        write!(text, "\n{}\n", names.join(", ")).unwrap();
        for (block, answer) in rows {
            let [_, context, phase, confidence, effects, hint] = &block;
            let dimensions = [
                ("", values(&PHASES, phase)),
                ("confidence ", values(&CONFIDENCES, confidence)),
                ("effects ", values(&EFFECTS, effects)),
                ("hint ", values(&HINTS, hint)),
            ];
            let mut conditions = vec![context_words(context).to_owned()];
            conditions.extend(
                dimensions.into_iter().filter(|(_, v)| v != "any").map(|(name, v)| format!("{name}{v}")),
            );
            write!(text, "  {}\n      → {answer}\n", conditions.join("; ")).unwrap();
        }
    }
    compare("decisions.txt", &text);
}
