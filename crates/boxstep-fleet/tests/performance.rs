//! Performances over a network in virtual time.

use boxstep_fleet::digest::Digest;
use boxstep_fleet::leader::{Entry, Event, Leader};
use boxstep_fleet::member::Member;
use boxstep_fleet::message::{MemberInfo, MemberState, Message, Phase};
use boxstep_fleet::network::PeerId;
use boxstep_fleet::player::PlayerEvent;
use boxstep_fleet::show::Lost;
use boxstep_fleet::simulation::{Link, MemoryFiles, ModelPlayer, ModelShow, Simulation};
use boxstep_fleet::store::MemoryStore;
use boxstep_types::{Random, Time};

type Fleet = Simulation<ModelPlayer>;

/// Links like a bad Wi-Fi: 1–80 ms, longer towards the robots, 5 % loss, clocks that run apart by 100 millionths.
fn wifi(robots: usize) -> Vec<Link> {
    let drift = |n: usize| [100.0, -100.0, 37.0, -61.0][n % 4];
    let robot = |n: usize| Link { up: (0.0005, 0.02), down: (0.0005, 0.06), loss: 0.05, drift: drift(n) };
    let leader = Link { drift: -50.0, ..Link::default() };
    std::iter::once(leader).chain((0..robots).map(robot)).collect()
}

fn fleet(model: &ModelShow, links: &[Link], seed: u64) -> Fleet {
    let players = model.clone();
    Simulation::new(&model.show, model.files.clone(), links, seed, move |robot| players.player(robot))
}

fn told(fleet: &Fleet) -> (Phase, Vec<Entry>) {
    let leader = fleet.leader().unwrap();
    (leader.phase().clone(), leader.account().to_vec())
}

/// Lets time pass until the performance is over, in steps of a tenth of a second.
fn to_the_end(fleet: &mut Fleet, most: f64, mut each: impl FnMut(&mut Fleet)) {
    while !fleet.is_finished() {
        assert!(fleet.seconds() < most, "not finished: {:#?}", told(fleet));
        fleet.run_for(0.1);
        each(fleet);
    }
}

/// Lets time pass until a scene plays.
fn until_scene(fleet: &mut Fleet, scene: u32) {
    while fleet.leader().unwrap().scene().is_none_or(|start| start.scene < scene) {
        assert!(fleet.seconds() < 100.0, "no scene: {:#?}", told(fleet));
        fleet.run_for(0.05);
    }
    fleet.run_for(1.0);
}

fn state(fleet: &mut Fleet, robot: usize) -> MemberState {
    // Its own time does not matter for its state.
    fleet.member(robot).unwrap().status(Time::ZERO).state
}

fn started(account: &[Entry], robot: usize) -> Vec<u32> {
    let of = |entry: &Entry| match entry.event {
        Event::Started { scene } if entry.robot == Some(robot) => Some(scene),
        _ => None,
    };
    account.iter().filter_map(of).collect()
}

#[test]
fn robots_stay_in_step_for_ten_minutes_on_a_bad_network() {
    let model = ModelShow::new(8, &[60.0; 10], Lost::GoOn);
    let mut fleet = fleet(&model, &wifi(8), 1);
    let mut off = Vec::new();
    to_the_end(&mut fleet, 700.0, |fleet| {
        off.extend((0..8).filter_map(|robot| fleet.deviation(robot)).map(f64::abs));
    });
    off.sort_by(f64::total_cmp);
    let (phase, account) = told(&fleet);
    assert_eq!(phase, Phase::Over);
    let p99 = off[off.len() * 99 / 100] * 1e3;
    println!(
        "8 robots, 10 min: off by {:.2} ms in the median, {p99:.2} ms p99, {:.2} ms at most",
        off[off.len() / 2] * 1e3,
        off[off.len() - 1] * 1e3
    );
    assert!(p99 <= 10.0, "p99 {p99} ms");
    for robot in 0..8 {
        assert_eq!(started(&account, robot), (0..10).collect::<Vec<_>>());
    }
    // Each signal was passed on once, and each robot got it once, at the same time of the scene.
    let cues = account.iter().filter(|entry| matches!(entry.event, Event::Cue { .. })).count();
    assert_eq!(cues, 10);
    assert!((1..8).all(|robot| fleet.member(robot).unwrap().player().cues.len() == 10));
}

