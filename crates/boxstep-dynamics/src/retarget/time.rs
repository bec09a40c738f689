//! Time that is stretched where motors are slower.

use super::track::Track;
use crate::Model;
use boxstep_motion::Curve;
use std::collections::{BTreeMap, BTreeSet};

/// Rounds of stretching, since automatic tangents change with their neighbors.
const ROUNDS: usize = 12;
/// A joint may be so much too fast: published speeds are rounded.
const TOLERANCE: f64 = 1.005;
/// A jump is the author's wish and no question of speed.
const JUMP: f64 = 50.0;

/// Where frames of the old timeline are in the new one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frames {
    /// Old and new frames, in order.
    knots: Vec<(i32, i32)>,
}

/// Frames between which time is stretched.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The first and last frame in the old timeline.
    pub old: (i32, i32),
    /// The first and last frame in the new one.
    pub new: (i32, i32),
    /// The joint that needs it most.
    pub joint: &'static str,
}

impl Stretch {
    /// Returns by how much the time is longer.
    pub fn factor(&self) -> f64 {
        let length = |(from, to): (i32, i32)| f64::from(to) - f64::from(from);
        length(self.new) / length(self.old).max(1.0)
    }
}

impl Frames {
    /// Returns the new frame of an old one. Before the first key and after the last one nothing is stretched.
    pub fn at(&self, frame: i32) -> i32 {
        self.position(f64::from(frame)).round() as i32
    }

    /// Returns whether all frames stay.
    pub fn is_same(&self) -> bool {
        self.knots.iter().all(|(old, new)| old == new)
    }

    pub(super) fn position(&self, frame: f64) -> f64 {
        let knot = |at: usize| self.knots.get(at).map(|(old, new)| (f64::from(*old), f64::from(*new)));
        let after = self.knots.partition_point(|(old, _)| f64::from(*old) <= frame);
        match (after.checked_sub(1).and_then(knot), knot(after)) {
            (Some((a, at_a)), Some((b, at_b))) => at_a + (frame - a) * (at_b - at_a) / (b - a),
            (Some((a, at)), None) | (None, Some((a, at))) => at + frame - a,
            (None, None) => frame,
        }
    }
}

/// Stretches the time between keys until no joint of `to` is too fast, or not more so than on the old body. `fixed`
/// are frames besides those of keys that must be whole.
pub(super) fn stretch(tracks: &[Track], fixed: &[i32], fps: f64, to: &Model) -> (Frames, Vec<Stretch>) {
    let keys = tracks.iter().flat_map(|track| &track.keys).map(|key| key.time as i32);
    let knots: BTreeSet<i32> = keys.chain(fixed.iter().copied()).collect();
    let mut frames = Frames { knots: knots.iter().map(|frame| (*frame, *frame)).collect() };
    let played: Vec<(&Track, Vec<f64>)> =
        tracks.iter().filter(|t| !t.muted && t.keys.len() > 1).map(|track| (track, allowed(track, fps, to))).collect();
    let mut reasons: Vec<Option<(f64, &'static str)>> = vec![None; frames.knots.len()];
    for _ in 0..ROUNDS {
        let slower: Vec<Slower> = played.iter().flat_map(|(track, may)| too_fast(track, may, &frames, fps)).collect();
        if slower.is_empty() {
            break;
        }
        let place = |frame: i32| frames.knots.partition_point(|(_, new)| *new < frame);
        let mut factors = vec![1.0_f64; frames.knots.len()];
        for one in &slower {
            let name = to.body.joints.get(one.joint).map_or("", |joint| joint.name);
            for at in place(one.from)..place(one.to) {
                if let (Some(factor), Some(reason)) = (factors.get_mut(at), reasons.get_mut(at)) {
                    *factor = factor.max(one.factor);
                    if reason.is_none_or(|(most, _)| most < one.factor) {
                        *reason = Some((one.factor, name));
                    }
                }
            }
        }
        frames = longer(&frames, &factors, &slower);
    }
    let stretches = stretches(&frames, &reasons);
    (frames, stretches)
}

/// A part of a curve that takes more time.
struct Slower {
    joint: usize,
    from: i32,
    to: i32,
    factor: f64,
}

/// Returns the speed that each part of a track may have: that of the motor, or more if the old one was as much too slow.
fn allowed(track: &Track, fps: f64, to: &Model) -> Vec<f64> {
    let most = to.body.joints.get(track.joint).map_or(0.0, |joint| joint.max_speed);
    let Ok(curve) = Curve::new(&track.keys) else { return Vec::new() };
    let speeds = curve.segments().map(|segment| segment.extent.speed * fps);
    let may = |speed: f64| if most > 0.0 { most * (speed / track.source_speed).max(1.0) } else { f64::INFINITY };
    speeds.map(may).collect()
}

fn too_fast(track: &Track, allowed: &[f64], frames: &Frames, fps: f64) -> Vec<Slower> {
    let Ok(curve) = Curve::new(&track.moved(|frame| frames.position(frame))) else { return Vec::new() };
    let needs = curve.segments().zip(allowed).map(|(s, may)| (s.from, s.to, s.extent.speed * fps / may));
    let needs = needs.filter(|(_, _, factor)| (TOLERANCE..JUMP).contains(factor));
    let slower = |(from, to, factor): (f64, f64, f64)| {
        let [from, to] = [from, to].map(|frame| frame.round() as i32);
        Slower { joint: track.joint, from, to, factor }
    };
    needs.map(slower).collect()
}

/// Moves knots apart: each stretch by its factor, and each part of a curve at least by its own, in whole frames.
fn longer(frames: &Frames, factors: &[f64], slower: &[Slower]) -> Frames {
    let mut ends: BTreeMap<i32, Vec<&Slower>> = BTreeMap::new();
    for one in slower {
        ends.entry(one.to).or_default().push(one);
    }
    let old: Vec<i32> = frames.knots.iter().map(|(_, new)| *new).collect();
    let mut next: Vec<(i32, i32)> = Vec::with_capacity(old.len());
    for (at, (frame, now)) in frames.knots.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| Some((*old.get(at)?, next.get(at)?.1, factors.get(at)?)));
        let by_factor = before.map_or(*now, |(was, is, factor)| {
            let length = now.saturating_sub(was);
            is.saturating_add(((f64::from(length) * factor + 1e-9).floor() as i32).max(length))
        });
        let own = ends.get(now).into_iter().flatten().filter_map(|one| {
            let begin = old.binary_search(&one.from).ok()?;
            let length = f64::from(one.to) - f64::from(one.from);
            Some(next.get(begin)?.1.saturating_add((length * one.factor - 1e-9).ceil() as i32))
        });
        next.push((*frame, own.fold(by_factor, i32::max)));
    }
    Frames { knots: next }
}

