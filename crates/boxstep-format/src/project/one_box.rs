//! A file that is no behavior as a behavior: a box that starts with the behavior, and ends it.

use crate::error::FormatError;
use crate::model::Script;
use crate::{Limits, XarFile, read_xar};
use boxstep_types::Span;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use quick_xml::escape::escape;
use std::sync::Arc;

/// Returns the text of a `.xar` whose only box is the dialog of a file. `file` is relative to the behavior's folder.
pub(super) fn of_dialog(name: &str, file: &str) -> String {
    behavior(name, &format!("<dialogFile>{}</dialogFile>", escape(file)))
}

/// Returns the behavior whose only box runs a program: its script is the text of the program's file, and messages point
/// there. `shown` is the file's name in messages; without `args` the program has the arguments of the run.
///
/// # Errors
/// As [`read_xar`].
pub(super) fn of_program(
    name: &str,
    shown: &str,
    bytes: &[u8],
    args: Option<&[String]>,
    limits: &Limits,
) -> Result<XarFile, FormatError> {
    let text = behavior(name, "<script language=\"4\"><content>pass</content></script>");
    let mut file = read_xar(shown, text.as_bytes(), limits)?;
    let program: Arc<str> = python_text(bytes).into();
    let source = file.sources.add(shown, &*program);
    let layers = file.project.root.timeline.iter_mut().flat_map(|timeline| &mut timeline.layers);
    let diagrams = layers.flat_map(|layer| &mut layer.keyframes).map(|keyframe| &mut keyframe.diagram);
    for script in diagrams.flat_map(|diagram| &mut diagram.boxes).filter_map(|of| of.script.as_mut()) {
        let span = Span { file: source, start: 0, end: program.len() as u32 };
        let (text, args) = (program.clone(), args.map(Arc::from));
        *script = Script { text, is_program: true, args, text_span: span, span, ..*script };
    }
    Ok(file)
}

/// Decodes a Python file: by its coding line, or else as UTF-8, or else as Latin-1, which Python 2 would not refuse in
/// strings and comments.
fn python_text(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let named = bytes.split(|byte| *byte == b'\n').take(2).find_map(coding).unwrap_or(UTF_8);
    match named.decode_without_bom_handling_and_without_replacement(bytes) {
        Some(text) => text.into_owned(),
        None => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// Reads `# -*- coding: latin-1 -*-`.
fn coding(line: &[u8]) -> Option<&'static Encoding> {
    let line = std::str::from_utf8(line).ok().filter(|line| line.trim_start().starts_with('#'))?;
    let (_, name) = line.split_once("coding")?;
    let name = name.strip_prefix([':', '='])?.trim_start();
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))).unwrap_or(name.len());
    // Python has more names than the web: `latin_1`, `utf8`.
    Encoding::for_label(name[..end].replace('_', "-").to_ascii_lowercase().replace("latin-1", "latin1").as_bytes())
}

fn behavior(name: &str, content: &str) -> String {
    let port = |kind: &str, name: &str, nature: u8, inner: u8, id: u8| {
        format!(
            r#"<{kind} name="{name}" type="1" type_size="1" nature="{nature}" inner="{inner}" tooltip="" id="{id}"/>"#
        )
    };
    let ports = [
        port("Input", "onLoad", 0, 1, 1),
        port("Input", "onStart", 2, 0, 2),
        port("Input", "onStop", 3, 0, 3),
        port("Output", "onStopped", 1, 0, 4),
    ]
    .concat();
    let name = escape(name);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8" ?>
<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">
<Box name="root" id="-1" localization="8" tooltip="" x="0" y="0">{ports}
<Timeline enable="0"><BehaviorLayer name="behavior_layer1"><BehaviorKeyframe name="keyframe1" index="1"><Diagram>
<Box name="{name}" id="1" localization="8" tooltip="" x="160" y="100">{content}{ports}</Box>
<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2"/>
<Link inputowner="0" indexofinput="4" outputowner="1" indexofoutput="4"/>
</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box>
</ChoregrapheProject>
"#
    )
}
