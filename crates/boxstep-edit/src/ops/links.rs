//! Links: which can exist, and their order.

use super::missing;
use crate::error::EditError;
use crate::fields::PortAt;
use crate::scratch::{DiagramPlace, Scratch};
use boxstep_format::model::{BoxDef, Link};
use boxstep_types::Span;

/// A link that a user means: its diagram, and its ends there.
struct Meant {
    diagram: DiagramPlace,
    link: Link,
}

pub(super) fn connect(to: &mut Scratch<'_>, from: &PortAt, end: &PortAt) -> Result<(), EditError> {
    let Meant { diagram, link } = meant(to, from, end)?;
    let refused = |why: String| EditError::Link { from: from.clone(), to: end.clone(), why };
    let (parent, inside) = to.diagram(&diagram)?;
    if inside.links.iter().any(|other| same(other, &link)) {
        return Err(refused("it is there already".to_owned()));
    }
    let route = boxstep_format::resolve::Resolver::new(parent, inside).route(0, &link);
    let route = route.map_err(|e| refused(e.message(parent, inside)))?;
    // A broken file has a number twice, or one that means the containing box: the link would be another box's.
    for (end, at) in [(route.from, from), (route.to, end)] {
        let named = to.find(&at.r#box)?;
        if !end.def(parent, inside).is_some_and(|def| std::ptr::eq(def, to.def(&named))) {
            return Err(refused(format!("the number of {} in the file is that of another box", at.r#box)));
        }
    }
    let types = [route.from, route.to].map(|end| end.def(parent, inside).map(|def| end.port().port_type(def)));
    if let [Some(out), Some(into)] = types
        && !out.leads_to(into)
    {
        return Err(refused(format!("{} of type {} does not fit {} of type {}", from, out.words(), end, into.words())));
    }
    if let Some(why) = silent(parent, inside, &link) {
        return Err(refused(why));
    }
    to.links_mut(&diagram)?.push(link);
    Ok(())
}

/// Returns why a link of existing ports would carry nothing.
fn silent(parent: &BoxDef, diagram: &boxstep_format::model::Diagram, link: &Link) -> Option<String> {
    use boxstep_format::model::InputNature;
    if link.from_box == 0 {
        let input = parent.inputs.iter().find(|input| input.id == link.from_port)?;
        let stops = input.nature == InputNature::OnStop;
        return stops.then(|| format!("`{}` stops the box, and is never seen inside it", input.name));
    }
    let def = diagram.boxes.iter().find(|def| def.id == link.to_box)?;
    let input = def.inputs.iter().find(|input| input.id == link.to_port)?;
    input.inner.then(|| format!("`{}` comes by itself, and can be reached only from inside its box", input.name))
}

pub(super) fn disconnect(to: &mut Scratch<'_>, from: &PortAt, end: &PortAt) -> Result<(), EditError> {
    let Meant { diagram, link } = meant(to, from, end)?;
    let links = to.links_mut(&diagram)?;
    let before = links.len();
    links.retain(|other| !same(other, &link));
    if links.len() == before { Err(EditError::NoLink(from.clone(), end.clone())) } else { Ok(()) }
}

pub(super) fn order(
    to: &mut Scratch<'_>,
    from: &PortAt,
    end: &PortAt,
    before: Option<&PortAt>,
) -> Result<(), EditError> {
    let Meant { diagram, link } = meant(to, from, end)?;
    let next = before.map(|before| meant(to, from, before)).transpose()?;
    let links = to.links_mut(&diagram)?;
    let find = |links: &[Link], wanted: &Link, end: &PortAt| {
        let at = links.iter().position(|other| same(other, wanted));
        at.ok_or_else(|| EditError::NoLink(from.clone(), end.clone()))
    };
    let at = find(links, &link, end)?;
    if next.as_ref().is_some_and(|next| same(&next.link, &link)) {
        return Ok(());
    }
    let moved = links.remove(at);
    let target = match (&next, before) {
        (Some(next), Some(before)) => find(links, &next.link, before)?,
        _ => links.len(),
    };
    links.insert(target, moved);
    Ok(())
}

fn same(a: &Link, b: &Link) -> bool {
    (a.from_box, a.from_port, a.to_box, a.to_port) == (b.from_box, b.from_port, b.to_box, b.to_port)
}

/// Finds the diagram that both boxes are in, or that one has and the other is in.
fn meant(to: &Scratch<'_>, from: &PortAt, end: &PortAt) -> Result<Meant, EditError> {
    let (a, b) = (to.find(&from.r#box)?, to.find(&end.r#box)?);
    // A box linked with itself is looped outside, unless its input leads to its output inside.
    let through = a == b && to.def(&a).inputs.iter().any(|input| *input.name == from.port) && {
        let def = to.def(&a);
        def.outputs.iter().any(|output| *output.name == end.port)
            || def.parameters.iter().any(|parameter| *parameter.name == end.port)
    };
    let is_parent = |outer: &[_], inner: &[_]| inner.len() == outer.len() + 1 && inner.starts_with(outer);
    let (diagram, from_inside, to_inside) = if through {
        (to.diagram_at(&from.r#box)?, true, true)
    } else if is_parent(&a, &b) {
        (to.find_inner(&end.r#box)?.0, true, false)
    } else if is_parent(&b, &a) {
        (to.find_inner(&from.r#box)?.0, false, true)
    } else {
        let (diagram, _) = to.find_inner(&from.r#box)?;
        if to.find_inner(&end.r#box)?.0 != diagram {
            return Err(EditError::Apart(from.r#box.clone(), end.r#box.clone()));
        }
        (diagram, false, false)
    };
    // Seen from inside, a box's inputs lead in and its outputs lead out.
    let from_port = port(to.def(&a), from, from_inside, false)?;
    let to_port = port(to.def(&b), end, !to_inside, true)?;
    let id = |inside: bool, trail: &[_]| if inside { 0 } else { to.def(trail).id };
    let link =
        Link { from_box: id(from_inside, &a), from_port, to_box: id(to_inside, &b), to_port, span: Span::default() };
    Ok(Meant { diagram, link })
}

/// Returns the id of a port: of an input or an output, whichever can be this end; else of any port of the name, so that
/// the refusal can say which way it leads.
fn port(def: &BoxDef, at: &PortAt, input: bool, parameter: bool) -> Result<i32, EditError> {
    let inputs = || def.inputs.iter().find(|port| *port.name == at.port).map(|port| port.id);
    let outputs = || def.outputs.iter().find(|port| *port.name == at.port).map(|port| port.id);
    let parameters = || def.parameters.iter().find(|port| *port.name == at.port).map(|port| port.id);
    let (first, last) = if input { (inputs(), outputs()) } else { (outputs(), inputs()) };
    let wanted = first.or_else(|| if parameter { parameters() } else { None });
    wanted.or(last).or_else(parameters).ok_or_else(|| {
        let inputs = def.inputs.iter().map(|port| &*port.name);
        let outputs = def.outputs.iter().map(|port| &*port.name);
        let names: Vec<&str> = if input { inputs.collect() } else { outputs.collect() };
        let parameters = def.parameters.iter().filter(|_| parameter).map(|port| &*port.name);
        missing(&at.r#box, if input { "input" } else { "output" }, &at.port, names.into_iter().chain(parameters))
    })
}
