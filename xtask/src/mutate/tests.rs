//! Tests of what surrounds the kinds: seeds and aims.

use faultbook_adapters::{Frame, Source};

use super::*;

#[test]
fn seeds_depend_on_recording_kind_and_frame_alone() {
    assert_eq!(seed("a", "cut-head", 1), seed("a", "cut-head", 1));
    let seeds = [
        seed("a", "cut-head", 1),
        seed("b", "cut-head", 1),
        seed("a", "cut-tail", 1),
        seed("a", "cut-head", 2),
    ];
    let distinct: std::collections::BTreeSet<_> = seeds.iter().collect();
    assert_eq!(distinct.len(), seeds.len());
}

#[test]
fn long_recordings_are_aimed_at_evenly_and_effects_come_first() {
    assert_eq!(spread(&[1, 2, 3], 4), [1, 2, 3]);
    assert_eq!(spread(&(0..101).collect::<Vec<_>>(), 3), [0, 50, 100]);
    let mut frames = vec![Frame::new(0, Source::Stdout, r#"{"type":"turn.started"}"#); 100];
    frames[70].line = r#"{"type":"item.started","item":{"type":"command_execution"}}"#.to_owned();
    let recording = Recording { frames, ..Recording::default() };
    for kind in kinds::all() {
        let aims = aims(kind, &recording);
        match kind.aim {
            Aim::Whole => assert_eq!(aims, [0]),
            Aim::Effects => assert_eq!(aims, [70]),
            Aim::Each => assert_eq!((aims[0], aims.len()), (70, MAX_FRAMES)),
        }
    }
}
