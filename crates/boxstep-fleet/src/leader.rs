//! The side of who plays a show: hands out files, waits until all robots are armed, begins the scenes, passes on the
//! signals, and decides what to do without a robot that is lost.
//!
//! A leader is a machine without threads or sockets: it is given messages and times, and returns messages.

mod account;
mod collect;
mod robot;

pub use account::{Entry, Event};
pub use robot::Robot;

use crate::clock::FleetTime;
use crate::digest::Digest;
use crate::fetch::pieces;
use crate::member::{LATEST, LEASE, STEP};
use crate::message::{
    CHUNK, CueSignal, Fired, MOST_VALUES, MemberState, Message, PerformanceState, Phase, SceneStart, Status, size,
};
use crate::network::PeerId;
use crate::show::{Lost, Show};
use crate::store::Store;
use boxstep_types::{Time, Value};
use robot::why_not_armed;
use std::time::Duration;

/// How often the leader tells the state of the performance.
const TELL_EACH: Duration = Duration::from_millis(200);
/// How long a signal is told.
pub(crate) const SIGNALS_FOR: f64 = 5.0;
/// How many signals are told at a time.
const MOST_SIGNALS: usize = 512;
/// How many entries about robots the account has at most.
const MOST_ENTRIES: usize = 100_000;
/// The least time between the announcement of a scene and its beginning.
const LEAD: f64 = 0.5;
/// The most time between both, however long the round trips that robots tell.
const MOST_LEAD: f64 = 5.0;
/// How long a robot that has still to load is waited for.
const PATIENCE: f64 = 10.0;
/// How long the leader stays to tell that the performance is over.
const FAREWELL: f64 = 2.0;
/// How long recordings are waited for, without any piece of them.
const COLLECTS: f64 = 5.0;

/// The files of a show.
pub trait Files {
    /// Reads at most this many bytes of a file. `None` if there is no such file, or it cannot be read.
    fn read(&self, digest: Digest, offset: u64, most: usize) -> Option<Vec<u8>>;
}

/// Leads a performance.
pub struct Leader<F> {
    show: Show,
    text: Vec<u8>,
    digest: Digest,
    files: F,
    performance: u64,
    /// How long all robots have to come and to be armed, in seconds.
    patience: f64,
    robots: Vec<Robot>,
    phase: Phase,
    began: FleetTime,
    /// When the last robot got more of its files.
    progressed: FleetTime,
    scene: Option<SceneStart>,
    /// When the first scene began.
    first: Option<FleetTime>,
    /// Since when the next scene could begin but for robots that still load.
    ready_since: Option<FleetTime>,
    signals: Vec<CueSignal>,
    account: Vec<Entry>,
    /// When it looked after its robots last.
    looked: FleetTime,
    told: Option<FleetTime>,
    changed: bool,
    serial: u64,
    ended: Option<FleetTime>,
    /// Where recordings are kept, if they are collected, and when the last piece came.
    collects: Option<Box<dyn Store + Send>>,
    collected: FleetTime,
    out: Vec<(Option<PeerId>, Message)>,
}

impl<F: Files> Leader<F> {
    /// Begins a performance. `performance` is its random number; `patience` how many seconds all robots have to come and
    /// to be armed, besides the time in which they get files.
    pub fn new(show: Show, files: F, performance: u64, patience: f64, now: Time) -> Self {
        // A show has text keys only, so it can be written as JSON.
        let text = serde_json::to_vec(&show).unwrap_or_default();
        let robots = show.robots.iter().map(|_| Robot::default()).collect();
        Self {
            digest: Digest::of(&text),
            show,
            text,
            files,
            performance,
            patience,
            robots,
            phase: Phase::Preparing,
            began: FleetTime(now.0),
            progressed: FleetTime(now.0),
            scene: None,
            first: None,
            ready_since: None,
            signals: Vec::new(),
            account: Vec::new(),
            looked: FleetTime(now.0),
            told: None,
            changed: true,
            serial: 0,
            ended: None,
            collects: None,
            collected: FleetTime(now.0),
            out: Vec::new(),
        }
    }

    /// Returns the show.
    pub fn show(&self) -> &Show {
        &self.show
    }

    /// Returns what is known of the robots, in the order of the show.
    pub fn robots(&self) -> &[Robot] {
        &self.robots
    }

    /// Returns what is going on.
    pub fn phase(&self) -> &Phase {
        &self.phase
    }

    /// Returns the scene that was announced last.
    pub fn scene(&self) -> Option<SceneStart> {
        self.scene
    }

