//! Forward and inverse kinematics, and the balance of a motion.
//!
//! `cargo bench -p boxstep-dynamics --bench kinematics`. The bars: 5 µs for a forward pass of all chains, 200 µs for the
//! inverse of an arm, 2 µs for the balance of a frame.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use boxstep_bodies::BodyKind;
use boxstep_dynamics::{Axes, Balance, Goal, Isometry3, Model};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// A posture within the limits, from a small generator of its own.
fn posture(model: &Model, seed: &mut u64) -> Vec<f64> {
    let joints = model.body().joints.iter().filter(|joint| joint.min.is_finite() || joint.max.is_infinite());
    joints
        .map(|joint| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let share = (*seed >> 11) as f64 / (1_u64 << 53) as f64;
            if joint.min.is_finite() { joint.min + share * (joint.max - joint.min) } else { 0.0 }
        })
        .collect()
}

fn kinematics(c: &mut Criterion) {
    for kind in BodyKind::ALL {
        let model = Model::new(kind.body());
        let mut seed = 1;
        let postures: Vec<_> = (0..256).map(|_| posture(&model, &mut seed)).collect();
        let mut links = Vec::new();
        let mut at = 0;
        c.bench_function(&format!("{kind}: all chains, forward"), |b| {
            b.iter(|| {
                at = (at + 1) % postures.len();
                model.forward_into(black_box(&postures[at]), &mut links);
            });
        });
        for (name, axes) in [("position", Axes::POSITION), ("whole", Axes::ALL)] {
            let end = model.end("LArm").unwrap();
            let joints = model.joints_to(&end);
            c.bench_function(&format!("{kind}: arm, inverse, {name}"), |b| {
                b.iter(|| {
                    at = (at + 1) % postures.len();
                    let place = end.pose(&model.forward(&postures[at]));
                    let goal = Goal { end, joints: &joints, torso: Isometry3::identity(), place, axes };
                    model.reach(&goal, &postures[(at + 7) % postures.len()])
                });
            });
        }
        // A slow sway, at the 25 frames a second of a timeline.
        let stand = model.body().posture("StandInit").or_else(|| model.body().posture("Stand")).unwrap();
        let angle = |joint: &str| stand.angles.iter().find(|(name, _)| *name == joint).map_or(0.0, |(_, angle)| *angle);
        let sway: Vec<Vec<f64>> = (0..1000)
            .map(|frame| {
                let wave = 0.05 * (f64::from(frame) / 20.0).sin();
                model.body().joints.iter().map(|joint| angle(joint.name) + wave).collect()
            })
            .collect();
        let balance = Balance::new(&model).unwrap();
        let mut group = c.benchmark_group(kind.to_string());
        group.throughput(Throughput::Elements(sway.len() as u64));
        group.bench_function("balance of 1,000 frames", |b| b.iter(|| balance.over(black_box(&sway), 0.04)));
        group.finish();
    }
}

criterion_group!(benches, kinematics);
criterion_main!(benches);