#[test]
fn the_same_seed_gives_the_same_performance() {
    let account = |seed| {
        let model = ModelShow::new(4, &[5.0; 4], Lost::GoOn);
        let mut fleet = fleet(&model, &wifi(4), seed);
        until_scene(&mut fleet, 1);
        fleet.kill(2);
        fleet.run_for(1.7);
        fleet.start(2);
        to_the_end(&mut fleet, 100.0, |_| {});
        (fleet.sent(), format!("{:?}", told(&fleet)))
    };
    assert_eq!(account(5), account(5));
    assert_ne!(account(5), account(6));
}

/// Kills a robot at an instant, and starts it again after a while.
fn killed(seed: u64, lost: Lost) -> (Fleet, usize) {
    let model = ModelShow::new(3, &[4.0, 3.0, 5.0, 4.0], lost);
    let mut fleet = fleet(&model, &wifi(3), seed);
    let mut random = Random::new(seed);
    let robot = (random.next_u64() % 3) as usize;
    let (at, gone) = (random.unit() * 18.0, 0.2 + random.unit() * 6.0);
    until_scene(&mut fleet, 0);
    fleet.run_for(at);
    fleet.kill(robot);
    fleet.run_for(gone);
    fleet.start(robot);
    (fleet, robot)
}

fn many() -> u64 {
    std::env::var("BOXSTEP_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(200)
}

#[test]
fn a_robot_that_is_killed_at_any_instant_rejoins_and_the_others_go_on() {
    for seed in 0..many() {
        let (mut fleet, robot) = killed(seed, Lost::GoOn);
        let came = fleet.leader().unwrap().scene().map(|start| start.scene);
        let was_over = fleet.is_finished();
        let mut off: f64 = 0.0;
        to_the_end(&mut fleet, 100.0, |fleet| {
            let others = (0..3).filter(|other| *other != robot);
            off = others.filter_map(|other| fleet.deviation(other)).map(f64::abs).fold(off, f64::max);
            assert!(fleet.deviation(robot).is_none_or(|off| off.abs() < 0.55), "seed {seed}");
        });
        let (phase, account) = told(&fleet);
        assert_eq!(phase, Phase::Over, "seed {seed}");
        assert!(off < 0.05, "seed {seed}: off by {off} s");
        for other in (0..3).filter(|other| *other != robot) {
            assert_eq!(started(&account, other), [0, 1, 2, 3], "seed {seed}: robot {other}");
        }
        // It plays again in the next scene but one at the latest, if there is one.
        let again = started(&account, robot);
        if let Some(came) = came.filter(|came| *came + 2 < 4 && !was_over) {
            assert!(
                again.iter().any(|scene| *scene > came && *scene <= came + 2),
                "seed {seed}: {again:?} after {came}"
            );
        }
    }
}

#[test]
fn a_show_that_holds_waits_for_the_robot_and_leaves_out_no_scene() {
    for seed in 0..many() / 4 {
        let (mut fleet, robot) = killed(seed, Lost::Hold);
        to_the_end(&mut fleet, 100.0, |_| {});
        let (phase, account) = told(&fleet);
        assert_eq!(phase, Phase::Over, "seed {seed}");
        let all = |robot: usize| started(&account, robot).into_iter().collect::<std::collections::BTreeSet<_>>();
        assert!((0..3).filter(|other| *other != robot).all(|other| all(other).len() == 4), "seed {seed}: {account:#?}");
    }
}

#[test]
fn a_show_that_stops_leaves_no_robot_playing() {
    for seed in 0..many() / 4 {
        let model = ModelShow::new(3, &[4.0; 3], Lost::Stop);
        let mut fleet = fleet(&model, &wifi(3), seed);
        until_scene(&mut fleet, 0);
        fleet.run_for(seed as f64 % 8.0);
        fleet.kill(1);
        to_the_end(&mut fleet, 100.0, |_| {});
        assert!(matches!(told(&fleet).0, Phase::Stopped { .. }), "seed {seed}");
        fleet.run_for(1.0);
        for robot in [0, 2] {
            assert!(fleet.member(robot).unwrap().player().is_stopped, "seed {seed}: robot {robot}");
        }
    }
}

#[test]
fn a_robot_without_a_leader_ends_its_scene_and_holds() {
    let model = ModelShow::new(3, &[4.0, 4.0, 4.0], Lost::GoOn);
    let mut fleet = fleet(&model, &wifi(3), 3);
    until_scene(&mut fleet, 1);
    fleet.move_to_part(1, 7);
    fleet.run_for(1.5);
    assert_eq!(state(&mut fleet, 1), MemberState::Playing, "the scene goes on");
    fleet.run_for(4.0);
    assert_eq!(state(&mut fleet, 1), MemberState::Holding { why: "the leader is lost".to_owned() });
    assert_eq!(fleet.member(1).unwrap().player().holds.as_deref(), Some("Crouch"));
    // It comes back, and the show goes on with it.
    fleet.move_to_part(1, 0);
    to_the_end(&mut fleet, 60.0, |_| {});
    assert_eq!(told(&fleet).0, Phase::Over);
}

#[test]
fn a_robot_whose_scene_never_ends_holds_once_it_was_alone_for_long() {
    let mut model = ModelShow::new(2, &[500.0], Lost::GoOn);
    model.show.alone = 5.0;
    let mut fleet = fleet(&model, &wifi(2), 4);
    until_scene(&mut fleet, 0);
    fleet.kill_leader();
    fleet.run_for(3.0);
    assert_eq!(state(&mut fleet, 0), MemberState::Playing);
    fleet.run_for(4.0);
    for robot in [0, 1] {
        assert!(matches!(state(&mut fleet, robot), MemberState::Holding { .. }));
        assert!(fleet.member(robot).unwrap().player().holds.is_some());
    }
}

#[test]
fn no_partition_leaves_a_robot_playing_for_ever() {
    for seed in 0..many() / 4 {
        let mut model = ModelShow::new(4, &[30.0, 500.0], Lost::GoOn);
        model.show.alone = 4.0;
        model.show.scenes[1].at_most = None;
        let mut fleet = fleet(&model, &wifi(4), seed);
        let mut random = Random::new(seed);
        until_scene(&mut fleet, 0);
        fleet.run_for(random.unit() * 50.0);
        let parts: Vec<u32> = (0..4).map(|_| (random.next_u64() % 3) as u32).collect();
        for (robot, part) in parts.iter().enumerate() {
            fleet.move_to_part(robot, *part);
        }
        fleet.run_for(3.0);
        // Somebody stops everything at a robot that is cut off from the leader, or not.
        let stopper = (random.next_u64() % 4) as usize;
        fleet.stop_from(stopper);
        fleet.run_for(10.0);
        // Who is with the leader, and is not reached by the stop, plays on.
        for robot in (0..4).filter(|robot| parts[*robot] != 0 || parts[stopper] == 0) {
            let player = fleet.member(robot).unwrap().player();
            assert!(player.is_stopped || player.holds.is_some(), "seed {seed}: robot {robot}: {player:?}");
        }
    }
}

#[test]
fn whoever_stops_the_show_stops_all_robots() {
    for seed in 0..20 {
        let model = ModelShow::new(5, &[60.0], Lost::GoOn);
        let mut fleet = fleet(&model, &wifi(5), seed);
        until_scene(&mut fleet, 0);
        fleet.stop_from(3);
        fleet.run_for(1.0);
        for robot in 0..5 {
            assert!(fleet.member(robot).unwrap().player().is_stopped, "seed {seed}: robot {robot}");
        }
        // A robot that starts again takes no part in what was stopped.
        fleet.kill(2);
        fleet.start(2);
        fleet.run_for(3.0);
        assert_eq!(state(&mut fleet, 2), MemberState::Free);
    }
}

#[test]
fn a_robot_that_a_person_stops_takes_no_further_part_and_one_that_is_lost_does() {
    let model = ModelShow::new(3, &[4.0; 4], Lost::GoOn);
    let mut fleet = fleet(&model, &wifi(3), 6);
    until_scene(&mut fleet, 0);
    fleet.member(1).unwrap().player().happen(PlayerEvent::Stopped("Ann".to_owned()));
    fleet.member(2).unwrap().player().happen(PlayerEvent::Lost("no link".to_owned()));
    fleet.run_for(1.0);
    assert_eq!(state(&mut fleet, 1), MemberState::Stopped { by: "Ann".to_owned() });
    to_the_end(&mut fleet, 60.0, |_| {});
    let (phase, account) = told(&fleet);
    assert_eq!(phase, Phase::Over);
    assert_eq!((started(&account, 0).len(), started(&account, 1)), (4, vec![0]));
    // The other one was connected again and plays on.
    assert!(started(&account, 2).len() >= 3, "{account:#?}");
}

#[test]
fn a_robot_that_is_armed_for_another_show_is_not_counted_on() {
    let model = ModelShow::new(1, &[2.0], Lost::GoOn);
    let mut leader = Leader::new(model.show.clone(), model.files.clone(), 1, 5.0, Time::ZERO);
    let mut member = Member::new(
        PeerId(7),
        MemberInfo { name: "robot0".to_owned(), body: "nao".to_owned(), ..MemberInfo::default() },
        model.player(0),
        MemoryStore::default(),
        Time::ZERO,
    );
    for step in 0..120 {
        let now = Time::from_millis(step * 50);
        let mut status = member.status(now);
        (status.serial, status.performance, status.state) = (step as u64 + 1, Some(2), MemberState::Armed);
        (status.loaded, status.done) = (Some(0), Some(0));
        leader.receive(now, PeerId(7), Message::Status(Box::new(status)));
        leader.tick(now);
        member.tick(now);
    }
    let reasons = vec!["robot0: takes part in another show".to_owned()];
    assert_eq!(leader.phase(), &Phase::CalledOff { reasons });
}

#[test]
fn files_that_still_come_are_waited_for() {
    let mut model = ModelShow::new(1, &[2.0], Lost::GoOn);
    // Its file takes longer than robots have to be armed.
    let slow = Link { up: (0.5, 0.5), down: (2.0, 2.0), ..Link::default() };
    let archive: Vec<u8> = (0..20_000_000u32).map(|n| (n * 7 % 251) as u8).collect();
    let digest = Digest::of(&archive);
    (model.show.packages[0].size, model.show.packages[0].digest) = (archive.len() as u64, digest);
    model.files = MemoryFiles(std::rc::Rc::new([(digest, archive)].into()));
    let mut fleet = fleet(&model, &[Link::default(), slow], 1);
    to_the_end(&mut fleet, 600.0, |_| {});
    assert!(fleet.seconds() > 70.0, "{}", fleet.seconds());
    assert_eq!(told(&fleet).0, Phase::Over);
}

#[test]
fn a_show_is_called_off_with_the_reasons() {
    let mut model = ModelShow::new(3, &[5.0], Lost::GoOn);
    model.show.robots[1].body = Some("pepper".to_owned());
    let players = model.clone();
    let mut asked = model.show.clone();
    asked.robots[1].body = Some("nao".to_owned());
    // The members have NAOs; the show of the leader wants a Pepper.
    let mut fleet: Fleet = Simulation::new(&asked, model.files.clone(), &[], 1, move |robot| players.player(robot));
    fleet.kill(2);
    to_the_end(&mut fleet, 100.0, |_| {});
    let Phase::CalledOff { reasons } = told(&fleet).0 else { panic!("{:?}", told(&fleet)) };
    assert_eq!(reasons, ["robot2: no member of this name is there"]);
    assert!(fleet.seconds() > 60.0, "it was waited for");
}

#[test]
fn the_files_of_a_show_survive_a_robot_that_is_killed_while_it_fetches() {
    let model = ModelShow::new(2, &[3.0], Lost::GoOn);
    for seed in 0..20 {
        let mut fleet = fleet(&model, &wifi(2), seed);
        fleet.run_for(0.05 * seed as f64);
        fleet.kill(1);
        fleet.run_for(0.5);
        fleet.start(1);
        to_the_end(&mut fleet, 100.0, |_| {});
        assert_eq!(told(&fleet).0, Phase::Over, "seed {seed}");
    }
}

#[test]
fn the_leader_collects_the_traces_of_all_robots() {
    let model = ModelShow::new(3, &[3.0], Lost::GoOn);
    for seed in 0..10 {
        let players = model.clone();
        let store = MemoryStore::default();
        let mut fleet: Fleet =
            Simulation::new(&model.show, model.files.clone(), &wifi(3), seed, move |r| players.player(r));
        fleet.collect(store);
        to_the_end(&mut fleet, 60.0, |_| {});
        let recordings = fleet.leader().unwrap().recordings();
        let mut different = recordings.concat();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), 3, "each robot has its own");
    }
}

