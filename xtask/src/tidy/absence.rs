//! Invariants of absence: what a crate must not contain. `ARCHITECTURE.md` states them for people.

use super::sources::SourceFile;

/// Something that is absent from the sources of some crates.
struct Absence {
    /// Path prefixes in which it must not occur.
    within: &'static [&'static str],
    /// Path prefixes that are excepted, and why they may.
    except: &'static [&'static str],
    /// The words by which it would be seen.
    words: &'static [&'static str],
    /// What the invariant says.
    says: &'static str,
}

const PURE: &[&str] = &[
    "crates/taxonomy/src",
    "crates/document/src",
    "crates/evidence/src",
    "crates/engine/src",
    "crates/policy/src",
    "crates/adapters/src",
];

const ABSENCES: &[Absence] = &[
    Absence {
        within: PURE,
        except: &[],
        words: &["SystemTime", "Instant::now", "Timestamp::now", "Zoned::now", "TimeZone::system"],
        says: "no clock: time comes in as a value",
    },
    Absence {
        within: PURE,
        except: &[],
        words: &["rand::", "getrandom", "fastrand", "RandomState::new"],
        says: "no randomness: jitter comes in as a value",
    },
    Absence {
        within: PURE,
        except: &[],
        words: &["async fn", "tokio::", "TcpStream", "UdpSocket", "std::thread", "static mut"],
        says: "nothing async, no network, no threads, no global state",
    },
    Absence {
        within: PURE,
        except: &["crates/engine/src/pack/"],
        words: &["std::fs", "std::env", "File::open"],
        says: "no I/O beyond reading a pack",
    },
    Absence {
        within: &["crates/policy/src"],
        except: &[],
        words: &["anthropic", "openai", "codex", "claude", "gemini", "opencode", "copilot"],
        says: "policy knows codes and classes, never a provider's name or words",
    },
    Absence {
        within: &["crates/engine/src"],
        except: &[],
        words: &["faultbook_policy", "Decision::"],
        says: "the engine never decides a retry",
    },
    Absence {
        within: &["crates/adapters/src"],
        except: &[],
        words: &["taxonomy::Code", "Classification"],
        says: "adapters never classify",
    },
    Absence {
        within: &["crates/"],
        except: &["crates/cli/src/commands/record", "crates/cli/src/commands/diff"],
        words: &["process::Command", "Command::new("],
        says: "only recording starts an agent, and only diff asks git",
    },
    Absence {
        within: &["crates/"],
        except: &[],
        words: &["rusqlite", "tokio_postgres", "TcpListener", "axum::"],
        says: "no store and no server yet: the crates for them do not exist",
    },
];

/// Checks every invariant in the code of every file, tests aside.
pub(crate) fn check(files: &[SourceFile]) -> Vec<String> {
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| !is_test(&file.path)) {
        for absence in ABSENCES.iter().filter(|absence| concerns(absence, &file.path)) {
            let lines =
                file.code().lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
            for (number, line) in lines {
                if absence.words.iter().any(|word| line.contains(word)) {
                    problems.push(format!("{}:{}: {}", file.path, number + 1, absence.says));
                }
            }
        }
    }
    problems
}

fn concerns(absence: &Absence, path: &str) -> bool {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| path.starts_with(prefix));
    starts(absence.within) && !starts(absence.except)
}

fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs") || path.starts_with("tests/")
}
