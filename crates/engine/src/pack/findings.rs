//! Collecting the problems of one file.

use faultbook_document::{Diagnostic, Document, Location, Severity, codes};

/// How many problems of one file are reported. Finding a column costs the length of its line, so a hostile file
/// must not be able to ask for it without end.
const MAX_PROBLEMS: usize = 100;

/// The problems of one file, as they are found.
pub(super) struct Findings<'d> {
    document: &'d Document,
    rule: Option<String>,
    problems: Vec<Diagnostic>,
}

/// Where in the file a problem is.
#[derive(Clone, Copy)]
pub(super) enum At<'p> {
    /// The value at a pointer.
    Value(&'p str),
    /// The key whose value is at a pointer.
    Key(&'p str),
    /// A byte of the text at a pointer.
    Inside(&'p str, usize),
}

impl<'d> Findings<'d> {
    pub(super) fn new(document: &'d Document, rule: Option<&str>) -> Self {
        Self { document, rule: rule.map(str::to_owned), problems: Vec::new() }
    }

    /// Adds an error. `help` says what to do; empty for none.
    pub(super) fn error(&mut self, code: &'static str, at: At<'_>, message: impl Into<String>, help: &str) {
        if self.problems.len() >= MAX_PROBLEMS {
            return self.say_that_there_are_more();
        }
        let (location, pointer) = self.place(at);
        let mut problem = self.document.error(code, &location, message).with_pointer(pointer);
        problem.rule = self.rule.clone();
        problem.help = (!help.is_empty()).then(|| help.to_owned());
        self.problems.push(problem);
    }

    /// Adds a warning. `help` says what to do; empty for none.
    pub(super) fn warning(&mut self, code: &'static str, at: At<'_>, message: impl Into<String>, help: &str) {
        self.error(code, at, message, help);
        if let Some(problem) = self.problems.last_mut().filter(|problem| problem.code == code) {
            problem.severity = Severity::Warning;
        }
    }

    fn say_that_there_are_more(&mut self) {
        if self.problems.len() == MAX_PROBLEMS {
            let message = format!("the file has more problems; the first {MAX_PROBLEMS} are shown");
            let file = self.document.source().name();
            self.problems.push(Diagnostic::of_file(codes::TOO_MANY_PROBLEMS, file, message));
        }
    }

    /// Adds problems that are already complete, naming the rule.
    pub(super) fn extend(&mut self, problems: Vec<Diagnostic>) {
        let rule = &self.rule;
        self.problems
            .extend(problems.into_iter().map(|problem| Diagnostic { rule: rule.clone(), ..problem }));
    }

    pub(super) fn into_problems(self) -> Vec<Diagnostic> {
        self.problems
    }

    fn place<'p>(&self, at: At<'p>) -> (Location, &'p str) {
        match at {
            At::Value(pointer) => (self.document.locate(pointer), pointer),
            At::Key(pointer) => (self.document.locate_key(pointer), pointer),
            At::Inside(pointer, offset) => (self.document.locate_inside(pointer, offset), pointer),
        }
    }
}
