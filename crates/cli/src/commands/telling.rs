//! Words that failures use, by which a scaffold and a triage choose what to show first.

/// Parts of such words, in lower case.
const TELLING: [&str; 22] = [
    "error",
    "fail",
    "limit",
    "denied",
    "invalid",
    "exceed",
    "unavailable",
    "overload",
    "not found",
    "expired",
    "quota",
    "unable",
    "refused",
    "timed out",
    "timeout",
    "capacity",
    "credit",
    "unauthor",
    "forbidden",
    "cannot",
    "must",
    "too ",
];

/// Whether lower-case words tell of a failure.
pub(crate) fn is_telling(words: &str) -> bool {
    TELLING.iter().any(|word| words.contains(word))
}
