//! What recordings say of the time of a show is right within what they state, whatever network and clocks do.

use boxstep_fleet::clock::FleetTime;
use boxstep_fleet::sample::{Sample, TOLERANCE};
use boxstep_fleet::show::Lost;
use boxstep_fleet::simulation::{Link, ModelPlayer, ModelShow, Simulation};
use boxstep_types::{Random, Time};
use std::collections::BTreeMap;
use std::time::Duration;

/// How much better than it is a robot may take its clock to be: the error is stated with two standard deviations.
const BETTER: f64 = 2.0;

/// Links with any delays, the same both ways or not, losses, and clocks that run apart.
fn links(robots: usize, random: &mut Random) -> Vec<Link> {
    let mut link = || {
        let mut unit = |most: f64| most * random.unit();
        let up = (0.0001 + unit(0.01), 0.0101 + unit(0.02));
        let down = (0.0001 + unit(0.01), 0.0101 + unit(0.06));
        Link { up, down, loss: unit(0.05), drift: unit(200.0) - 100.0 }
    };
    (0..=robots).map(|_| link()).collect()
}

/// Returns the time of the show that a recording with these samples has for a time of the run.
fn mapped(samples: &[Sample], run: Time) -> (FleetTime, Duration) {
    let holds = samples.iter().take_while(|sample| sample.run <= run).last().or(samples.first()).unwrap();
    (holds.fleet_at(run), holds.error + TOLERANCE)
}

#[test]
fn times_of_the_show_are_right_within_what_is_stated_and_signals_come_after_they_were_given() {
    for seed in 0..10 {
        let robots = 4;
        let model = ModelShow::new(robots, &[10.0, 5.0, 10.0], Lost::GoOn);
        let links = links(robots, &mut Random::new(seed));
        let players = model.clone();
        let mut fleet: Simulation<ModelPlayer> =
            Simulation::new(&model.show, model.files.clone(), &links, seed, move |robot| players.player(robot));
        // The true times at moments of the runs.
        let mut truth: Vec<Vec<(Time, FleetTime)>> = vec![Vec::new(); robots];
        let mut of = vec![(Vec::new(), Vec::new()); robots];
        while !fleet.is_finished() {
            assert!(fleet.seconds() < 120.0, "seed {seed}");
            fleet.run_for(0.037);
            for robot in 0..robots {
                let (run, leads) = fleet.times(robot).unwrap();
                let player = fleet.member(robot).unwrap().player();
                if player.is_open && !player.samples.is_empty() {
                    truth[robot].push((run, leads));
                    of[robot] = (player.samples.clone(), player.signals.clone());
                }
            }
        }
        let mut given = BTreeMap::new();
        for (robot, (samples, signals)) in of.iter().enumerate() {
            assert!(samples.len() < 400, "seed {seed}: {} samples in {:.0} s", samples.len(), fleet.seconds());
            for (run, leads) in &truth[robot] {
                let (fleet, error) = mapped(samples, *run);
                let off = fleet.0.abs_diff(leads.0) as f64 / 1e9;
                assert!(off <= BETTER * error.as_secs_f64(), "seed {seed}, robot {robot}: off by {off} s, ± {error:?}");
            }
            for (at, _, signal) in signals.iter().filter(|(_, gives, _)| *gives) {
                given.insert((signal.by, signal.number), mapped(samples, *at));
            }
        }
        let mut got = 0;
        for (samples, signals) in &of {
            for (at, _, signal) in signals.iter().filter(|(_, gives, _)| !gives) {
                let (came, error) = mapped(samples, *at);
                let (at, of_giver) = given[&(signal.by, signal.number)];
                let before = at.seconds_since(came);
                assert!(before <= (error + of_giver).as_secs_f64(), "seed {seed}: {before} s before it was given");
                got += 1;
            }
        }
        assert!(got > 0, "seed {seed}");
    }
}