#[test]
fn a_thousand_robots_play_faster_than_real_time() {
    let model = ModelShow::new(1000, &[4.0, 4.0], Lost::GoOn);
    let links: Vec<Link> = wifi(1000).into_iter().map(|link| Link { loss: 0.01, ..link }).collect();
    let began = std::time::Instant::now();
    let mut fleet = fleet(&model, &links, 9);
    to_the_end(&mut fleet, 100.0, |_| {});
    assert_eq!(told(&fleet).0, Phase::Over);
    println!(
        "1,000 robots: {:.1} s in {:.1} s, {} messages",
        fleet.seconds(),
        began.elapsed().as_secs_f64(),
        fleet.sent()
    );
}

#[test]
fn a_stop_is_told_until_a_robot_that_is_silent_hears_of_it() {
    for seed in 0..10 {
        let model = ModelShow::new(3, &[60.0], Lost::GoOn);
        let mut fleet = fleet(&model, &wifi(3), seed);
        until_scene(&mut fleet, 0);
        fleet.move_to_part(1, 7);
        fleet.run_for(1.5);
        fleet.stop_from(0);
        fleet.run_for(5.0);
        assert_eq!((fleet.is_finished(), fleet.leader().unwrap().unconfirmed()), (false, vec![1]), "seed {seed}");
        assert!(!fleet.member(1).unwrap().player().is_stopped, "it plays alone");
        fleet.move_to_part(1, 0);
        fleet.run_for(1.5);
        assert!(fleet.member(1).unwrap().player().is_stopped, "seed {seed}");
        assert!(fleet.is_finished() && fleet.leader().unwrap().unconfirmed().is_empty(), "seed {seed}");
    }
}

