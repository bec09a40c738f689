//! A motion for another body, and back: how far it is from the first one. The examples always; real files, which are
//! not part of this repository, with `BOXSTEP_CORPUS` or in `../shared/corpus` beside the repository:
//!
//! `cargo test --release -p boxstep-dynamics -- --ignored --nocapture there_and_back`

use boxstep_bodies::{Body, BodyKind, JointKind, body_of_actuators};
use boxstep_dynamics::Model;
use boxstep_dynamics::retarget::{Retarget, Retargeted};
use boxstep_format::model::{ActuatorCurve, Timeline};
use boxstep_format::{Limits, paths, read_xar};
use boxstep_motion::{Curve, JointCurve};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Published limits have one decimal of a degree, and files more digits than are written.
const ROUNDING: f64 = 0.25;

#[derive(Default)]
struct Figures {
    /// The timelines for each body.
    timelines: BTreeMap<&'static str, usize>,
    unchanged: usize,
    stretched: usize,
    longest: f64,
    /// By joint: degrees, or parts of 1 of hands, at each key.
    errors: BTreeMap<String, Vec<f64>>,
    /// What a joint may not exceed is kept.
    broken: Vec<String>,
    beyond: usize,
}

#[test]
fn examples_come_back() {
    let mut figures = Figures::default();
    for file in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")) {
        figures.file(&file);
    }
    assert!(!figures.timelines.is_empty());
    assert!(figures.broken.is_empty(), "{:#?}", figures.broken);
}

#[test]
#[ignore = "real files, which are not in the repository"]
fn there_and_back() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: there is no folder of real files at {}", folder.display());
        return;
    }
    let mut figures = Figures::default();
    let begun = std::time::Instant::now();
    let files = files(&folder);
    for file in &files {
        figures.file(file);
    }
    figures.print(files.len(), begun.elapsed().as_secs_f64());
    assert!(figures.broken.is_empty(), "{:#?}", figures.broken);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let of = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false if path.extension().is_some_and(|ending| ending == "xar") => vec![path],
        false => Vec::new(),
    };
    paths.into_iter().flat_map(of).collect()
}

impl Figures {
    fn file(&mut self, path: &Path) {
        let bytes = std::fs::read(path).unwrap();
        let Ok(file) = read_xar(&path.to_string_lossy(), &bytes, &Limits::default()) else { return };
        for at in paths::boxes(&file.project) {
            let Some(timeline) = at.def.timeline.as_ref().filter(|timeline| timeline.enabled) else { continue };
            let Some(list) = &timeline.actuators else { continue };
            let named = BodyKind::from_name(&list.model);
            let kind = named.or_else(|| body_of_actuators(list.curves.iter().map(|curve| &*curve.actuator)));
            if let Some(kind) = kind.filter(|_| list.curves.iter().any(plays)) {
                let other = if kind == BodyKind::Pepper { BodyKind::Nao } else { BodyKind::Pepper };
                self.timeline(kind.body(), other.body(), timeline, &format!("{}: {}", path.display(), at.path));
            }
        }
    }

    fn timeline(&mut self, one: &'static Body, other: &'static Body, timeline: &Timeline, place: &str) {
        let (one, other) = (Model::new(one), Model::new(other));
        let Some(there) = Retarget::new(&one, &other).timeline(timeline) else { return };
        let Some(back) = Retarget::new(&other, &one).timeline(&there.timeline) else { return };
        *self.timelines.entry(one.body().name).or_default() += 1;
        self.stretched += usize::from(!there.frames.is_same());
        self.beyond += usize::from(past_limits(&there.timeline, other.body()));
        for stretch in &there.stretches {
            self.longest = self.longest.max(stretch.factor());
        }
        if there.frames.is_same() != there.stretches.is_empty() {
            self.broken.push(format!("{place}: frames move without a stretch"));
        }
        let mut all = true;
        for curve in timeline.actuators.iter().flat_map(|list| &list.curves).filter(|curve| plays(curve)) {
            all &= self.curve(curve, timeline, &there, &back, [&one, &other], place);
        }
        self.unchanged += usize::from(all && there.frames.is_same());
        self.torso(&one, &other, timeline, &there, &back);
    }

    /// Compares how the torso leans, where the robot stands.
    fn torso(&mut self, one: &Model, other: &Model, timeline: &Timeline, there: &Retargeted, back: &Retargeted) {
        let leans = |model: &Model, timeline: &Timeline, frame: i32| {
            let angles = model.trajectory(timeline)?.at(f64::from(frame));
            let torso = model.torso_over_floor(&model.forward(&angles))?;
            let (roll, pitch, _) = torso.rotation.euler_angles();
            Some([pitch.to_degrees(), roll.to_degrees()])
        };
        let rows = there.rows.iter().filter(|row| row.what == "torso forward" && there.seated.is_none());
        for key in rows.flat_map(|row| &row.keys) {
            let before = leans(one, timeline, key.old);
            let after = leans(one, &back.timeline, back.frames.at(key.new));
            let (Some(before), Some(after)) = (before, after) else { continue };
            for (what, (before, after)) in ["forward", "sideways"].into_iter().zip(before.into_iter().zip(after)) {
                let name = format!("torso {what}, by {}", other.body().name);
                self.errors.entry(name).or_default().push((before - after).abs());
            }
        }
    }

