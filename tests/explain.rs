//! `faultbook explain`: what people see.

use insta::assert_snapshot;

use crate::world::World;

#[test]
fn the_whole_reasoning_is_readable_at_a_glance() {
    let world = World::new();
    let envelope = r#"{"schema":"faultbook.evidence/1","id":"t","occurred_at":"2026-11-30T12:00:00Z","signals":[
        {"channel":"stderr","text":"the core is out of plasma\nreheating, attempt 2\nstill nothing"},
        {"channel":"http","data":{"error":{"code":"flux_limit_reached","retry_after":30}}},
        {"channel":"exit","exit_code":1,"terminal":"failed"}]}"#;
    let run = world.acme("explain", &[], envelope);
    assert_snapshot!(run.shown());
}

#[test]
fn silence_is_explained_too() {
    let world = World::new();
    assert_snapshot!(world.acme("explain", &[], "something unheard of\n").shown());
}