#[test]
fn a_stop_that_never_reaches_a_robot_is_told_until_that_holds_by_itself() {
    for lost in [Lost::GoOn, Lost::Stop] {
        let mut model = ModelShow::new(2, &[60.0], lost);
        model.show.alone = 5.0;
        let mut fleet = fleet(&model, &wifi(2), 3);
        until_scene(&mut fleet, 0);
        fleet.move_to_part(1, 7);
        fleet.run_for(2.0);
        fleet.stop_from(0);
        let stopped = fleet.seconds();
        to_the_end(&mut fleet, 30.0, |_| {});
        assert!(fleet.seconds() - stopped > 4.0, "{}", fleet.seconds() - stopped);
        assert_eq!(fleet.leader().unwrap().unconfirmed(), [1], "whoever leads can say it");
        assert!(fleet.member(1).unwrap().player().holds.is_some());
    }
}

#[test]
fn a_show_that_holds_for_a_scene_with_a_time_plays_the_one_before_to_its_end() {
    let mut model = ModelShow::new(3, &[20.0, 4.0], Lost::Hold);
    model.show.scenes[1].at = Some(22.0);
    let mut fleet = fleet(&model, &[], 2);
    until_scene(&mut fleet, 0);
    fleet.kill(2);
    // The signal of the first robot comes a second after the beginning.
    fleet.run_for(4.0);
    assert_eq!(fleet.leader().unwrap().phase(), &Phase::Playing);
    assert_eq!(fleet.member(1).unwrap().player().cues.len(), 1);
    assert_eq!(state(&mut fleet, 1), MemberState::Playing);
    fleet.run_for(25.0);
    assert!(matches!(fleet.leader().unwrap().phase(), Phase::Holding { .. }));
    assert!(fleet.member(1).unwrap().player().holds.is_some());
    fleet.start(2);
    to_the_end(&mut fleet, 60.0, |_| {});
    assert_eq!(started(&told(&fleet).1, 2), [0, 1]);
}

