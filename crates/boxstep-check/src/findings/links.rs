//! Checks of links: whether their ends exist, run in the right direction, and have types that fit.

use super::{Here, repeats};
use crate::codes;
use boxstep_format::model::{BoxDef, Diagram, InputNature, PortType};
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
        if !from.leads_to(to) {
            let message = format!(
                "{} of type {} leads to {} of type {}",
                describe(parent, diagram, route.from),
                from.words(),
                describe(parent, diagram, route.to),
                to.words()
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
        let input = to.def(parent, diagram)?.inputs.get(i)?;
        if input.inner {
            return Some(format!("{} can be reached only from inside its box", describe(parent, diagram, to)));
        }
    }
    None
}

fn port_type(parent: &BoxDef, diagram: &Diagram, end: End) -> PortType {
    end.def(parent, diagram).map_or(PortType::Dynamic, |def| end.port().port_type(def))
}

fn describe(parent: &BoxDef, diagram: &Diagram, end: End) -> String {
    let Some(def) = end.def(parent, diagram) else { return String::new() };
    let (kind, name) = end.port().describe(def);
    format!("the {kind} \"{name}\" of \"{}\"", def.name)
}