    /// Returns the number of the performance.
    pub fn performance(&self) -> u64 {
        self.performance
    }

    /// Returns what has happened so far.
    pub fn account(&self) -> &[Entry] {
        &self.account
    }

    /// Takes the messages that are to be sent.
    pub fn take_messages(&mut self) -> Vec<(Option<PeerId>, Message)> {
        std::mem::take(&mut self.out)
    }

    /// Returns whether the performance is over, and all robots know. After a stop, it is told until each robot that was
    /// heard in this performance has said that it stopped; one that does not hear of it holds by itself after the time
    /// for which it may be alone.
    pub fn is_finished(&self, now: Time) -> bool {
        let Some(ended) = self.ended else { return false };
        let now = FleetTime(now.0);
        if self.collects.is_some()
            && !self.robots.iter().all(|robot| robot.has_told_all(self.performance))
            && now.seconds_since(ended.max(self.collected)) < COLLECTS
        {
            return false;
        }
        if matches!(self.phase, Phase::Stopped { .. }) {
            return self.unconfirmed().is_empty() || now.seconds_since(ended) > self.holds_after();
        }
        let knows = |robot: &Robot| {
            let status = robot.status.as_ref();
            robot.absent() || status.is_none_or(|status| status.performance != Some(self.performance))
        };
        self.robots.iter().all(knows) || now.seconds_since(ended) > FAREWELL
    }

    /// Returns the robots that have not said that they stopped, by their index, although everything was stopped.
    pub fn unconfirmed(&self) -> Vec<usize> {
        if !matches!(self.phase, Phase::Stopped { .. }) {
            return Vec::new();
        }
        let all = self.robots.iter().enumerate();
        all.filter(|(_, robot)| robot.may_play(self.performance)).map(|(index, _)| index).collect()
    }

    /// Returns after how many seconds without the leader a robot holds by itself.
    pub fn holds_after(&self) -> f64 {
        self.show.alone + LEASE.as_secs_f64()
    }

    /// Stops the robots of this performance at once.
    pub fn stop(&mut self, now: Time, by: &str) {
        // The number need not be random: a performance is stopped only once.
        let (number, performance) = (self.performance, Some(self.performance));
        self.out.push((None, Message::Stop { number, performance, by: by.to_owned() }));
        self.stopped(FleetTime(now.0), by);
    }

    /// Handles a message.
    pub fn receive(&mut self, now: Time, from: PeerId, message: Message) {
        let now = FleetTime(now.0);
        match message {
            Message::Ping { sent } => {
                self.out.push((Some(from), Message::Pong { sent, received: now, answered: now }));
            }
            Message::Want { digest, offset, count } => self.hand_out(from, digest, offset, count),
            Message::Status(status) => self.heard(now, from, *status),
            Message::Stop { performance, by, .. } if performance.is_none_or(|of| of == self.performance) => {
                self.stopped(now, &by);
            }
            Message::Chunk { digest, offset, bytes } => self.came(now, digest, offset, &bytes),
            Message::Ask
            | Message::Stop { .. }
            | Message::Performance(_)
            | Message::Pong { .. }
            | Message::Delegations(_)
            | Message::Answers(_) => {}
        }
        self.tell(now);
    }

    /// Lets time pass. To be called about every [`STEP`].
    pub fn tick(&mut self, now: Time) {
        let now = FleetTime(now.0);
        self.notice_lost(now);
        match &self.phase {
            Phase::Preparing => self.prepare(now),
            Phase::Playing | Phase::Holding { .. } => self.go_on(now),
            Phase::Over | Phase::CalledOff { .. } | Phase::Stopped { .. } => self.collect(now),
        }
        let before = self.signals.len();
        self.signals.retain(|signal| now.seconds_since(signal.due) < SIGNALS_FOR);
        self.changed |= self.signals.len() != before;
        self.tell(now);
    }

    fn hand_out(&mut self, to: PeerId, digest: Digest, offset: u64, count: u32) {
        let read = |offset: u64| {
            if digest != self.digest {
                return self.files.read(digest, offset, CHUNK);
            }
            let from = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
            Some(self.text[from..self.text.len().min(from.saturating_add(CHUNK))].to_vec())
        };
        self.out.extend(pieces(digest, offset, count, read).into_iter().map(|piece| (Some(to), piece)));
    }

