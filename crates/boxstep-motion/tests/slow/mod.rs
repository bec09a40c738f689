//! A slow reference implementation of curves: bisection on the planar Bezier by de Casteljau's construction.

use boxstep_motion::{Interpolation, Key};

fn mix(a: (f64, f64), b: (f64, f64), s: f64) -> (f64, f64) {
    (a.0 + (b.0 - a.0) * s, a.1 + (b.1 - a.1) * s)
}

fn de_casteljau(p: [(f64, f64); 4], s: f64) -> (f64, f64) {
    let [a, b, c] = [mix(p[0], p[1], s), mix(p[1], p[2], s), mix(p[2], p[3], s)];
    mix(mix(a, b, s), mix(b, c, s), s)
}

/// Returns the value of a curve with these keys, which are in order and have their tangents computed.
pub(crate) fn value(keys: &[Key], time: f64) -> f64 {
    let first = keys.first().unwrap();
    let last = keys.last().unwrap();
    if time < first.time {
        return first.value;
    }
    if time >= last.time {
        return last.value;
    }
    let i = keys.iter().rposition(|key| key.time <= time).unwrap();
    let (a, b) = (&keys[i], &keys[i + 1]);
    let bezier = |kind| matches!(kind, Interpolation::Bezier | Interpolation::BezierAuto);
    let (out, back) = (a.right.interpolation, b.left.interpolation);
    if out == Interpolation::Constant {
        return a.value;
    }
    if !bezier(out) && !bezier(back) {
        return a.value + (b.value - a.value) * (time - a.time) / (b.time - a.time);
    }
    let point = |key: &Key, side: &boxstep_motion::Tangent| {
        if bezier(side.interpolation) { (key.time + side.dx, key.value + side.dy) } else { (key.time, key.value) }
    };
    let points = [(a.time, a.value), point(a, &a.right), point(b, &b.left), (b.time, b.value)];
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let s = 0.5 * (low + high);
        if de_casteljau(points, s).0 < time { low = s } else { high = s }
    }
    de_casteljau(points, 0.5 * (low + high)).1
}
