//! The side of a robot: gets the files of a show, loads, starts with the others, stays in step, and holds if it is left
//! alone.
//!
//! A member is a machine without threads or sockets: it is given messages and times, and returns messages.

mod elsewhere;
mod following;
mod recordings;

use crate::clock::{ClockFilter, Estimate, Exchange, FleetTime, SlewClock};
use crate::fetch::{Fetch, Fetched};
use crate::message::{
    ClockQuality, Fired, MemberInfo, MemberState, Message, PerformanceState, Phase, Recording, Status,
};
use crate::network::PeerId;
use crate::player::{PartId, Player, PlayerEvent, SignalId};
use crate::sample::Sample;
use crate::show::Show;
use crate::store::Store;
use boxstep_types::Time;
use elsewhere::Others;
use following::{Following, Playing};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// After how long a peer that is not heard is lost.
pub const LEASE: Duration = Duration::from_secs(1);
/// How late a robot may begin a scene; later, it waits for the next one. At 2 % it catches up within 25 s.
pub const LATEST: Duration = Duration::from_millis(500);
/// How often a member looks after its clock and its state.
pub const STEP: Duration = Duration::from_millis(50);

const STATUS_EACH: Duration = Duration::from_millis(200);
const PING_EACH: Duration = Duration::from_millis(200);
/// How long who has asked for the state is told of it.
const ASKED: Duration = Duration::from_secs(3);
/// After how long a robot that plays nothing is given back if there is no leader.
const GIVEN_BACK: Duration = Duration::from_secs(60);
/// How many performances that are over are remembered.
const MOST_PAST: usize = 100;
/// How many stops are remembered, so that a repetition is recognized.
const MOST_STOPS: usize = 1000;
/// How many exchanges of time a member wants before it says that it is armed.
pub(crate) const EXCHANGES: u32 = 8;

/// A robot of a fleet.
pub struct Member<P, S> {
    id: PeerId,
    info: MemberInfo,
    player: P,
    store: S,
    run: SlewClock,
    clock: ClockFilter,
    askers: BTreeMap<PeerId, Time>,
    following: Option<Following>,
    /// The last performances that are over for this member.
    past: VecDeque<u64>,
    /// The traces of the last performance of which one has ended.
    recordings: Vec<Recording>,
    stops: VecDeque<u64>,
    others: Others,
    next_number: u64,
    serial: u64,
    pinged: Option<Time>,
    told: Option<(Time, Status)>,
    out: Vec<(Option<PeerId>, Message)>,
}

impl<P: Player, S: Store> Member<P, S> {
    /// Creates a member that is free. `id` is the peer as which others see it.
    pub fn new(id: PeerId, info: MemberInfo, player: P, store: S, now: Time) -> Self {
        Self {
            id,
            info,
            player,
            store,
            run: SlewClock::starting(now),
            clock: ClockFilter::default(),
            askers: BTreeMap::new(),
            following: None,
            past: VecDeque::new(),
            recordings: Vec::new(),
            stops: VecDeque::new(),
            others: Others::default(),
            next_number: 1,
            serial: 0,
            pinged: None,
            told: None,
            out: Vec::new(),
        }
    }

    /// Returns the clock that the run must follow.
    pub fn run_clock(&self) -> SlewClock {
        self.run
    }

    /// Returns the player.
    pub fn player(&mut self) -> &mut P {
        &mut self.player
    }

    /// Returns the files.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Returns what is known of the leader's clock.
    pub fn estimate(&self) -> Option<Estimate> {
        self.clock.estimate()
    }

    /// Returns the scene that plays, and its beginning by the run's clock.
    pub fn playing(&self) -> Option<(usize, Time)> {
        let playing = self.following.as_ref()?.playing.filter(|playing| !playing.ended)?;
        Some((playing.scene, playing.since))
    }

    /// Takes the messages that are to be sent.
    pub fn take_messages(&mut self) -> Vec<(Option<PeerId>, Message)> {
        std::mem::take(&mut self.out)
    }