    fn heard(&mut self, now: FleetTime, from: PeerId, mut status: Status) {
        status.shorten();
        let Some(index) = self.show.robot(&status.info.name) else { return };
        let robot = &mut self.robots[index];
        if robot.peer.is_some_and(|peer| peer != from) {
            if now.seconds_since(robot.heard) < LEASE.as_secs_f64() {
                self.changed |= robot.is_twin(from, now);
                return;
            }
            // The process was started again: it counts its signals from the beginning.
            robot.passed_on = 0;
        }
        if robot.peer != Some(from) {
            let twins = robot.twins.len();
            robot.twins.retain(|twin| twin.peer != from);
            self.changed |= robot.twins.len() < twins;
        } else if robot.status.as_ref().is_some_and(|last| last.serial >= status.serial) {
            return;
        }
        (robot.peer, robot.heard) = (Some(from), now);
        if let MemberState::Fetching { have, .. } = status.state
            && robot.fetched < have
        {
            (robot.fetched, self.progressed) = (have, now);
        }
        let (fired, before) = (status.fired.clone(), robot.status.replace(status));
        if std::mem::take(&mut robot.lost) {
            self.note(now, Some(index), Event::Back);
        }
        self.note_changes(now, index, before.as_ref());
        for fired in fired {
            self.pass_on(now, index, from, fired);
        }
    }

    /// Writes into the account what is new in the state of a robot.
    fn note_changes(&mut self, now: FleetTime, index: usize, before: Option<&Status>) {
        let Some(status) = self.robots[index].status.clone() else { return };
        if before.is_none() {
            self.note(now, Some(index), Event::Joined);
        }
        let is_new = before.is_none_or(|before| before.state != status.state);
        if is_new {
            let event = match &status.state {
                MemberState::Armed => Some(Event::Armed),
                MemberState::Refused { reasons } => Some(Event::Refused { reasons: reasons.clone() }),
                MemberState::Holding { why } => Some(Event::Held { why: why.clone() }),
                MemberState::Stopped { by } => Some(Event::Stopped { by: by.clone() }),
                _ => None,
            };
            event.into_iter().for_each(|event| self.note(now, Some(index), event));
        }
        if let Some(scene) = status.started.filter(|_| before.is_none_or(|before| before.started != status.started)) {
            self.note(now, Some(index), Event::Started { scene });
        }
        if let Some(scene) = status.done.filter(|_| before.is_none_or(|before| before.done != status.done)) {
            self.note(now, Some(index), Event::Ended { scene });
        }
        if let Some(text) = status.trouble.filter(|text| before.is_none_or(|b| b.trouble.as_ref() != Some(text))) {
            self.note(now, Some(index), Event::Trouble { text });
        }
    }

    /// Passes a robot's signal on to the robots of its cue.
    fn pass_on(&mut self, now: FleetTime, index: usize, by: PeerId, mut fired: Fired) {
        let robot = &mut self.robots[index];
        let Some(cue) = self.show.cues.get(fired.cue as usize).filter(|cue| cue.from == index) else { return };
        let after = Duration::from_secs_f64(cue.after);
        if fired.number <= robot.passed_on {
            // It is repeated until the robot knows that it was passed on.
            return;
        }
        robot.passed_on = fired.number;
        if !self.has_room(now, &fired.value) {
            let text = "a signal is lost: more come than can be passed on".to_owned();
            self.note(now, Some(index), Event::Trouble { text });
            return;
        }
        // A robot knows the leader's time more exactly than this.
        fired.at = fired.at.min(now.plus(LEASE));
        let due = fired.at.plus(after);
        let number = fired.cue;
        self.signals.push(CueSignal { by, fired, due });
        self.changed = true;
        self.note(now, Some(index), Event::Cue { cue: number });
    }

    /// Makes room for a signal in what is told, and returns whether there is any.
    fn has_room(&mut self, now: FleetTime, value: &Value) -> bool {
        let fits = |signals: &[CueSignal]| {
            let sizes = signals.iter().map(|signal| size(&signal.fired.value));
            signals.len() < MOST_SIGNALS && sizes.fold(size(value), usize::saturating_add) <= MOST_VALUES
        };
        if !fits(&self.signals) {
            // Who has not heard of these yet does not give them any more.
            self.signals.retain(|signal| now.seconds_since(signal.due) <= LATEST.as_secs_f64());
        }
        fits(&self.signals)
    }

    fn stopped(&mut self, now: FleetTime, by: &str) {
        if self.ended.is_none() {
            self.note(now, None, Event::Stopped { by: by.to_owned() });
            self.end(now, Phase::Stopped { by: by.to_owned() });
        }
    }

