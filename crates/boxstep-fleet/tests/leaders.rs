//! What a leader takes from robots that tell too much.

use boxstep_fleet::clock::FleetTime;
use boxstep_fleet::digest::Digest;
use boxstep_fleet::leader::{Event, Leader};
use boxstep_fleet::message::{
    ClockQuality, Fired, MOST_BYTES, MemberInfo, MemberState, Message, PerformanceState, Phase, Recording, Status,
};
use boxstep_fleet::network::PeerId;
use boxstep_fleet::show::Lost;
use boxstep_fleet::simulation::{MemoryFiles, ModelShow};
use boxstep_fleet::store::MemoryStore;
use boxstep_types::{Time, Value};

/// A leader whose robot says whatever the test wants.
struct Led {
    now: Time,
    serial: u64,
    leader: Leader<MemoryFiles>,
}

impl Led {
    /// A show that plays.
    fn new() -> Self {
        let model = ModelShow::new(1, &[60.0], Lost::GoOn);
        let mut led =
            Self { now: Time::ZERO, serial: 0, leader: Leader::new(model.show, model.files, 1, 60.0, Time::ZERO) };
        led.says(|status| (status.state, status.started) = (MemberState::Armed, None));
        led.pass(1.0);
        assert_eq!(led.leader.phase(), &Phase::Playing);
        led
    }

    fn says(&mut self, change: impl FnOnce(&mut Status)) {
        self.serial += 1;
        let mut status = Status {
            serial: self.serial,
            info: MemberInfo { name: "robot0".to_owned(), ..MemberInfo::default() },
            performance: Some(1),
            state: MemberState::Playing,
            loaded: Some(0),
            started: Some(0),
            done: None,
            position: None,
            clock: None,
            fired: Vec::new(),
            trouble: None,
            recordings: Vec::new(),
            records: Some(1),
        };
        change(&mut status);
        self.leader.receive(self.now, PeerId(7), Message::Status(Box::new(status)));
    }

    /// Lets time pass, and returns the last state that the leader has told.
    fn pass(&mut self, seconds: f64) -> Option<PerformanceState> {
        let mut last = None;
        for _ in 0..(seconds * 20.0).round() as u32 {
            self.now = Time(self.now.0 + 50_000_000);
            self.leader.tick(self.now);
            self.says(|_| {});
            for (_, message) in self.leader.take_messages() {
                assert!(message.encode().len() <= MOST_BYTES, "the network does not take it");
                if let Message::Performance(state) = message {
                    last = Some(*state);
                }
            }
        }
        last
    }

    fn entries(&self, of: impl Fn(&Event) -> bool) -> usize {
        self.leader.account().iter().filter(|entry| of(&entry.event)).count()
    }
}

fn fired(number: u64, at: FleetTime, value: Value) -> Fired {
    Fired { number, cue: 0, at, value }
}

#[test]
fn a_leader_that_was_suspended_takes_no_robot_for_lost_before_it_could_hear_it() {
    let mut led = Led::new();
    led.pass(1.0);
    led.now = Time(led.now.0 + 1_300_000_000);
    led.pass(1.0);
    let is_lost = |event: &Event| matches!(event, Event::Lost);
    assert_eq!(led.entries(is_lost), 0, "{:?}", led.leader.account());
    // One that is gone is missed after another second.
    led.now = Time(led.now.0 + 1_300_000_000);
    for _ in 0..25 {
        led.leader.tick(led.now);
        led.now = Time(led.now.0 + 50_000_000);
    }
    assert_eq!(led.entries(is_lost), 1);
}

#[test]
fn a_signal_of_the_far_future_is_one_of_now() {
    let mut led = Led::new();
    for (number, at) in [(1, i64::MAX), (2, i64::MIN)] {
        led.says(|status| status.fired = vec![fired(number, FleetTime(at), Value::Null)]);
        let told = led.pass(0.1).unwrap();
        assert!(told.signals.iter().all(|signal| signal.due <= FleetTime(led.now.0 + 2_000_000_000)), "{told:?}");
    }
    assert_eq!(led.entries(|event| matches!(event, Event::Cue { .. })), 2);
    let told = led.pass(10.0).unwrap();
    assert!(told.signals.is_empty(), "{told:?}");
}

