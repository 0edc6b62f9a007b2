//! Order: permuting rule files, cases, and the arrival of simultaneous signals changes nothing.

use faultbook_document::{Diagnostic, quoted};
use faultbook_engine::rule::Pack;
use faultbook_engine::{Catalogue, PackTrust};
use faultbook_evidence::Envelope;
use faultbook_taxonomy::Classification;

use crate::examine::Examined;

faultbook_document::diagnostic_codes! {
    ORDER_OF_RULES = "order-of-rules": "The order of rule files or cases changes an answer.";
    ORDER_OF_SIGNALS = "order-of-signals": "The arrival of simultaneous signals changes an answer.";
}

const HELP: &str = "this is a fault of the engine, not of the rule; please report it with this case";

/// Compiles the packs in reverse, runs the cases in reverse, and swaps signals that nothing orders. `packs` are
/// those that the examined answers come from.
#[must_use]
pub fn check_order(packs: &[Pack], catalogue: &Catalogue, examined: &[Examined<'_>]) -> Vec<Diagnostic> {
    let reversed = packs.iter().rev().map(|pack| {
        let mut pack = pack.clone();
        pack.rules.reverse();
        (pack, PackTrust::Trusted)
    });
    let mut problems = Vec::new();
    // What does not compile is reported elsewhere.
    if let Ok(other) = Catalogue::compile(reversed.collect(), None) {
        for one in examined.iter().rev() {
            let answer = other.classify(&one.case.envelope);
            if answer != one.explanation.classification {
                let answers = (&one.explanation.classification, &answer);
                problems.push(problem(ORDER_OF_RULES, one, "rules and cases in reverse order", answers));
            }
        }
        problems.reverse();
    }
    for one in examined {
        let swaps = (1..one.case.envelope.signals.len()).filter_map(|at| swapped(&one.case.envelope, at));
        for (at, envelope) in swaps {
            let answer = catalogue.classify(&envelope);
            if !is_same(&answer, &one.explanation.classification) {
                let what = format!("signals {} and {at} swapped", at - 1);
                let answers = (&one.explanation.classification, &answer);
                problems.push(problem(ORDER_OF_SIGNALS, one, &what, answers));
            }
        }
    }
    problems
}

/// The envelope with a signal and the one before it swapped, where nothing orders them: different streams, the
/// same time or none, and not both the end of the turn or its exit code.
fn swapped(envelope: &Envelope, at: usize) -> Option<(usize, Envelope)> {
    let (first, second) = envelope.signals.get(at - 1).zip(envelope.signals.get(at))?;
    let are_ordered = first.channel.stream() == second.channel.stream()
        || first.at != second.at
        || (first.terminal.is_some() && second.terminal.is_some())
        || (first.exit_code.is_some() && second.exit_code.is_some());
    if are_ordered {
        return None;
    }
    let mut envelope = envelope.clone();
    envelope.signals.swap(at - 1, at);
    Some((at, envelope))
}

/// Whether two answers say the same. The signals' numbers move with the signals, and where one rule matches in
/// several of them, so may the excerpt.
fn is_same(one: &Classification, other: &Classification) -> bool {
    let candidates = |answer: &Classification| {
        let mut rules: Vec<String> = answer.candidates.iter().map(|one| one.rule.clone()).collect();
        rules.sort();
        rules
    };
    (one.state, one.reason, one.code, one.confidence, one.scope, &one.rule)
        == (other.state, other.reason, other.code, other.confidence, other.scope, &other.rule)
        && one.effects == other.effects
        && candidates(one) == candidates(other)
}

fn problem(
    code: &'static str,
    examined: &Examined<'_>,
    what: &str,
    (before, after): (&Classification, &Classification),
) -> Diagnostic {
    let shown = |answer: &Classification| {
        let rule = answer.rule.as_ref().map_or("", |rule| rule.id.as_str());
        answer.code.map_or_else(|| answer.state.to_string(), |code| format!("{code} by {rule}"))
    };
    let name = quoted(&examined.case.case.name);
    let message = format!("{what}, the case {name} gives {} instead of {}", shown(after), shown(before));
    examined.suite.problem(code, examined.case, "/name", message).with_help(HELP)
}

#[cfg(test)]
mod tests {
    use faultbook_evidence::{Channel, Signal};
    use faultbook_taxonomy::{Confidence, Reason, Terminal};

    use super::*;

    fn signal(channel: Channel, at: Option<&str>) -> Signal {
        Signal { at: at.map(|at| at.parse().unwrap()), ..Signal::new(channel) }
    }

    #[test]
    fn only_what_nothing_orders_is_swapped() {
        let (early, late) = (Some("2026-11-30T12:00:00Z"), Some("2026-11-30T12:00:01Z"));
        let ends = |channel| Signal { terminal: Some(Terminal::Failed), ..Signal::new(channel) };
        let table = [
            (signal(Channel::Stderr, early), signal(Channel::Http, early), true),
            (signal(Channel::Stderr, None), signal(Channel::Http, None), true),
            (signal(Channel::Stderr, early), signal(Channel::Http, late), false),
            (signal(Channel::Event, early), signal(Channel::Mixed, early), false),
            (ends(Channel::Event), signal(Channel::Stderr, None), true),
            (ends(Channel::Event), ends(Channel::Exit), false),
        ];
        for (first, second, is_swapped) in table {
            let envelope = Envelope::of(vec![first.clone(), second.clone()]);
            let found = swapped(&envelope, 1).map(|(_, envelope)| envelope.signals);
            assert_eq!(found, is_swapped.then(|| vec![second, first]));
        }
    }

    #[test]
    fn answers_differ_in_what_they_say_not_in_where_it_stood() {
        let one = Classification::unclassified(None, Reason::None, String::new());
        let elsewhere = Classification { signals: vec![1], excerpt: Some("x".to_owned()), ..one.clone() };
        assert!(is_same(&one, &elsewhere));
        let surer = Classification { confidence: Some(Confidence::High), ..one.clone() };
        assert!(!is_same(&one, &surer));
    }
}
