//! Suite files: what is read, and what an author sees of each fault.

use faultbook_checks::fixture::{CaseKind, read_suite};
use faultbook_document::{Colours, Severity, render};

const HEAD: &str = "schema: faultbook.fixture/1\nrule: a.b\ncases:\n";

fn case(name: &str, rest: &str) -> String {
    format!("    - name: {name}\n      origin: synthetic\n{rest}")
}

const EVIDENCE: &str = "      evidence: { signals: [ { channel: stderr, text: x } ] }\n";
const EXPECT: &str = "      expect: { state: unclassified }\n";

#[test]
fn a_sound_suite_is_read_in_order() {
    let text = format!(
        "{HEAD}  negative:\n{}  positive:\n{}",
        case("n", &format!("{EVIDENCE}{EXPECT}")),
        case(
            "p",
            &format!("{EVIDENCE}      expect: {{ code: rate_limited, hints: {{ reset_at: null }} }}\n")
        )
    );
    let (suite, problems) = read_suite("core", "fixtures/core/a.b.yaml", text.as_bytes());
    assert_eq!(problems, []);
    let suite = suite.unwrap();
    let kinds: Vec<(CaseKind, &str)> =
        suite.cases.iter().map(|one| (one.kind, one.case.name.as_str())).collect();
    assert_eq!(kinds, [(CaseKind::Positive, "p"), (CaseKind::Negative, "n")]);
    let hints = suite.cases[0].case.expect.hints.clone().unwrap();
    assert_eq!(
        (hints.reset_at, hints.retry_after_s),
        (Some(None), None),
        "a stated null is not an absent key"
    );
}

#[test]
fn what_people_see() {
    let cases = [
        (
            "unknown key in a case",
            format!("  positive:\n{}", case("p", &format!("{EVIDENCE}{EXPECT}      orgin: x\n"))),
        ),
        (
            "unknown key in the evidence",
            format!(
                "  positive:\n{}",
                case("p", &format!("      evidence: {{ signals: [ {{ chanel: stderr }} ] }}\n{EXPECT}"))
            ),
        ),
        (
            "unknown code",
            format!(
                "  positive:\n{}",
                case("p", &format!("{EVIDENCE}      expect: {{ code: rate_limted }}\n"))
            ),
        ),
        (
            "two cases of one name",
            format!("  positive:\n{0}  negative:\n{0}", case("p", &format!("{EVIDENCE}{EXPECT}"))),
        ),
        ("no expectation", format!("  positive:\n{}", case("p", &format!("{EVIDENCE}      expect: {{}}\n")))),
        (
            "a contradiction",
            format!(
                "  positive:\n{}",
                case("p", &format!("{EVIDENCE}      expect: {{ state: no_failure, code: rate_limited }}\n"))
            ),
        ),
        (
            "no source",
            format!(
                "  positive:\n{}",
                case("p", &format!("{EVIDENCE}{EXPECT}")).replace("synthetic", "recorded")
            ),
        ),
        (
            "an unlisted agent",
            format!(
                "  positive:\n{}",
                case("p", &format!("      evidence: {{ agent: nobody, signals: [] }}\n{EXPECT}"))
            ),
        ),
    ];
    let mut shown = String::new();
    for (what, text) in cases {
        let (_, problems) = read_suite("core", "a.b.yaml", format!("{HEAD}{text}").as_bytes());
        assert!(!problems.is_empty(), "{what}");
        shown.push_str(&format!("== {what}\n"));
        for problem in &problems {
            shown.push_str(&format!("{}\n\n", render(problem, Colours::Plain)));
        }
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_file_of_another_name_is_an_error_and_no_suite() {
    let text = format!("{HEAD}  positive:\n{}", case("p", &format!("{EVIDENCE}{EXPECT}")));
    let (suite, problems) = read_suite("core", "fixtures/core/b.a.yaml", text.as_bytes());
    assert!(suite.is_none());
    assert_eq!((problems[0].code, problems[0].severity), ("fixture-not-file-stem", Severity::Error));
}

#[test]
fn hostile_files_are_refused() {
    let deep = format!("a: {}{}", "[".repeat(5000), "]".repeat(5000));
    let bomb = "a: &a [x, x]\nb: [*a, *a]\n".to_owned();
    let long = "x".repeat(2 * 1024 * 1024);
    for text in [deep, bomb, long, String::new(), "\0".to_owned()] {
        let (suite, problems) = read_suite("core", "a.b.yaml", text.as_bytes());
        assert!(suite.is_none() && !problems.is_empty());
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_get_an_answer(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..400)) {
        let (suite, problems) = read_suite("core", "a.b.yaml", &bytes);
        assert!(suite.is_some() || !problems.is_empty());
    }
}
