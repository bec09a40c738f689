//! A fleet in virtual time: leader and members over a network with delay, loss and partitions, on computers whose clocks
//! run apart and that may crash. Everything comes from a seed, so a run is the same each time.

mod model;

pub use model::{ModelPlayer, ModelShow};

use crate::clock::FleetTime;
use crate::digest::Digest;
use crate::leader::{Files, Leader};
use crate::member::{Member, STEP};
use crate::message::{MemberInfo, Message};
use crate::network::PeerId;
use crate::player::Player;
use crate::show::Show;
use crate::store::{MemoryStore, Store};
use boxstep_types::{Random, Time};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::rc::Rc;

/// How messages to and from one computer travel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// The least and the most seconds from this computer to the network.
    pub up: (f64, f64),
    /// The same, from the network to this computer.
    pub down: (f64, f64),
    /// Which part of the messages is lost, each way.
    pub loss: f64,
    /// How much faster this computer's clock runs than true time, in millionths.
    pub drift: f64,
}

impl Default for Link {
    /// A cable: a tenth of a millisecond, no loss, no drift.
    fn default() -> Self {
        Self { up: (0.000_05, 0.000_05), down: (0.000_05, 0.000_05), loss: 0.0, drift: 0.0 }
    }
}

/// The files of a show, in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles(pub Rc<BTreeMap<Digest, Vec<u8>>>);

impl Files for MemoryFiles {
    fn read(&self, digest: Digest, offset: u64, most: usize) -> Option<Vec<u8>> {
        let bytes = self.0.get(&digest)?;
        let from = usize::try_from(offset).ok()?.min(bytes.len());
        Some(bytes[from..bytes.len().min(from.saturating_add(most))].to_vec())
    }
}

/// A computer.
struct Node<M> {
    link: Link,
    /// The true time at which its clock was zero, in nanoseconds.
    zero: i64,
    /// The part of the network in which it is.
    part: u32,
    /// Its process; `None` if that is not running.
    process: Option<(PeerId, M)>,
}

impl<M> Node<M> {
    fn local(&self, truth: i64) -> Time {
        let passed = truth - self.zero;
        Time(passed + (passed as f64 * self.link.drift * 1e-6).round() as i64)
    }
}

enum Happening {
    /// A process looks after its state.
    Tick(usize, PeerId),
    /// A message arrives.
    Arrival { to: usize, peer: PeerId, from: PeerId, message: Rc<Message> },
}

/// How often a stop is sent.
const STOPS: u32 = 5;

/// The index of the leader's computer; robot `n` is at `n + 1`.
const LEADER: usize = 0;

/// A fleet in virtual time.
pub struct Simulation<P> {
    now: i64,
    random: Random,
    serial: u64,
    queue: BinaryHeap<Reverse<(i64, u64, usize)>>,
    happenings: Vec<Option<Happening>>,
    free: Vec<usize>,
    leader: Node<Leader<MemoryFiles>>,
    members: Vec<Node<Member<P, MemoryStore>>>,
    cards: Vec<MemberInfo>,
    stores: Vec<MemoryStore>,
    make: Box<dyn FnMut(usize) -> P>,
    /// Where the process of each peer is.
    peers: BTreeMap<PeerId, usize>,
    sent: u64,
}

impl<P: Player> Simulation<P> {
    /// A performance of a show, whose leader begins at once. `make` creates the player of a robot, each time its process
    /// starts; `links` has the link of the leader's computer, and then those of the robots.
    pub fn new(
        show: &Show,
        files: MemoryFiles,
        links: &[Link],
        seed: u64,
        make: impl FnMut(usize) -> P + 'static,
    ) -> Self {
        let link = |at: usize| links.get(at).copied().unwrap_or_default();
        let mut random = Random::new(seed);
        let performance = random.next_u64();
        let leader = Leader::new(show.clone(), files, performance, 60.0, Time::ZERO);
        let body = |robot: usize| show.robots[robot].body.clone().unwrap_or_else(|| "nao".to_owned());
        let info = |robot: usize| MemberInfo {
            name: show.robots[robot].name.clone(),
            body: body(robot),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            robot: "simulated".to_owned(),
        };
        let mut simulation = Self {
            now: 0,
            random,
            serial: 0,
            queue: BinaryHeap::new(),
            happenings: Vec::new(),
            free: Vec::new(),
            leader: Node { link: link(LEADER), zero: 0, part: 0, process: None },
            members: Vec::new(),
            cards: (0..show.robots.len()).map(info).collect(),
            stores: vec![MemoryStore::default(); show.robots.len()],
            make: Box::new(make),
            peers: BTreeMap::new(),
            sent: 0,
        };
        let id = simulation.new_peer(LEADER);
        simulation.leader.process = Some((id, leader));
        for robot in 0..show.robots.len() {
            simulation.members.push(Node { link: link(robot + 1), zero: 0, part: 0, process: None });
            simulation.start(robot);
        }
        simulation
    }