    /// Handles a message.
    pub fn receive(&mut self, now: Time, from: PeerId, message: Message) {
        match message {
            Message::Ask => self.asked(now, from),
            Message::Performance(latest) => self.led(now, from, *latest),
            Message::Pong { sent, received, answered } => {
                if let Some(following) = self.following.as_mut().filter(|following| following.leader == from)
                    && self.clock.add(Exchange { sent, received, answered, returned: now })
                {
                    // What plays stays as late as it is now; the next scene begins in step again.
                    following.ahead = None;
                }
            }
            Message::Chunk { digest, offset, bytes } => {
                if let Some(following) = &mut self.following {
                    following.fetch.came(now, digest, offset, &bytes, &mut self.store);
                }
            }
            Message::Stop { number, performance, by } => self.stopped(number, performance, by),
            Message::Want { digest, offset, count } => self.hand_out(from, digest, offset, count),
            Message::Delegations(wanted) => self.delegated(now, from, &wanted),
            Message::Answers(answers) => self.answered(now, from, &answers),
            Message::Status(_) | Message::Ping { .. } => return,
        }
        self.go_on(now);
        self.tell(now);
    }

    /// Lets time pass. To be called about every [`STEP`].
    pub fn tick(&mut self, now: Time) {
        self.keep_step(now);
        self.ask_time(now);
        let run = self.run.at(now);
        for happened in self.player.poll(run) {
            self.happened(now, happened);
        }
        self.tell_clock(now);
        // The player has told what happened before the next scene began.
        if let Some(following) = &mut self.following {
            following.begin_next(run);
        }
        self.delegate(now);
        self.keep_recordings();
        self.alone(now);
        self.go_on(now);
        self.tell(now);
    }

    /// Stops everything here at once, and tells the others that this robot takes no further part. The run of a
    /// performance that is over may still end.
    pub fn stop(&mut self, by: &str) {
        self.player.stop();
        if let Some(following) = &mut self.following {
            following.stopped.get_or_insert_with(|| by.to_owned());
        }
    }

    /// Remembers who wants to know the state of this member, and tells it.
    fn asked(&mut self, now: Time, by: PeerId) {
        if self.askers.insert(by, now).is_none() {
            self.told = None;
        }
        self.askers.retain(|_, asked| now.since(*asked) < ASKED);
    }

    fn led(&mut self, now: Time, from: PeerId, latest: PerformanceState) {
        self.asked(now, from);
        match &mut self.following {
            Some(following) if following.latest.performance == latest.performance => {
                if following.leader == from && following.latest.serial < latest.serial {
                    following.heard = now;
                    following.latest = latest;
                    self.follow(now);
                }
                return;
            }
            // A robot that plays a scene alone holds after a while; until then nobody else may move it.
            Some(following) => {
                let left = now.since(following.heard) >= LEASE && !following.plays();
                if following.stopped.is_none() && following.refused.is_empty() && !left {
                    return;
                }
            }
            None => {}
        }
        if latest.phase.is_over() || self.past.contains(&latest.performance) {
            return;
        }
        self.leave();
        // The run's clock goes on: what is closed may still need it.
        self.clock = ClockFilter::default();
        let fetch = Fetch::of_show(latest.show, latest.show_size);
        self.following = Some(Following::new(from, now, latest, fetch));
        self.follow(now);
    }

    /// Does what the phase of the performance wants.
    fn follow(&mut self, now: Time) {
        let fleet = self.fleet_time(now);
        let Some(following) = &mut self.following else { return };
        following.forget_signals(self.id, fleet);
        match following.latest.phase.clone() {
            Phase::Preparing => {}
            Phase::Playing => {
                following.holding = None;
                self.give(now);
            }
            Phase::Holding { why } => {
                if !following.plays() && following.stopped.is_none() && following.holding.is_none() {
                    self.hold(why);
                }
                // The scene that still plays has its signals.
                self.give(now);
            }
            Phase::Over | Phase::CalledOff { .. } => self.leave(),
            Phase::Stopped { by } => {
                if following.stopped.is_none() {
                    self.stop(&by);
                }
            }
        }
    }

    /// Ends the part in a performance.
    fn leave(&mut self) {
        if let Some(following) = self.following.take() {
            // If only its leader was lost, it may come back to it.
            if following.is_over() {
                self.past.push_back(following.latest.performance);
            }
            if self.past.len() > MOST_PAST {
                self.past.pop_front();
            }
            self.player.close();
        }
    }