    fn end(&mut self, now: FleetTime, phase: Phase) {
        self.phase = phase;
        self.ended = Some(now);
        self.changed = true;
    }

    fn notice_lost(&mut self, now: FleetTime) {
        // It has not listened if its own process was suspended: whoever is there is heard soon.
        let listened = now.seconds_since(self.looked) < LEASE.as_secs_f64() / 2.0;
        self.looked = now;
        for index in 0..self.robots.len() {
            let robot = &mut self.robots[index];
            if !listened && !robot.lost {
                robot.heard = now;
            }
            let silent = robot.peer.is_some() && now.seconds_since(robot.heard) >= LEASE.as_secs_f64();
            if silent && !robot.lost && self.ended.is_none() {
                robot.lost = true;
                self.note(now, Some(index), Event::Lost);
            }
            let robot = &mut self.robots[index];
            robot.twins.retain(|twin| now.seconds_since(twin.heard) < LEASE.as_secs_f64());
            let new = robot.twins.iter_mut().find(|twin| twin.stays(now) && !twin.noted);
            if new.map(|twin| twin.noted = true).is_some() {
                let text = "two members have this name: the one that came later plays nothing".to_owned();
                self.note(now, Some(index), Event::Trouble { text });
            }
        }
    }

    /// Waits until all robots are armed.
    fn prepare(&mut self, now: FleetTime) {
        let armed = |robot: &Robot| {
            let status = robot.status_in(self.performance);
            !robot.lost && status.is_some_and(|status| status.state == MemberState::Armed)
        };
        let names = |robot: usize| self.show.robots[robot].name.as_str();
        if self.robots.iter().all(armed) {
            self.phase = Phase::Playing;
            let lead = self.lead();
            let at = now.plus(Duration::from_secs_f64(lead));
            self.first = Some(at);
            self.announce(now, SceneStart { scene: 0, at });
            return;
        }
        let mut reasons = Vec::new();
        for (index, robot) in self.robots.iter().enumerate() {
            if let Some(Status { state: MemberState::Refused { reasons: why }, .. }) = robot.status_in(self.performance)
            {
                reasons.extend(why.iter().map(|why| format!("{}: {why}", names(index))));
            }
            if robot.has_twin(now) {
                reasons.push(format!("{}: two members have this name", names(index)));
            }
        }
        if reasons.is_empty() && now.seconds_since(self.progressed) > self.patience {
            let late = self.robots.iter().enumerate().filter(|(_, robot)| !armed(robot));
            reasons.extend(
                late.map(|(index, robot)| format!("{}: {}", names(index), why_not_armed(robot, self.performance))),
            );
        }
        if !reasons.is_empty() {
            self.note(now, None, Event::CalledOff { reasons: reasons.clone() });
            self.end(now, Phase::CalledOff { reasons });
        }
    }

    /// Begins the next scene when its time has come, or ends the performance.
    fn go_on(&mut self, now: FleetTime) {
        let Some(start) = self.scene else { return };
        // A robot that was started again, or that another leader has taken, does not play here either.
        let gone = |robot: &Robot| robot.absent() || robot.status_in(self.performance).is_none();
        if let (Lost::Stop, Some(first)) = (self.show.lost, self.robots.iter().position(gone)) {
            let by = format!("the show, because {} was lost", self.show.robots[first].name);
            self.stop(Time(now.0), &by);
            return;
        }
        if !self.scene_is_over(now, start) {
            return;
        }
        let next = start.scene + 1;
        let Some(scene) = self.show.scenes.get(next as usize) else {
            self.note(now, None, Event::Over);
            self.end(now, Phase::Over);
            return;
        };
        let soonest = now.plus(Duration::from_secs_f64(self.lead()));
        let planned = scene.at.zip(self.first).map(|(at, first)| first.plus(Duration::from_secs_f64(at)));
        // Until the time of the next scene the one before it plays, whoever has been lost.
        if planned.is_some_and(|planned| planned > soonest.plus(Duration::from_secs(1))) {
            return;
        }
        let late: Vec<usize> = scene
            .parts
            .iter()
            .map(|part| part.robot)
            .filter(|robot| self.robots[*robot].absent() || !self.has_loaded(*robot, next))
            .collect();
        let since = *self.ready_since.get_or_insert(now);
        let waited = now.seconds_since(since) > PATIENCE;
        let missing: Vec<usize> = late.iter().copied().filter(|robot| waited || self.robots[*robot].absent()).collect();
        if missing.is_empty() {
            // What it waited for is there, and has only to load.
            self.changed |= self.phase != Phase::Playing;
            self.phase = Phase::Playing;
        }
        if missing.len() < late.len() {
            return;
        }
        if !missing.is_empty() && self.show.lost == Lost::Hold {
            self.wait_for(now, &missing);
            return;
        }
        self.phase = Phase::Playing;
        self.announce(now, SceneStart { scene: next, at: planned.map_or(soonest, |planned| planned.max(soonest)) });
    }

