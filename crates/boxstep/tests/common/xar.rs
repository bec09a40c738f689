//! Behaviors in few words.

use std::fs;
use std::path::{Path, PathBuf};

/// An input by its nature: 0 onLoad, 1 onEvent, 2 onStart, 3 onStop.
pub fn input(id: i32, name: &str, nature: u8) -> String {
    let inner = u8::from(nature == 0);
    format!(
        "<Input name=\"{name}\" type=\"1\" type_size=\"1\" nature=\"{nature}\" inner=\"{inner}\" tooltip=\"\" id=\"{id}\" />\n"
    )
}

/// An output by its nature: 1 onStopped, 2 punctual.
pub fn output(id: i32, name: &str, nature: u8) -> String {
    format!(
        "<Output name=\"{name}\" type=\"1\" type_size=\"1\" nature=\"{nature}\" inner=\"0\" tooltip=\"\" id=\"{id}\" />\n"
    )
}

/// What most boxes have: onLoad (1), onStart (2) and onStopped (4).
pub fn ports() -> String {
    input(1, "onLoad", 0) + &input(2, "onStart", 2) + &output(4, "onStopped", 1)
}

/// A box; without a script if that is empty. `inside` follows its ports.
pub fn a_box(id: i32, name: &str, script: &str, ports: &str, inside: &str) -> String {
    let text = script.replace("]]>", "]]]]><![CDATA[>");
    let script = match script {
        "" => String::new(),
        _ => format!("<script language=\"4\"><content><![CDATA[{text}]]></content></script>\n"),
    };
    format!("<Box name=\"{name}\" id=\"{id}\" tooltip=\"\" x=\"0\" y=\"0\">\n{script}{ports}{inside}</Box>\n")
}

/// A link from a box's output to a box's input; 0 is the box around.
pub fn link(from: (i32, i32), to: (i32, i32)) -> String {
    let ((from, output), (to, input)) = (from, to);
    format!("<Link inputowner=\"{to}\" indexofinput=\"{input}\" outputowner=\"{from}\" indexofoutput=\"{output}\" />\n")
}

/// The inside of a box with a flow diagram.
pub fn flow(content: &str) -> String {
    format!(
        "<Timeline enable=\"0\">\n<BehaviorLayer name=\"layer\">\n<BehaviorKeyframe name=\"key\" index=\"1\">\n<Diagram scale=\"100\">\n\
         {content}</Diagram>\n</BehaviorKeyframe>\n</BehaviorLayer>\n</Timeline>\n"
    )
}

/// A behavior by the ports and the inside of its root.
pub fn behavior(ports: &str, inside: &str) -> String {
    let root = a_box(-1, "root", "", ports, inside);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<ChoregrapheProject \
         xmlns=\"http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd\" xar_version=\"3\">\n{root}</ChoregrapheProject>\n"
    )
}

/// Writes a behavior to a folder for the tests of one file.
pub fn written(tests: &str, name: &str, xar: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(tests).join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("behavior.xar"), xar).unwrap();
    folder
}