    fn stopped(&mut self, number: u64, performance: Option<u64>, by: String) {
        if self.stops.contains(&number) {
            return;
        }
        self.stops.push_back(number);
        if self.stops.len() > MOST_STOPS {
            self.stops.pop_front();
        }
        // Who is cut off from the sender may be heard by this one.
        self.out.push((None, Message::Stop { number, performance, by: by.clone() }));
        // The run of a performance that is over may still end.
        let current = self.following.as_ref().map(|following| following.latest.performance);
        if performance.is_none() || performance == current.or(self.player.records()) {
            self.stop(&by);
        }
    }

    fn hold(&mut self, why: String) {
        let Some(following) = &mut self.following else { return };
        let posture = following.show.as_ref().and_then(|(show, _)| show.posture.clone());
        if following.prepared {
            self.player.hold(posture.as_deref());
        }
        if let Some(playing) = &mut following.playing {
            playing.ended = true;
            following.done = Some(playing.scene);
        }
        following.holding = Some(why);
    }

    /// Gives the signals of other robots.
    fn give(&mut self, now: Time) {
        let (run, fleet) = (self.run.at(now), self.fleet_time(now));
        let Some(following) = &mut self.following else { return };
        let (Some((show, me)), true, Some(fleet)) = (&following.show, following.prepared, fleet) else { return };
        if self.clock.exchanges() < EXCHANGES {
            return;
        }
        let ahead = *following.ahead.get_or_insert(run.0.saturating_sub(fleet.0));
        for signal in &following.latest.signals {
            let cue = signal.fired.cue as usize;
            let mine = show.cues.get(cue).is_some_and(|cue| cue.to.contains(me));
            if !mine || fleet.seconds_since(signal.due) > LATEST.as_secs_f64() {
                continue;
            }
            if following.seen.insert((signal.by, signal.fired.number)) {
                let due = Time(signal.due.0.saturating_add(ahead)).max(run);
                let id = SignalId { by: signal.by, number: signal.fired.number };
                self.player.cue(cue, id, &signal.fired.value, due);
            }
        }
    }

    fn happened(&mut self, now: Time, happened: PlayerEvent) {
        let fleet = |local: Time| self.clock.estimate().map(|estimate| estimate.fleet_time(local));
        let Some(following) = &mut self.following else { return };
        match happened {
            PlayerEvent::Prepared => following.prepared = true,
            PlayerEvent::Refused(reasons) if following.latest.phase == Phase::Preparing => following.refused = reasons,
            PlayerEvent::Refused(reasons) => {
                following.trouble = reasons.into_iter().next();
                following.lose(now);
            }
            PlayerEvent::Loaded(scene) => {
                following.loaded = Some(scene);
                following.tries = 0;
                following.loading = following.loading.filter(|loading| *loading != scene);
            }
            PlayerEvent::Ended(scene, failed) => {
                if failed.is_some() {
                    following.trouble = failed;
                }
                if let Some(playing) = following.playing.as_mut().filter(|playing| playing.scene == scene) {
                    playing.ended = true;
                }
                following.done = following.done.max(Some(scene));
            }
            PlayerEvent::Signal(cue, value, at, event) => {
                let Some(at) = fleet(self.run.local_time(at).min(now)) else { return };
                match following.room_for(&value) {
                    Ok(()) => {
                        following.fired.push(Fired { number: self.next_number, cue: cue as u32, at, value });
                        self.player.gave(cue, self.next_number, event);
                        self.next_number += 1;
                    }
                    Err(why) => following.trouble = Some(why),
                }
            }
            PlayerEvent::Lost(why) => {
                following.trouble = Some(why);
                following.lose(now);
            }
            PlayerEvent::Stopped(by) => drop(following.stopped.get_or_insert(by)),
        }
    }

    /// Looks after a robot whose leader is not heard any more.
    fn alone(&mut self, now: Time) {
        let run = self.run.at(now);
        let Some(following) = &mut self.following else { return };
        let silent = now.since(following.heard);
        if silent < LEASE {
            return;
        }
        let alone = following.show.as_ref().map_or(0.0, |(show, _)| show.alone);
        if following.plays() {
            // A start that the player was told cannot be taken back; the scene is ended when it has begun.
            let begun = following.next.is_none() && following.playing.is_some_and(|playing| run > playing.since);
            if silent.as_secs_f64() > alone && begun {
                self.hold(format!("the leader has been lost for {alone} s"));
            }
        } else if silent >= GIVEN_BACK {
            self.leave();
        } else if following.playing.is_some() && following.stopped.is_none() && following.holding.is_none() {
            self.hold("the leader is lost".to_owned());
        }
    }

