//! Checks whether the robot stays on its feet while a timeline moves it.

use super::Here;
use crate::codes;
use boxstep_bodies::{Body, Gait};
use boxstep_dynamics::{Balance, Collision, Collisions, Fall, Instant, Model, Postures, Remedy, Summary};
use boxstep_format::model::Timeline;
use boxstep_types::{Diagnostic, Span};

/// Checks a timeline on a body. What is not known of the body is not checked.
pub(super) fn check(here: &mut Here<'_>, timeline: &Timeline, body: &'static Body) {
    let model = Model::new(body);
    let Some(balance) = Balance::new(&model) else { return };
    let Some(postures) = model.postures(timeline, here.frames) else {
        if here.frames.take_exceeded() {
            let message = "the balance of this timeline, and maybe of others, is not checked: the file has too many";
            let help =
                "timelines of two hours are checked; check the behaviors one by one, or test a run with `balanced`";
            here.report(Diagnostic::note(codes::BALANCE_NOT_CHECKED, message.to_owned()).help(help), timeline.span);
        }
        return;
    };
    let instants = balance.over(&postures.angles, postures.step());
    let summary = Summary::of(&instants, postures.step());
    let run = Run { body, timeline, postures: &postures, instants: &instants };
    if let Some(note) = run.not_judged() {
        here.report(note, timeline.span);
    }
    if let Some(fall) = summary.falls.first() {
        let remedy = balance.remedy(&postures, &instants, fall);
        let (finding, span) = run.fall(fall, remedy.as_ref());
        let more = summary.falls.len() - 1;
        let again = || format!("and {} later", super::count(more, "time"));
        here.report(if more > 0 { finding.with_note(None, again()) } else { finding }, span);
    } else if let Some((at, margin)) = run.close(&summary) {
        let (side, frame) = (run.side(at), run.frame(at));
        let (message, help) = match margin < 0.0 {
            true => (
                format!(
                    "{} nearly tips over {side} at {frame}: for a moment it moves too fast for its feet",
                    body.name
                ),
                "play it slower, or give the keys there smooth tangents",
            ),
            false => (
                format!("{} is {} from tipping over {side} at {frame}", body.name, millimetres(margin)),
                "on a floor that is not level, or with a worn motor, it may fall",
            ),
        };
        here.report(Diagnostic::note(codes::NEAR_TIPPING, message).help(help), timeline.span);
    }
    if let Some((at, load)) = summary.overload {
        let message = format!(
            "{} needs {:.1} N·m at {}, {:.0} % of the largest torque of its motor",
            load.joint,
            load.torque.abs(),
            run.frame(at),
            100.0 * load.share
        );
        let help = "the motor gets hot, and does not hold the posture for long";
        here.report(Diagnostic::note(codes::OVERLOADED_MOTOR, message).help(help), run.span_of(load.joint));
    }
    if let Some((at, way)) = summary.slide {
        let message = format!(
            "the feet slide or turn by {} on the floor from {} on, while both stand on it",
            millimetres(way),
            run.frame(at)
        );
        let help = "on a floor with grip the robot jerks or turns; lift a foot, or keep the feet where they are";
        here.report(Diagnostic::note(codes::SLIDING_FEET, message).help(help), timeline.span);
    }
    collisions(here, &run, &model);
}

/// Checks whether parts of the robot run into each other.
fn collisions(here: &mut Here<'_>, run: &Run<'_>, model: &Model) {
    let Some(collision) = Collisions::new(model).and_then(|all| all.over(&run.postures.angles)) else { return };
    let Collision { first, deepest, links: [one, other], depth, joint } = collision;
    let message = format!(
        "{one} and {other} run into each other from {} on, by up to {} at frame {}",
        run.frame(first),
        millimetres(depth),
        run.postures.frame(deepest)
    );
    let help = match joint {
        Some(joint) => format!("change {joint} first; on a robot the protection from collisions stops the arm"),
        None => "on a robot the protection from collisions stops the arm".to_owned(),
    };
    let span = joint.map_or(run.timeline.span, |joint| run.span_of(joint));
    here.report(Diagnostic::note(codes::SELF_COLLISION, message).help(help), span);
}

struct Run<'a> {
    body: &'static Body,
    timeline: &'a Timeline,
    postures: &'a Postures,
    instants: &'a [Instant],
}

