//! Output: the format that the user asked for, colours on terminals only, and messages on standard error.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::ValueEnum;

/// How results are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Human,
    /// One indented JSON document.
    Json,
    /// One JSON value a line.
    Jsonl,
}

/// The styles of human output; all plain where colours are not wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Palette {
    /// Names and verdicts.
    pub(crate) strong: Style,
    /// What matters less.
    pub(crate) faint: Style,
    /// Transient codes, and what is well.
    pub(crate) good: Style,
    /// Medium confidence, conflicts, caps.
    pub(crate) careful: Style,
    /// Hard codes and errors.
    pub(crate) bad: Style,
    /// Matched words.
    pub(crate) found: Style,
}

impl Palette {
    const ANSI: Self = Self {
        strong: Style::new().bold(),
        faint: Style::new().dimmed(),
        good: AnsiColor::Green.on_default().bold(),
        careful: AnsiColor::Yellow.on_default().bold(),
        bad: AnsiColor::Red.on_default().bold(),
        found: AnsiColor::Cyan.on_default(),
    };

    /// The styles for standard output: colours on a terminal, unless `NO_COLOR` or the like says otherwise.
    pub(crate) fn of_output() -> Self {
        Self::of(AutoStream::choice(&io::stdout()))
    }

    /// The styles for standard error.
    pub(crate) fn of_errors() -> Self {
        Self::of(AutoStream::choice(&io::stderr()))
    }

    fn of(choice: ColorChoice) -> Self {
        match choice {
            ColorChoice::Always | ColorChoice::AlwaysAnsi => Self::ANSI,
            ColorChoice::Auto | ColorChoice::Never => Self::default(),
        }
    }

    /// Whether nothing is coloured.
    pub(crate) fn is_plain(self) -> bool {
        self == Self::default()
    }

    /// The text in a style.
    pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
        format!("{style}{text}{style:#}")
    }
}

/// Standard output, locked and buffered. Flushed at once on a terminal.
pub(crate) struct Output {
    inner: BufWriter<StdoutLock<'static>>,
    is_terminal: bool,
}

impl Output {
    /// Takes standard output.
    pub(crate) fn standard() -> Self {
        let inner = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
        Self { inner, is_terminal: io::stdout().is_terminal() }
    }

    /// Writes a value as JSON: indented, or on one line.
    pub(crate) fn json(
        &mut self,
        value: &impl serde::Serialize,
        format: Format,
    ) -> Result<(), crate::Failure> {
        match format {
            Format::Human | Format::Json => serde_json::to_writer_pretty(&mut self.inner, value)?,
            Format::Jsonl => serde_json::to_writer(&mut self.inner, value)?,
        }
        Ok(self.inner.write_all(b"\n")?)
    }

    /// Writes values as JSON: one list, or one a line.
    pub(crate) fn list<T: serde::Serialize>(
        &mut self,
        values: &[T],
        format: Format,
    ) -> Result<(), crate::Failure> {
        match format {
            Format::Human | Format::Json => self.json(&values, Format::Json)?,
            Format::Jsonl => values.iter().try_for_each(|value| self.json(value, Format::Jsonl))?,
        }
        self.finish()
    }

    /// Writes the last bytes.
    pub(crate) fn finish(&mut self) -> Result<(), crate::Failure> {
        Ok(self.inner.flush()?)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        if self.is_terminal {
            self.inner.flush()?;
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// An error on standard error, with what to do about it.
pub(crate) fn error_line(message: &str, help: Option<&str>) {
    let palette = Palette::of_errors();
    let mut text = format!("{}: {message}\n", Palette::paint(palette.bad, "error"));
    if let Some(help) = help {
        text.push_str(&format!("  {} {help}\n", Palette::paint(palette.faint, "help:")));
    }
    error_text(&text);
}

/// A warning on standard error.
pub(crate) fn warning_line(message: &str) {
    let palette = Palette::of_errors();
    error_text(&format!("{}: {message}\n", Palette::paint(palette.careful, "warning")));
}

/// Text on standard error. Where even that is closed, there is nobody left to tell.
pub(crate) fn error_text(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
