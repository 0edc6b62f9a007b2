//! The readers together: lists of formats, clocks, zones, daylight saving, and what must always hold.

use faultbook_taxonomy::Code;
use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::json;

use super::*;

fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn when<'a>(seen_at: &str, time_zone: Option<&'a str>) -> When<'a> {
    When { seen_at: Some(instant(seen_at)), time_zone }
}

/// What a text states by either calendar format, seen at noon of 30 November 2026 UTC.
fn calendar(text: &str, rule: Option<&str>, envelope: Option<&str>) -> Result<Reading, Dropped> {
    read(text, &[Format::Date, Format::Clock], rule, &when("2026-11-30T12:00:00Z", envelope))
}

#[test]
fn formats_have_one_spelling_everywhere() {
    for &format in Format::ALL {
        assert_eq!(serde_json::to_value(format).unwrap(), json!(format.as_str()));
        assert_eq!(serde_json::from_value::<Format>(json!(format.as_str())).unwrap(), format);
    }
    assert!(serde_json::from_value::<Format>(json!("RFC3339")).is_err());
}

#[test]
fn times_of_day_mean_their_next_occurrence_in_the_stated_zone() {
    for (text, expected) in [
        ("3pm (America/Santiago).", "2026-11-30T18:00:00Z"),
        ("11pm UTC may come", "2026-11-30T23:00:00Z"),
        ("reset", ""),
        ("2pm (Pacific/Auckland) · /upgrade", "2026-12-01T01:00:00Z"),
        ("1pm (Europe/Lisbon)\n$ echo", "2026-11-30T13:00:00Z"),
        ("1:50pm (America/Los_Angeles)\"}", "2026-11-30T21:50:00Z"),
        ("12:10pm (Europe/Paris): {", "2026-12-01T11:10:00Z"),
        ("at 3am (Asia/Dubai)", "2026-11-30T23:00:00Z"),
        ("12:50am (america/los_angeles)", "2026-12-01T08:50:00Z"),
        ("10:57 PM GMT-3.", "2026-12-01T01:57:00Z"),
        ("9pm (UTC)", "2026-11-30T21:00:00Z"),
        ("15:30 UTC", "2026-11-30T15:30:00Z"),
        ("11:30 UTC", "2026-12-01T11:30:00Z"),
        ("9am PST", "2026-11-30T17:00:00Z"),
        ("midnight Pacific time", "2026-12-01T08:00:00Z"),
    ] {
        let reading = calendar(text, None, None);
        if expected.is_empty() {
            assert_eq!(reading, Err(Dropped::Unreadable), "{text}");
        } else {
            assert_eq!(reading, Ok(Reading::Instant(instant(expected))), "{text}");
        }
    }
}

#[test]
fn dates_with_and_without_year_time_and_zone() {
    for (text, expected) in [
        ("Dec 2, 2pm (Europe/Berlin)", "2026-12-02T13:00:00Z"),
        ("Dec 3, 4:33am (UTC)", "2026-12-03T04:33:00Z"),
        ("Dec 23 at 4pm (America/New_York)", "2026-12-23T21:00:00Z"),
        ("Jan 2, 9am (UTC)", "2027-01-02T09:00:00Z"),
        ("Nov 30, 9am (UTC)", "2027-11-30T09:00:00Z"),
        ("2026-12-01 at 00:00 UTC", "2026-12-01T00:00:00Z"),
        ("2026-12-01T00:00:00+08:00", "2026-11-30T16:00:00Z"),
        ("Thu, 03 Dec 2026 10:00:00 GMT", "2026-12-03T10:00:00Z"),
        ("Thu 10:00 AM UTC", "2026-12-03T10:00:00Z"),
        ("Mon 3pm UTC", "2026-11-30T15:00:00Z"),
        ("Mon 9am UTC", "2026-12-07T09:00:00Z"),
        ("tomorrow at 3pm UTC", "2026-12-01T15:00:00Z"),
        ("2026-12-01 (UTC)", "2026-12-01T00:00:00Z"),
        ("3pm UTC on Dec 3", "2026-12-03T15:00:00Z"),
        ("3pm tomorrow (UTC)", "2026-12-01T15:00:00Z"),
        ("00:00 on 2026-12-01 UTC", "2026-12-01T00:00:00Z"),
        ("9am (Asia/Tokyo), Friday", "2026-12-04T00:00:00Z"),
    ] {
        assert_eq!(calendar(text, None, None), Ok(Reading::Instant(instant(expected))), "{text}");
    }
}

