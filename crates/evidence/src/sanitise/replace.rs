//! From a match to what is replaced: each kind decides how far it reaches and whether it is real.

use std::ops::Range;

use super::marker::Marker;
use super::patterns::Kind;
use super::value::{self, Value};
use super::{entropy, identity, places};

/// Columns from which on a terminal may have wrapped a line inside a word.
const WRAP_COLUMN: usize = 60;

/// A part of the text and what stands there afterwards.
pub(super) struct Replacement {
    /// Bytes of the text.
    pub(super) range: Range<usize>,
    /// What replaces them.
    pub(super) text: String,
}

impl Replacement {
    fn marker(range: Range<usize>, marker: Marker) -> Option<Self> {
        Some(Self { range, text: marker.as_str().to_owned() })
    }
}

/// What the match `range` of `kind` becomes, or `None` if it is an ordinary text.
pub(super) fn replacement(text: &str, kind: Kind, range: Range<usize>) -> Option<Replacement> {
    let range = without_lead(text, kind, range)?;
    let found = text.get(range.clone())?;
    match kind {
        Kind::Url => {
            let (new, length) = places::url(found)?;
            Some(Replacement { range: range.start..range.start + length, text: new })
        }
        Kind::PrivateKey => {
            Replacement::marker(range.start..identity::key_block_end(text, range.end), Marker::PrivateKey)
        }
        Kind::Key | Kind::LikelyKey => {
            let start = range.start;
            let key = text.get(start..range.end)?.trim_end_matches('.');
            (kind == Kind::Key || identity::is_key(key)).then_some(())?;
            Replacement::marker(start..wrapped_end(text, start + key.len()), Marker::ApiKey)
        }
        Kind::SignedToken | Kind::Token => {
            let start = range.start;
            let token = text.get(start..range.end)?.trim_end_matches('.');
            Replacement::marker(start..wrapped_end(text, start + token.len()), Marker::Token)
        }
        Kind::Email => email(text, range),
        Kind::Identifier => Replacement::marker(range, Marker::Id),
        Kind::LikelyIdentifier => {
            let start = range.start;
            identity::is_identifier(text.get(start..range.end)?).then_some(())?;
            Replacement::marker(start..range.end, Marker::Id)
        }
        Kind::Resource | Kind::Arn => resource(text, kind, range),
        Kind::Home | Kind::EncodedHome | Kind::Tilde => home(text, kind, range),
        Kind::Query => {
            let start = range.start + found.find('?')? + 1;
            let body = text.get(start..range.end)?.trim_end_matches(['.', ',', ')', ']', '}', ';']);
            Replacement::marker(start..start + body.len(), Marker::Query)
        }
        Kind::Address4 => {
            let public = places::is_public4(found, text.get(..range.start)?);
            public.then(|| Replacement::marker(range, Marker::Address)).flatten()
        }
        Kind::Address6 => {
            let public = places::is_public6(found) && !text.get(..range.start)?.ends_with(':');
            public.then(|| Replacement::marker(range, Marker::Address)).flatten()
        }
        Kind::Authorization | Kind::Bearer | Kind::Basic | Kind::Cookie | Kind::UserFlag => {
            header(text, kind, range)
        }
        Kind::Password
        | Kind::PasswordFlag
        | Kind::Credential
        | Kind::CredentialFlag
        | Kind::WeakCredential
        | Kind::IdentifierLabel
        | Kind::IdentifierKey
        | Kind::NumberLabel => assignment(text, kind, range),
    }
}

/// The match without the escape or colour sequence that may stand before a token.
fn without_lead(text: &str, kind: Kind, range: Range<usize>) -> Option<Range<usize>> {
    let led = matches!(
        kind,
        Kind::Key
            | Kind::LikelyKey
            | Kind::SignedToken
            | Kind::Token
            | Kind::Identifier
            | Kind::LikelyIdentifier
            | Kind::Address4
            | Kind::Address6
    );
    let lead = if led { identity::lead_length(text.get(range.clone())?) } else { 0 };
    Some(range.start + lead..range.end)
}

