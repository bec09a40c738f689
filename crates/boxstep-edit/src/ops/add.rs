//! Boxes that come and go.

use super::new_name;
use super::plugin::{self, PARAMETER};
use super::values::{python, with_line_ends};
use crate::error::EditError;
use crate::fields::{Kind, NewBox, ParameterFields};
use crate::op::Op;
use crate::scratch::{DiagramPlace, Scratch, free_box_id, free_name, free_place, is_own_id};
use boxstep_format::model::{
    BehaviorKeyframe, BehaviorLayer, BoxDef, Diagram, Input, InputNature, Output, OutputNature, PortType,
    ResourceAcquisition, Timeline,
};
use boxstep_format::paths::Place;
use boxstep_format::write::Copies;
use boxstep_format::{Limits, read_xar, typed_value};
use boxstep_types::{BoxPath, Span};

/// The script of a new box.
const SCRIPT: &str = "class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onLoad(self):
        pass

    def onUnload(self):
        pass

    def onInput_onStart(self):
        self.onStopped()

    def onInput_onStop(self):
        self.onUnload()
        self.onStopped()
";

/// Frames per second of a new timeline.
const FPS: i32 = 25;
/// Length of the edited area of a new timeline, in frames.
const SIZE: i32 = 300;

pub(super) fn add(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    what: &NewBox,
    name: Option<&str>,
    (x, y): (f64, f64),
) -> Result<(), EditError> {
    let place = to.diagram_at(path)?;
    let mut def = made(to, what)?;
    if let Some(number) = [x, y].into_iter().find(|number| !number.is_finite()) {
        return Err(EditError::Number(path.clone(), "a place", number));
    }
    let name = name.map(|name| new_name(path, "box", name)).transpose()?;
    let diagram = to.diagram_mut(&place)?;
    (def.x, def.y) = (x, y);
    let (right, down) = free_place(diagram, std::slice::from_ref(&def), (0.0, 0.0));
    def.name = free_name(diagram, name.unwrap_or(&def.name)).into();
    def.id = free_box_id(diagram);
    (def.x, def.y) = (x + right, y + down);
    diagram.boxes.push(def);
    Ok(())
}

/// Returns the box that is to be added.
fn made(to: &mut Scratch<'_>, what: &NewBox) -> Result<BoxDef, EditError> {
    match what {
        NewBox::Empty(kind) => {
            let mut def = empty(*kind);
            if let Some(script) = &mut def.script {
                script.text = with_line_ends(to.file, &script.text).into();
            }
            Ok(def)
        }
        NewBox::Library(name) => {
            let known = boxstep_library::named(name).ok_or_else(|| EditError::NoLibraryBox(name.clone()))?;
            foreign(to, known.xar)
        }
        NewBox::Xar(text) => foreign(to, text),
    }
}

/// Returns the box of another file, with the line ends of this one.
pub(super) fn foreign(to: &mut Scratch<'_>, text: &str) -> Result<BoxDef, EditError> {
    // A mark says that the text is decoded, whatever it declares.
    let text = format!("\u{FEFF}{}", with_line_ends(to.file, text.trim_start_matches('\u{FEFF}')));
    let file = read_xar("the box", text.as_bytes(), &Limits::default()).map_err(EditError::Foreign)?;
    let mut def = file.project.root.clone();
    def.set_file(Copies::id(to.others.len()));
    to.others.push(file);
    Ok(def)
}

pub(super) fn remove(to: &mut Scratch<'_>, boxes: &[BoxPath]) -> Result<(), EditError> {
    if boxes.is_empty() {
        return Err(EditError::Nothing);
    }
    let mut places: Vec<(DiagramPlace, usize)> = Vec::with_capacity(boxes.len());
    for path in boxes {
        let place = to.find_inner(path)?;
        if !places.contains(&place) {
            places.push(place);
        }
    }
    // Those inside others go with them; the last of a diagram goes first.
    places.sort_by(|(a, i), (b, j)| (b.of.len(), j).cmp(&(a.of.len(), i)));
    for (place, index) in places {
        let diagram = to.diagram_mut(&place)?;
        if index < diagram.boxes.len() {
            // Another box may have the number in a broken file, and its links stay.
            let own = diagram.boxes.get(index).is_some_and(|def| is_own_id(diagram, def.id));
            let id = diagram.boxes.remove(index).id;
            diagram.links.retain(|link| !own || (link.from_box != id && link.to_box != id));
        }
    }
    Ok(())
}

