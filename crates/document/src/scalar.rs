//! What a plain scalar means: the YAML 1.2 core schema, kept strict.
//!
//! `no`, `on` and `yes` are text, and so are numbers with a leading zero (`017`) or underscores (`1_000`), which
//! different YAML versions read differently. `.inf` and `.nan` have no JSON value and stay text.

use serde_json::Number;

use crate::node::NodeValue;
use crate::node::TextStyle;

/// Reads an unquoted scalar.
pub(crate) fn resolve(text: &str) -> NodeValue {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => NodeValue::Null,
        "true" | "True" | "TRUE" => NodeValue::Boolean(true),
        "false" | "False" | "FALSE" => NodeValue::Boolean(false),
        _ => {
            number(text).map_or_else(|| NodeValue::Text(text.to_owned(), TextStyle::Plain), NodeValue::Number)
        }
    }
}

fn number(text: &str) -> Option<Number> {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let leading_zero = whole.len() > 1 && whole.starts_with('0');
    let no_digits = whole.is_empty() && fraction.is_none_or(str::is_empty);
    if leading_zero || no_digits || !digits(whole) || !fraction.is_none_or(digits) {
        return None;
    }
    if let Some(exponent) = exponent {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if unsigned.is_empty() || !digits(unsigned) {
            return None;
        }
    } else if fraction.is_none() {
        let text = text.strip_prefix('+').unwrap_or(text);
        if let Ok(number) = text.parse::<i64>() {
            return Some(number.into());
        }
        if let Ok(number) = text.parse::<u64>() {
            return Some(number.into());
        }
    }
    Number::from_f64(text.parse().ok()?)
}

fn radix(text: &str, radix: u32) -> Option<Number> {
    let signed = text.starts_with(['+', '-']);
    if signed { None } else { u64::from_str_radix(text, radix).ok().map(Number::from) }
}

fn digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::node::Node;
    use crate::place::Span;

    #[test]
    fn core_schema() {
        let table: &[(&str, Value)] = &[
            ("", json!(null)),
            ("~", json!(null)),
            ("null", json!(null)),
            ("true", json!(true)),
            ("FALSE", json!(false)),
            ("0", json!(0)),
            ("-12", json!(-12)),
            ("+12", json!(12)),
            ("18446744073709551615", json!(u64::MAX)),
            ("0o17", json!(15)),
            ("0xff", json!(255)),
            ("1.5", json!(1.5)),
            (".5", json!(0.5)),
            ("1.", json!(1.0)),
            ("-1e3", json!(-1000.0)),
            ("no", json!("no")),
            ("on", json!("on")),
            ("yes", json!("yes")),
            ("017", json!("017")),
            ("1_000", json!("1_000")),
            ("0x", json!("0x")),
            ("0x+1", json!("0x+1")),
            ("1e", json!("1e")),
            (".", json!(".")),
            ("-", json!("-")),
            ("1.2.3", json!("1.2.3")),
            (".inf", json!(".inf")),
            ("1e999", json!("1e999")),
            ("2026-11-30", json!("2026-11-30")),
            ("faultbook.rule/1", json!("faultbook.rule/1")),
        ];
        for (text, want) in table {
            assert_eq!(Node { span: Span::START, value: resolve(text) }.json(), *want, "{text:?}");
        }
    }
}
