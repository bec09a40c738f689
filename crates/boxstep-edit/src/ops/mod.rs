//! What each operation does to the model.

mod add;
mod clip;
mod curves;
mod links;
mod plugin;
mod ports;
mod scripts;
mod timelines;
mod values;
mod wrap;

pub use clip::copied;
pub(crate) use clip::saved;
pub use plugin::{Said, SaidKind, Sent, said};

use crate::error::EditError;
use crate::op::Op;
use crate::scratch::Scratch;
use boxstep_types::BoxPath;

/// Does an operation.
pub(crate) fn apply(op: &Op, to: &mut Scratch<'_>) -> Result<(), EditError> {
    match op {
        Op::SetParameter { r#box, parameter, value } => values::set_parameter(to, r#box, parameter, value),
        Op::SetScript { r#box, script, was } => values::set_script(to, r#box, script, was.as_deref()),
        Op::SetText { r#box, language, text } => plugin::set_text(to, r#box, language.as_deref(), text),
        Op::SetTooltip { r#box, tooltip } => {
            to.change(r#box)?.tooltip.clone_from(tooltip);
            Ok(())
        }
        Op::SetPicture { r#box, picture } => values::set_picture(to, r#box, picture),
        Op::Rename { r#box, name } => values::rename(to, r#box, name),
        Op::Move { boxes } => values::place(to, boxes),
        Op::MoveBy { boxes, dx, dy } => values::shift(to, boxes, (*dx, *dy)),
        Op::Connect { from, to: end } => links::connect(to, from, end),
        Op::Disconnect { from, to: end } => links::disconnect(to, from, end),
        Op::OrderLink { from, to: end, before } => links::order(to, from, end, before.as_ref()),
        Op::Add { diagram, add, name, x, y } => add::add(to, diagram, add, name.as_deref(), (*x, *y)),
        Op::Remove { boxes } => add::remove(to, boxes),
        Op::Duplicate { boxes, dx, dy } => clip::duplicate(to, boxes, (*dx, *dy)),
        Op::Paste { diagram, clip, x, y } => clip::paste(to, diagram, clip, (*x, *y)),
        Op::Wrap { boxes, name } => wrap::wrap(to, boxes, name),
        Op::Unwrap { r#box } => wrap::unwrap(to, r#box),
        Op::Replace { r#box, with } => add::replace(to, r#box, with.as_ref()),
        Op::AddInput { r#box, input } => ports::add_input(to, r#box, input),
        Op::AddOutput { r#box, output } => ports::add_output(to, r#box, output),
        Op::AddParameter { r#box, parameter } => ports::add_parameter(to, r#box, parameter),
        Op::AddResource { r#box, resource } => ports::add_resource(to, r#box, resource),
        Op::SetInput { r#box, port, input } => ports::set_input(to, r#box, port, input),
        Op::SetOutput { r#box, port, output } => ports::set_output(to, r#box, port, output),
        Op::ChangeParameter { r#box, port, parameter } => ports::set_parameter(to, r#box, port, parameter),
        Op::SetResource { r#box, name, resource } => ports::set_resource(to, r#box, name, resource),
        Op::RemovePort { r#box, port } => ports::remove_port(to, r#box, port),
        Op::RemoveResource { r#box, name } => ports::remove_resource(to, r#box, name),
        Op::SetTimeline { r#box, fps, start_frame, end_frame, size } => {
            timelines::set(to, r#box, [*fps, *start_frame, *end_frame, *size])
        }
        Op::AddLayer { r#box, layer } => timelines::add_layer(to, r#box, layer),
        Op::SetLayer { r#box, layer, name, mute } => timelines::set_layer(to, r#box, layer, name.as_deref(), *mute),
        Op::RemoveLayer { r#box, layer } => timelines::remove_layer(to, r#box, layer),
        Op::AddKeyframe { r#box, layer, name, frame } => timelines::add_keyframe(to, r#box, layer, name, *frame),
        Op::SetKeyframe { r#box, layer, keyframe, name, frame } => {
            timelines::set_keyframe(to, r#box, (layer, keyframe), name.as_deref(), *frame)
        }
        Op::RemoveKeyframe { r#box, layer, keyframe } => timelines::remove_keyframe(to, r#box, (layer, keyframe)),
        Op::AddCurve { r#box, joint } => curves::add(to, r#box, joint),
        Op::MuteCurve { r#box, joint, mute } => curves::mute(to, r#box, joint, *mute),
        Op::RemoveCurve { r#box, joint } => curves::remove(to, r#box, joint),
        Op::SetKeys { r#box, joint, keys } => curves::set_keys(to, r#box, joint, keys),
        Op::SetPose { r#box, frame, joints } => curves::set_pose(to, r#box, *frame, joints),
        Op::RemoveKeys { r#box, keys } => curves::remove_keys(to, r#box, keys),
        Op::MoveKeys { r#box, keys, frames, value } => curves::move_keys(to, r#box, keys, *frames, *value),
        Op::SetTangent { r#box, joint, frame, side, tangent } => {
            curves::set_tangent(to, r#box, (joint, *frame), *side, tangent.as_ref())
        }
        Op::Stretch { r#box, from, factor, frames } => timelines::stretch(to, r#box, *from, *factor, *frames),
        Op::Mirror { r#box } => curves::mirror(to, r#box),
    }
}

/// Returns a new name without the space around it; people, and files, can say no others.
fn new_name<'n>(path: &BoxPath, kind: &'static str, name: &'n str) -> Result<&'n str, EditError> {
    let name = name.trim();
    if name.is_empty() {
        return Err(EditError::NoName(path.clone(), kind));
    }
    if name.contains(char::is_control) {
        return Err(EditError::ControlCharacter(path.clone(), kind));
    }
    Ok(name)
}

/// Returns the error of a box that has no item of a name.
fn missing<'n>(path: &BoxPath, kind: &'static str, name: &str, known: impl Iterator<Item = &'n str>) -> EditError {
    let known = known.map(str::to_owned).collect();
    EditError::Missing { path: path.clone(), kind, name: name.to_owned(), known }
}
