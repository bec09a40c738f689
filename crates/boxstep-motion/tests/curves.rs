//! Comparison of curves with the slow solver, and a test per rule of `docs/reference/motion.md`.

use crate::slow;
use boxstep_motion::{Curve, Key, Sampler, Shape, Tangent, normalize};
use proptest::prelude::*;

const TOLERANCE: f64 = 1e-6;

/// Tangents: times as fractions of their segment (so that time runs forward), and value offsets.
#[derive(Clone, Copy, Debug)]
struct Side {
    kind: u8,
    part: f64,
    dy: f64,
}

fn side() -> impl Strategy<Value = Side> {
    let part = prop_oneof![Just(0.0), Just(1.0), Just(1.0 / 3.0), 0.0..1.0];
    (0_u8..8, part, -3.0..3.0).prop_map(|(kind, part, dy)| Side { kind, part, dy })
}

fn tangent(side: Side, reach: f64) -> Tangent {
    match side.kind {
        0 => Tangent::CONSTANT,
        1 => Tangent::LINEAR,
        2 | 3 => Tangent::AUTO,
        _ => Tangent::bezier(side.part * reach, side.dy),
    }
}

/// Generates keys in order, with gaps of 0.1 to 400 frames and values of ±3.
fn keys() -> impl Strategy<Value = Vec<Key>> {
    let key = (0.1..400.0, -3.0..3.0, side(), side());
    (-50.0..50.0, prop::collection::vec(key, 1..12)).prop_map(|(start, parts)| {
        let mut time = start;
        let mut keys = Vec::new();
        for (i, &(gap, value, left, right)) in parts.iter().enumerate() {
            let next = parts.get(i + 1).map_or(0.0, |part| part.0);
            keys.push(
                Key::new(time, value)
                    .with_tangents(tangent(left, -if i > 0 { parts[i].0 } else { gap }), tangent(right, next)),
            );
            time += next;
        }
        keys
    })
}

/// Generates times in and around the keys, as fractions of their range.
fn parts() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-0.1..1.1, 1..40)
}

/// Returns false if an explicit tangent makes the curve so steep that the last digit of time changes the value by more
/// than the tolerance; then both solvers may be right.
fn conditioned(curve: &Curve, time: f64) -> bool {
    let step = 1e-12 * (1.0 + time.abs());
    (curve.sample(time + step) - curve.sample(time - step)).abs() < 0.1 * TOLERANCE
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn agrees_with_the_slow_solver(keys in keys(), parts in parts()) {
        let curve = Curve::new(&keys).unwrap();
        let keys = normalize(&keys).unwrap();
        let mut sampler = Sampler::new(curve.clone());
        for part in parts {
            let time = curve.start() + part * (curve.end() - curve.start());
            let value = curve.sample(time);
            prop_assert_eq!(value, sampler.sample(time), "a sampler gives the same");
            if conditioned(&curve, time) {
                let expected = slow::value(&keys, time);
                prop_assert!((value - expected).abs() < TOLERANCE, "{} at {}, not {}", value, time, expected);
            }
        }
    }

    #[test]
    fn keys_are_hit_exactly(keys in keys()) {
        let curve = Curve::new(&keys).unwrap();
        for key in &keys {
            prop_assert_eq!(curve.sample(key.time), key.value);
        }
    }

    #[test]
    fn extents_hold_and_are_reached(keys in keys()) {
        let curve = Curve::new(&keys).unwrap();
        for segment in curve.segments() {
            let (from, length, extent) = (segment.from, segment.to - segment.from, segment.extent);
            let samples: Vec<f64> = (0..400).map(|i| curve.sample(from + length * f64::from(i) / 400.0)).collect();
            let (mut min, mut max) = (f64::INFINITY, f64::NEG_INFINITY);
            for &value in &samples {
                prop_assert!(value >= extent.min - 1e-9 && value <= extent.max + 1e-9, "{:?}", segment);
                (min, max) = (min.min(value), max.max(value));
            }
            if segment.extent.speed.is_finite() {
                let per_step = extent.speed * length / 400.0;
                for pair in samples.windows(2) {
                    prop_assert!((pair[1] - pair[0]).abs() <= per_step + 1e-9, "{:?}", segment);
                }
                // Between two samples the curve cannot move farther than its speed allows.
                prop_assert!(extent.min >= min - per_step - 1e-9 && extent.max <= max + per_step + 1e-9, "{:?}", segment);
            }
        }
    }

    #[test]
    fn any_tangents_give_a_function_of_time(
        gap in 0.1..100.0, x1 in -300.0..300.0, y1 in -3.0..3.0, x2 in -300.0..300.0, y2 in -3.0..3.0,
    ) {
        let keys = [
            Key::new(0.0, 0.0).with_tangents(Tangent::AUTO, Tangent::bezier(x1, y1)),
            Key::new(gap, 1.0).with_tangents(Tangent::bezier(x2, y2), Tangent::AUTO),
        ];
        let curve = Curve::new(&keys).unwrap();
        // A Bezier stays within the range of its control points, and shortening a handle keeps it there.
        let (low, high) = (0.0_f64.min(y1).min(1.0 + y2), 1.0_f64.max(y1).max(1.0 + y2));
        for i in 0..=100 {
            let value = curve.sample(gap * f64::from(i) / 100.0);
            prop_assert!(value >= low - 1e-9 && value <= high + 1e-9);
        }
    }
}

