//! Values behind a label: how far they reach, and whether they hold anything to hide.

use super::entropy;
use super::marker::Marker;
use super::patterns::Kind;

/// A value in a text: byte offsets, without its quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// First byte.
    pub(super) start: usize,
    /// First byte after it.
    pub(super) end: usize,
    /// Whether quotes enclose it.
    pub(super) quoted: bool,
}

/// Words that stand behind a label in ordinary sentences and in examples.
const PLACEHOLDERS: &[&str] = &[
    "a",
    "an",
    "and",
    "are",
    "as",
    "at",
    "be",
    "by",
    "can",
    "cannot",
    "denied",
    "disabled",
    "does",
    "empty",
    "enabled",
    "error",
    "expired",
    "failed",
    "false",
    "flag",
    "for",
    "from",
    "hidden",
    "if",
    "in",
    "incorrect",
    "invalid",
    "is",
    "it",
    "missing",
    "must",
    "no",
    "nil",
    "none",
    "not",
    "null",
    "of",
    "ok",
    "option",
    "optional",
    "or",
    "please",
    "redacted",
    "required",
    "requires",
    "revoked",
    "set",
    "string",
    "the",
    "to",
    "true",
    "undefined",
    "unknown",
    "unset",
    "use",
    "was",
    "were",
    "will",
    "with",
    "yes",
    "you",
    "your",
];

/// Measures the value that begins at `at`, behind optional opening quotes.
pub(super) fn measure(text: &str, at: usize) -> Value {
    let rest = text.get(at..).unwrap_or_default();
    let slashes = rest.bytes().take_while(|byte| *byte == b'\\').count().min(32);
    match rest.as_bytes().get(slashes) {
        Some(quote @ (b'"' | b'\'' | b'`')) => quoted(text, at + slashes + 1, *quote, slashes),
        _ => Value { start: at, end: unquoted_end(text, at), quoted: false },
    }
}

/// A quoted value ends at the same quote behind no more backslashes than the opening one had:
/// that is how JSON nests strings. An unclosed one ends with its line.
fn quoted(text: &str, start: usize, quote: u8, slashes: usize) -> Value {
    let mut behind = 0;
    let mut end = text.len();
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'\\' => behind += 1,
            b'\n' => {
                end = at;
                break;
            }
            byte if byte == quote && (behind <= slashes || (slashes == 0 && behind % 2 == 0)) => {
                end = at - if slashes == 0 { 0 } else { behind };
                break;
            }
            _ => behind = 0,
        }
    }
    Value { start, end: end.max(start), quoted: true }
}

/// An unquoted value ends at a blank, a quote, an escape, or a separator that something follows.
fn unquoted_end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let skip = Marker::length_at(rest).unwrap_or(0);
    let mut end = rest.len();
    for (at, c) in rest.char_indices().skip_while(|(at, _)| *at < skip) {
        let after = rest.get(at + c.len_utf8()..).unwrap_or_default();
        let stops = match c {
            '"' | '\'' | '`' | '<' | '>' => true,
            '\\' => after.starts_with(['n', 'r', 't', '"', '\'', '\\', 'u']),
            ',' | ';' | '&' | ')' | ']' | '}' => separates(after),
            _ => c.is_whitespace() || c.is_control() || c >= '\u{2000}',
        };
        if stops {
            end = at;
            break;
        }
    }
    let value = rest.get(skip..end).unwrap_or_default();
    start + skip + value.trim_end_matches(['.', ',', ':', ';', ')', ']', '}', '?']).len()
}

/// Whether `after`, the text behind a separator, shows that the value ended there.
fn separates(after: &str) -> bool {
    let Some(next) = after.chars().next() else { return true };
    if next.is_whitespace() || matches!(next, '"' | '\'' | '`' | ',' | ';' | ')' | ']' | '}' | '.' | '\\') {
        return true;
    }
    let name = after
        .bytes()
        .take(64)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        .count();
    name > 0 && matches!(after.as_bytes().get(name), Some(b'=' | b':'))
}

/// What a value of `kind` is replaced by, or `None` if it may stay.
///
/// `assigned` says that the value is tied to its label (`=`, a quoted JSON value), `lone` that no
/// other word follows it: in prose, both tell a value from the next word of a sentence.
pub(super) fn verdict(kind: Kind, value: &str, quoted: bool, assigned: bool, lone: bool) -> Option<Marker> {
    if is_placeholder(value) {
        return None;
    }
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let blank = value.contains(char::is_whitespace);
    let hide = match kind {
        Kind::Password => quoted || assigned || lone || !is_plain_word(value),
        Kind::PasswordFlag => !value.starts_with('-'),
        Kind::Credential if quoted || assigned => !blank && !is_url(value),
        Kind::Credential => {
            !is_url(value)
                && (is_one_mix(value)
                    || entropy::looks_random(value)
                    || lone && value.len() >= 8 && !is_constant(value))
        }
        Kind::CredentialFlag => !value.starts_with('-') && !blank && (digit || value.len() >= 16),
        Kind::WeakCredential if quoted || assigned => {
            !blank
                && !is_url(value)
                && value.len() >= 8
                && (is_one_mix(value) || entropy::looks_random(value) || value.len() >= 32)
        }
        Kind::WeakCredential => {
            !is_url(value) && value.len() >= 12 && (is_one_mix(value) || entropy::looks_random(value))
        }
        Kind::IdentifierLabel => {
            (digit && (quoted || value.len() >= 4)) || (quoted && !blank && !is_constant(value))
        }
        Kind::IdentifierKey => digit && !blank,
        Kind::NumberLabel => {
            value.len() >= 6
                && (value.bytes().all(|byte| byte.is_ascii_digit()) || entropy::looks_random(value))
        }
        _ => false,
    };
    hide.then_some(match kind {
        Kind::IdentifierLabel | Kind::IdentifierKey | Kind::NumberLabel => Marker::Id,
        _ => Marker::Secret,
    })
}

/// Nothing to hide: empty, a marker, a variable, a stand-in, or a word of an ordinary sentence.
pub(super) fn is_placeholder(value: &str) -> bool {
    let bare = value.trim().trim_end_matches(['.', ',', '!', ':', ';']);
    bare.is_empty()
        || is_markers(bare)
        || bare.starts_with(['$', '<', '{', '('])
        || bare
            .bytes()
            .all(|byte| matches!(byte, b'*' | b'.' | b'-' | b'x' | b'X' | b'#' | b'?' | b'_' | b'[' | b']'))
        || PLACEHOLDERS.iter().any(|word| bare.eq_ignore_ascii_case(word))
}

fn is_markers(mut value: &str) -> bool {
    while let Some(length) = Marker::length_at(value) {
        value = value.get(length..).unwrap_or_default().trim_start();
    }
    value.is_empty()
}

fn is_plain_word(value: &str) -> bool {
    let mut letters = value.chars();
    letters.next().is_some_and(char::is_alphabetic)
        && letters.all(|c| c.is_lowercase() || c == '-' || c == '\'')
        || value.chars().all(char::is_uppercase)
}

/// Letters and digits in one piece, such as `abcd1234`; names such as `gpt-4o-mini` are several.
fn is_one_mix(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.len() >= 6
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && bytes.iter().any(u8::is_ascii_digit)
        && bytes.iter().any(u8::is_ascii_alphabetic)
}

/// `SCREAMING_SNAKE` and `snake_case` names without digits, and single words.
fn is_constant(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
        || (value.contains('_') && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'))
}

fn is_url(value: &str) -> bool {
    value.contains("://")
}
