//! Places: URLs, home directories, queries and network addresses.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::entropy;
use super::marker::Marker;

/// What ends a sentence or a bracket rather than a URL.
const TRAILING: &[char] = &['.', ',', ';', ':', '!', '?', ')', ']', '}'];

/// Rewrites the URL at the start of `run` to scheme, host, port and a marker for the rest.
/// Returns the new text and how many bytes of `run` it stands for.
pub(super) fn url(run: &str) -> Option<(String, usize)> {
    // URLs are ASCII or percent-encoded; typographic and CJK characters belong to the sentence.
    let run = run.get(..run.find(|c| c >= '\u{2000}').unwrap_or(run.len()))?;
    let (scheme, rest) = run.split_once("://")?;
    let host_at = scheme.len() + 3;
    let rest = rest.get(user_info_length(rest)..)?;
    let skipped = run.len() - host_at - rest.len();
    let host_end = rest.find(|c: char| !is_host_char(c)).unwrap_or(rest.len());
    let (host, tail) = rest.split_at(host_end);
    let path = Marker::Path.as_str();
    let settled = tail.strip_prefix('/').and_then(|tail| tail.strip_prefix(path));
    let kept_end = if tail.is_empty() { host.trim_end_matches(TRAILING).len() } else { host.len() };
    let (host, mut consumed) = (host.get(..kept_end)?, host_at + skipped + kept_end);
    let mut new = [scheme, "://"].concat();
    entropy::append(host, &mut new);
    let body = settled.unwrap_or(tail);
    let body = body.trim_end_matches(TRAILING);
    if settled.is_some() || !matches!(body, "" | "/") {
        new.push('/');
        new.push_str(path);
        consumed += tail.len() - settled.unwrap_or(tail).len() + body.len();
    }
    Some((new, consumed))
}

/// Bytes of `user:password@` at the start of `rest`, the `@` included.
fn user_info_length(rest: &str) -> usize {
    let authority_end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest.get(..authority_end).unwrap_or_default();
    if let Some(at) = authority.rfind('@') {
        return at + 1;
    }
    // A password may hold a slash: what follows the colon is then no port.
    let port = authority.split_once(':').map_or("", |(_, port)| port);
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    if is_port || authority.starts_with('[') { 0 } else { rest.rfind('@').map_or(0, |at| at + 1) }
}

fn is_host_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']')
}

/// End of the user's name that begins at `at`, behind `/home/` or `C:\Users\`.
///
/// Windows names may hold blanks; such a name counts only up to the next backslash nearby.
pub(super) fn user_name_end(text: &str, at: usize, windows: bool) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(|c: char| c.is_whitespace() || is_name_end(c)).unwrap_or(rest.len());
    if windows && rest.get(end..).is_some_and(|tail| tail.starts_with(' ')) {
        let far = rest.find(is_name_end).unwrap_or(rest.len());
        if far <= 40 && rest.get(far..).is_some_and(|tail| tail.starts_with('\\')) {
            return at + far;
        }
    }
    let name = rest.get(..end).unwrap_or_default();
    at + name.trim_end_matches('.').len()
}

fn is_name_end(c: char) -> bool {
    c.is_control()
        || c >= '\u{2000}'
        || matches!(
            c,
            '/' | '\\'
                | '"'
                | '\''
                | '`'
                | '<'
                | '>'
                | ':'
                | ';'
                | ','
                | '|'
                | '?'
                | '*'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '&'
                | '%'
        )
}

/// Whether `address` is a public IPv4 address. Loopback, private and link-local ones tell a person
/// which side failed and nothing about who they are; `before` shows versions such as `v1.2.3.4`.
pub(super) fn is_public4(address: &str, before: &str) -> bool {
    let version =
        before.ends_with(['v', 'V', '.', '/', '-', '_']) || before.to_ascii_lowercase().ends_with("version ");
    !version
        && address.parse::<Ipv4Addr>().is_ok_and(|address| {
            !(address.is_loopback()
                || address.is_private()
                || address.is_link_local()
                || address.is_unspecified()
                || address.is_broadcast())
        })
}

/// Whether `address` is a public IPv6 address or a hardware address.
pub(super) fn is_public6(address: &str) -> bool {
    let hardware = address.len() == 17 && address.split(':').all(|part| part.len() == 2);
    hardware
        || address.parse::<Ipv6Addr>().is_ok_and(|address| {
            !(address.is_loopback() || address.is_unspecified() || address.is_unicast_link_local())
        })
}