/// Returns what is stretched, neighbors as one.
fn stretches(frames: &Frames, reasons: &[Option<(f64, &'static str)>]) -> Vec<Stretch> {
    let mut all: Vec<(f64, Stretch)> = Vec::new();
    for (pair, reason) in frames.knots.windows(2).zip(reasons) {
        let [(a, at_a), (b, at_b)] = *pair else { continue };
        if at_b.saturating_sub(at_a) <= b.saturating_sub(a) {
            continue;
        }
        let (most, joint) = reason.unwrap_or((0.0, ""));
        match all.last_mut() {
            Some((before, last)) if last.old.1 == a => {
                (last.old.1, last.new.1) = (b, at_b);
                if most > *before {
                    (*before, last.joint) = (most, joint);
                }
            }
            _ => all.push((most, Stretch { old: (a, b), new: (at_a, at_b), joint })),
        }
    }
    all.into_iter().map(|(_, stretch)| stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_bodies::BodyKind;

    fn head(keys: &[(i32, f64)]) -> Track {
        Track { source_speed: 8.26797, ..Track::calculated(0, keys.iter().copied()) }
    }

    #[test]
    fn time_is_stretched_only_where_the_joint_is_too_fast() {
        let pepper = Model::new(BodyKind::Pepper.body());
        let tracks = [head(&[(1, 0.0), (11, 2.0), (61, 0.0)])];
        let (frames, stretches) = stretch(&tracks, &[1, 30], 25.0, &pepper);
        // 2 rad in 0.4 s take 7.5 rad/s in the middle, and Pepper has 7.34.
        assert_eq!((frames.at(1), frames.at(11), frames.at(30), frames.at(61)), (1, 12, 31, 62));
        assert_eq!(stretches.len(), 1);
        assert_eq!((stretches[0].old, stretches[0].new, stretches[0].joint), ((1, 11), (1, 12), "HeadYaw"));
    }

    #[test]
    fn what_was_too_fast_before_is_slowed_down_as_the_motors_differ() {
        let pepper = Model::new(BodyKind::Pepper.body());
        let tracks = [head(&[(1, 0.0), (3, 2.0)])];
        let (frames, _) = stretch(&tracks, &[], 25.0, &pepper);
        assert_eq!(frames.at(3), 4, "by 8.27 / 7.34, in whole frames");
        let slow = [head(&[(1, 0.0), (60, 2.0)])];
        assert!(stretch(&slow, &[7], 25.0, &pepper).0.is_same());
    }
}