#[test]
fn without_a_zone_the_rules_then_the_envelopes_counts() {
    let utc = Some("UTC");
    for (text, rule, envelope, expected) in [
        ("October 8, 2026 at 3:47 PM", utc, Some("Asia/Tokyo"), "2026-10-08T15:47:00Z"),
        ("2026-07-24 09:59:59 重置", Some("Asia/Shanghai"), None, "2026-07-24T01:59:59Z"),
        ("2026年12月1日 下午3:00", Some("Asia/Shanghai"), None, "2026-12-01T07:00:00Z"),
        ("20 Oct 2026, 16:29", None, Some("Europe/Berlin"), "2026-10-20T14:29:00Z"),
        ("Oct 20, 2026, 7:38\u{202f}AM", None, Some("+02:00"), "2026-10-20T05:38:00Z"),
        ("Jul 5th, 2026 8:19 PM.", None, Some("America/New_York"), "2026-07-06T00:19:00Z"),
        ("Dec 31, 9am", None, utc, "2026-12-31T09:00:00Z"),
        ("6:34 PM.", None, Some("Europe/Berlin"), "2026-11-30T17:34:00Z"),
        ("6:34 PM (UTC)", Some("Asia/Tokyo"), Some("Europe/Berlin"), "2026-11-30T18:34:00Z"),
    ] {
        assert_eq!(calendar(text, rule, envelope), Ok(Reading::Instant(instant(expected))), "{text}");
    }
    for text in ["6:34 PM", "3am to continue", "Dec 31, 9am", "20 Oct 2026, 16:29"] {
        assert_eq!(calendar(text, None, None), Err(Dropped::NoZone), "{text}");
    }
    assert_eq!(calendar("6pm CST", None, utc), Err(Dropped::AmbiguousZone("cst".into())));
    assert_eq!(calendar("6pm (Mars/Base)", None, utc), Err(Dropped::UnknownZone("mars/base".into())));
    assert_eq!(calendar("6pm", None, Some("Nowhere")), Err(Dropped::UnknownZone("nowhere".into())));
    let timeless = read("6pm UTC", &[Format::Clock], None, &When::default());
    assert_eq!(timeless, Err(Dropped::NoTime));
}

#[test]
fn a_time_that_passed_within_a_quarter_of_an_hour_is_past() {
    for (seen, expected) in [
        ("2026-11-30T14:59:00Z", "2026-11-30T15:00:00Z"),
        ("2026-11-30T15:00:00Z", "2026-11-30T15:00:00Z"),
        ("2026-11-30T15:15:00Z", "2026-11-30T15:00:00Z"),
        ("2026-11-30T15:15:01Z", "2026-12-01T15:00:00Z"),
    ] {
        let reading = read("3pm UTC", &[Format::Clock], None, &when(seen, None));
        assert_eq!(reading, Ok(Reading::Instant(instant(expected))), "{seen}");
    }
    let midnight = when("2026-12-01T00:05:00Z", None);
    let reading = read("11:55 pm UTC", &[Format::Clock], None, &midnight).unwrap();
    assert_eq!(reading, Reading::Instant(instant("2026-11-30T23:55:00Z")));
    let hint = validate(reading, Code::QuotaLimited, None, Bounds::default(), &midnight);
    assert_eq!(hint, Err(Dropped::Past));
    let new_year = when("2027-01-01T00:05:00Z", None);
    let reading = read("Dec 31, 11:55pm (UTC)", &[Format::Date], None, &new_year);
    assert_eq!(reading, Ok(Reading::Instant(instant("2026-12-31T23:55:00Z"))));
}