#[test]
fn signals_are_given_while_the_last_scene_before_a_hold_plays() {
    let mut model = ModelShow::new(3, &[10.0, 4.0], Lost::Hold);
    // It holds while the scene before still plays.
    model.show.scenes[1].at = Some(0.5);
    let mut fleet = fleet(&model, &[], 2);
    while fleet.leader().unwrap().scene().is_none() {
        fleet.run_for(0.05);
    }
    fleet.kill(2);
    fleet.run_for(3.0);
    assert!(matches!(fleet.leader().unwrap().phase(), Phase::Holding { .. }), "{:?}", told(&fleet));
    assert_eq!(state(&mut fleet, 1), MemberState::Playing);
    assert_eq!(fleet.member(1).unwrap().player().cues.len(), 1);
}

#[test]
fn what_happens_before_a_scene_begins_belongs_to_the_one_before() {
    let mut model = ModelShow::new(1, &[9.8, 500.0, 1.0], Lost::GoOn);
    model.show.scenes[1].at = Some(10.0);
    model.show.scenes[1].at_most = Some(9.9);
    model.show.scenes[2].at = Some(20.0);
    let mut fleet = fleet(&model, &[], 2);
    let mut seen = Vec::new();
    to_the_end(&mut fleet, 60.0, |fleet| {
        let leader = fleet.leader().unwrap();
        let announced = leader.scene().map(|start| start.scene);
        let status = leader.robots()[0].status.as_ref().map(|status| (status.started, status.done));
        seen.push((announced, status, state(fleet, 0)));
    });
    let plays = |announced: u32, started: u32| {
        seen.iter().any(|(of, status, state)| {
            *of == Some(announced)
                && status.is_some_and(|(of, _)| of == Some(started))
                && *state == MemberState::Playing
        })
    };
    assert!(plays(1, 0) && plays(2, 1), "{seen:#?}");
    let account = told(&fleet).1;
    let at = |wanted: Event| account.iter().find(|entry| entry.event == wanted).map(|entry| entry.at).unwrap();
    // The first scene ends by itself, and the second because it may not play longer, when the next was announced.
    let began = at(Event::Started { scene: 0 });
    assert!((at(Event::Ended { scene: 0 }) - began - 9.8).abs() < 0.2, "{account:#?}");
    assert!((at(Event::Ended { scene: 1 }) - began - 19.9).abs() < 0.2, "{account:#?}");
    assert_eq!(started(&account, 0), [0, 1, 2]);
}

