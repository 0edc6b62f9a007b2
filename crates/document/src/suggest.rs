//! "Did you mean": the nearest known word.

/// Longest word, in bytes, that is compared at all; edit distance is quadratic.
const LONGEST: usize = 64;

/// The known word nearest to `word`, if it is near: at most one edit in three characters, ignoring case and the
/// difference between `_` and `-`. Among equals the first one wins. Words above 64 bytes get none.
///
/// ```
/// let known = ["rate_limited", "quota_limited"];
/// assert_eq!(faultbook_document::suggest("rate-limted", known), Some("rate_limited"));
/// assert_eq!(faultbook_document::suggest("banana", known), None);
/// ```
pub fn suggest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    if word.len() > LONGEST {
        return None;
    }
    let folded = fold(word);
    let allowed = (folded.chars().count() / 3).max(1);
    let near = known.into_iter().filter(|candidate| candidate.len() <= LONGEST).filter_map(|candidate| {
        let distance = strsim::osa_distance(&folded, &fold(candidate));
        (distance <= allowed).then_some((distance, candidate))
    });
    near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// The help line for an unknown word: the nearest known one, or else the list of all.
pub fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str> + Clone) -> Option<String> {
    /// A list longer than this helps nobody.
    const SHOWN: usize = 24;
    if let Some(nearest) = suggest(word, known.clone()) {
        return Some(format!("did you mean `{nearest}`?"));
    }
    let mut words: Vec<String> = known.into_iter().take(SHOWN + 1).map(|word| format!("`{word}`")).collect();
    let more = words.len() > SHOWN;
    words.truncate(SHOWN);
    match words.as_slice() {
        [] => None,
        [only] => Some(format!("the only one allowed is {only}")),
        _ if more => Some(format!("allowed are {} and others", words.join(", "))),
        _ => Some(format!("allowed are {}", words.join(", "))),
    }
}

fn fold(word: &str) -> String {
    word.to_lowercase().replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_only() {
        let known = ["channel", "header", "http_status", "phase", "text"];
        let table = [
            ("chanel", Some("channel")),
            ("Header", Some("header")),
            ("http-status", Some("http_status")),
            ("httpstatus", Some("http_status")),
            ("txet", Some("text")),
            ("x", None),
            ("phrases", Some("phase")),
            ("something", None),
        ];
        for (word, want) in table {
            assert_eq!(suggest(word, known), want, "{word}");
        }
        assert_eq!(suggest(&"a".repeat(65), [&*"a".repeat(64)]), None);
    }

    #[test]
    fn else_the_list() {
        assert_eq!(did_you_mean("x", ["one", "two"]).as_deref(), Some("allowed are `one`, `two`"));
        assert_eq!(did_you_mean("x", ["one"]).as_deref(), Some("the only one allowed is `one`"));
        assert_eq!(did_you_mean("x", []), None);
        assert!(did_you_mean("xyz", ["a"; 30]).is_some_and(|help| help.ends_with("and others")));
    }
}
