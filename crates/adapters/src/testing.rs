//! What tests of adapters share: scripts of frames, and turns as lines that people can read.
//!
//! A script's line begins with `<` (from the agent), `>` (to the agent), `!` (standard error) or `=` (the host).

use faultbook_evidence::{Role, Signal};

use crate::{Context, Exit, Frame, Source, Turn, TurnKind, Wire};

/// The turns of a script. A frame comes every 10 ms.
pub(crate) fn turns(wire: Wire, agent: &str, script: &str, exit: &Exit) -> Vec<Turn> {
    let mut adapter = wire.adapter(Context::of_agent(agent));
    for (index, line) in script.lines().map(str::trim_start).filter(|line| !line.is_empty()).enumerate() {
        let (mark, line) = line.split_at(1);
        let source = match mark {
            "<" => Source::Stdout,
            ">" => Source::ToAgent,
            "!" => Source::Stderr,
            "=" => Source::Host,
            other => panic!("unknown mark {other}"),
        };
        adapter.feed(&Frame::new(index as u64 * 10, source, line.strip_prefix(' ').unwrap_or(line)));
    }
    adapter.finish(exit)
}

/// The signals of the last turn, one a line.
pub(crate) fn last(wire: Wire, agent: &str, script: &str, exit: &Exit) -> Vec<String> {
    turns(wire, agent, script, exit).last().map(rows).unwrap_or_default()
}

/// The signals of a turn, one a line.
pub(crate) fn rows(turn: &Turn) -> Vec<String> {
    turn.envelope.signals.iter().map(row).collect()
}

/// The head of a turn: kind, phase, delivery, effects.
pub(crate) fn head(turn: &Turn) -> String {
    let kind = match turn.kind {
        TurnKind::PreStart => "pre-start".to_owned(),
        TurnKind::Prompt(number) => format!("prompt {number}"),
    };
    let envelope = &turn.envelope;
    let known = |effect: Option<bool>| effect.map_or("?", |happened| if happened { "yes" } else { "no" });
    format!(
        "{kind} phase={} delivery={} words={} tools={}",
        envelope.phase.map_or_else(|| "?".to_owned(), |phase| phase.to_string()),
        envelope.delivery.map_or_else(|| "?".to_owned(), |delivery| delivery.to_string()),
        known(envelope.effects.assistant_output),
        known(envelope.effects.tool_activity),
    )
}

fn row(signal: &Signal) -> String {
    let mut row = signal.channel.to_string();
    let mut add = |word: String| {
        row.push(' ');
        row.push_str(&word);
    };
    if signal.role == Role::Notice {
        add("notice".to_owned());
    }
    if let Some(terminal) = signal.terminal {
        add(format!("<{terminal}>"));
    }
    for (name, value) in [
        ("http", signal.http_status.map(i64::from)),
        ("rpc", signal.rpc_code),
        ("exit", signal.exit_code.map(i64::from)),
        ("signal", signal.signal.map(i64::from)),
    ] {
        if let Some(value) = value {
            add(format!("{name}={value}"));
        }
    }
    for (name, value) in &signal.headers {
        add(format!("{name}:{value}"));
    }
    if let Some(text) = &signal.text {
        add(format!("{text:?}"));
    }
    if let Some(data) = &signal.data {
        add(data.to_string());
    }
    row
}