/// End of a key that ends at `end`, with the piece that a terminal wrapped to the next line.
fn wrapped_end(text: &str, end: usize) -> usize {
    let rest = text.get(end..).unwrap_or_default();
    let Some(next) = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n')) else { return end };
    let line = text.as_bytes().get(end.saturating_sub(WRAP_COLUMN)..end).unwrap_or_default();
    let length = next
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '/' | '=')))
        .unwrap_or(next.len());
    let piece = next.get(..length).unwrap_or_default();
    let wide = line.len() == WRAP_COLUMN && !line.contains(&b'\n');
    let key_like = piece.len() >= 4 && (identity::is_key(piece) || entropy::looks_random(piece));
    if wide && key_like { end + (rest.len() - next.len()) + length } else { end }
}

fn email(text: &str, range: Range<usize>) -> Option<Replacement> {
    let found = text.get(range.clone())?;
    let (local, domain) = found.split_once('@').unwrap_or((found, ""));
    // `git@host` names a protocol's user, and `name@1.2.3-beta.x` a package's version.
    let mut labels = domain.split('.');
    let digits =
        |label: Option<&str>| label.is_some_and(|l| !l.is_empty() && l.bytes().all(|b| b.is_ascii_digit()));
    if local == "git"
        || (digits(labels.next())
            && domain.split('.').nth(1).is_some_and(|l| l.starts_with(|c: char| c.is_ascii_digit())))
    {
        return None;
    }
    let start = range.start + escape_length(text, range.start, found);
    Replacement::marker(start..range.end, Marker::Email)
}

/// Bytes at the start of `found` that belong to an escape whose backslash stands before it.
fn escape_length(text: &str, start: usize, found: &str) -> usize {
    let slashes = text.get(..start).unwrap_or_default().bytes().rev().take_while(|b| *b == b'\\').count();
    match found.as_bytes() {
        _ if slashes % 2 == 0 => 0,
        [b'n' | b'r' | b't' | b'b' | b'f', ..] => 1,
        [b'u', ..] if found.len() > 5 => 5,
        _ => 0,
    }
}

/// Whether `before` ends in an escaped line end or tab.
fn ends_in_escape(before: &str) -> bool {
    [r"\n", r"\r", r"\t"].iter().any(|escape| before.ends_with(escape))
}

fn resource(text: &str, kind: Kind, range: Range<usize>) -> Option<Replacement> {
    let rest = text.get(range.end..)?;
    let name = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~'));
    let length = rest.find(name).unwrap_or(rest.len());
    let name = rest.get(..length)?.trim_end_matches('.');
    let real = match kind {
        Kind::Arn => name.len() >= 6 && name.bytes().all(|byte| byte.is_ascii_digit()),
        _ => {
            let parent = text.get(range.clone())?.trim_end_matches('/');
            identity::is_resource_name(parent, name, rest.get(name.len()..)?)
        }
    };
    real.then(|| Replacement::marker(range.end..range.end + name.len(), Marker::Id)).flatten()
}

fn home(text: &str, kind: Kind, range: Range<usize>) -> Option<Replacement> {
    let found = text.get(range.clone())?;
    let before = text.get(..range.start)?;
    let end = match kind {
        Kind::Home => places::user_name_end(text, range.end, found.contains('\\')),
        Kind::Tilde => range.end - 1,
        _ => range.end,
    };
    let real = match kind {
        Kind::Home => end > range.end,
        // `/-home-dev-project`, `C--Users-dev-project`; not `take-home-pay`.
        Kind::EncodedHome => {
            found.contains("--") || before.is_empty() || before.ends_with(['/', '\\', ' ', '"', '\'', '='])
        }
        _ => ends_in_escape(before) || !before.ends_with(|c: char| c.is_alphanumeric() || c == '/'),
    };
    real.then(|| Replacement::marker(range.start..end, Marker::Home)).flatten()
}

