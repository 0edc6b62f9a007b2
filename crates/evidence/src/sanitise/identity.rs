//! Keys, identifiers and key blocks: whether a found prefix is followed by the real thing.

use super::entropy;

/// Bytes of the escape or colour sequence in front of a token.
pub(super) fn lead_length(found: &str) -> usize {
    match found.as_bytes() {
        [b'\\', b'u', ..] => 6,
        [b'\\', ..] => 2,
        [b'%', ..] => 3,
        [b'_', ..] => 1,
        [0x1b, ..] => found.find('m').map_or(0, |at| at + 1),
        _ => 0,
    }
}

/// Whether a text with a key's prefix is a key: letters with digits or in both cases, or a key
/// that its sender already masked (`sk-proj-****abcd`). Ordinary hyphenated words are neither.
pub(super) fn is_key(found: &str) -> bool {
    let body = found.split_once(['-', '_', '.']).map_or(found, |(_, body)| body);
    let body = if body.len() < 8 { found } else { body };
    let any = |test: fn(&u8) -> bool| body.as_bytes().iter().any(test);
    let letters = any(u8::is_ascii_alphabetic);
    let mixed_case = any(u8::is_ascii_lowercase) && any(u8::is_ascii_uppercase);
    body.contains(['*']) || body.contains("...") || (letters && any(u8::is_ascii_digit)) || mixed_case
}

/// Whether a text with an identifier's prefix is an identifier: one of its segments is a long
/// number or a mix of letters and digits. `user_global_rate_limited` is a name.
pub(super) fn is_identifier(found: &str) -> bool {
    let Some((prefix, body)) = found.split_once(['_', '-']) else { return false };
    let certain = matches!(
        prefix,
        "req" | "org" | "acct" | "chatcmpl" | "ses" | "sess" | "toolu" | "msg" | "cus" | "wrk" | "proj"
    );
    entropy::looks_random(body) || body.split(['_', '-']).any(|segment| is_mixed(segment, certain))
}

fn is_mixed(segment: &str, certain: bool) -> bool {
    let bytes = segment.as_bytes();
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits == bytes.len() {
        return digits >= 10;
    }
    let breaks = bytes
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit()))
        .count();
    bytes.len() >= 6 && breaks >= if certain { 1 } else { 2 }
}

/// Whether a parent segment such as `projects/` is followed by a name that tells who the user is.
pub(super) fn is_resource_name(parent: &str, name: &str, after: &str) -> bool {
    let digit = name.bytes().any(|byte| byte.is_ascii_digit());
    let nested = ["/locations", "/regions", "/zones", "/providers", "/resourceGroups", "/global", "/secrets"];
    match parent {
        // A home directory in an agent's encoding, not a project's name.
        _ if name.starts_with('-') => false,
        "projects" => digit || name.contains('-') || nested.iter().any(|next| after.starts_with(next)),
        "resourceGroups" => name.len() >= 3,
        _ => name.len() >= 4 && digit,
    }
}

/// End of the private-key block whose first line ends at `at`. A cut block ends where its lines
/// stop looking like base64 or armour headers.
pub(super) fn key_block_end(text: &str, at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let opening =
        rest.bytes().take_while(|byte| matches!(byte, b'-' | b' ') || byte.is_ascii_uppercase()).count();
    let body = rest.get(opening..).unwrap_or_default();
    if let Some(dashes) =
        body.find("-----").filter(|dashes| is_key_text(body.get(..*dashes).unwrap_or_default()))
        && body.get(dashes..).is_some_and(|tail| tail.starts_with("-----END"))
    {
        let closing = body.get(dashes + 8..).unwrap_or_default();
        let length = closing.find("-----").filter(|end| *end < 64).map_or(0, |end| end + 5);
        return at + opening + dashes + 8 + length;
    }
    at + opening + cut_block_length(body)
}

/// Whether all of `body` is base64, armour headers, blanks and escaped line ends: prose is not.
fn is_key_text(body: &str) -> bool {
    cut_block_length(body) >= body.trim_end_matches(['\n', '\r', '\\', 'n', 'r', ' ', '\t']).len()
}

fn cut_block_length(body: &str) -> usize {
    let mut end = 0;
    let mut at = 0;
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = line_break_length(rest);
        if blank > 0 {
            at += blank;
            continue;
        }
        let length = rest.find(['\n', '\r', '\\', '"', '\'']).unwrap_or(rest.len());
        let line = rest.get(..length).unwrap_or_default();
        if !is_block_line(line) {
            break;
        }
        at += length;
        end = at;
        if rest.get(length..).is_some_and(|tail| line_break_length(tail) == 0) {
            break;
        }
    }
    end
}

/// Bytes of blanks, line ends, and escaped line ends at the start of `rest`.
fn line_break_length(rest: &str) -> usize {
    let mut at = 0;
    loop {
        let tail = rest.get(at..).unwrap_or_default();
        let slashes = tail.bytes().take_while(|byte| *byte == b'\\').count();
        at += match tail.as_bytes() {
            [b' ' | b'\t' | b'\n' | b'\r', ..] => 1,
            [b'\\', ..] if tail.get(slashes..).is_some_and(|next| next.starts_with(['n', 'r'])) => {
                slashes + 1
            }
            _ => return at,
        };
    }
}

fn is_block_line(line: &str) -> bool {
    let line = line.trim_end();
    let base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let header = line.split_once(": ").is_some_and(|(name, _)| {
        matches!(
            name,
            "Proc-Type" | "DEK-Info" | "Version" | "Comment" | "Hash" | "Charset" | "MessageID" | "Subject"
        )
    });
    let words = line.len() >= 3 && line.chars().all(base64);
    header
        || (words
            && (line.len() >= 16
                || line.contains('=')
                || entropy::looks_random(line)
                || line.bytes().any(|b| b.is_ascii_digit())))
}
