//! A robot and its leaders, whose messages arrive at once.

use boxstep_fleet::leader::{Event, Leader};
use boxstep_fleet::member::Member;
use boxstep_fleet::message::{MOST_BYTES, MemberInfo, MemberState, Message, Phase};
use boxstep_fleet::network::PeerId;
use boxstep_fleet::player::PlayerEvent;
use boxstep_fleet::show::Lost;
use boxstep_fleet::simulation::{MemoryFiles, ModelPlayer, ModelShow};
use boxstep_fleet::store::MemoryStore;
use boxstep_types::{Time, Value};

const ROBOT: PeerId = PeerId(7);

/// A robot, and leaders of a show each, the first of which leads performance 1.
struct Stage {
    now: Time,
    leaders: Vec<Leader<MemoryFiles>>,
    /// Which of the leaders are connected with the robot.
    heard: Vec<bool>,
    robot: Member<ModelPlayer, MemoryStore>,
    /// Nanoseconds by which the clock of the robot's computer is behind.
    behind: i64,
}

impl Stage {
    /// At first only the first leader is connected with the robot.
    fn new(shows: &[&ModelShow]) -> Self {
        let info = MemberInfo { name: "robot0".to_owned(), body: "nao".to_owned(), ..MemberInfo::default() };
        let lead = |(index, model): (usize, &&ModelShow)| {
            Leader::new(model.show.clone(), model.files.clone(), index as u64 + 1, 1000.0, Time::ZERO)
        };
        Self {
            now: Time::ZERO,
            leaders: shows.iter().enumerate().map(lead).collect(),
            heard: (0..shows.len()).map(|index| index == 0).collect(),
            robot: Member::new(ROBOT, info, shows[0].player(0), MemoryStore::default(), Time::ZERO),
            behind: 0,
        }
    }

    /// The time of the robot's computer.
    fn local(&self) -> Time {
        Time(self.now.0 - self.behind)
    }

    fn pass(&mut self, seconds: f64) {
        for _ in 0..(seconds * 20.0).round() as u32 {
            self.now = Time(self.now.0 + 50_000_000);
            self.robot.tick(self.local());
            self.leaders.iter_mut().for_each(|leader| leader.tick(self.now));
            self.exchange();
        }
    }

    fn exchange(&mut self) {
        loop {
            let mut idle = true;
            for (index, leader) in self.leaders.iter_mut().enumerate() {
                for (_, message) in leader.take_messages() {
                    assert!(message.encode().len() <= MOST_BYTES, "the network does not take it");
                    if self.heard[index] {
                        self.robot.receive(Time(self.now.0 - self.behind), PeerId(index as u64), message);
                        idle = false;
                    }
                }
            }
            for (to, message) in self.robot.take_messages() {
                assert!(message.encode().len() <= MOST_BYTES, "the network does not take it");
                for (index, leader) in self.leaders.iter_mut().enumerate() {
                    if self.heard[index] && to.is_none_or(|to| to == PeerId(index as u64)) {
                        leader.receive(self.now, ROBOT, message.clone());
                        idle = false;
                    }
                }
            }
            if idle {
                return;
            }
        }
    }

    fn state(&self) -> (Option<u64>, MemberState) {
        let status = self.robot.status(self.local());
        (status.performance, status.state)
    }

    fn signals(&mut self, value: Value) {
        let run = self.robot.run_clock().at(self.local());
        self.happens(PlayerEvent::Signal(0, value, run, 0));
    }

    fn happens(&mut self, event: PlayerEvent) {
        self.robot.player().happen(event);
    }

    /// Returns the words about failures that the first leader has heard.
    fn troubles(&self) -> Vec<String> {
        let text = |event: &Event| if let Event::Trouble { text } = event { Some(text.clone()) } else { None };
        self.leaders[0].account().iter().filter_map(|entry| text(&entry.event)).collect()
    }
}

fn show(seconds: f64, alone: f64) -> ModelShow {
    let mut model = ModelShow::new(1, &[seconds], Lost::GoOn);
    model.show.alone = alone;
    model
}