#[test]
fn the_traces_of_a_show_that_was_stopped_are_collected_too() {
    for seed in 0..10 {
        let model = ModelShow::new(3, &[30.0], Lost::GoOn);
        let mut fleet = fleet(&model, &wifi(3), seed);
        fleet.collect(MemoryStore::default());
        until_scene(&mut fleet, 0);
        fleet.stop_from(1);
        to_the_end(&mut fleet, 60.0, |_| {});
        let recordings = fleet.leader().unwrap().recordings();
        assert!(recordings.iter().all(|of| of.len() == 1), "seed {seed}: {recordings:?}");
    }
}

#[test]
fn the_traces_of_all_runs_are_collected_if_a_connection_was_lost_and_came_back() {
    for seed in 0..10 {
        let model = ModelShow::new(2, &[8.0, 8.0], Lost::GoOn);
        let mut fleet = fleet(&model, &wifi(2), seed);
        fleet.collect(MemoryStore::default());
        until_scene(&mut fleet, 0);
        fleet.member(1).unwrap().player().happen(PlayerEvent::Lost("the robot is gone".to_owned()));
        to_the_end(&mut fleet, 60.0, |_| {});
        let recordings = fleet.leader().unwrap().recordings();
        assert_eq!(recordings.iter().map(Vec::len).collect::<Vec<_>>(), [1, 2], "seed {seed}");
    }
}
