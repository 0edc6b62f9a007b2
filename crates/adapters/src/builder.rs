//! A turn under way: who spoke, what was done, and how it ended.

use faultbook_evidence::{Channel, Envelope, Signal};
use faultbook_taxonomy::{Delivery, Effects, Phase, Sight, Terminal};
use serde_json::Value;

use crate::frame::Exit;
use crate::json::{Object, object_of};
use crate::kept::Kept;
use crate::lane::Lane;
use crate::sight::Lost;
use crate::turn::Context;

/// How long a run of diagnostic lines may last and still be one signal, in milliseconds.
const RUN_MS: u64 = 1000;

/// A turn that is being built.
#[derive(Debug)]
pub(crate) struct TurnBuilder {
    context: Context,
    lost: Option<(Lost, Option<u64>)>,
    is_damaged: bool,
    frame: u64,
    whole_streams: bool,
    pub(crate) phase: Option<Phase>,
    pub(crate) session: Option<String>,
    pub(crate) model: Option<String>,
    now: u64,
    order: u64,
    kept: Kept,
    words: Option<Lane>,
    diagnostics: Option<Lane>,
    messages: u32,
    tools: bool,
    answered: bool,
    cancelled: bool,
    terminal: Option<Terminal>,
}

impl TurnBuilder {
    pub(crate) fn new(context: Context, sight: Sight) -> Self {
        Self {
            context,
            lost: (sight == Sight::Partial).then_some((Lost::Format, None)),
            is_damaged: false,
            frame: 0,
            whole_streams: sight == Sight::Partial,
            phase: None,
            session: None,
            model: None,
            now: 0,
            order: 0,
            kept: Kept::default(),
            words: None,
            diagnostics: None,
            messages: 0,
            tools: false,
            answered: false,
            cancelled: false,
            terminal: None,
        }
    }

    /// Sets the time of what follows, in milliseconds since the start, and its frame, counted from 1.
    pub(crate) fn tick(&mut self, t_ms: u64, frame: u64) {
        self.now = t_ms;
        self.frame = frame;
    }

    /// How the turn ended, if it did.
    pub(crate) fn terminal(&self) -> Option<Terminal> {
        self.terminal
    }

