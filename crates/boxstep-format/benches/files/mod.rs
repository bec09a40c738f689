//! The measured files: a generated one, and the available real files. Tests, which run a benchmark once and without
//! `--bench`, use only the former.

#![allow(dead_code)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Generates nested boxes, five per diagram, each with a script and, at the leaves, curves.
pub(crate) fn generated(levels: usize) -> Vec<u8> {
    let mut out = String::new();
    let mut next = 1;
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<ChoregrapheProject xar_version=\"3\">\n");
    one_box(&mut out, levels, &mut next);
    out.push_str("</ChoregrapheProject>\n");
    out.into_bytes()
}

fn one_box(out: &mut String, levels: usize, next: &mut i32) {
    let id = *next;
    *next += 1;
    let _ = write!(
        out,
        r#"<Box name="Box {id}" id="{id}" localization="8" tooltip="This box &lt;does&gt; something." x="{id}" y="68">
    <bitmap>media/images/box/box-diagram.png</bitmap>
    <script language="4">
        <content>
            <![CDATA[class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onInput_onStart(self):
        self.onStopped() # activate the output of the box
]]>
        </content>
    </script>
    <Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="Signal sent when diagram is loaded." id="1" />
    <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="Box behavior starts when a signal is received on this input." id="2" />
    <Input name="onStop" type="1" type_size="1" nature="3" inner="0" tooltip="Box behavior stops when a signal is received on this input." id="3" />
    <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="Signal sent when box behavior is finished." id="4" />
    <Parameter name="Speed (%)" inherits_from_parent="0" content_type="1" value="100" default_value="100" min="50" max="200" tooltip="" id="5" />
    <Resource name="Speech" type="Lock" timeout="1" />
"#
    );
    if levels > 0 {
        out.push_str("<Timeline enable=\"0\"><BehaviorLayer name=\"behavior_layer1\"><BehaviorKeyframe name=\"keyframe1\" index=\"1\"><Diagram>\n");
        let first = *next;
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(*next);
            one_box(out, levels - 1, next);
        }
        let _ =
            writeln!(out, "<Link inputowner=\"{first}\" indexofinput=\"2\" outputowner=\"0\" indexofoutput=\"2\" />");
        for pair in ids.windows(2) {
            let _ = writeln!(
                out,
                "<Link inputowner=\"{}\" indexofinput=\"2\" outputowner=\"{}\" indexofoutput=\"4\" />",
                pair[1], pair[0]
            );
        }
        out.push_str("</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>\n");
    } else {
        out.push_str("<Timeline enable=\"1\" fps=\"25\" start_frame=\"1\" end_frame=\"-1\" size=\"300\"><ActuatorList model=\"nao\">\n");
        for joint in ["HeadYaw", "HeadPitch", "LShoulderPitch"] {
            let _ = writeln!(
                out,
                "<ActuatorCurve name=\"value\" actuator=\"{joint}\" recordable=\"1\" mute=\"0\" unit=\"0\">"
            );
            for key in 1..12 {
                let _ = writeln!(out, "    <Key frame=\"{}\" value=\"{:.5}\" />", key * 10, f64::from(key) * -1.7);
            }
            out.push_str("</ActuatorCurve>\n");
        }
        out.push_str("</ActuatorList></Timeline>\n");
    }
    out.push_str("</Box>\n");
}

/// Returns the `.xar` files of the folder `BOXSTEP_CORPUS`, or of `../shared/corpus` beside the repository.
pub(crate) fn corpus() -> Option<Vec<Vec<u8>>> {
    if !std::env::args().any(|word| word == "--bench") {
        return None;
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    let mut paths = Vec::new();
    collect(&folder, &mut paths);
    paths.sort();
    let files: Vec<_> = paths.iter().filter_map(|p| std::fs::read(p).ok()).collect();
    (!files.is_empty()).then_some(files)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(items) = std::fs::read_dir(folder) else { return };
    for path in items.flatten().map(|item| item.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "xar") {
            found.push(path);
        }
    }
}

/// Joins many files into one, with their root boxes in one diagram.
pub(crate) fn joined(files: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"<ChoregrapheProject xar_version=\"3\"><Box name=\"root\" id=\"-1\" tooltip=\"\" x=\"0\" y=\"0\">\
<Timeline enable=\"0\"><BehaviorLayer name=\"l\"><BehaviorKeyframe name=\"k\" index=\"1\"><Diagram>\n"
        .to_vec();
    for file in files {
        let text = String::from_utf8_lossy(file);
        let inside = text.find("<Box").and_then(|start| text.get(start..text.rfind("</Choregraphe")?));
        out.extend(inside.unwrap_or_default().as_bytes());
    }
    out.extend(b"</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>\n");
    out
}
