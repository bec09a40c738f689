//! Ports, parameters and resources of boxes.

use super::values::written;
use super::{missing, new_name, scripts};
use crate::error::EditError;
use crate::fields::{InputFields, OutputFields, ParameterFields, ResourceFields};
use crate::scratch::{DiagramPlace, Scratch, free_port_id, is_own_id};
use boxstep_format::model::{
    BoxDef, Diagram, Input, InputNature, Output, OutputNature, Parameter, ParameterType, PortType, Resource,
    ResourceMode,
};
use boxstep_format::paths::Place;
use boxstep_types::{BoxPath, Segment, Span};

pub(super) fn add_input(to: &mut Scratch<'_>, path: &BoxPath, fields: &InputFields) -> Result<(), EditError> {
    let def = to.change(path)?;
    let mut input = Input {
        name: free_name(def, path, "input", fields.name.as_deref())?.into(),
        id: free_port_id(def),
        port_type: PortType::Bang,
        type_size: 1,
        nature: InputNature::OnEvent,
        inner: false,
        memory_key: None,
        tooltip: String::new(),
        span: Span::default(),
    };
    fill_input(&mut input, fields);
    def.inputs.push(input);
    Ok(())
}

pub(super) fn set_input(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    port: &str,
    fields: &InputFields,
) -> Result<(), EditError> {
    let def = to.change(path)?;
    let Some(at) = def.inputs.iter().position(|input| *input.name == *port) else {
        return Err(missing(path, "input", port, def.inputs.iter().map(|input| &*input.name)));
    };
    if let Some(name) = changed_name(def, path, "input", port, fields.name.as_deref())? {
        rename(def, path, "onInput_", port, &name)?;
        def.inputs[at].name = name.into();
    }
    fill_input(&mut def.inputs[at], fields);
    Ok(())
}

fn fill_input(input: &mut Input, fields: &InputFields) {
    input.port_type = fields.r#type.map_or(input.port_type, PortType::from);
    if let Some(nature) = fields.nature.map(InputNature::from) {
        input.nature = nature;
        input.inner = matches!(nature, InputNature::OnLoad | InputNature::Memory);
    }
    if let Some(key) = &fields.memory_key {
        input.memory_key = (!key.is_empty()).then(|| key.clone());
    }
    input.tooltip = fields.tooltip.clone().unwrap_or_else(|| std::mem::take(&mut input.tooltip));
}

pub(super) fn add_output(to: &mut Scratch<'_>, path: &BoxPath, fields: &OutputFields) -> Result<(), EditError> {
    let def = to.change(path)?;
    let mut output = Output {
        name: free_name(def, path, "output", fields.name.as_deref())?.into(),
        id: free_port_id(def),
        port_type: PortType::Bang,
        type_size: 1,
        nature: OutputNature::Punctual,
        inner: false,
        tooltip: String::new(),
        span: Span::default(),
    };
    fill_output(&mut output, fields);
    def.outputs.push(output);
    Ok(())
}

pub(super) fn set_output(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    port: &str,
    fields: &OutputFields,
) -> Result<(), EditError> {
    let def = to.change(path)?;
    let Some(at) = def.outputs.iter().position(|output| *output.name == *port) else {
        return Err(missing(path, "output", port, def.outputs.iter().map(|output| &*output.name)));
    };
    if let Some(name) = changed_name(def, path, "output", port, fields.name.as_deref())? {
        rename(def, path, "self.", port, &name)?;
        def.outputs[at].name = name.into();
    }
    fill_output(&mut def.outputs[at], fields);
    Ok(())
}

fn fill_output(output: &mut Output, fields: &OutputFields) {
    output.port_type = fields.r#type.map_or(output.port_type, PortType::from);
    output.nature = fields.nature.map_or(output.nature, OutputNature::from);
    output.tooltip = fields.tooltip.clone().unwrap_or_else(|| std::mem::take(&mut output.tooltip));
}