impl Run<'_> {
    fn fall(&self, fall: &Fall, remedy: Option<&Remedy>) -> (Diagnostic, Span) {
        let out = self.instants.get(fall.deepest).and_then(|instant| instant.margin).unwrap_or(0.0).abs();
        let feet = if self.body.build.gait == Gait::Wheels { "its wheels" } else { "its feet" };
        let why = match fall.still {
            true => format!("its center of mass is up to {} outside of {feet}", millimetres(out)),
            false => format!("it moves so fast that it would have to stand {} outside of {feet}", millimetres(out)),
        };
        let message = format!(
            "{} tips over {} from {} on: {why}",
            self.body.name,
            self.side(fall.deepest),
            self.frame(fall.postures.start)
        );
        let help = match remedy {
            Some(Remedy::Slower(factor)) => format!("play it {factor:.1} times slower"),
            Some(Remedy::Shift(foot, joints)) => {
                let frame = self.postures.frame(fall.deepest);
                let angle = |(joint, angle): &(&str, f64)| format!("{joint} at {:.0}°", angle.to_degrees());
                let angles: Vec<String> = joints.iter().map(angle).collect();
                format!("bring its weight over {foot}: at frame {frame} it stands with {}", angles.join(", "))
            }
            Some(Remedy::Turn(joints)) => {
                let frame = self.postures.frame(fall.deepest);
                format!("change {} first, at frame {frame}: it matters most", joints.join(" and "))
            }
            None => "bring the center of mass over the feet, or hold the robot".to_owned(),
        };
        let span = match remedy {
            Some(Remedy::Turn(joints)) => joints.first().map_or(self.timeline.span, |joint| self.span_of(joint)),
            Some(Remedy::Shift(_, joints)) => {
                joints.first().map_or(self.timeline.span, |(joint, _)| self.span_of(joint))
            }
            _ => self.timeline.span,
        };
        let note = "the floor is taken as flat, and feet as lying flat on it";
        (Diagnostic::warning(codes::TIPS_OVER, message).with_note(None, note.to_owned()).help(help), span)
    }

    /// Says which frames are not judged, if the robot does not stand at some.
    fn not_judged(&self) -> Option<Diagnostic> {
        let is_off = |at: &usize| self.instants.get(*at).is_some_and(|instant| instant.margin.is_none());
        let from = (0..self.instants.len()).find(is_off)?;
        let to = (from..self.instants.len()).find(|at| !is_off(at)).unwrap_or(self.instants.len()) - 1;
        let later = (to + 1..self.instants.len()).any(|at| is_off(&at));
        let name = self.body.name;
        let message = match (from, to + 1 == self.instants.len()) {
            (0, true) => format!("the balance of {name} is not checked: it sits, lies, kneels or jumps all the time"),
            _ => {
                let at = match from == to {
                    true => format!("at {}", self.frame(from)),
                    false => format!("from {} to {}", self.frame(from), self.frame(to)),
                };
                let later = if later { ", nor at later ones" } else { "" };
                format!("the balance of {name} is not checked {at}{later}: it sits, lies, kneels or jumps")
            }
        };
        let help = "its feet alone do not carry it then; a run with `--physics` shows what happens";
        Some(Diagnostic::note(codes::BALANCE_NOT_CHECKED, message).help(help))
    }

    fn close(&self, summary: &Summary) -> Option<(usize, f64)> {
        let at = summary.worst?;
        let instant = self.instants.get(at).filter(|instant| instant.is_close())?;
        Some((at, instant.margin?))
    }

    fn side(&self, at: usize) -> &'static str {
        self.instants.get(at).map_or("", |instant| instant.side.word())
    }

    fn frame(&self, at: usize) -> String {
        let frame = self.postures.frame(at);
        format!("frame {frame} ({:.1} s)", self.postures.seconds(frame))
    }

    /// Returns the place of the curve that moves a joint.
    fn span_of(&self, joint: &str) -> Span {
        let mut curves = self.timeline.actuators.iter().flat_map(|list| &list.curves);
        curves.find(|curve| &*curve.actuator == joint).map_or(self.timeline.span, |curve| curve.span)
    }
}

fn millimetres(metres: f64) -> String {
    format!("{:.0} mm", 1000.0 * metres)
}