/// A show that waits for its robot as long as that is not there.
fn patient(alone: f64) -> ModelShow {
    let mut model = ModelShow::new(1, &[500.0, 500.0], Lost::Hold);
    model.show.alone = alone;
    model
}

const FREE: (Option<u64>, MemberState) = (None, MemberState::Free);

#[test]
fn the_clock_of_a_run_that_still_ends_does_not_go_back() {
    let short = show(2.0, 20.0);
    let mut stage = Stage::new(&[&short, &short]);
    let mut last = Time::ZERO;
    for step in 0..400 {
        stage.heard[1] = step > 200;
        stage.pass(0.05);
        let run = stage.robot.run_clock().at(stage.now);
        assert!(run > last, "it was {last:?} and is {run:?}");
        last = run;
    }
    assert_eq!((stage.leaders[0].phase(), stage.leaders[1].phase()), (&Phase::Over, &Phase::Over));
}

#[test]
fn a_stop_reaches_a_robot_that_is_free() {
    let short = show(2.0, 20.0);
    let mut stage = Stage::new(&[&short]);
    stage.heard[0] = false;
    stage.robot.receive(stage.now, PeerId(3), Message::Stop { number: 5, performance: None, by: "Ann".to_owned() });
    assert!(stage.robot.player().is_stopped);
    let mut stage = Stage::new(&[&short]);
    stage.robot.stop("Ann");
    assert!(stage.robot.player().is_stopped);
}

#[test]
fn a_leader_stops_its_own_show_and_no_other() {
    let long = show(20.0, 20.0);
    let mut stage = Stage::new(&[&long, &long]);
    stage.pass(5.0);
    stage.leaders[1].stop(stage.now, "Ann");
    stage.heard[1] = true;
    stage.pass(1.0);
    assert_eq!(stage.state(), (Some(1), MemberState::Playing));
    // Another leader hears of that stop, too.
    let others = Message::Stop { number: 9, performance: Some(2), by: "Ann".to_owned() };
    stage.leaders[0].receive(stage.now, ROBOT, others);
    assert_eq!(stage.leaders[0].phase(), &Phase::Playing);
    stage.leaders[0].stop(stage.now, "Bob");
    stage.pass(1.0);
    assert_eq!(stage.state(), (Some(1), MemberState::Stopped { by: "Bob".to_owned() }));
}

#[test]
fn a_robot_does_not_come_back_to_a_show_in_which_it_was_stopped() {
    let (long, short) = (patient(20.0), show(2.0, 20.0));
    let mut stage = Stage::new(&[&long, &short, &short]);
    stage.pass(5.0);
    assert_eq!(stage.state(), (Some(1), MemberState::Playing));
    stage.happens(PlayerEvent::Stopped("Ann".to_owned()));
    stage.pass(1.0);
    assert_eq!(stage.state().1, MemberState::Stopped { by: "Ann".to_owned() });
    // Two other shows play with it meanwhile.
    for other in [1, 2] {
        stage.heard[other] = true;
        stage.pass(10.0);
        assert_eq!(stage.leaders[other].phase(), &Phase::Over);
    }
    assert_eq!(stage.state(), FREE);
}

#[test]
fn nobody_takes_a_robot_while_its_scene_plays() {
    let long = patient(10.0);
    let mut stage = Stage::new(&[&long, &long]);
    stage.pass(5.0);
    (stage.heard[0], stage.heard[1]) = (false, true);
    stage.pass(9.0);
    assert_eq!(stage.state(), (Some(1), MemberState::Playing));
    stage.pass(3.0);
    assert_eq!(stage.state().0, Some(2), "it was alone for long enough");
    // The first leader is back, and the second one gone.
    (stage.heard[0], stage.heard[1]) = (true, false);
    stage.pass(30.0);
    assert_eq!(stage.state().0, Some(1));
}