    /// Compares a curve with what has come back; returns whether it is the same, if both bodies have the joint.
    fn curve(
        &mut self,
        curve: &ActuatorCurve,
        timeline: &Timeline,
        there: &Retargeted,
        back: &Retargeted,
        models: [&Model; 2],
        place: &str,
    ) -> bool {
        let [one, other] = models.map(Model::body);
        let (Some(joint), Some(limits)) = (one.joint(&curve.actuator), other.joint(&curve.actuator)) else {
            return true;
        };
        let mut came = back.timeline.actuators.iter().flat_map(|list| &list.curves).filter(|curve| plays(curve));
        let Some(came) = came.rfind(|came| came.actuator == curve.actuator) else { return false };
        let sampled =
            |curve: &ActuatorCurve| JointCurve::try_from(curve).ok().and_then(|curve| curve.scaled_curve(1.0));
        let (Some(before), Some(after)) = (sampled(curve), sampled(came)) else { return false };
        let scale = if joint.kind == JointKind::Hand { 1.0 } else { 1.0_f64.to_degrees() };
        let shown = |value: f64| value.max(joint.min).min(joint.max);
        let list = timeline.actuators.as_ref();
        // Where the robot is at a frame: the limits of some joints depend on others.
        let at = |frame: f64, curve: &Curve| {
            let of = |name: &str| {
                let other = list?.curves.iter().find(|curve| plays(curve) && &*curve.actuator == name)?;
                Some(sampled(other)?.sample(frame))
            };
            let (min, max) = one.limits(joint.name, |name| of(name).unwrap_or(0.0)).unwrap_or((joint.min, joint.max));
            curve.sample(frame).max(min).min(max)
        };
        let errors: Vec<f64> = curve
            .keys
            .iter()
            .map(|key| {
                let (frame, moved) = (f64::from(key.frame), back.frames.at(there.frames.at(key.frame)));
                (at(frame, &before) - shown(after.sample(f64::from(moved)))).abs() * scale
            })
            .collect();
        let most = errors.iter().copied().fold(0.0, f64::max);
        // The error is at most what the curve, as the first body plays it, exceeds the limits of the other.
        let reached = before.extent();
        let excess = (shown(reached.max) - limits.max).max(limits.min - shown(reached.min)).max(0.0) * scale;
        let free = other.shell_limits.iter().chain(one.shell_limits).all(|limit| limit.joint != joint.name);
        if free && most > excess + ROUNDING {
            self.broken.push(format!("{place}: {} is {most:.2} off, and exceeds by {excess:.2}", joint.name));
        }
        self.errors.entry(format!("{}, by {}", joint.name, other.name)).or_default().extend(&errors);
        most < ROUNDING
    }

    fn print(&mut self, files: usize, seconds: f64) {
        println!("{files} files, timelines {:?}, {seconds:.1} s", self.timelines);
        println!(
            "joints that both have come back the same in {}, {} are stretched (at most {:.2} times), {} exceed limits there",
            self.unchanged, self.stretched, self.longest, self.beyond
        );
        println!("{:<32} {:>6} {:>8} {:>8} {:>8} {:>8}", "joint", "keys", "same %", "95 %", "99 %", "most");
        for (joint, errors) in &mut self.errors {
            errors.sort_by(f64::total_cmp);
            let at = |part: f64| errors[((errors.len() - 1) as f64 * part) as usize];
            let same = errors.iter().filter(|error| **error < ROUNDING).count() as f64 / errors.len() as f64;
            println!(
                "{joint:<32} {:>6} {:>8.1} {:>8.2} {:>8.2} {:>8.2}",
                errors.len(),
                100.0 * same,
                at(0.95),
                at(0.99),
                at(1.0)
            );
        }
    }
}

fn plays(curve: &ActuatorCurve) -> bool {
    !curve.mute && !curve.keys.is_empty()
}

/// Returns whether a curve goes beyond the joints' own limits.
fn past_limits(timeline: &Timeline, body: &Body) -> bool {
    let curves = timeline.actuators.iter().flat_map(|list| &list.curves).filter(|curve| plays(curve));
    curves.into_iter().any(|curve| {
        let Some(joint) = body.joint(&curve.actuator) else { return true };
        if joint.kind == JointKind::Hand {
            return false;
        }
        let extent =
            JointCurve::try_from(curve).ok().and_then(|curve| curve.scaled_curve(1.0)).map(|curve| curve.extent());
        extent.is_none_or(|extent| (extent.max - joint.max).max(joint.min - extent.min).to_degrees() > ROUNDING)
    })
}