    /// Lets the leader collect the traces of the robots' runs.
    pub fn collect(&mut self, store: impl Store + Send + 'static) {
        if let Some((id, leader)) = self.leader.process.take() {
            self.leader.process = Some((id, leader.collecting(store)));
        }
    }

    fn new_peer(&mut self, at: usize) -> PeerId {
        let id = PeerId(self.random.next_u64());
        self.peers.insert(id, at);
        let phase = (self.random.unit() * STEP.as_nanos() as f64) as i64;
        self.schedule(self.now + phase, Happening::Tick(at, id));
        id
    }

    /// Starts the process of a robot whose process does not run.
    pub fn start(&mut self, robot: usize) {
        if self.members[robot].process.is_some() {
            return;
        }
        // The clock of a computer that was started begins anywhere.
        self.members[robot].zero = self.now - (self.random.unit() * 1e13) as i64;
        let id = self.new_peer(robot + 1);
        let player = (self.make)(robot);
        let node = &mut self.members[robot];
        let store = self.stores[robot].clone();
        node.process = Some((id, Member::new(id, self.cards[robot].clone(), player, store, node.local(self.now))));
    }

    /// Kills the process of a robot. Its files remain.
    pub fn kill(&mut self, robot: usize) {
        if let Some((id, member)) = self.members[robot].process.take() {
            self.peers.remove(&id);
            self.stores[robot] = member.store().clone();
        }
    }

    /// Kills the leader's process.
    pub fn kill_leader(&mut self) {
        if let Some((id, _)) = self.leader.process.take() {
            self.peers.remove(&id);
        }
    }

    /// Puts a robot's computer into a part of the network: only computers of the same part hear each other. All begin in
    /// part 0, and the leader stays there.
    pub fn move_to_part(&mut self, robot: usize, part: u32) {
        self.members[robot].part = part;
    }

    /// Changes the link of a robot's computer. Its clock does not jump.
    pub fn set_link(&mut self, robot: usize, link: Link) {
        let drift = self.members[robot].link.drift;
        self.members[robot].link = Link { drift, ..link };
    }

    /// Stops everything, as a person at the computer of this robot does.
    pub fn stop_from(&mut self, robot: usize) {
        let number = self.random.next_u64();
        let Some((id, _)) = &self.members[robot].process else { return };
        let by = self.cards[robot].name.clone();
        let (id, message) = (*id, Message::Stop { number, performance: None, by: by.clone() });
        // A message may be lost.
        for _ in 0..STOPS {
            self.send(id, robot + 1, None, message.clone());
        }
        if let Some((_, member)) = &mut self.members[robot].process {
            member.stop(&by);
        }
    }

    /// Returns the true time, in seconds since the beginning.
    pub fn seconds(&self) -> f64 {
        self.now as f64 / 1e9
    }

    /// Returns how many messages were sent.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Returns the leader, if its process runs.
    pub fn leader(&self) -> Option<&Leader<MemoryFiles>> {
        self.leader.process.as_ref().map(|(_, leader)| leader)
    }

    /// Returns whether the performance is over.
    pub fn is_finished(&self) -> bool {
        let now = self.leader.local(self.now);
        self.leader().is_none_or(|leader| leader.is_finished(now))
    }

    /// Returns the member of a robot, if its process runs.
    pub fn member(&mut self, robot: usize) -> Option<&mut Member<P, MemoryStore>> {
        self.members[robot].process.as_mut().map(|(_, member)| member)
    }