fn header(text: &str, kind: Kind, range: Range<usize>) -> Option<Replacement> {
    let found = text.get(range.clone())?;
    let value = match kind {
        Kind::Cookie => line_value(text, range.end),
        Kind::UserFlag => Value { start: range.end, ..value::measure(text, range.end) },
        _ if found.to_ascii_lowercase().contains("hmac") || found.to_ascii_lowercase().contains("digest") => {
            line_value(text, range.end)
        }
        _ => value::measure(text, range.end),
    };
    let content = text.get(value.start..value.end)?;
    if value::is_placeholder(content) {
        return None;
    }
    let digit = content.bytes().any(|byte| byte.is_ascii_digit());
    let mixed = content.bytes().any(|b| b.is_ascii_lowercase())
        && content.bytes().skip(1).any(|b| b.is_ascii_uppercase());
    let plain = content.bytes().all(|b| b.is_ascii_alphanumeric() || b"+/=._~-".contains(&b));
    let (hide, marker) = match kind {
        Kind::Cookie => (content.contains('='), Marker::Cookie),
        Kind::Basic => (content.len() >= 8 && plain && (mixed || content.ends_with('=')), Marker::Secret),
        Kind::Bearer => {
            (content.len() >= 6 && plain && (digit || mixed || content.len() >= 24), Marker::Token)
        }
        Kind::UserFlag => (true, Marker::Secret),
        _ => {
            let stated = found.ends_with(char::is_whitespace) && has_scheme(found);
            let quoted = found.ends_with(['"', '\'', '`']) && content.len() >= 8;
            (stated || quoted || digit || mixed, Marker::Token)
        }
    };
    let end = if kind == Kind::Bearer || kind == Kind::Authorization {
        wrapped_end(text, value.end)
    } else {
        value.end
    };
    hide.then(|| Replacement::marker(value.start..end, marker)).flatten()
}

fn has_scheme(found: &str) -> bool {
    found.trim_end().ends_with(|c: char| c.is_ascii_alphanumeric())
}

/// A value that takes the rest of its line, or of the string that it stands in.
fn line_value(text: &str, at: usize) -> Value {
    let opened = value::measure(text, at);
    if opened.quoted {
        return opened;
    }
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(['\n', '\r', '"', '`', '\\']).unwrap_or(rest.len());
    Value { start: at, end: at + rest.get(..end).unwrap_or_default().trim_end().len(), quoted: false }
}

fn assignment(text: &str, kind: Kind, range: Range<usize>) -> Option<Replacement> {
    let label = text.get(range.clone())?;
    let value = measured(text, kind, range.end);
    let content = text.get(value.start..value.end)?;
    let rest = text.get(value.end..)?;
    let tied = !label.ends_with(char::is_whitespace) && label.ends_with([':', '=']);
    let assigned = label.trim_end().ends_with('=') || (tied && kind == Kind::Password);
    let lone =
        rest.trim_start_matches([' ', '\t', '.', '!']).chars().next().is_none_or(|c| !c.is_alphanumeric());
    let marker = value::verdict(kind, content, value.quoted, assigned, lone)?;
    // A bare JSON number becomes a string, so that the text stays JSON.
    let key_quoted = label.trim_end_matches([':', ' ', '\t']).ends_with('"') && !value.quoted;
    if key_quoted && content.bytes().all(|byte| byte.is_ascii_digit()) {
        let quote = if label.contains("\\\"") { "\\\"" } else { "\"" };
        return Some(Replacement {
            range: value.start..value.end,
            text: [quote, marker.as_str(), quote].concat(),
        });
    }
    Replacement::marker(value.start..value.end, marker)
}

fn measured(text: &str, kind: Kind, at: usize) -> Value {
    let mut value = value::measure(text, at);
    // An identifier in brackets (`organization <org-…>`, `(session …)`).
    let identifier = matches!(kind, Kind::IdentifierLabel | Kind::NumberLabel);
    if identifier && !value.quoted && text.get(at..).is_some_and(|rest| rest.starts_with(['<', '(', '['])) {
        let inner = value::measure(text, at + 1);
        if Marker::length_at(text.get(at..).unwrap_or_default()).is_none() {
            value = inner;
        }
    }
    value
}