pub(super) fn add_parameter(to: &mut Scratch<'_>, path: &BoxPath, fields: &ParameterFields) -> Result<(), EditError> {
    let def = to.change(path)?;
    let content_type = fields.r#type.map_or(ParameterType::String, ParameterType::from);
    let value = match content_type {
        ParameterType::Bool | ParameterType::Int | ParameterType::Float => "0",
        _ => "",
    };
    let mut parameter = Parameter {
        name: free_name(def, path, "parameter", fields.name.as_deref())?.into(),
        id: free_port_id(def),
        content_type,
        value: value.into(),
        default_value: value.into(),
        min: None,
        max: None,
        inherits_from_parent: false,
        custom_choice: false,
        password: false,
        choices: Vec::new(),
        tooltip: String::new(),
        value_span: Span::default(),
        span: Span::default(),
    };
    fill_parameter(&mut parameter, path, fields)?;
    if fields.default.is_none() {
        parameter.default_value = parameter.value.clone();
    }
    def.parameters.push(parameter);
    Ok(())
}

pub(super) fn set_parameter(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    port: &str,
    fields: &ParameterFields,
) -> Result<(), EditError> {
    let def = to.change(path)?;
    let Some(at) = def.parameters.iter().position(|parameter| *parameter.name == *port) else {
        return Err(missing(path, "parameter", port, def.parameters.iter().map(|parameter| &*parameter.name)));
    };
    if let Some(name) = changed_name(def, path, "parameter", port, fields.name.as_deref())? {
        rename_parameter(def, path, at, &name)?;
    }
    fill_parameter(&mut def.parameters[at], path, fields)
}

/// Gives a name to a parameter, also in the script, and in boxes inside that take its value.
fn rename_parameter(def: &mut BoxDef, path: &BoxPath, at: usize, name: &str) -> Result<(), EditError> {
    let old = std::mem::replace(&mut def.parameters[at].name, name.into());
    for quote in ["\"", "'"] {
        for call in ["getParameter(", "setParameter("] {
            let (old, name) = (format!("{old}{quote}"), format!("{name}{quote}"));
            scripts::rename(def.script.as_mut(), &format!("{call}{quote}"), &old, &name);
        }
    }
    for child in children(def) {
        let Some(at) = inheriting(child, &old) else { continue };
        let path = path.join(Segment::Box { name: child.name.clone(), id: None });
        free_name(child, &path, "parameter", Some(name))?;
        rename_parameter(child, &path, at, name)?;
    }
    Ok(())
}

/// Returns the boxes in the diagrams of a box.
fn children(def: &mut BoxDef) -> impl Iterator<Item = &mut BoxDef> {
    let layers = def.timeline.iter_mut().flat_map(|timeline| &mut timeline.layers);
    layers.flat_map(|layer| &mut layer.keyframes).flat_map(|keyframe| &mut keyframe.diagram.boxes)
}

/// Returns the parameter of a box that takes its value from the one of this name around it.
fn inheriting(def: &BoxDef, name: &str) -> Option<usize> {
    def.parameters.iter().position(|parameter| parameter.inherits_from_parent && *parameter.name == *name)
}

/// Renames a port in the script, which must be able to say it if it says the old name.
fn rename(def: &mut BoxDef, path: &BoxPath, before: &str, old: &str, new: &str) -> Result<(), EditError> {
    if scripts::rename(def.script.as_mut(), before, old, new) && !scripts::is_word(new) {
        return Err(EditError::NotA(path.clone(), new.to_owned(), "a name that its script can say"));
    }
    Ok(())
}