pub(super) fn replace(to: &mut Scratch<'_>, path: &BoxPath, with: Option<&NewBox>) -> Result<(), EditError> {
    let (place, index) = to.find_inner(path)?;
    let trail = to.find(path)?;
    let old = to.def(&trail).clone();
    // Paths of later operations must not mean a box inside the new one.
    let (named, path) = (path, to.path(&trail));
    let mut new = match with {
        Some(with) => made(to, with)?,
        None => foreign(to, ours(&old).ok_or_else(|| EditError::NoReplacement(named.clone()))?.xar)?,
    };
    let said = said(to, &path, &trail, &new)?;
    let diagram = to.diagram_mut(&place)?;
    (new.name, new.id, new.x, new.y) = (old.name.clone(), old.id, old.x, old.y);
    let is_own = is_own_id(diagram, old.id);
    // The id of the new port of the same name; a link to a port that is not there goes.
    let counterpart = |name: &str| {
        let name = if with.is_none() { boxstep_library::parameter_of_ours(&old.name, name) } else { name };
        new.parameters.iter().find(|parameter| *parameter.name == *name)
    };
    let input = |id: i32| {
        let name = old.inputs.iter().find(|port| port.id == id).map(|port| &port.name);
        let parameter = old.parameters.iter().find(|port| port.id == id).map(|port| &port.name);
        let inputs = name.and_then(|name| new.inputs.iter().find(|port| port.name == *name)).map(|port| port.id);
        inputs.or_else(|| parameter.and_then(|name| counterpart(name)).map(|parameter| parameter.id))
    };
    let output = |id: i32| {
        let name = old.outputs.iter().find(|port| port.id == id).map(|port| &port.name)?;
        new.outputs.iter().find(|port| port.name == *name).map(|port| port.id)
    };
    let mut lost: Option<i32> = None;
    diagram.links.retain_mut(|link| {
        let (into, out) = (is_own && link.to_box == old.id, is_own && link.from_box == old.id);
        let to = if into { input(link.to_port) } else { Some(link.to_port) };
        let from = if out { output(link.from_port) } else { Some(link.from_port) };
        let (Some(to), Some(from)) = (to, from) else {
            lost = Some(if to.is_none() { link.to_port } else { link.from_port });
            return false;
        };
        (link.to_port, link.from_port) = (to, from);
        true
    });
    // Whoever names the new box knows what it has not; ours must be what Choregraphe's was.
    let refused = |why: String| if with.is_none() { Err(EditError::Replace(path.clone(), why)) } else { Ok(()) };
    if let Some(name) = lost.and_then(|id| port_name(&old, id)) {
        refused(format!("a link of `{name}` would be lost"))?;
    }
    let mut values = Vec::new();
    for before in &old.parameters {
        let value = before.value.to_string();
        let lost = format!("the value of its parameter `{}` would be lost", before.name);
        let Some(after) = counterpart(&before.name) else {
            if before.inherits_from_parent || before.value != before.default_value {
                refused(lost)?;
            }
            continue;
        };
        if before.value == after.value && before.inherits_from_parent == after.inherits_from_parent {
            continue;
        }
        // A value that the new type does not have stays that of the new box.
        if typed_value(after.content_type, &value).is_err() {
            refused(lost)?;
            continue;
        }
        let inherits = Some(before.inherits_from_parent);
        let parameter = ParameterFields { value: Some(value), inherits, ..ParameterFields::default() };
        values.push(Op::ChangeParameter { r#box: path.clone(), port: after.name.to_string(), parameter });
    }
    values.extend(said.map(|value| Op::SetParameter { r#box: path.clone(), parameter: PARAMETER.to_owned(), value }));
    if let Some(place) = diagram.boxes.get_mut(index) {
        *place = new;
    }
    to.then.extend(values);
    Ok(())
}

/// Returns the text of a box that has it in a form or in a box inside, for a new box that has it in a parameter.
fn said(to: &Scratch<'_>, path: &BoxPath, trail: &[Place], new: &BoxDef) -> Result<Option<String>, EditError> {
    let has = |def: &BoxDef| def.parameters.iter().any(|parameter| *parameter.name == *PARAMETER);
    if has(to.def(trail)) || !has(new) {
        return Ok(None);
    }
    let texts = plugin::texts(to, trail).unwrap_or_default();
    let mut texts = texts.into_iter().map(|sent| sent.text).filter(|text| !text.is_empty());
    let Some(first) = texts.next() else { return Ok(None) };
    if texts.any(|other| other != first) {
        let why = "it says different texts in different languages, and the new box has one".to_owned();
        return Err(EditError::Replace(path.clone(), why));
    }
    Ok(Some(first))
}

fn port_name(def: &BoxDef, id: i32) -> Option<&str> {
    let inputs = def.inputs.iter().map(|port| (port.id, &port.name));
    let outputs = def.outputs.iter().map(|port| (port.id, &port.name));
    let all = inputs.chain(outputs).chain(def.parameters.iter().map(|port| (port.id, &port.name)));
    all.into_iter().find(|(other, _)| *other == id).map(|(_, name)| &**name)
}

/// Returns the box of our library that replaces one of Choregraphe's.
fn ours(def: &BoxDef) -> Option<&'static boxstep_library::LibraryBox> {
    let inputs = def.inputs.iter().map(|port| &*port.name);
    let ports: Vec<&str> = inputs.chain(def.outputs.iter().map(|port| &*port.name)).collect();
    boxstep_library::replacement(&def.name, &ports)
}

/// Returns an empty box.
pub(super) fn empty(kind: Kind) -> BoxDef {
    let script = matches!(kind, Kind::Script).then(|| python(SCRIPT));
    let name = match kind {
        Kind::Script => "Python Script",
        Kind::Diagram => "Diagram",
        Kind::Timeline => "Timeline",
    };
    BoxDef {
        name: name.into(),
        id: 1,
        tooltip: String::new(),
        x: 0.0,
        y: 0.0,
        localization: Some(8),
        plugin: String::new(),
        robot: None,
        bitmap_expanded: None,
        bitmaps: Vec::new(),
        script: Some(script.unwrap_or_else(|| python(""))),
        inputs: vec![
            input("onLoad", InputNature::OnLoad, 1, "Stimulated when the inside of the box has been loaded."),
            input("onStart", InputNature::OnStart, 2, "Starts the box."),
            input("onStop", InputNature::OnStop, 3, "Stops the box."),
        ],
        outputs: vec![output("onStopped", OutputNature::OnStopped, 4, "Stimulated when the box has ended.")],
        parameters: Vec::new(),
        resources: Vec::new(),
        timeline: match kind {
            Kind::Script => None,
            Kind::Diagram => Some(timeline(false)),
            Kind::Timeline => Some(timeline(true)),
        },
        dialog_file: None,
        plugin_content: None,
        span: Span::default(),
    }
}

fn input(name: &str, nature: InputNature, id: i32, tooltip: &str) -> Input {
    let inner = nature == InputNature::OnLoad;
    let (port_type, tooltip, span) = (PortType::Bang, tooltip.to_owned(), Span::default());
    Input { name: name.into(), id, port_type, type_size: 1, nature, inner, memory_key: None, tooltip, span }
}

fn output(name: &str, nature: OutputNature, id: i32, tooltip: &str) -> Output {
    let (port_type, tooltip, span) = (PortType::Bang, tooltip.to_owned(), Span::default());
    Output { name: name.into(), id, port_type, type_size: 1, nature, inner: false, tooltip, span }
}

/// Returns the inside of a new box: an empty flow diagram, or a timeline without keys, which has no layers.
pub(super) fn timeline(enabled: bool) -> Timeline {
    let span = Span::default();
    let diagram = Diagram { scale: Some(100.0), boxes: Vec::new(), links: Vec::new(), span };
    let keyframe = BehaviorKeyframe { name: "keyframe1".into(), index: 1, bitmap: None, diagram, span };
    let layer = BehaviorLayer { name: "behavior_layer1".into(), mute: false, keyframes: vec![keyframe], span };
    let frames = |number| enabled.then_some(number);
    Timeline {
        enabled,
        fps: frames(FPS),
        start_frame: frames(1),
        end_frame: None,
        size: frames(SIZE),
        acquisition: ResourceAcquisition::default(),
        scale: None,
        actuators: None,
        layers: if enabled { Vec::new() } else { vec![layer] },
        machine: None,
        span,
    }
}