#[test]
fn daylight_saving_gaps_and_overlaps_take_the_later_instant() {
    for (text, seen, expected) in [
        // Set forward: 02:30 does not exist and becomes 03:30 of summer time.
        ("2:30am (America/New_York)", "2026-03-08T05:00:00Z", "2026-03-08T07:30:00Z"),
        ("2:30am (Europe/Berlin)", "2026-03-28T23:00:00Z", "2026-03-29T01:30:00Z"),
        ("Mar 29, 2:30am (Europe/Berlin)", "2026-03-20T00:00:00Z", "2026-03-29T01:30:00Z"),
        // Set back: 01:30 and 02:30 exist twice; the second one counts.
        ("1:30am (America/New_York)", "2026-11-01T04:00:00Z", "2026-11-01T06:30:00Z"),
        ("2:30am (Europe/Berlin)", "2026-10-24T23:00:00Z", "2026-10-25T01:30:00Z"),
        ("Oct 25, 2:30am (Europe/Berlin)", "2026-10-20T00:00:00Z", "2026-10-25T01:30:00Z"),
        // Half an hour at Lord Howe Island.
        ("1:45am (Australia/Lord_Howe)", "2026-04-04T12:00:00Z", "2026-04-04T15:15:00Z"),
        // Away from the change the zone's own offset of that day counts.
        ("9am (America/New_York)", "2026-03-08T05:00:00Z", "2026-03-08T13:00:00Z"),
        ("9am (America/New_York)", "2026-11-01T04:00:00Z", "2026-11-01T14:00:00Z"),
    ] {
        let reading = read(text, &[Format::Date, Format::Clock], None, &when(seen, None));
        assert_eq!(reading, Ok(Reading::Instant(instant(expected))), "{text} {seen}");
    }
}

#[test]
fn dialects_of_rate_limit_headers_are_told_apart() {
    let formats =
        [Format::EpochMilliseconds, Format::EpochSeconds, Format::Seconds, Format::Duration, Format::Rfc3339];
    for (text, expected) in [
        ("64", Reading::Wait { seconds: 64.0 }),
        ("6m0s", Reading::Wait { seconds: 360.0 }),
        ("547ms", Reading::Wait { seconds: 0.547 }),
        ("2m59.56s", Reading::Wait { seconds: 179.56 }),
        ("1749924000", Reading::Instant(instant("2025-06-14T18:00:00Z"))),
        ("1777420800000", Reading::Instant(instant("2026-04-29T00:00:00Z"))),
        ("2026-11-30T12:01:00Z", Reading::Instant(instant("2026-11-30T12:01:00Z"))),
    ] {
        assert_eq!(read(text, &formats, None, &When::default()), Ok(expected), "{text}");
        // The plausible sizes do not overlap, so that the order of the numeric formats is free.
        let reversed: Vec<_> = formats.into_iter().rev().collect();
        assert_eq!(read(text, &reversed, None, &When::default()), Ok(expected), "{text}");
    }
    let retry_after = [Format::Seconds, Format::HttpDate];
    assert_eq!(read("120", &retry_after, None, &When::default()), Ok(Reading::Wait { seconds: 120.0 }));
    assert_eq!(
        read("Mon, 30 Nov 2026 12:02:00 GMT", &retry_after, None, &When::default()),
        Ok(Reading::Instant(instant("2026-11-30T12:02:00Z")))
    );
}

#[test]
fn json_values_are_read_by_their_type() {
    let formats = [Format::EpochMilliseconds, Format::EpochSeconds, Format::Seconds, Format::Duration];
    for (value, expected) in [
        (json!(120), Ok(Reading::Wait { seconds: 120.0 })),
        (json!(0.5), Ok(Reading::Wait { seconds: 0.5 })),
        (json!(1_781_713_800), Ok(Reading::Instant(instant("2026-06-17T16:30:00Z")))),
        (json!("1777420800000"), Ok(Reading::Instant(instant("2026-04-29T00:00:00Z")))),
        (json!("59s"), Ok(Reading::Wait { seconds: 59.0 })),
        (json!({ "seconds": "34", "nanos": 500_000_000 }), Ok(Reading::Wait { seconds: 34.5 })),
        (json!({ "seconds": [] }), Err(Dropped::Unreadable)),
        (json!(1e300), Err(Dropped::Unreadable)),
        (json!(null), Err(Dropped::Unreadable)),
        (json!([60]), Err(Dropped::Unreadable)),
        (json!(true), Err(Dropped::Unreadable)),
    ] {
        assert_eq!(read_json(&value, &formats, None, &When::default()), expected, "{value}");
    }
    let duration = read_json(&json!(60), &[Format::Duration], None, &When::default());
    assert_eq!(duration, Err(Dropped::Unreadable));
}