#[test]
fn a_show_stops_if_a_robot_says_that_it_takes_no_part_any_more() {
    let model = ModelShow::new(1, &[60.0], Lost::Stop);
    for elsewhere in [None, Some(9)] {
        let mut stage = Stage::new(&[&model]);
        stage.pass(5.0);
        assert_eq!(stage.leaders[0].phase(), &Phase::Playing);
        let mut status = stage.robot.status(stage.now);
        (status.serial, status.performance, status.state) = (u64::MAX, elsewhere, MemberState::Free);
        stage.leaders[0].receive(stage.now, ROBOT, Message::Status(Box::new(status)));
        stage.leaders[0].tick(stage.now);
        assert!(matches!(stage.leaders[0].phase(), Phase::Stopped { .. }), "{elsewhere:?}");
    }
}

#[test]
fn a_robot_that_waits_is_given_back_once_its_leader_was_gone_for_long() {
    let long = patient(5.0);
    let mut stage = Stage::new(&[&long]);
    stage.pass(5.0);
    stage.heard[0] = false;
    stage.pass(10.0);
    assert!(matches!(stage.state(), (Some(1), MemberState::Holding { .. })));
    stage.pass(55.0);
    assert_eq!((stage.state(), stage.robot.player().is_open), (FREE, false));
    // The leader is back.
    stage.heard[0] = true;
    stage.pass(5.0);
    assert_eq!(stage.state().0, Some(1));
}

#[test]
fn a_robot_that_was_stopped_or_refused_is_given_back_too() {
    let long = patient(100.0);
    let mut stage = Stage::new(&[&long]);
    stage.pass(5.0);
    stage.happens(PlayerEvent::Stopped("Ann".to_owned()));
    stage.pass(1.0);
    stage.heard[0] = false;
    stage.pass(65.0);
    assert_eq!((stage.state(), stage.robot.player().is_open), (FREE, false));
    stage.heard[0] = true;
    stage.pass(5.0);
    assert_eq!(stage.state(), FREE, "it was stopped in this performance");

    let mut other = show(500.0, 5.0);
    other.show.robots[0].body = Some("pepper".to_owned());
    let mut stage = Stage::new(&[&other]);
    while !matches!(stage.state().1, MemberState::Refused { .. }) {
        assert!(stage.now < Time::from_millis(5000), "{:?}", stage.state());
        stage.pass(0.05);
    }
    stage.heard[0] = false;
    stage.pass(65.0);
    assert_eq!(stage.state(), FREE);
}

#[test]
fn a_signal_with_a_large_value_is_not_told_and_the_show_says_so() {
    let mut stage = Stage::new(&[&show(500.0, 20.0)]);
    stage.pass(5.0);
    stage.signals(Value::from("x".repeat(300_000)));
    stage.pass(1.0);
    let troubles = stage.troubles();
    assert!(troubles.last().is_some_and(|text| text.contains("300002 bytes")), "{troubles:?}");
    assert!(stage.robot.status(stage.now).fired.is_empty());
    // So many of them are not told at once, and then others are again.
    for _ in 0..200 {
        stage.signals(Value::from("x".repeat(10_000)));
    }
    stage.pass(10.0);
    assert!(stage.troubles().len() > troubles.len());
    assert!(stage.robot.status(stage.now).fired.is_empty());
    let cues = |stage: &Stage| {
        let account = stage.leaders[0].account();
        account.iter().filter(|entry| matches!(entry.event, Event::Cue { .. })).count()
    };
    let before = cues(&stage);
    stage.signals(Value::Null);
    stage.pass(1.0);
    assert_eq!(cues(&stage), before + 1);
}

#[test]
fn long_words_of_a_robot_are_shortened() {
    let mut stage = Stage::new(&[&show(500.0, 20.0)]);
    stage.pass(5.0);
    stage.happens(PlayerEvent::Ended(0, Some("é".repeat(300_000))));
    stage.pass(1.0);
    assert!(stage.troubles().last().is_some_and(|text| text.starts_with("ééé") && text.len() < 2000));
    let mut stage = Stage::new(&[&show(500.0, 20.0)]);
    stage.pass(0.3);
    stage.happens(PlayerEvent::Refused(vec!["\u{1}".repeat(300_000); 300]));
    stage.pass(5.0);
    assert!(matches!(stage.leaders[0].phase(), Phase::CalledOff { .. }), "{:?}", stage.leaders[0].phase());
    let mut stage = Stage::new(&[&show(500.0, 20.0)]);
    let stop = Message::Stop { number: 1, performance: None, by: "\u{1}".repeat(40_000) };
    stage.leaders[0].receive(stage.now, PeerId(3), stop);
    stage.pass(1.0);
}

