//! Reading of the root element: the kind of file, its version, and its root box.

use super::boxes::read_box;
use super::context::Context;
use super::known::Known;
use super::ports::read_resource;
use crate::error::Problem;
use crate::model::{Project, ProjectKind};
use crate::raw::{RawNode, RawView};
use crate::{Limits, codes};
use boxstep_types::{Diagnostic, FileId};

/// Why there is no project, and the range of bytes that causes it.
pub(super) type RootFault = (Problem, (u32, u32));

const NAMESPACES: [&str; 2] = [
    "http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd",
    "http://www.ald.softbankrobotics.com/schema/choregraphe/project.xsd",
];

/// Reads a project. What is known of it is not read again.
pub(crate) fn read_project<'a>(
    file: FileId,
    view: RawView<'a>,
    limits: &'a Limits,
    known: Option<&'a Known<'a>>,
) -> Result<(Project, Vec<Diagnostic>), RootFault> {
    let root = view.root().ok_or((Problem::NotXml("there is no element".into()), (0, 0)))?;
    let name = root.name();
    let local_at = name.rfind(':').map_or(0, |i| i + 1);
    let (prefix, local) = name.split_at(local_at);
    let start = root.range().0;
    let tag = (start, start + 1 + name.len() as u32);
    let kind = match local {
        "ChoregrapheProject" => ProjectKind::Project,
        "ChoregrapheBox" => ProjectKind::LibraryBox,
        _ => return Err((Problem::WrongRoot(name.chars().take(40).collect(), "a behavior"), tag)),
    };
    let mut cx = Context::new(file, limits, prefix, known);
    let version = read_version(&mut cx, root, prefix)?;
    let mut root_box = None;
    let mut resources = Vec::new();
    for child in root.elements() {
        match cx.local(child) {
            "Box" if root_box.is_some() => cx.repeated(child),
            "Box" => root_box = Some(read_box(&mut cx, child)),
            "Resource" => resources.push(read_resource(&mut cx, child)),
            _ => cx.unknown_element(child),
        }
    }
    let root_box = root_box.ok_or((Problem::NoRootBox, tag))?;
    let project = Project { kind, version, root: root_box, resources, span: cx.node_span(root) };
    Ok((project, cx.finish(root)))
}

fn read_version<'a>(cx: &mut Context<'a>, root: RawNode<'a>, prefix: &str) -> Result<Option<i32>, RootFault> {
    let mut version = None;
    let namespace = if prefix.is_empty() { "xmlns".into() } else { format!("xmlns:{}", &prefix[..prefix.len() - 1]) };
    for a in root.attributes() {
        match a.name() {
            "xar_version" => match a.value().trim() {
                "3" => version = Some(3),
                other => return Err((Problem::Version(other.chars().take(40).collect()), a.value_range())),
            },
            // This is a file converted by another program, with its boxes in separate files.
            "format_version" => {
                let other = format!("format_version {}", a.value().chars().take(40).collect::<String>());
                return Err((Problem::Version(other), a.value_range()));
            }
            name if name == namespace => {
                let value = a.value();
                if !NAMESPACES.contains(&&*value) {
                    let at = cx.value_span(a);
                    cx.warn(codes::UNKNOWN_NAMESPACE, at, format!("no known file has the namespace `{value}`"));
                }
            }
            _ => cx.unknown_attribute(root, a),
        }
    }
    if version.is_none() {
        cx.missing(root, "xar_version");
    }
    Ok(version)
}