    /// Whether the host cancelled it.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled
    }

    /// Whether anything was observed.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.words.is_none() && self.diagnostics.is_none()
    }

    /// Adds a signal after what was said so far.
    pub(crate) fn signal(&mut self, signal: Signal) {
        self.end_words();
        // A provider that answered was reached.
        self.answered |= signal.http_status.is_some();
        if !self.kept.repeats(&signal) {
            let (order, at) = (self.next_order(), self.context.instant(self.now));
            self.kept.keep(order, signal.at(at));
        }
    }

    /// Adds an event of the agent.
    pub(crate) fn event(&mut self, data: Object) {
        self.signal(Signal::data(Channel::Event, Value::Object(data)));
    }

    /// Adds the event that ends the turn. An end that is no success is a cancellation once the host cancelled.
    pub(crate) fn end(&mut self, mut signal: Signal, terminal: Terminal) {
        let terminal = match terminal {
            Terminal::Failed if self.cancelled => Terminal::Cancelled,
            other => other,
        };
        // The last claim counts.
        self.reopen();
        signal.terminal = Some(terminal);
        self.terminal = Some(terminal);
        self.answered = true;
        self.signal(signal);
    }

    /// Takes back that the turn ended: the agent went on.
    pub(crate) fn reopen(&mut self) {
        self.terminal = None;
        self.kept.newest_first_mut().for_each(|signal| signal.terminal = None);
    }

    /// Notes that the host cancelled the turn.
    pub(crate) fn host_cancel(&mut self) {
        if self.terminal.is_none() {
            self.cancelled = true;
            self.signal(Signal::data(Channel::Host, Value::Object(object_of([("host", "cancel".into())]))));
        }
    }

    /// A whole message, or a piece of the message that is named, in somebody's words.
    pub(crate) fn say(&mut self, channel: Channel, message: Option<&str>, piece: &str) {
        let joins = self
            .words
            .as_ref()
            .is_some_and(|lane| lane.channel == channel && lane.message.as_deref() == message);
        if !joins {
            self.end_words();
            let order = self.next_order();
            self.words = Some(Lane::new(order, channel, message.map(str::to_owned), self.now));
        }
        if let Some(lane) = &mut self.words {
            lane.chunk(piece, self.now);
        }
    }

    /// The model's words. What comes next under the same name belongs to the same message.
    pub(crate) fn assistant(&mut self, message: Option<&str>, piece: &str) {
        self.answered = true;
        if !piece.trim().is_empty() {
            self.phase = Some(Phase::Streaming);
        }
        self.say(Channel::Assistant, message, piece);
    }

    /// A tool was called.
    pub(crate) fn tool_called(&mut self) {
        self.answered = true;
        self.tools = true;
        self.end_words();
        self.phase = Some(Phase::ToolExecution);
    }

    /// A tool ended.
    pub(crate) fn tool_ended(&mut self) {
        self.end_words();
        self.tools = true;
        self.phase = Some(Phase::Streaming);
    }

    /// Output of a tool.
    pub(crate) fn tool_output(&mut self, call: Option<&str>, piece: &str) {
        self.tools = true;
        if !piece.trim().is_empty() {
            self.say(Channel::Tool, call, piece);
        }
    }

    /// The model's words reached the user without being kept: they come again as a whole.
    pub(crate) fn words_seen(&mut self) {
        self.answered = true;
        self.messages = self.messages.max(1);
        self.phase = Some(Phase::Streaming);
    }

    /// A line of a stream that only diagnostics or whole output share.
    pub(crate) fn line(&mut self, channel: Channel, line: &str) {
        let now = self.now;
        let joins = self.words.as_ref().is_some_and(|lane| lane.channel == channel && lane.message.is_none());
        if !joins {
            self.end_words();
            let order = self.next_order();
            self.words = Some(Lane::new(order, channel, None, now));
        }
        if let Some(lane) = &mut self.words {
            lane.line(line, now);
        }
    }

    /// A line of standard error. Lines that come together are one signal.
    pub(crate) fn stderr(&mut self, line: &str) {
        let now = self.now;
        let joins = self.whole_streams
            || self.diagnostics.as_ref().is_some_and(|lane| now.saturating_sub(lane.first_ms) <= RUN_MS);
        if !joins {
            self.end_diagnostics();
        }
        if self.diagnostics.is_none() {
            let order = self.next_order();
            // Beside a protocol the stream is shared with whatever the agent starts.
            let channel = if self.whole_streams { Channel::Stderr } else { Channel::Shared };
            self.diagnostics = Some(Lane::new(order, channel, None, now));
        }
        if let Some(lane) = &mut self.diagnostics {
            lane.line(line, now);
        }
    }

    /// Something was not seen or not understood: what was not seen is unknown. The first reason is told.
    pub(crate) fn lost_sight(&mut self, why: Lost) {
        self.is_damaged |= why.is_damage();
        // What the format never shows says less than what happened to this very turn.
        if self.lost.is_none_or(|(first, _)| first == Lost::Format) {
            self.lost = Some((why, (self.frame > 0).then_some(self.frame)));
        }
    }

    /// Whether everything so far was read and understood.
    pub(crate) fn sees_all(&self) -> bool {
        self.lost.is_none()
    }

    /// The agent answered this prompt in some way.
    pub(crate) fn acknowledged(&mut self) {
        self.answered = true;
    }

    /// Whether the last thing said by the model is this.
    pub(crate) fn last_words_are(&self, text: &str) -> bool {
        let text = text.trim();
        let spoken = self.words.as_ref().filter(|lane| lane.channel == Channel::Assistant);
        match spoken {
            Some(lane) => lane.words().trim() == text,
            None => self
                .kept
                .newest_first()
                .find(|signal| signal.channel == Channel::Assistant)
                .and_then(|signal| signal.text.as_deref())
                .is_some_and(|words| words.trim() == text),
        }
    }

    /// Whether the agent itself said these words in this turn.
    pub(crate) fn agent_said(&self, text: &str) -> bool {
        let text = text.trim();
        let said = |signal: &Signal| {
            let data =
                signal.data.as_ref().and_then(|data| data.pointer("/message/content/0/text")?.as_str());
            [signal.text.as_deref(), data].into_iter().flatten().any(|words| words.trim() == text)
        };
        !text.is_empty()
            && self.kept.newest_first().any(|signal| signal.channel == Channel::AgentText && said(signal))
    }

    /// Words of others that the agent passes on: they explain at most.
    pub(crate) fn relayed(&mut self, words: &str) {
        if !words.trim().is_empty() {
            self.signal(Signal::text(Channel::Shared, words));
        }
    }

    /// The agent died before its frames began: what stands on its standard error is its own.
    pub(crate) fn diagnostics_are_own(&mut self) {
        self.end_diagnostics();
        let shared = self.kept.newest_first_mut().filter(|signal| signal.channel == Channel::Shared);
        shared.for_each(|signal| signal.channel = Channel::Stderr);
    }

    /// Whether anything stands on standard error.
    pub(crate) fn has_diagnostics(&self) -> bool {
        let is_shared = |signal: &Signal| signal.channel == Channel::Shared;
        self.diagnostics.is_some() || self.kept.newest_first().any(is_shared)
    }

    /// Makes the last message, or its last piece, the agent's own words if they satisfy the test.
    pub(crate) fn promote_last(&mut self, is_agents: impl Fn(&str) -> bool) {
        let order = self.next_order();
        let now = self.now;
        if let Some(lane) = self.words.as_mut().filter(|lane| lane.channel == Channel::Assistant)
            && !is_agents(lane.words())
            && let Some(piece) = lane.split_last_piece()
        {
            let mut own = Lane::new(order, Channel::Assistant, None, lane.last_ms);
            own.chunk(&piece, now);
            self.end_words();
            self.words = Some(own);
        }
        self.end_words();
        let message = self.kept.newest_first_mut().find(|signal| signal.channel == Channel::Assistant);
        if let Some(signal) = message
            && signal.text.as_deref().is_some_and(is_agents)
        {
            signal.channel = Channel::AgentText;
            self.messages = self.messages.saturating_sub(1);
            if self.messages == 0 && !self.tools {
                self.phase = Some(Phase::PromptSend);
            }
        }
    }

    /// The process ended. It ends the turn too where nothing else did.
    pub(crate) fn exit(&mut self, exit: &Exit, terminal: Option<Terminal>) {
        if let Some(t_ms) = exit.t_ms {
            self.now = t_ms.max(self.now);
        }
        let signal = Signal { exit_code: exit.code, signal: exit.signal, ..Signal::new(Channel::Exit) };
        let terminal = match terminal {
            _ if self.terminal.is_some() => None,
            _ if self.cancelled => Some(Terminal::Cancelled),
            other => other,
        };
        self.terminal = self.terminal.or(terminal);
        self.signal(Signal { terminal, ..signal });
    }

    /// The envelope, within its bounds.
    pub(crate) fn finish(mut self) -> Envelope {
        self.end_words();
        self.end_diagnostics();
        let effects = self.effects();
        let delivery = match self.phase {
            // Where frames are missing nobody knows what an answer answered.
            _ if self.is_damaged => Delivery::Unknown,
            Some(phase) if phase.is_pre_start() => Delivery::Refused,
            _ if self.answered => Delivery::Acknowledged,
            _ => Delivery::Unknown,
        };
        let occurred_at = self.context.instant(self.now);
        let mut envelope = Envelope {
            agent: self.context.agent,
            time_zone: self.context.time_zone,
            session: self.session,
            model: self.model,
            phase: self.phase,
            delivery: Some(delivery),
            occurred_at,
            effects,
            sight: Some(if self.lost.is_none() { Sight::Full } else { Sight::Partial }),
            ..Envelope::of(self.kept.into_signals())
        };
        if let Some((why, frame)) = self.lost {
            envelope.lose_sight(why.at(frame));
        }
        envelope.enforce_bounds();
        envelope
    }

    fn effects(&self) -> Effects {
        if self.phase.is_some_and(Phase::is_pre_start) && self.sees_all() {
            return Effects::NONE;
        }
        let seen = |happened: bool| (happened || self.sees_all()).then_some(happened);
        Effects {
            assistant_output: seen(self.messages > 0),
            tool_activity: seen(self.tools),
            resume_guarantee: None,
        }
    }

    fn next_order(&mut self) -> u64 {
        self.order += 1;
        self.order
    }

    fn end_words(&mut self) {
        if let Some(lane) = self.words.take() {
            // In a plain stream the last word is what a relative wait counts from; the safe side is late.
            let t_ms = if self.whole_streams { lane.last_ms } else { lane.first_ms };
            self.keep_lane(lane, t_ms);
        }
    }

    fn end_diagnostics(&mut self) {
        if let Some(lane) = self.diagnostics.take() {
            let t_ms = lane.last_ms;
            self.keep_lane(lane, t_ms);
        }
    }

    fn keep_lane(&mut self, lane: Lane, t_ms: u64) {
        let (order, at) = (lane.order, self.context.instant(t_ms));
        if let Some(signal) = lane.into_signal() {
            if signal.channel == Channel::Assistant {
                self.messages += 1;
            }
            self.kept.keep(order, signal.at(at));
        }
    }
}
