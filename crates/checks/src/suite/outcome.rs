//! What became of a case.

use serde::Serialize;

use crate::fixture::CaseKind;

/// How the answer stands to what the case expects, as far as the code goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The expected code came, and the suite's rule took part where it must.
    Hit,
    /// No code was expected and none came.
    Silent,
    /// A code or a match was expected and did not come.
    Missing,
    /// No code was expected and one came.
    Noisy,
    /// Another code came.
    WrongCode,
    /// Rules of different codes are level, and the case does not expect that.
    Conflicting,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 6] =
        [Self::Hit, Self::Silent, Self::Missing, Self::Noisy, Self::WrongCode, Self::Conflicting];

    /// The outcome in words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Silent => "silent",
            Self::Missing => "missing",
            Self::Noisy => "noisy",
            Self::WrongCode => "wrong code",
            Self::Conflicting => "conflicting",
        }
    }
}

/// One point in which the answer differs from what the case expects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The part of the expectation, as a path under `expect`, such as `hints/reset_at`.
    pub part: String,
    /// What the case expects.
    pub expected: String,
    /// What the engine said, sanitised.
    pub found: String,
}

/// What became of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CaseResult {
    /// The pack of the suite.
    pub pack: String,
    /// The suite's rule.
    pub rule: String,
    /// The kind of case.
    pub kind: CaseKind,
    /// The case's name.
    pub case: String,
    /// How the code came out.
    pub outcome: Outcome,
    /// Every difference; none in a case that holds.
    pub differences: Vec<Difference>,
}

impl CaseResult {
    /// Whether everything that the case expects came true.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.differences.is_empty()
    }

    /// The failure as a diff: one line with what was expected, one with what came, for each difference.
    #[must_use]
    pub fn diff(&self) -> String {
        let lines = self.differences.iter().flat_map(|difference| {
            let Difference { part, expected, found } = difference;
            [format!("- {part}: {expected}"), format!("+ {part}: {found}")]
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}
