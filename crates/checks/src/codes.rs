//! Every diagnostic code that a check can give, its own and those of the crates below.

/// The tables of codes, each of a crate or module.
const TABLES: &[&[(&str, &str)]] = &[
    faultbook_document::CODES,
    faultbook_engine::pack::CODES,
    crate::bump::CODES,
    crate::collision::CODES,
    crate::cooccurrence::CODES,
    crate::coverage::CODES,
    crate::fixture::CODES,
    crate::honeypot::CODES,
    crate::loaded::CODES,
    crate::matrix::CODES,
    crate::mutant::CODES,
    crate::order::CODES,
    crate::redaction::CODES,
    crate::report::CODES,
    crate::status::CODES,
    crate::suite::CODES,
];

/// Every code and what it says, in one line, sorted by code.
#[must_use]
pub fn all() -> Vec<(&'static str, &'static str)> {
    let mut codes: Vec<_> = TABLES.iter().flat_map(|table| table.iter().copied()).collect();
    codes.sort_unstable();
    codes
}

/// What a code says, in one line.
#[must_use]
pub fn summary(code: &str) -> Option<&'static str> {
    TABLES.iter().flat_map(|table| table.iter()).find(|(slug, _)| *slug == code).map(|(_, summary)| *summary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_slugs() {
        let codes = all();
        for pair in codes.windows(2) {
            assert_ne!(pair[0].0, pair[1].0, "declared twice");
        }
        for (code, summary) in &codes {
            let is_slug = code.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            assert!(is_slug && !code.starts_with('-') && !code.ends_with('-'), "{code}");
            assert!(summary.ends_with('.'), "{code}: a summary is a sentence");
        }
    }

    #[test]
    fn every_code_of_the_checks_has_a_page() {
        let below = [faultbook_document::CODES, faultbook_engine::pack::CODES];
        for (code, _) in TABLES.iter().filter(|table| !below.contains(table)).flat_map(|table| table.iter()) {
            let path = format!("{}/../../docs/diagnostics/{code}.md", env!("CARGO_MANIFEST_DIR"));
            let page = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(page.starts_with(&format!("# {code}\n")), "no page {path}");
            assert!(page.lines().count() >= 3, "{path} says nothing");
        }
    }

    /// A code that goes or changes breaks whoever filters on it; a new one belongs into the documentation.
    #[test]
    fn the_set_of_codes() {
        let codes: Vec<&str> = all().into_iter().map(|(code, _)| code).collect();
        insta::assert_snapshot!(codes.join("\n"));
    }
}