    /// Takes the next steps towards playing.
    fn go_on(&mut self, now: Time) {
        let Some(following) = &mut self.following else { return };
        if following.stopped.is_some() || !following.refused.is_empty() {
            return;
        }
        if let Some(fetched) = following.fetch.go_on(now, &mut self.store) {
            match fetched {
                Fetched::Want(message) => self.out.push((Some(following.leader), message)),
                Fetched::Show(show) => match admitted(&show, &self.info) {
                    Ok(me) => {
                        following.fetch.of_packages(&show, me);
                        following.show = Some((*show, me));
                    }
                    Err(why) => following.refused = vec![why],
                },
                Fetched::All => following.again = Some(now),
                Fetched::Failed(why) => following.refused = vec![why],
            }
        }
        if following.again.take_if(|again| now >= *again).is_some() {
            let part = PartId { performance: following.latest.performance, process: self.id.0 };
            if let Some((show, me)) = &following.show {
                self.player.prepare(show, *me, part);
            }
        }
        self.load_next(now);
        self.start_next(now);
        self.end_in_time(now);
    }

    /// Loads the scene that comes next, while the one before it plays.
    fn load_next(&mut self, now: Time) {
        let fleet = self.fleet_time(now);
        let Some(following) = self.following.as_mut().filter(|following| following.prepared) else { return };
        let Some((show, _)) = &following.show else { return };
        let announced = following.latest.scene.map_or(0, |start| {
            let late = fleet.is_some_and(|fleet| fleet.seconds_since(start.at) > LATEST.as_secs_f64());
            start.scene as usize + usize::from(late)
        });
        let next = following.latest_started().map_or(0, |scene| scene + 1).max(announced);
        if next < show.scenes.len() && following.loaded.max(following.loading) < Some(next) {
            following.loading = Some(next);
            self.player.load(next);
        }
    }

    /// Starts the scene that the leader has announced, if it is loaded.
    fn start_next(&mut self, now: Time) {
        let (run, fleet) = (self.run.at(now), self.fleet_time(now));
        let Some(following) = &mut self.following else { return };
        let (Some(start), Some(fleet)) = (following.latest.scene, fleet) else { return };
        let scene = start.scene as usize;
        let new = following.next.is_none() && following.latest_started().is_none_or(|started| started < scene);
        let plays = following.latest.phase == Phase::Playing && !following.latest.twins.contains(&self.id);
        let ready = following.prepared && following.loaded == Some(scene) && plays;
        let ready = ready && self.clock.exchanges() >= EXCHANGES;
        if !new || !ready || fleet.seconds_since(start.at) > LATEST.as_secs_f64() {
            return;
        }
        let ahead = following.ahead.get_or_insert(run.0.saturating_sub(fleet.0));
        let wanted = Time(start.at.0.saturating_add(*ahead));
        // A robot that begins late catches up: its clock is to be ahead of the leader's by so much more.
        let at = wanted.max(run);
        *ahead = ahead.saturating_add(at.0.saturating_sub(wanted.0));
        following.holding = None;
        following.next = Some(Playing { scene, since: at, ended: false, ending: false });
        self.player.start(scene, at);
    }

    /// Ends a scene that has played as long as it may.
    fn end_in_time(&mut self, now: Time) {
        let run = self.run.at(now);
        let Some(following) = &mut self.following else { return };
        let (Some((show, _)), Some(playing)) = (&following.show, &mut following.playing) else { return };
        let most = show.scenes.get(playing.scene).and_then(|scene| scene.at_most);
        let over = most.is_some_and(|most| run.as_secs_f64() - playing.since.as_secs_f64() > most);
        if over && !playing.ended && !playing.ending {
            playing.ending = true;
            self.player.end();
        }
    }

    /// Lets the run's clock follow the leader's.
    fn keep_step(&mut self, now: Time) {
        let (Some(estimate), Some(ahead)) = (self.clock.estimate(), self.following.as_ref().and_then(|f| f.ahead))
        else {
            return;
        };
        let target = Time(estimate.fleet_time(now).0.saturating_add(ahead));
        self.run.follow(now, target, estimate.drift);
    }

