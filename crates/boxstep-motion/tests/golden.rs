//! Comparison with sampled curves of an independent solver, if the shared golden data is available.

use boxstep_motion::{Curve, Key, Sampler, Tangent};
use serde_json::Value;
use std::path::PathBuf;

fn golden() -> Option<Value> {
    let shared = std::env::var_os("BOXSTEP_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    let text = std::fs::read_to_string(shared.join("golden/motion/curves.json")).ok()?;
    Some(serde_json::from_str(&text).unwrap())
}

fn tangent(side: &Value) -> Tangent {
    let number = |name: &str| side[name].as_f64().unwrap();
    match side["type"].as_str() {
        None => Tangent::AUTO,
        Some("bezier") => Tangent::bezier(number("dx"), number("dy")),
        Some("linear") => Tangent::LINEAR,
        Some("constant") => Tangent::CONSTANT,
        Some(other) => panic!("unknown kind {other}"),
    }
}

#[test]
fn agrees_with_the_golden_samples() {
    let Some(golden) = golden() else {
        println!("skipped: no golden data (set BOXSTEP_SHARED)");
        return;
    };
    let mut compared = 0;
    for (index, case) in golden["curves"].as_array().unwrap().iter().enumerate() {
        let key = |key: &Value| {
            Key::new(key["frame"].as_f64().unwrap(), key["value"].as_f64().unwrap())
                .with_tangents(tangent(&key["left"]), tangent(&key["right"]))
        };
        let keys: Vec<Key> = case["keys"].as_array().unwrap().iter().map(key).collect();
        let mut sampler = Sampler::new(Curve::new(&keys).unwrap());
        for sample in case["samples"].as_array().unwrap() {
            let (frame, expected) = (sample[0].as_f64().unwrap(), sample[1].as_f64().unwrap());
            let value = sampler.sample(frame);
            assert!((value - expected).abs() < 1e-6, "curve {index} at {frame}: {value}, not {expected}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "only {compared} samples");
}