#[test]
fn reasons_read_as_sentences() {
    let meaningless = Dropped::Meaningless { code: Code::QuotaLimited, seconds: 34.0 };
    assert_eq!(meaningless.to_string(), "a wait of 34 s is meaningless for quota_limited");
    let odd = calendar("6pm (Mars/Olympus_Base)", None, None).unwrap_err();
    assert_eq!(odd.to_string(), "unknown time zone `mars/olympus_base`");
    for hostile in ["6pm (\u{1b}[31m<b>zone; rm -rf ~)", "6pm (LTAI5tGabcdefghijk)"] {
        let dropped = calendar(hostile, None, None).unwrap_err();
        assert_eq!(dropped.to_string(), "unknown time zone `[withheld]`");
    }
}

/// Pieces of which hostile and honest times are made.
fn pieces() -> impl Strategy<Value = String> {
    let words = "[0-9]{1,5}|[ ,.:()/+-]|am|pm|utc|gmt|s|ms|h|days?|and|at|in|oct|mon|may 2|2026-12-0|t|z|秒|年|月|日|\
                 \\PC|a minute|europe/berlin|tomorrow";
    proptest::collection::vec(words, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_gives_a_bounded_hint_or_a_reason(
        text in prop_oneof![pieces(), any::<String>()],
        zone in proptest::option::of(prop_oneof![Just("Europe/Berlin"), Just("nowhere"), Just("utc-3")]),
        second in -62_000_000_000_i64..250_000_000_000,
        code in proptest::sample::select(Code::ALL),
    ) {
        let seen_at = Timestamp::from_second(second).ok();
        let when = When { seen_at, time_zone: zone };
        for &format in Format::ALL {
            let Ok(reading) = read(&text, &[format], None, &when) else { continue };
            let Ok(hint) = validate(reading, code, None, Bounds::default(), &when) else { continue };
            if let Some(wait) = hint.retry_after_s {
                prop_assert!(wait > 0.0 && wait <= FARTHEST_SECONDS);
            }
            let (Some(seen), Some(reset)) = (seen_at, hint.reset_at) else { continue };
            let ahead = reset.duration_since(seen).as_secs_f64();
            prop_assert!((0.0..=FARTHEST_SECONDS).contains(&ahead));
        }
    }

    #[test]
    fn what_follows_a_duration_does_not_change_it(hours in 1_u32..700, minutes in 1_u32..60, tail in "[.;)\"!][^0-9]*") {
        let stated = f64::from(hours * 3600 + minutes * 60);
        let text = format!("{hours}h {minutes}m{tail}");
        prop_assert_eq!(
            read(&text, &[Format::Duration], None, &When::default()),
            Ok(Reading::Wait { seconds: stated })
        );
    }

    #[test]
    fn every_time_of_day_is_at_most_a_day_ahead(hour in 0_u8..24, minute in 0_u8..60, second in 0_i64..4_000_000_000) {
        let seen = Timestamp::from_second(second).unwrap();
        let when = When { seen_at: Some(seen), time_zone: Some("America/New_York") };
        let reading = read(&format!("{hour}:{minute:02}"), &[Format::Clock], None, &when);
        let Ok(Reading::Instant(instant)) = reading else { return Err(TestCaseError::fail("not read")) };
        let ahead = instant.duration_since(seen).as_secs();
        prop_assert!((-15 * 60..=25 * 3600).contains(&ahead), "{ahead}");
    }
}