    /// Returns by how many seconds a robot is ahead of the show at this moment, if it plays.
    pub fn deviation(&self, robot: usize) -> Option<f64> {
        let start = self.leader()?.scene()?;
        let node = &self.members[robot];
        let (_, member) = node.process.as_ref()?;
        let (_, since) = member.playing().filter(|(scene, _)| *scene == start.scene as usize)?;
        let run = member.run_clock().at(node.local(self.now));
        let played = run.as_secs_f64() - since.as_secs_f64();
        let wanted = FleetTime(self.leader.local(self.now).0).seconds_since(start.at);
        (played >= 0.0 && wanted >= 0.0).then_some(played - wanted)
    }

    /// Returns the time of a robot's run at this moment, and what the leader's clock shows.
    pub fn times(&self, robot: usize) -> Option<(Time, FleetTime)> {
        let node = &self.members[robot];
        let (_, member) = node.process.as_ref()?;
        Some((member.run_clock().at(node.local(self.now)), FleetTime(self.leader.local(self.now).0)))
    }

    /// Lets this many seconds of true time pass.
    pub fn run_for(&mut self, seconds: f64) {
        let until = self.now + (seconds * 1e9) as i64;
        while let Some(Reverse((at, _, index))) = self.queue.peek().copied() {
            if at > until {
                break;
            }
            self.queue.pop();
            self.now = self.now.max(at);
            let Some(happening) = self.happenings[index].take() else { continue };
            self.free.push(index);
            self.happen(happening);
        }
        self.now = until;
    }

    fn schedule(&mut self, at: i64, happening: Happening) {
        self.serial += 1;
        let index = match self.free.pop() {
            Some(index) => {
                self.happenings[index] = Some(happening);
                index
            }
            None => {
                self.happenings.push(Some(happening));
                self.happenings.len() - 1
            }
        };
        self.queue.push(Reverse((at, self.serial, index)));
    }

    fn happen(&mut self, happening: Happening) {
        let (at, peer, came) = match happening {
            Happening::Tick(at, peer) => (at, peer, None),
            Happening::Arrival { to, peer, from, message } => (to, peer, Some((from, message))),
        };
        if self.peers.get(&peer) != Some(&at) {
            return;
        }
        let ticks = came.is_none();
        let out = if at == LEADER {
            let now = self.leader.local(self.now);
            let Some((_, leader)) = &mut self.leader.process else { return };
            match came {
                Some((from, message)) => leader.receive(now, from, (*message).clone()),
                None => leader.tick(now),
            }
            leader.take_messages()
        } else {
            let node = &mut self.members[at - 1];
            let now = node.local(self.now);
            let Some((_, member)) = &mut node.process else { return };
            match came {
                Some((from, message)) => member.receive(now, from, (*message).clone()),
                None => member.tick(now),
            }
            member.take_messages()
        };
        for (to, message) in out {
            self.send(peer, at, to, message);
        }
        if ticks {
            self.schedule(self.now + STEP.as_nanos() as i64, Happening::Tick(at, peer));
        }
    }

    fn link(&self, at: usize) -> (Link, u32) {
        match at.checked_sub(1) {
            None => (self.leader.link, self.leader.part),
            Some(robot) => (self.members[robot].link, self.members[robot].part),
        }
    }

    fn send(&mut self, from: PeerId, at: usize, to: Option<PeerId>, message: Message) {
        let message = Rc::new(message);
        let others: Vec<(PeerId, usize)> = match to {
            Some(peer) => self.peers.get(&peer).map(|at| (peer, *at)).into_iter().collect(),
            None => self.peers.iter().map(|(peer, at)| (*peer, *at)).filter(|(peer, _)| *peer != from).collect(),
        };
        let (source, part) = self.link(at);
        for (peer, to) in others {
            self.sent += 1;
            let (target, their_part) = self.link(to);
            let lost = self.random.unit() < source.loss || self.random.unit() < target.loss;
            let up = source.up.0 + (source.up.1 - source.up.0) * self.random.unit();
            let down = target.down.0 + (target.down.1 - target.down.0) * self.random.unit();
            if lost || part != their_part {
                continue;
            }
            let arrival = Happening::Arrival { to, peer, from, message: message.clone() };
            self.schedule(self.now + ((up + down) * 1e9) as i64, arrival);
        }
    }
}