#[test]
fn bare_keys_are_plain_cubics() {
    let curve = Curve::new(&[Key::new(1.0, 0.0), Key::new(26.0, 30.0), Key::new(51.0, 45.0)]).unwrap();
    assert!(curve.segments().all(|segment| segment.shape == Shape::Cubic));
    assert_eq!((curve.start(), curve.end()), (1.0, 51.0));
    assert_eq!(curve.sample(f64::NEG_INFINITY), 0.0);
    assert_eq!(curve.sample(f64::INFINITY), 45.0);
    assert_eq!(curve.sample(f64::NAN), 0.0);
    let extent = curve.extent();
    assert_eq!((extent.min, extent.max), (0.0, 45.0));
}

#[test]
fn flat_ends_rise_one_and_a_half_times_as_fast_as_a_line() {
    let curve = Curve::new(&[Key::new(0.0, 0.0), Key::new(10.0, 20.0)]).unwrap();
    assert!((curve.extent().speed - 3.0).abs() < 1e-12);
}

#[test]
fn constant_holds_until_the_next_key() {
    let hold = Tangent::CONSTANT;
    let keys = [Key::new(0.0, 1.0).with_tangents(hold, hold), Key::new(10.0, 4.0).with_tangents(hold, hold)];
    let curve = Curve::new(&keys).unwrap();
    assert_eq!(curve.sample(9.999_999), 1.0);
    assert_eq!(curve.sample(10.0), 4.0);
    let segment = curve.segments().next().unwrap();
    assert_eq!((segment.shape, segment.jump, segment.extent.speed), (Shape::Constant, 3.0, 0.0));
}

#[test]
fn mixed_ends_follow_the_table() {
    let shape = |right, left| {
        let keys = [
            Key::new(0.0, 0.0).with_tangents(Tangent::AUTO, right),
            Key::new(9.0, 9.0).with_tangents(left, Tangent::AUTO),
        ];
        let curve = Curve::new(&keys).unwrap();
        let shape = curve.segments().next().unwrap().shape;
        (shape, curve)
    };
    let bezier = Tangent::bezier(3.0, 0.0);
    assert_eq!(shape(Tangent::CONSTANT, Tangent::bezier(-3.0, 0.0)).0, Shape::Constant);
    assert_eq!(shape(Tangent::LINEAR, Tangent::CONSTANT).0, Shape::Linear);
    assert_eq!(shape(Tangent::LINEAR, Tangent::LINEAR).0, Shape::Linear);
    // A linear tangent beside a Bezier one is a control point at zero distance.
    let (kind, curve) = shape(bezier, Tangent::LINEAR);
    assert_eq!(kind, Shape::Bezier);
    assert_eq!(curve, shape(bezier, Tangent::bezier(0.0, 0.0)).1);
}

#[test]
fn a_vertical_tangent_is_infinitely_fast() {
    let keys = [
        Key::new(0.0, 0.0).with_tangents(Tangent::AUTO, Tangent::bezier(0.0, 1.0)),
        Key::new(3.0, 0.0).with_tangents(Tangent::bezier(-1.0, 0.0), Tangent::AUTO),
    ];
    assert_eq!(Curve::new(&keys).unwrap().extent().speed, f64::INFINITY);
}

#[test]
fn a_sampler_goes_back_in_time_too() {
    let keys: Vec<Key> = (0..20).map(|i| Key::new(f64::from(i), f64::from(i * i % 7))).collect();
    let curve = Curve::new(&keys).unwrap();
    let mut sampler = Sampler::new(curve.clone());
    for time in [0.5, 1.5, 17.25, 3.0, 3.5, -1.0, 30.0, 30.5, 0.25] {
        assert_eq!(sampler.sample(time), curve.sample(time));
    }
}
