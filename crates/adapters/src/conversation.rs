//! A connection that carries many prompts: which frame belongs to which of them.

use std::collections::VecDeque;

use faultbook_taxonomy::{Phase, Sight, Terminal};
use serde_json::Value;

use crate::builder::TurnBuilder;
use crate::frame::Exit;
use crate::sight::Lost;
use crate::turn::{Context, Turn, TurnKind};

/// The most prompts that are under way at once; the oldest is given up.
const MAX_OPEN: usize = 16;
/// The most finished turns that are kept; the oldest are forgotten.
const MAX_DONE: usize = 1024;
/// The most requests that wait for an answer; the oldest is forgotten.
const MAX_PENDING: usize = 256;

/// Requests that wait for their answer, with what is to be known of them.
#[derive(Debug)]
pub(crate) struct Pending<T>(VecDeque<(Value, T)>);

impl<T> Default for Pending<T> {
    fn default() -> Self {
        Self(VecDeque::new())
    }
}

impl<T> Pending<T> {
    pub(crate) fn add(&mut self, id: &Value, what: T) {
        self.0.push_back((id.clone(), what));
        if self.0.len() > MAX_PENDING {
            self.0.pop_front();
        }
    }

    pub(crate) fn take(&mut self, id: &Value) -> Option<T> {
        let index = self.0.iter().position(|(pending, _)| pending == id)?;
        self.0.remove(index).map(|(_, what)| what)
    }