fn fill_parameter(parameter: &mut Parameter, path: &BoxPath, fields: &ParameterFields) -> Result<(), EditError> {
    parameter.content_type = fields.r#type.map_or(parameter.content_type, ParameterType::from);
    let own = |text: &str| written(path, parameter.content_type, text);
    let value = fields.value.as_deref().map(own).transpose()?;
    let default = fields.default.as_deref().map(own).transpose()?;
    if fields.r#type.is_some() {
        // The values that stay must be ones of the new type.
        for (text, new) in [(&parameter.value, &value), (&parameter.default_value, &default)] {
            if new.is_none() {
                own(text)?;
            }
        }
    }
    for (what, bound) in [("a smallest value", fields.min), ("a largest value", fields.max)] {
        if let Some(bound) = bound.filter(|bound| !bound.is_finite()) {
            return Err(EditError::Number(path.clone(), what, bound));
        }
    }
    parameter.value = value.map_or_else(|| parameter.value.clone(), Into::into);
    parameter.default_value = default.map_or_else(|| parameter.default_value.clone(), Into::into);
    parameter.min = fields.min.or(parameter.min);
    parameter.max = fields.max.or(parameter.max);
    if let Some(choices) = &fields.choices {
        parameter.choices.clone_from(choices);
    }
    parameter.custom_choice = fields.custom_choice.unwrap_or(parameter.custom_choice);
    parameter.inherits_from_parent = fields.inherits.unwrap_or(parameter.inherits_from_parent);
    parameter.tooltip = fields.tooltip.clone().unwrap_or_else(|| std::mem::take(&mut parameter.tooltip));
    Ok(())
}

pub(super) fn add_resource(to: &mut Scratch<'_>, path: &BoxPath, fields: &ResourceFields) -> Result<(), EditError> {
    let def = to.change(path)?;
    let name = fields.name.clone().filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| EditError::NoName(path.clone(), "resource"))?;
    if def.resources.iter().any(|resource| *resource.name == *name) {
        return Err(EditError::NameTaken { path: path.clone(), kind: "resource", name });
    }
    let lock = ResourceMode::Lock;
    let (name, mode, mode_text) = (name.into(), Some(lock), lock.word().to_owned());
    let mut resource = Resource { name, mode, mode_text, timeout: 0.0, span: Span::default() };
    fill_resource(&mut resource, path, fields)?;
    def.resources.push(resource);
    Ok(())
}

pub(super) fn set_resource(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    name: &str,
    fields: &ResourceFields,
) -> Result<(), EditError> {
    let def = to.change(path)?;
    let Some(at) = def.resources.iter().position(|resource| *resource.name == *name) else {
        return Err(missing(path, "resource", name, def.resources.iter().map(|resource| &*resource.name)));
    };
    if let Some(new) = fields.name.as_ref().filter(|new| *new != name) {
        if new.is_empty() {
            return Err(EditError::NoName(path.clone(), "resource"));
        }
        if def.resources.iter().any(|resource| *resource.name == **new) {
            return Err(EditError::NameTaken { path: path.clone(), kind: "resource", name: new.clone() });
        }
        def.resources[at].name = new.as_str().into();
    }
    fill_resource(&mut def.resources[at], path, fields)
}

fn fill_resource(resource: &mut Resource, path: &BoxPath, fields: &ResourceFields) -> Result<(), EditError> {
    if let Some(mode) = fields.mode.map(ResourceMode::from) {
        (resource.mode, resource.mode_text) = (Some(mode), mode.word().to_owned());
    }
    if let Some(timeout) = fields.timeout {
        if !timeout.is_finite() {
            return Err(EditError::Number(path.clone(), "a timeout", timeout));
        }
        resource.timeout = timeout;
    }
    Ok(())
}

pub(super) fn remove_resource(to: &mut Scratch<'_>, path: &BoxPath, name: &str) -> Result<(), EditError> {
    let def = to.change(path)?;
    let Some(at) = def.resources.iter().position(|resource| *resource.name == *name) else {
        return Err(missing(path, "resource", name, def.resources.iter().map(|resource| &*resource.name)));
    };
    def.resources.remove(at);
    Ok(())
}

