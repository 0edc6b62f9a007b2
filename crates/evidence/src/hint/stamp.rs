//! Machine-written instants: the dates of HTTP and RFC 3339, by their libraries.

use jiff::Timestamp;

use super::{Dropped, Reading};

/// An HTTP date in one of its three forms. The library wants their exact letters, the normal form has none.
pub(super) fn http_date(text: &str) -> Result<Reading, Dropped> {
    /// The length of the form that ends in a year and not in a zone: `Sun Nov  6 08:49:37 1994`.
    const ASCTIME: usize = 24;
    let end = text.find("gmt").map_or(ASCTIME, |at| at + 3);
    let stated = text.get(..end).ok_or(Dropped::Unreadable)?;
    let mut cased = String::with_capacity(stated.len());
    let mut inside = false;
    for c in stated.trim_end_matches("gmt").chars() {
        cased.push(if inside { c } else { c.to_ascii_uppercase() });
        inside = c.is_ascii_alphabetic();
    }
    if stated.ends_with("gmt") {
        cased.push_str("GMT");
    }
    let time = httpdate::parse_http_date(&cased).map_err(|_| Dropped::Unreadable)?;
    Timestamp::try_from(time).map(Reading::Instant).map_err(|_| Dropped::Unreadable)
}

/// RFC 3339 with its offset; a space may stand for the `T`.
pub(super) fn rfc3339(text: &str) -> Result<Reading, Dropped> {
    const DATE: usize = 10;
    let part = |(at, c): (usize, char)| {
        !(c.is_ascii_digit() || matches!(c, '-' | ':' | '.' | '+' | 't' | 'z') || (c == ' ' && at == DATE))
    };
    let end = text.char_indices().find(|&at| part(at)).map_or(text.len(), |(at, _)| at);
    let stated = text.get(..end).unwrap_or_default().trim_end_matches(['.', ':', '-', '+']);
    stated.parse().map(Reading::Instant).map_err(|_| Dropped::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Result<Reading, Dropped> {
        Ok(Reading::Instant(text.parse().unwrap()))
    }

    #[test]
    fn http_dates_in_three_forms_and_lower_case() {
        let expected = at("1994-11-06T08:49:37Z");
        for text in [
            "sun, 06 nov 1994 08:49:37 gmt",
            "sun, 06 nov 1994 08:49:37 gmt; more",
            "sunday, 06-nov-94 08:49:37 gmt",
            "sun nov  6 08:49:37 1994",
        ] {
            assert_eq!(http_date(text), expected, "{text}");
        }
        for text in
            ["", "gmt", "sun, 99 nov 1994 08:49:37 gmt", "yesterday at some time, gmt", "日日日日日日日日日"]
        {
            assert_eq!(http_date(text), Err(Dropped::Unreadable), "{text}");
        }
    }

    #[test]
    fn rfc3339_needs_its_offset() {
        for (text, expected) in [
            ("2026-05-15t15:00:00z (2056)", "2026-05-15T15:00:00Z"),
            ("2026-05-15t15:00:00z.", "2026-05-15T15:00:00Z"),
            ("2026-05-15t15:00:00.1234567z", "2026-05-15T15:00:00.1234567Z"),
            ("2026-05-15t15:00:00+08:00\",", "2026-05-15T07:00:00Z"),
            ("2026-05-15 15:00:00-03:00", "2026-05-15T18:00:00Z"),
        ] {
            assert_eq!(rfc3339(text), at(expected), "{text}");
        }
        for text in ["2026-05-15t15:00:00", "2026-05-15", "2026-13-15t15:00:00z", "", "t", "z"] {
            assert_eq!(rfc3339(text), Err(Dropped::Unreadable), "{text}");
        }
    }
}
