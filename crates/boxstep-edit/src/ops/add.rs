//! Boxes that come and go.

use super::new_name;
use super::values::python;
use crate::error::EditError;
use crate::fields::{Kind, NewBox};
use crate::op::Op;
use crate::scratch::{Scratch, free_box_id, free_name, free_place};
use boxstep_format::model::{
    BehaviorKeyframe, BehaviorLayer, BoxDef, Diagram, Input, InputNature, Output, OutputNature, Parameter, PortType,
    ResourceAcquisition, Timeline,
};
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
    let (x, y) = free_place(diagram, &[(x, y)], (x, y));
    def.name = free_name(diagram, name.unwrap_or(&def.name)).into();
    def.id = free_box_id(diagram);
    (def.x, def.y) = (x, y);
    diagram.boxes.push(def);
    Ok(())
}

/// Returns the box that is to be added.
fn made(to: &mut Scratch<'_>, what: &NewBox) -> Result<BoxDef, EditError> {
    match what {
        NewBox::Empty(kind) => Ok(empty(*kind)),
        NewBox::Library(name) => {
            let known = boxstep_library::named(name).ok_or_else(|| EditError::NoLibraryBox(name.clone()))?;
            foreign(to, known.xar)
        }
        NewBox::Xar(text) => foreign(to, text),
    }
}

/// Returns the box of another file.
fn foreign(to: &mut Scratch<'_>, text: &str) -> Result<BoxDef, EditError> {
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
    let mut places = boxes.iter().map(|path| to.find_inner(path)).collect::<Result<Vec<_>, _>>()?;
    // Those inside others go with them; the last of a diagram goes first.
    places.sort_by(|(a, i), (b, j)| (b.of.len(), j).cmp(&(a.of.len(), i)));
    places.dedup();
    for (place, index) in places {
        let diagram = to.diagram_mut(&place)?;
        if index < diagram.boxes.len() {
            let id = diagram.boxes.remove(index).id;
            diagram.links.retain(|link| link.from_box != id && link.to_box != id);
        }
    }
    Ok(())
}

pub(super) fn replace(to: &mut Scratch<'_>, path: &BoxPath, with: Option<&NewBox>) -> Result<(), EditError> {
    let (place, index) = to.find_inner(path)?;
    let mut new = match with {
        Some(with) => made(to, with)?,
        None => {
            let known = ours(to.def(&to.find(path)?)).ok_or_else(|| EditError::NoReplacement(path.clone()))?;
            foreign(to, known.xar)?
        }
    };
    let diagram = to.diagram_mut(&place)?;
    let Some(old) = diagram.boxes.get(index).cloned() else { return Err(EditError::Nothing) };
    (new.name, new.id, new.x, new.y) = (old.name.clone(), old.id, old.x, old.y);
    // The id of the new port of the same name; a link to a port that is not there goes.
    let input = |id: i32| {
        let name = old.inputs.iter().find(|port| port.id == id).map(|port| &port.name);
        let parameter = old.parameters.iter().find(|port| port.id == id).map(|port| &port.name);
        let inputs = name.and_then(|name| new.inputs.iter().find(|port| port.name == *name)).map(|port| port.id);
        inputs.or_else(|| parameter.and_then(|name| new.parameters.iter().find(|p| p.name == *name)).map(|p| p.id))
    };
    let output = |id: i32| {
        let name = old.outputs.iter().find(|port| port.id == id).map(|port| &port.name)?;
        new.outputs.iter().find(|port| port.name == *name).map(|port| port.id)
    };
    diagram.links.retain_mut(|link| {
        let mut stays = true;
        if link.to_box == old.id {
            input(link.to_port).map_or_else(|| stays = false, |id| link.to_port = id);
        }
        if link.from_box == old.id {
            output(link.from_port).map_or_else(|| stays = false, |id| link.from_port = id);
        }
        stays
    });
    let of_old = |parameter: &Parameter| old.parameters.iter().find(|other| other.name == parameter.name);
    let values = new.parameters.iter().filter_map(|parameter| {
        let value = of_old(parameter).filter(|old| old.value != parameter.value)?.value.to_string();
        // A value that the new type does not have stays that of the new box.
        typed_value(parameter.content_type, &value).ok()?;
        Some(Op::SetParameter { r#box: path.clone(), parameter: parameter.name.to_string(), value })
    });
    let values: Vec<Op> = values.collect();
    if let Some(place) = diagram.boxes.get_mut(index) {
        *place = new;
    }
    to.then.extend(values);
    Ok(())
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
