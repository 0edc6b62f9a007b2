//! One pass over a text: find, decide, replace.

use regex_automata::Input;

use super::entropy;
use super::patterns::{Kind, PATTERNS};
use super::replace::replacement;

/// A rejected match is searched again from its second byte only up to this length; a longer one is
/// skipped, which keeps the time linear on hostile text.
const RETRY: usize = 256;

/// Returns `text` with everything replaced that one pass finds.
pub(super) fn redact(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut done, mut at) = (0, 0);
    while at < text.len() {
        let Some(found) = PATTERNS.regex.search(&Input::new(text).range(at..)) else { break };
        let Some(kind) = PATTERNS.kind(found.pattern().as_usize()) else { break };
        at = match replacement(text, kind, found.range()) {
            Some(new) if new.range.start >= done && new.range.end > new.range.start => {
                entropy::append(text.get(done..new.range.start).unwrap_or_default(), &mut out);
                out.push_str(&new.text);
                done = new.range.end;
                done.max(found.start() + 1)
            }
            _ if is_label(kind) || kind == Kind::Email || found.len() > RETRY => {
                found.end().max(found.start() + 1)
            }
            _ => found.start() + 1,
        };
    }
    entropy::append(text.get(done..).unwrap_or_default(), &mut out);
    out
}

/// Whether the match is only the label, so that the search goes on with the value.
fn is_label(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Password
            | Kind::PasswordFlag
            | Kind::Credential
            | Kind::CredentialFlag
            | Kind::WeakCredential
            | Kind::IdentifierLabel
            | Kind::IdentifierKey
            | Kind::NumberLabel
            | Kind::Authorization
            | Kind::Bearer
            | Kind::Basic
            | Kind::Cookie
    )
}
