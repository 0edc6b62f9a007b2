//! The arguments that say what the input is.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use faultbook::{Channel, Phase, Terminal};
use jiff::Timestamp;

/// What the input holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Lines that are evidence envelopes are read as such, everything else is text
    #[default]
    Auto,
    /// Evidence envelopes (schema faultbook.evidence/1), one a line
    Evidence,
    /// What an agent printed
    Text,
}

/// How the input is cut; each piece gets one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// Each line is a piece
    Line,
    /// Each run of lines between blank lines is a piece
    Block,
    /// Each file is a piece
    File,
}

/// Input files and how to read them.
#[derive(Debug, Clone, Args)]
pub(crate) struct InputOptions {
    /// Files to read; standard input where none is given, or for `-`
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// What the input holds
    #[arg(long, value_name = "KIND", default_value = "auto", help_heading = "Input")]
    pub(crate) input: Kind,
    /// What gets one answer [default: line for --input evidence, else file]
    #[arg(long, value_name = "PIECE", help_heading = "Input")]
    pub(crate) by: Option<By>,
    #[command(flatten)]
    pub(crate) facts: TextFacts,
}

impl InputOptions {
    /// How the input is cut.
    pub(crate) fn by(&self) -> By {
        let default = match self.input {
            Kind::Evidence => By::Line,
            Kind::Auto | Kind::Text => By::File,
        };
        self.by.unwrap_or(default)
    }
}

/// What is known about text. Evidence says it itself.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "About text (evidence envelopes say these themselves)")]
pub(crate) struct TextFacts {
    /// The agent that printed it, such as claude-code, codex, opencode, gemini-cli
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// The provider behind the agent, such as anthropic, openai, google
    #[arg(long, value_name = "NAME")]
    pub(crate) provider: Option<String>,
    /// Where it was seen [default: mixed]
    ///
    /// The channel decides what words may prove. On `mixed` the model's answer may share the pipe, so answers are
    /// of medium confidence at most, unless --exit-code or --terminal says that the turn failed. Say `stderr`,
    /// `stdout` or `log` for the process's own diagnostics, `http` for a provider's answer, `event` for the agent's
    /// own JSON, `acp_error` for a JSON-RPC error. `assistant` and `tool` prove nothing about the provider.
    #[arg(long, value_name = "CHANNEL", value_parser = channel(), hide_possible_values = true)]
    pub(crate) channel: Option<Channel>,
    /// Where in its life the agent was
    #[arg(long, value_name = "PHASE", value_parser = phase(), hide_possible_values = true)]
    pub(crate) phase: Option<Phase>,
    /// How the turn ended: completed, failed or cancelled
    #[arg(long, value_name = "END", value_parser = terminal(), hide_possible_values = true)]
    pub(crate) terminal: Option<Terminal>,
    /// The exit code of the agent's process: 0 means that the turn completed, any other that it failed
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) exit_code: Option<i32>,
    /// The HTTP status that came with it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(100..600))]
    pub(crate) http_status: Option<u16>,
    /// When it was seen, as 2026-11-30T12:00:00Z; relative waits count from here
    #[arg(long, visible_alias = "now", value_name = "TIME", value_parser = instant)]
    pub(crate) occurred_at: Option<Timestamp>,
    /// The time zone of the machine, such as Europe/Berlin, for clock times that name none
    #[arg(long, value_name = "ZONE")]
    pub(crate) time_zone: Option<String>,
}

/// Reads a channel's name.
pub(crate) fn channel() -> impl TypedValueParser<Value = Channel> {
    let names = Channel::ALL.iter().map(|channel| PossibleValue::new(channel.as_str()));
    PossibleValuesParser::new(names).try_map(|name| Channel::named(&name).ok_or("no channel has this name"))
}

/// Reads a phase's name.
pub(crate) fn phase() -> impl TypedValueParser<Value = Phase> {
    PossibleValuesParser::new(Phase::ALL.iter().map(|phase| PossibleValue::new(phase.as_str())))
        .try_map(|name| name.parse::<Phase>())
}

fn terminal() -> impl TypedValueParser<Value = Terminal> {
    PossibleValuesParser::new(Terminal::ALL.iter().map(|end| PossibleValue::new(end.as_str())))
        .try_map(|name| name.parse::<Terminal>())
}

/// Reads an instant.
pub(crate) fn instant(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "an instant looks like 2026-11-30T12:00:00Z".to_owned())
}
