//! The postures that a timeline moves a robot through, for a page that shows them.

use crate::level::Level;
use crate::svg::motion_notes;
use boxstep_bodies::Body;
use boxstep_dynamics::{FrameBudget, Model};
use serde_json::{Value as Json, json};

/// Returns the postures that the timeline of a box moves the robot through, as in `docs/reference/view-protocol.md`.
/// `None` if it moves no joint of this body.
pub fn postures(level: &Level<'_>, body: &'static Body) -> Option<String> {
    let model = Model::new(body);
    let found = model.postures(level.at.def.timeline.as_ref()?, &mut FrameBudget::default())?;
    let round = |angle: &f64| (angle * 1e4).round() / 1e4;
    let of = |joint: usize| found.angles.iter().filter_map(|all| all.get(joint)).map(round).collect::<Vec<_>>();
    let joints: serde_json::Map<String, Json> =
        body.joints.iter().enumerate().map(|(at, joint)| (joint.name.to_owned(), json!(of(at)))).collect();
    let (first, stride) = (found.frame(0), found.frame(1) - found.frame(0));
    let fps = stride as f64 / found.step();
    let notes = motion_notes(level, body);
    let fast: Vec<Json> = notes
        .fast
        .into_iter()
        .map(|one| json!({"joint": one.joint, "from": one.from, "to": one.to, "words": one.words}))
        .collect();
    Some(
        json!({"first": first, "stride": stride, "fps": fps, "joints": joints, "fast": fast, "balance": notes.balance})
            .to_string(),
    )
}
