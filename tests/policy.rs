//! `faultbook decide`, `simulate` and `policy`.

use insta::assert_snapshot;

use crate::world::World;

const TEXT: &str = "the core is out of plasma\n";

#[test]
fn evidence_alone_authorises_nothing() {
    let world = World::new();
    let at = ["--at", "2026-11-30T12:00:00Z"];
    let mut shown = String::new();
    for arguments in [
        &["--channel", "stderr"][..],
        &["--channel", "stderr", "--assume-current"],
        &["--channel", "stderr", "--assume-current", "--delivery", "acknowledged"],
        &[
            "--channel",
            "stderr",
            "--assume-current",
            "--delivery",
            "acknowledged",
            "--no-effects",
            "--attempt",
            "1",
        ],
        &[
            "--channel",
            "stderr",
            "--assume-current",
            "--delivery",
            "acknowledged",
            "--no-effects",
            "--attempt",
            "9",
        ],
    ] {
        let run = world.acme("decide", &[arguments, &at].concat(), TEXT);
        shown.push_str(&format!("$ faultbook decide {}\n{}\n", arguments.join(" "), run.stdout));
    }
    assert_snapshot!(shown);
}

#[test]
fn a_timeline_is_drawn() {
    let world = World::new();
    let run = world.run(
        &[
            "simulate",
            "--code",
            "provider_overloaded",
            "--candidates",
            "first,second",
            "--at",
            "2026-11-30T12:00:00Z",
            "--recovers-after",
            "600",
        ],
        b"",
    );
    assert_snapshot!(run.shown());
}

#[test]
fn healthy_candidates_keep_their_place_and_bad_names_are_refused() {
    let world = World::new();
    let simulate = |arguments: &[&str]| {
        let usual = ["simulate", "--code", "provider_overloaded", "--at", "2026-11-30T12:00:00Z"];
        world.run(&[&usual, arguments].concat(), b"")
    };
    let run = simulate(&["--candidates", "first,second,third", "--healthy", "second", "--format", "json"]);
    let timeline: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let last = timeline["steps"].as_array().unwrap().last().unwrap();
    assert_eq!((&timeline["end"], &last["candidate"]), (&"recovered".into(), &"second".into()));
    for (arguments, said, help) in [
        (
            &["--candidates", "alpha,beta", "--healthy", "alhpa"][..],
            "`alhpa`, which is no candidate",
            "`alpha`",
        ),
        (&["--healthy", "alpha"], "`alpha`, which is no candidate", "--candidates"),
        (&["--candidates", "a,a"], "`a` is named twice", "once"),
        (&["--candidates", "a,b", "--healthy", "b,b"], "`b` is named twice", "once"),
        (&["--candidates", "a,,b"], "has no name", "commas"),
        (&["--context", "interactive", "--candidates", "a,b"], "one profile", "--context unattended"),
    ] {
        let run = simulate(arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains(said) && run.stderr.contains(help), "{arguments:?} {run:?}");
    }
}

#[test]
fn policies_are_checked_and_shown() {
    let world = World::new();
    let standard = world.run(&["policy", "show", "--for", "quota_limited"], b"");
    assert_snapshot!(standard.shown());
    let document: String =
        standard.stdout.lines().take_while(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
    world.write("good.yaml", document.as_bytes());
    world.write("bad.yaml", document.replace("max_retries: 3", "max_retries: 99").as_bytes());
    assert_eq!(world.run(&["policy", "check", "good.yaml"], b"").stdout, "good.yaml: sound (document)\n");
    let bad = world.run(&["policy", "check", "good.yaml", "bad.yaml"], b"");
    assert_eq!(bad.status, 1);
    assert!(bad.stderr.contains("bad.yaml:") && bad.stderr.contains("max_retries"), "{bad:?}");
}
