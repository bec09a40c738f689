//! Checks of links: whether their ends exist, run in the right direction, and have types that fit.

use super::{Here, repeats};
use crate::codes;
use boxstep_format::model::{BoxDef, Diagram, InputNature, ParameterType, PortType};
use boxstep_format::resolve::{End, LinkFault, PortRef, resolve};
use boxstep_types::Diagnostic;

pub(super) fn check(here: &mut Here<'_>, diagram: &Diagram) {
    let parent = here.at.def;
    let mut routes = Vec::new();
    for (link, route) in diagram.links.iter().zip(resolve(parent, diagram)) {
        match route {
            Ok(route) => routes.push((link, route)),
            Err(error) => {
                let code = match error.fault {
                    LinkFault::WrongWay(..) => codes::WRONG_WAY_LINK,
                    _ => codes::DANGLING_LINK,
                };
                let finding = Diagnostic::error(code, error.message(parent, diagram));
                here.report(finding.help("the link carries nothing; remove it or draw it again"), link.span);
            }
        }
    }
    for (_, (link, _)) in repeats(&routes, |(_, r)| (r.from, r.to)) {
        here.report(
            Diagnostic::warning(codes::DOUBLE_LINK, "this link is there twice; every signal arrives twice"),
            link.span,
        );
    }
    for (link, route) in &routes {
        let (from, to) = (port_type(parent, diagram, route.from), port_type(parent, diagram, route.to));
        if !fits(from, to) {
            let message = format!(
                "{} of type {} leads to {} of type {}",
                describe(parent, diagram, route.from),
                type_name(from),
                describe(parent, diagram, route.to),
                type_name(to)
            );
            let help = "the value is passed on as it is, and the receiver may not expect it";
            here.report(Diagnostic::warning(codes::TYPE_MISMATCH, message).help(help), link.span);
        }
        if let Some(why) = why_silent(parent, diagram, route.from, route.to) {
            here.report(Diagnostic::warning(codes::SILENT_LINK, why), link.span);
        }
    }
}

/// Returns the reason why a link between two existing ports carries nothing.
fn why_silent(parent: &BoxDef, diagram: &Diagram, from: End, to: End) -> Option<String> {
    if let End::Parent(PortRef::Input(i)) = from
        && parent.inputs.get(i)?.nature == InputNature::OnStop
    {
        let name = describe(parent, diagram, from);
        return Some(format!("{name} stops the box and is never seen inside it"));
    }
    if let End::Box(_, PortRef::Input(i)) = to {
        let input = def(parent, diagram, to)?.inputs.get(i)?;
        if input.inner {
            return Some(format!("{} can be reached only from inside its box", describe(parent, diagram, to)));
        }
    }
    None
}

/// Returns true if the editor allows this link: between equal types, to or from a dynamic port, or to a bang.
fn fits(from: PortType, to: PortType) -> bool {
    use PortType::{Bang, Dynamic, Unknown};
    from == to || matches!(from, Dynamic | Unknown(_)) || matches!(to, Dynamic | Bang | Unknown(_))
}

fn type_name(port_type: PortType) -> &'static str {
    crate::words::port_type(port_type)
}

fn def<'a>(parent: &'a BoxDef, diagram: &'a Diagram, end: End) -> Option<&'a BoxDef> {
    match end {
        End::Parent(_) => Some(parent),
        End::Box(i, _) => diagram.boxes.get(i),
    }
}

fn port(end: End) -> PortRef {
    match end {
        End::Parent(port) | End::Box(_, port) => port,
    }
}

fn port_type(parent: &BoxDef, diagram: &Diagram, end: End) -> PortType {
    let Some(def) = def(parent, diagram, end) else { return PortType::Dynamic };
    let known = match port(end) {
        PortRef::Input(i) => def.inputs.get(i).map(|p| p.port_type),
        PortRef::Output(i) => def.outputs.get(i).map(|p| p.port_type),
        PortRef::Parameter(i) => def.parameters.get(i).map(|p| match p.content_type {
            ParameterType::Int | ParameterType::Float => PortType::Number,
            ParameterType::String | ParameterType::File | ParameterType::Localized => PortType::String,
            ParameterType::Bool | ParameterType::Unknown(_) => PortType::Dynamic,
        }),
    };
    known.unwrap_or(PortType::Dynamic)
}

fn describe(parent: &BoxDef, diagram: &Diagram, end: End) -> String {
    let Some(def) = def(parent, diagram, end) else { return String::new() };
    let (kind, name) = port(end).describe(def);
    format!("the {kind} \"{name}\" of \"{}\"", def.name)
}
