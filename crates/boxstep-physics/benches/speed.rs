//! How long a step takes. A step is 4 ms of the robot's time: 200 µs are 20 times as fast as real time.

#![allow(missing_docs)]

use boxstep_bodies::BodyKind;
use boxstep_dynamics::{Model, Physics as _, Start, Vector3};
use boxstep_physics::Robot;
use criterion::{Criterion, criterion_group, criterion_main};

fn steps(bench: &mut Criterion) {
    for kind in BodyKind::ALL {
        let model = Model::new(kind.body());
        let stand = model.awake();
        let full = vec![1.0; stand.len()];
        for (name, push) in [("stands", 0.0), ("lies", model.mass())] {
            let mut robot = Robot::new(&model, &Start::standing(&model, &stand));
            robot.push(0, Vector3::new(push, 0.0, 0.0));
            for _ in 0..1000 {
                robot.step(&stand, &full);
            }
            bench.bench_function(&format!("a step of {kind}, which {name}"), |b| b.iter(|| robot.step(&stand, &full)));
        }
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