pub(super) fn remove_port(to: &mut Scratch<'_>, path: &BoxPath, port: &str) -> Result<(), EditError> {
    let trail = to.find(path)?;
    let def = to.def_mut(&trail)?;
    let names = port_names(def).map(str::to_owned).collect::<Vec<_>>();
    if def.parameters.iter().any(|parameter| *parameter.name == *port) {
        let by = children(def).find(|child| inheriting(child, port).is_some()).map(|child| child.name.clone());
        if let Some(name) = by {
            let by = path.join(Segment::Box { name, id: None });
            return Err(EditError::Inherited(path.clone(), port.to_owned(), by));
        }
    }
    let Some((id, is_output)) = take_port(def, port) else {
        return Err(missing(path, "port", port, names.iter().map(String::as_str)));
    };
    // Inside, the containing box has the number 0; there its inputs begin links.
    for inside in inside(to.def(&trail), &trail) {
        drop_links(to, &inside, |diagram| {
            diagram.links.iter().position(|link| {
                (link.from_box == 0 && !is_output && link.from_port == id) || (link.to_box == 0 && link.to_port == id)
            })
        })?;
    }
    if trail.is_empty() {
        return Ok(());
    }
    let own = to.def(&trail).id;
    let (outside, _) = to.find_inner(path)?;
    if !is_own_id(to.diagram(&outside)?.1, own) {
        return Ok(());
    }
    drop_links(to, &outside, |diagram| {
        diagram.links.iter().position(|link| {
            (link.from_box == own && is_output && link.from_port == id)
                || (link.to_box == own && !is_output && link.to_port == id)
        })
    })
}

/// Removes the links of a diagram that are found, one after the other.
fn drop_links(
    to: &mut Scratch<'_>,
    at: &DiagramPlace,
    find: impl Fn(&Diagram) -> Option<usize>,
) -> Result<(), EditError> {
    while let Some(link) = find(to.diagram(at)?.1) {
        to.links_mut(at)?.remove(link);
    }
    Ok(())
}

/// Returns the places of the diagrams of a box.
fn inside(def: &BoxDef, trail: &[Place]) -> Vec<DiagramPlace> {
    let root = BoxPath::root("");
    let all = boxstep_format::paths::diagrams(&root, def);
    all.into_iter().map(|d| DiagramPlace::new(trail, d.layer, d.keyframe)).collect()
}

/// Removes a port, and returns its id and whether it is an output.
fn take_port(def: &mut BoxDef, name: &str) -> Option<(i32, bool)> {
    if let Some(at) = def.inputs.iter().position(|port| *port.name == *name) {
        return Some((def.inputs.remove(at).id, false));
    }
    if let Some(at) = def.outputs.iter().position(|port| *port.name == *name) {
        return Some((def.outputs.remove(at).id, true));
    }
    let at = def.parameters.iter().position(|port| *port.name == *name)?;
    Some((def.parameters.remove(at).id, false))
}

fn port_names(def: &BoxDef) -> impl Iterator<Item = &str> {
    let inputs = def.inputs.iter().map(|port| &*port.name);
    let outputs = def.outputs.iter().map(|port| &*port.name);
    inputs.chain(outputs).chain(def.parameters.iter().map(|port| &*port.name))
}

/// Returns the name of a new port, which no other has.
fn free_name(def: &BoxDef, path: &BoxPath, kind: &'static str, name: Option<&str>) -> Result<String, EditError> {
    let name = new_name(path, kind, name.unwrap_or_default())?;
    if port_names(def).any(|other| other == name) {
        return Err(EditError::NameTaken { path: path.clone(), kind: "port", name: name.to_owned() });
    }
    Ok(name.to_owned())
}

/// Returns the new name of a port, if it changes.
fn changed_name(
    def: &BoxDef,
    path: &BoxPath,
    kind: &'static str,
    old: &str,
    new: Option<&str>,
) -> Result<Option<String>, EditError> {
    new.filter(|new| *new != old).map(|new| free_name(def, path, kind, Some(new))).transpose()
}
