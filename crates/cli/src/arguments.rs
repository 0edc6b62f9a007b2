//! The command line: its commands, their options and their help texts.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};

use crate::commands;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Know what went wrong when an AI coding agent fails
///
/// Faultbook reads what an agent, its protocol or its provider said, and names the failure with one of a few
/// semantic codes: with its class, how sure it is, when to try again, and the rule that says so.
#[derive(Debug, Parser)]
#[command(name = "faultbook", version, styles = STYLES, max_term_width = 100, subcommand_required = true)]
#[command(arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  done, whatever was classified
  1  findings: a check, a suite, or a comparison that asks for a larger version
  2  bad usage, or input that cannot be read
  3  a fault of faultbook itself";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Classify(commands::classify::Classify),
    Explain(commands::explain::Explain),
    Replay(commands::replay::Replay),
    Record(commands::record::Record),
    Triage(commands::triage::Triage),
    Decide(Box<commands::decide::Decide>),
    Simulate(commands::simulate::Simulate),
    Policy(commands::policy::Policy),
    Check(commands::check::Check),
    Test(commands::test::Test),
    Matrix(commands::matrix::Matrix),
    Score(commands::score::Score),
    Diff(commands::diff::Diff),
    New(commands::new::New),
    List(commands::list::List),
    Show(commands::show::Show),
    Schema(commands::schema::Schema),
    Completions(commands::completions::Completions),
    Man(commands::man::Man),
}