#[test]
fn a_robot_whose_computer_has_slept_begins_the_next_scene_in_step() {
    let mut model = ModelShow::new(1, &[70.0, 5.0], Lost::GoOn);
    model.show.scenes[1].at = Some(80.0);
    let mut stage = Stage::new(&[&model]);
    stage.pass(5.0);
    // Its clock stands still for a minute, and then there is one message of before.
    (stage.now, stage.behind) = (Time(stage.now.0 + 60_000_000_000), 60_000_000_000);
    stage.pass(0.2);
    let known = stage.robot.estimate().unwrap().fleet_time(stage.local());
    assert!((known.0 - stage.now.0).abs() < 60_000_000, "it is {}, and the robot believes {known:?}", stage.now);
    assert!(stage.robot.status(stage.local()).clock.unwrap().exchanges < 8);
    while stage.robot.playing().is_none_or(|(scene, _)| scene == 0) {
        assert!(stage.now < Time::from_millis(100_000), "{:?}", stage.state());
        stage.pass(0.05);
    }
    let (_, since) = stage.robot.playing().unwrap();
    let played = stage.robot.run_clock().at(stage.local()).0 - since.0;
    let wanted = stage.now.0 - stage.leaders[0].scene().unwrap().at.0;
    assert!((played - wanted).abs() < 10_000_000, "it has played for {played} and should have for {wanted}");
}

#[test]
fn a_second_robot_of_a_name_waits_until_the_first_one_is_gone_and_the_show_says_so() {
    let mut model = ModelShow::new(1, &[6.0, 6.0, 6.0], Lost::GoOn);
    model.show.alone = 1.0;
    let mut leader = Leader::new(model.show.clone(), model.files.clone(), 1, 60.0, Time::ZERO);
    let info = MemberInfo { name: "robot0".to_owned(), body: "nao".to_owned(), ..MemberInfo::default() };
    let member = |id: PeerId, now: Time| Member::new(id, info.clone(), model.player(0), MemoryStore::default(), now);
    let mut robots = vec![(PeerId(7), member(PeerId(7), Time::ZERO))];
    let scene = |leader: &Leader<MemoryFiles>| leader.scene().map(|start| start.scene);
    let (mut seen, mut now) = (Vec::new(), Time::ZERO);
    while !leader.is_finished(now) {
        assert!(now < Time::from_millis(60_000), "{:?}", leader.account());
        now = Time(now.0 + 50_000_000);
        match (scene(&leader), robots.as_slice()) {
            // Another one joins in the first scene, and the first one goes in the second.
            (Some(0), [_]) => robots.push((PeerId(9), member(PeerId(9), now))),
            (Some(1), [(PeerId(7), first), _]) if first.playing().is_some_and(|(scene, _)| scene == 1) => {
                drop(robots.remove(0));
            }
            _ => {}
        }
        leader.tick(now);
        robots.iter_mut().for_each(|(_, robot)| robot.tick(now));
        for (to, message) in leader.take_messages() {
            for (_, robot) in robots.iter_mut().filter(|(id, _)| to.is_none_or(|to| to == *id)) {
                robot.receive(now, PeerId(0), message.clone());
            }
        }
        for (id, robot) in &mut robots {
            robot.take_messages().into_iter().for_each(|(_, message)| leader.receive(now, *id, message));
        }
        seen.extend(robots.iter().filter_map(|(id, robot)| Some((robot.playing()?.0, *id))));
    }
    seen.dedup();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [(0, PeerId(7)), (1, PeerId(7)), (2, PeerId(9))]);
    let troubles = leader.account().iter().filter(|entry| matches!(entry.event, Event::Trouble { .. }));
    assert_eq!(troubles.count(), 1, "{:?}", leader.account());
}
