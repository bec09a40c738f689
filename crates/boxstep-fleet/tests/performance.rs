//! Performances over a network in virtual time.

use boxstep_fleet::leader::Event;
use boxstep_fleet::message::{MemberState, Phase};
use boxstep_fleet::show::Lost;
use boxstep_fleet::simulation::{Link, ModelPlayer, ModelShow, Simulation};

/// Links like a bad Wi-Fi: 1–80 ms, longer towards the robots, 5 % loss, clocks that run apart by 100 millionths.
fn wifi(robots: usize) -> Vec<Link> {
    let drift = |n: usize| [100.0, -100.0, 37.0, -61.0][n % 4];
    let robot = |n: usize| Link { up: (0.0005, 0.02), down: (0.0005, 0.06), loss: 0.05, drift: drift(n) };
    let leader = Link { drift: -50.0, ..Link::default() };
    std::iter::once(leader).chain((0..robots).map(robot)).collect()
}

fn simulation(model: &ModelShow, links: &[Link], seed: u64) -> Simulation<ModelPlayer> {
    let players = model.clone();
    Simulation::new(&model.show, model.files.clone(), links, seed, move |robot| players.player(robot))
}

fn run_to_the_end(simulation: &mut Simulation<ModelPlayer>, most: f64, mut each: impl FnMut(&mut Simulation<ModelPlayer>)) {
    while !simulation.is_finished() {
        assert!(simulation.seconds() < most, "not finished: {:?}", simulation.leader().map(|l| (l.phase().clone(), l.account().to_vec())));
        simulation.run_for(0.1);
        each(simulation);
    }
}

#[test]
fn robots_stay_in_step_for_ten_minutes_on_a_bad_network() {
    let model = ModelShow::new(8, &[60.0; 10], Lost::GoOn);
    let mut simulation = simulation(&model, &wifi(8), 1);
    let mut off = Vec::new();
    run_to_the_end(&mut simulation, 700.0, |simulation| {
        off.extend((0..8).filter_map(|robot| simulation.deviation(robot)).map(f64::abs));
    });
    off.sort_by(f64::total_cmp);
    assert_eq!(simulation.leader().unwrap().phase(), &Phase::Over);
    let p99 = off[off.len() * 99 / 100];
    println!("{} samples: median {:.2} ms, p99 {:.2} ms, most {:.2} ms", off.len(), off[off.len() / 2] * 1e3, p99 * 1e3, off[off.len() - 1] * 1e3);
    assert!(p99 <= 0.010, "p99 {p99}");
    let _ = (Event::Over, MemberState::Free);
}