#[test]
fn no_number_of_signals_makes_the_state_too_large() {
    let mut led = Led::new();
    let mut number = 0;
    for length in [0, 100, 10_000, 200_000] {
        for _ in 0..20 {
            let at = FleetTime(led.now.0);
            let mut next = || {
                number += 1;
                fired(number, at, Value::from("x".repeat(length)))
            };
            let many: Vec<Fired> = (0..60).map(|_| next()).collect();
            led.says(|status| status.fired = many);
        }
        led.pass(1.0);
    }
    let is_trouble = |event: &Event| matches!(event, Event::Trouble { .. });
    assert!(led.entries(is_trouble) > 0, "what is not passed on is told");
    // Once there is room again, signals are passed on.
    led.pass(10.0);
    let (passed_on, at) = (led.entries(|event| matches!(event, Event::Cue { .. })), FleetTime(led.now.0));
    led.says(|status| status.fired = vec![fired(number + 1, at, Value::Null)]);
    assert_eq!(led.entries(|event| matches!(event, Event::Cue { .. })), passed_on + 1);
}

#[test]
fn the_account_does_not_grow_for_ever() {
    let mut led = Led::new();
    for n in 0..200_000 {
        led.says(|status| status.done = Some(n % 2));
    }
    let account = led.leader.account();
    assert!(account.len() < 150_000, "{}", account.len());
    assert!(matches!(&account.last().unwrap().event, Event::Trouble { text } if text.contains("full")));
    // What concerns the whole show is told all the same.
    led.leader.stop(led.now, "Ann");
    assert!(matches!(led.leader.account().last().unwrap().event, Event::Stopped { .. }));
}

#[test]
fn no_round_trip_that_a_robot_tells_puts_a_scene_off_for_long() {
    for round_trip in [1e300, f64::MAX, -1e300] {
        let model = ModelShow::new(1, &[60.0], Lost::GoOn);
        let leader = Leader::new(model.show, model.files, 1, 60.0, Time::ZERO);
        let mut led = Led { now: Time::ZERO, serial: 0, leader };
        let clock = ClockQuality { round_trip, ..ClockQuality::default() };
        led.says(|status| (status.state, status.clock) = (MemberState::Armed, Some(clock)));
        led.leader.tick(led.now);
        let start = led.leader.scene().unwrap();
        assert!((0.5..=5.0).contains(&start.at.seconds_since(FleetTime(0))), "{start:?}");
    }
}

#[test]
fn a_recording_that_is_not_what_it_should_be_is_given_up() {
    let mut led = Led::new();
    led.leader = led.leader.collecting(MemoryStore::default());
    let right = Recording { performance: 1, digest: Digest::of(b"right"), size: 5 };
    led.leader.stop(led.now, "Ann");
    let (mut wanted, began) = (0, led.now);
    while !led.leader.is_finished(led.now) {
        assert!(led.now < Time(began.0 + 20_000_000_000), "it waits for ever");
        led.now = Time(led.now.0 + 50_000_000);
        led.says(|status| {
            status.state = MemberState::Stopped { by: "Ann".to_owned() };
            (status.recordings, status.records) = (vec![right], None);
        });
        led.leader.tick(led.now);
        for (_, message) in led.leader.take_messages() {
            if let Message::Want { digest, .. } = message {
                wanted += 1;
                let chunk = Message::Chunk { digest, offset: 0, bytes: b"wrong".to_vec() };
                led.leader.receive(led.now, PeerId(7), chunk);
            }
        }
        // Pieces that nobody wants keep nobody here.
        let other = Message::Chunk { digest: Digest::of(b"other"), offset: 0, bytes: b"other".to_vec() };
        led.leader.receive(led.now, PeerId(7), other);
    }
    assert_eq!((wanted, led.leader.recordings()), (3, vec![vec![]]));
    assert_eq!(led.entries(|event| matches!(event, Event::Trouble { text } if text.contains("the recording"))), 1);
}

#[test]
fn pieces_that_nobody_wants_do_not_keep_a_leader_that_waits_for_a_recording() {
    let mut led = Led::new();
    led.leader = led.leader.collecting(MemoryStore::default());
    led.leader.stop(led.now, "Ann");
    let began = led.now;
    while !led.leader.is_finished(led.now) {
        assert!(led.now < Time(began.0 + 20_000_000_000), "it waits for ever");
        led.now = Time(led.now.0 + 50_000_000);
        led.says(|status| {
            status.state = MemberState::Stopped { by: "Ann".to_owned() };
            // It never hands it out.
            status.recordings = vec![Recording { performance: 1, digest: Digest::of(b"right"), size: 5 }];
        });
        led.leader.tick(led.now);
        let other = Message::Chunk { digest: Digest::of(b"other"), offset: 0, bytes: b"other".to_vec() };
        led.leader.receive(led.now, PeerId(7), other);
    }
    // The trace of a robot that was stopped is waited for.
    assert!(led.now > Time(began.0 + 4_000_000_000), "{:?}", led.now);
}