    pub(crate) fn holds(&self, wanted: &str) -> bool
    where
        T: AsRef<str>,
    {
        self.0.iter().any(|(_, what)| what.as_ref() == wanted)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// One prompt and what came of it.
#[derive(Debug)]
pub(crate) struct Exchange {
    /// The session or thread.
    pub(crate) session: Option<String>,
    /// The request's id.
    pub(crate) request: Option<Value>,
    /// Whether the agent's last word on the thread was that it is broken.
    pub(crate) system_error: bool,
    /// The evidence.
    pub(crate) turn: TurnBuilder,
    number: u32,
    is_over: bool,
}

impl Exchange {
    /// Nothing more belongs to it but diagnostics that come late.
    pub(crate) fn close(&mut self) {
        self.is_over = true;
    }
}

/// The prompts of a connection, and what came before them.
#[derive(Debug)]
pub(crate) struct Conversation {
    context: Context,
    before: Option<TurnBuilder>,
    open: Vec<Exchange>,
    done: VecDeque<Turn>,
    count: u32,
    now: u64,
    frame: u64,
    /// Something that may have been work came while no prompt was under way.
    stray: Option<Lost>,
    /// Where set-up stands.
    pub(crate) set_up: Phase,
}

impl Conversation {
    pub(crate) fn new(context: Context) -> Self {
        Self {
            context,
            before: None,
            open: Vec::new(),
            done: VecDeque::new(),
            count: 0,
            now: 0,
            frame: 0,
            stray: None,
            set_up: Phase::Launch,
        }
    }

    pub(crate) fn tick(&mut self, t_ms: u64) {
        self.now = t_ms;
        self.frame += 1;
    }

    /// Begins a prompt. What the session said before it is over.
    pub(crate) fn begin(&mut self, session: Option<String>, request: Option<Value>) -> &mut Exchange {
        let is_again = self.open.iter().any(|exchange| {
            (!exchange.is_over && exchange.session == session)
                || (request.is_some() && exchange.request == request)
        });
        let same = |exchange: &Exchange| exchange.session == session || exchange.is_over;
        let ended: Vec<Exchange> = self.open.extract_if(.., |exchange| same(exchange)).collect();
        ended.into_iter().for_each(|exchange| self.settle(exchange));
        if self.open.len() >= MAX_OPEN {
            let oldest = self.open.remove(0);
            self.settle(oldest);
        }
        self.count = self.count.saturating_add(1);
        let mut turn = TurnBuilder::new(self.context.clone(), Sight::Full);
        turn.session = session.as_ref().map(|session| session.chars().take(128).collect());
        turn.phase = Some(Phase::PromptSend);
        turn.tick(self.now, self.frame);
        if is_again {
            turn.lost_sight(Lost::PromptAgain);
        }
        if let Some(why) = self.stray.take() {
            turn.lost_sight(why);
        }
        let number = self.count;
        self.open.push(Exchange { session, request, system_error: false, turn, number, is_over: false });
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    /// The prompt under way in a session.
    pub(crate) fn of_session(&mut self, session: Option<&str>) -> Option<&mut Exchange> {
        let (now, frame) = (self.now, self.frame);
        let exchange = self.open.iter_mut().rev().find(|exchange| {
            !exchange.is_over
                && (session.is_none() || exchange.session.is_none() || exchange.session.as_deref() == session)
        })?;
        exchange.turn.tick(now, frame);
        Some(exchange)
    }

    /// The prompt that a request began.
    pub(crate) fn of_request(&mut self, id: &Value) -> Option<&mut Exchange> {
        let (now, frame) = (self.now, self.frame);
        let exchange = self.open.iter_mut().rev().find(|exchange| exchange.request.as_ref() == Some(id))?;
        exchange.turn.tick(now, frame);
        Some(exchange)
    }

    /// Something came that belongs to no prompt under way and may have been work: no turn around it can claim that
    /// nothing happened.
    pub(crate) fn lost_sight(&mut self, why: Lost) {
        let (now, frame) = (self.now, self.frame);
        for exchange in &mut self.open {
            exchange.turn.tick(now, frame);
            exchange.turn.lost_sight(why);
        }
        if self.open.iter().all(|exchange| exchange.is_over) {
            self.stray.get_or_insert(why);
            self.before().lost_sight(why);
        }
    }

    /// The beginning was not seen. Where a prompt was, its turn says so itself.
    pub(crate) fn lost_beginning(&mut self) {
        if let Some(before) = self.before.as_mut().filter(|_| self.count == 0) {
            before.lost_sight(Lost::NoPrompt);
        }
    }

    /// Whether a prompt is under way.
    pub(crate) fn is_at_work(&self) -> bool {
        self.open.iter().any(|exchange| !exchange.is_over)
    }

    /// What came before any prompt, or about set-up besides them.
    pub(crate) fn before(&mut self) -> &mut TurnBuilder {
        let before = self.before.get_or_insert_with(|| TurnBuilder::new(self.context.clone(), Sight::Full));
        before.phase = Some(self.set_up);
        before.tick(self.now, self.frame);
        before
    }

    /// Where a line belongs that names no session: the newest prompt, else set-up.
    pub(crate) fn current(&mut self) -> &mut TurnBuilder {
        if self.open.is_empty() {
            return self.before();
        }
        let (now, frame, last) = (self.now, self.frame, self.open.len() - 1);
        let exchange = &mut self.open[last];
        exchange.turn.tick(now, frame);
        &mut exchange.turn
    }

    /// The host cancelled whatever is under way.
    pub(crate) fn cancel_all(&mut self) {
        let (now, frame) = (self.now, self.frame);
        if self.open.is_empty() {
            self.before().host_cancel();
        }
        for exchange in self.open.iter_mut().filter(|exchange| !exchange.is_over) {
            exchange.turn.tick(now, frame);
            exchange.turn.host_cancel();
        }
    }

    /// The connection is at its end. `waiting` tells whether a request of set-up was never answered.
    pub(crate) fn finish(&mut self, exit: &Exit, waiting: bool) -> Vec<Turn> {
        let mut before = self.before.take();
        if exit.is_evidence() {
            for exchange in self.open.iter_mut().filter(|exchange| !exchange.is_over) {
                exchange.turn.exit(exit, Some(Terminal::Failed));
            }
            if self.count == 0 {
                let failed = exit.code != Some(0) || waiting;
                let turn = before.get_or_insert_with(|| TurnBuilder::new(self.context.clone(), Sight::Full));
                turn.phase = Some(self.set_up);
                if exit.code.is_some_and(|code| (1..128).contains(&code)) {
                    turn.diagnostics_are_own();
                }
                turn.exit(exit, failed.then_some(Terminal::Failed));
            }
        }
        for exchange in std::mem::take(&mut self.open) {
            self.settle(exchange);
        }
        let mut turns: Vec<Turn> = std::mem::take(&mut self.done).into();
        turns.sort_by_key(|turn| match turn.kind {
            TurnKind::PreStart => 0,
            TurnKind::Prompt(number) => number,
        });
        if let Some(before) = before.filter(|before| !before.is_empty()) {
            turns.insert(0, Turn { kind: TurnKind::PreStart, envelope: before.finish() });
        }
        turns
    }

    fn settle(&mut self, exchange: Exchange) {
        if self.done.len() >= MAX_DONE {
            self.done.pop_front();
        }
        let kind = TurnKind::Prompt(exchange.number);
        self.done.push_back(Turn { kind, envelope: exchange.turn.finish() });
    }
}