    /// Tells the player which time of the show it is, for its recording.
    fn tell_clock(&mut self, now: Time) {
        let Some(estimate) = self.clock.estimate().filter(|_| self.following.is_some()) else { return };
        self.player.clock(Sample {
            run: self.run.at(now),
            fleet: estimate.fleet_time(now),
            rate: (1.0 + estimate.drift) / self.run.rate(),
            error: estimate.error,
        });
    }

    fn ask_time(&mut self, now: Time) {
        let Some(following) = &self.following else { return };
        // The first exchanges follow each other quickly, so that a robot is soon armed.
        let each = if self.clock.exchanges() < EXCHANGES { STEP } else { PING_EACH };
        if self.pinged.is_none_or(|pinged| now.since(pinged) >= each) {
            self.pinged = Some(now);
            self.out.push((Some(following.leader), Message::Ping { sent: now }));
        }
    }

    fn fleet_time(&self, now: Time) -> Option<FleetTime> {
        self.clock.estimate().map(|estimate| estimate.fleet_time(now))
    }

    /// Tells the state to those who have asked for it, if it is new or they have not heard it for a while.
    fn tell(&mut self, now: Time) {
        self.askers.retain(|_, asked| now.since(*asked) < ASKED);
        if self.askers.is_empty() {
            return;
        }
        let mut status = self.status(now);
        // A signal is repeated until the leader has passed it on.
        let each = if status.fired.is_empty() { STATUS_EACH } else { STEP };
        let due = self.told.as_ref().is_none_or(|(told, last)| now.since(*told) >= each || differs(last, &status));
        if due {
            self.serial += 1;
            status.serial = self.serial;
            self.out.extend(self.askers.keys().map(|asker| (Some(*asker), Message::Status(Box::new(status.clone())))));
            self.told = Some((now, status));
        }
    }

    /// Returns the state of this member.
    pub fn status(&self, now: Time) -> Status {
        let run = self.run.at(now);
        let mut status = Status {
            serial: self.serial,
            info: self.info.clone(),
            performance: None,
            state: MemberState::Free,
            loaded: None,
            started: None,
            done: None,
            position: None,
            clock: None,
            fired: Vec::new(),
            trouble: None,
            recordings: self.recordings.clone(),
            records: self.player.records(),
        };
        let Some(following) = &self.following else { return status };
        let index = |scene: usize| scene as u32;
        status.performance = Some(following.latest.performance);
        status.state = following.state(self.clock.exchanges());
        status.loaded = following.loaded.map(index);
        status.started = following.playing.map(|playing| index(playing.scene));
        status.done = following.done.map(index);
        let plays = following.playing.filter(|playing| !playing.ended);
        status.position = plays.map(|playing| run.as_secs_f64() - playing.since.as_secs_f64());
        status.fired.clone_from(&following.fired);
        status.trouble.clone_from(&following.trouble);
        status.shorten();
        status.clock = self.clock.estimate().map(|estimate| {
            let target = |ahead: i64| estimate.fleet_time(now).0.saturating_add(ahead);
            ClockQuality {
                error: estimate.error.as_secs_f64(),
                drift: estimate.drift * 1e6,
                round_trip: self.clock.round_trip().unwrap_or_default().as_secs_f64(),
                behind: following.ahead.map_or(0.0, |ahead| target(ahead).saturating_sub(run.0) as f64 / 1e9),
                exchanges: self.clock.exchanges(),
            }
        });
        status
    }
}

/// Returns whether leaders should hear of a change at once.
fn differs(last: &Status, now: &Status) -> bool {
    let of = |status: &Status| (status.loaded, status.started, status.done, status.fired.len(), status.performance);
    let kept = |status: &Status| (status.recordings.len(), status.records);
    of(last) != of(now) || last.state != now.state || kept(last) != kept(now)
}

/// Returns which robot of a show a member is.
fn admitted(show: &Show, info: &MemberInfo) -> Result<usize, String> {
    show.check().map_err(|why| format!("the show cannot be played: {why}"))?;
    let me = show.robot(&info.name).ok_or_else(|| format!("the show has no robot called {}", info.name))?;
    match &show.robots[me].body {
        Some(body) if *body != info.body => Err(format!("the show wants the body {body}, and this is {}", info.body)),
        _ => Ok(me),
    }
}
