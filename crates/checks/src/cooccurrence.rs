//! Co-occurrences: rules of different codes seen to match the same statement, with nothing that decides.
//!
//! Whether two regexes inside text can meet is not proven statically; what is seen in fixtures and corpora is the
//! check for them.

use std::collections::BTreeMap;

use faultbook_document::{Diagnostic, Document, quoted};
use faultbook_engine::{Explanation, MatchTrace, Uncounted};
use faultbook_taxonomy::Code;

faultbook_document::diagnostic_codes! {
    UNDECIDED_COOCCURRENCE = "undecided-cooccurrence": "Two rules of different codes match one statement, and neither band nor rank decides.";
}

/// The pairs of rules seen so far, each with the first place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoOccurrences {
    pairs: BTreeMap<(String, String), Seen>,
}

/// Where a pair was seen first, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    codes: (Code, Code),
    place: String,
    count: usize,
}

impl CoOccurrences {
    /// Adds what one answer shows. `place` names the case or record.
    pub fn add(&mut self, explanation: &Explanation, place: &str) {
        // A healthy statement's matches are removed, whoever they are.
        let counts = |one: &&MatchTrace| one.uncounted != Some(Uncounted::Healthy);
        let matches: Vec<&MatchTrace> = explanation.matches.iter().filter(counts).collect();
        for (index, first) in matches.iter().enumerate() {
            let rest = matches.get(index + 1..).unwrap_or_default();
            // Matches stand in the order of their statements, and within one in the order of ids.
            for second in rest.iter().take_while(|second| second.statement == first.statement) {
                if first.code != second.code && (first.band, first.rank) == (second.band, second.rank) {
                    self.see(first, second, place);
                }
            }
        }
    }

    fn see(&mut self, first: &MatchTrace, second: &MatchTrace, place: &str) {
        let seen = self.pairs.entry((first.rule.clone(), second.rule.clone())).or_insert_with(|| Seen {
            codes: (first.code, second.code),
            place: place.to_owned(),
            count: 0,
        });
        seen.count += 1;
    }

    /// The ids of the pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.keys().map(|(first, second)| (first.as_str(), second.as_str()))
    }

    /// A warning for each pair, at the first rule's band. `document` finds the file of a rule by its id.
    pub fn findings<'d>(&self, document: impl Fn(&str) -> Option<&'d Document>) -> Vec<Diagnostic> {
        let warnings = self.pairs.iter().map(|((first, second), seen)| {
            let (one, other) = seen.codes;
            let message = format!(
                "{} (`{one}`) and {} (`{other}`) match the same statement, {} times, first in {}",
                quoted(first),
                quoted(second),
                seen.count,
                seen.place
            );
            let problem = match document(first) {
                Some(file) => file.warning(UNDECIDED_COOCCURRENCE, &file.locate_key("/band"), message),
                None => Diagnostic::of_file(UNDECIDED_COOCCURRENCE, first, message).as_warning(),
            };
            let problem = match document(second) {
                Some(file) => {
                    let at = file.locate_key("/band").span;
                    problem.with_related(file.source(), at, "the other rule has the same band and rank")
                }
                None => problem,
            };
            problem.with_rule(first).with_help("give one of them another rank, or narrow it with `none`")
        });
        warnings.collect()
    }
}