    /// Lets the show hold until these robots are there.
    fn wait_for(&mut self, now: FleetTime, missing: &[usize]) {
        let names: Vec<&str> = missing.iter().map(|robot| self.show.robots[*robot].name.as_str()).collect();
        let why = format!("waits for {}", names.join(", "));
        let holding = Phase::Holding { why: why.clone() };
        if self.phase != holding {
            self.note(now, None, Event::Held { why });
            self.phase = holding;
            self.changed = true;
        }
    }

    /// Returns whether the next scene may be announced.
    fn scene_is_over(&self, now: FleetTime, start: SceneStart) -> bool {
        let Some(scene) = self.show.scenes.get(start.scene as usize) else { return true };
        let played = now.seconds_since(start.at);
        if played < 0.0 {
            return false;
        }
        // A scene with a time of its own does not wait for the one before it.
        if self.show.scenes.get(start.scene as usize + 1).is_some_and(|next| next.at.is_some()) {
            return true;
        }
        let overdue = scene.at_most.is_some_and(|most| played > most + LEASE.as_secs_f64());
        let mut awaited = scene.parts.iter().filter(|part| !part.is_guest()).map(|part| &self.robots[part.robot]);
        let over = |robot: &Robot| match robot.status_in(self.performance) {
            _ if robot.absent() => true,
            // A robot that came back during the scene has no part in it.
            Some(status) => status.done >= Some(start.scene) || status.started < Some(start.scene) && played > 2.0,
            None => played > 2.0,
        };
        overdue || awaited.all(over)
    }

    fn has_loaded(&self, robot: usize, scene: u32) -> bool {
        self.robots[robot].status_in(self.performance).is_some_and(|status| status.loaded >= Some(scene))
    }

    fn announce(&mut self, now: FleetTime, start: SceneStart) {
        self.scene = Some(start);
        self.ready_since = None;
        self.changed = true;
        self.note(now, None, Event::Scene { scene: start.scene, at: start.at });
    }

    /// Returns how many seconds before its beginning a scene is announced, so that every robot hears of it in time.
    fn lead(&self) -> f64 {
        let clocks = self.robots.iter().filter_map(|robot| robot.status.as_ref()?.clock);
        // They are what others say.
        let worst = clocks.map(|clock| clock.round_trip).filter(|took| took.is_finite()).fold(0.0, f64::max);
        (3.0 * worst + 0.2).clamp(LEAD, MOST_LEAD)
    }

    fn note(&mut self, now: FleetTime, robot: Option<usize>, event: Event) {
        let at = now.seconds_since(self.began);
        if robot.is_some() && self.account.len() > MOST_ENTRIES {
            return;
        }
        self.account.push(Entry { at, robot, event });
        if self.account.len() == MOST_ENTRIES {
            let text = "the account is full: what robots do is not written any more".to_owned();
            self.account.push(Entry { at, robot: None, event: Event::Trouble { text } });
        }
    }

    fn tell(&mut self, now: FleetTime) {
        // What is to happen at an instant soon is repeated more often, so that every robot hears of it before.
        let soon = self.scene.map(|start| start.at).into_iter().chain(self.signals.iter().map(|signal| signal.due));
        let each = if soon.max() > Some(now) { STEP } else { TELL_EACH };
        let due = self.told.is_none_or(|told| now.seconds_since(told) >= each.as_secs_f64());
        if !due && !self.changed {
            return;
        }
        (self.told, self.changed) = (Some(now), false);
        self.serial += 1;
        let mut phase = self.phase.clone();
        phase.shorten();
        let latest = PerformanceState {
            performance: self.performance,
            serial: self.serial,
            show: self.digest,
            show_size: self.text.len() as u64,
            phase,
            scene: self.scene,
            signals: self.signals.clone(),
            twins: self.robots.iter().flat_map(|robot| &robot.twins).map(|twin| twin.peer).collect(),
        };
        self.out.push((None, Message::Performance(Box::new(latest))));
    }
}
