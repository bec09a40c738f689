//! Random behaviors without scripts: nesting, links, natures, types, timelines, layers, resources, and what is done to
//! them from outside. The tests of `random` have grown from the same ones.

use crate::support::*;
use crate::tape::Tape;
use boxstep_engine::config::Control;
use boxstep_format::model::{BoxDef, Project};
use boxstep_format::paths::{diagrams, segments};
use boxstep_types::{BoxPath, Value};

const NAMES: [&str; 12] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];
const RESOURCES: [&str; 3] = ["Legs", "Speech", "Leds"];
/// A box of the root that starts and stops its siblings.
const DRIVER: &str = "Z";

/// A case.
pub struct Case {
    pub xml: String,
    /// When, and what is done from outside.
    pub controls: Vec<(f64, Control)>,
}

impl Case {
    pub fn of(tape: &mut Tape) -> Self {
        let mut g = Gen { tape, next: 0 };
        let depth = 1 + g.tape.below(3) as usize;
        let inside = if g.tape.in_100(70) { flow(&g.root(depth)) } else { g.inside(depth) };
        let extras = if g.tape.in_100(30) { g.extras() } else { String::new() };
        let xml = project(&boxed("root", -1, &extras, &inside));
        let controls = g.controls(&xml);
        Self { xml, controls }
    }
}

/// The paths of all boxes.
fn paths(project: &Project) -> Vec<BoxPath> {
    fn add(def: &BoxDef, path: BoxPath, all: &mut Vec<BoxPath>) {
        for at in diagrams(&path, def) {
            for (segment, def) in segments(at.diagram).into_iter().zip(&at.diagram.boxes) {
                add(def, at.path.join(segment), all);
            }
        }
        all.push(path);
    }
    let mut all = Vec::new();
    add(&project.root, BoxPath::root(project.root.name.clone()), &mut all);
    all
}

struct Gen<'a> {
    tape: &'a mut Tape,
    next: usize,
}

impl Gen<'_> {
    /// What is in a root: some boxes and one that starts and stops them.
    fn root(&mut self, depth: usize) -> String {
        let mut content = self.diagram(depth);
        let stop = r#"<Output name="stop" type="0" type_size="1" nature="2" inner="0" tooltip="" id="9"/>"#;
        content += &boxed(DRIVER, 9, &(self.extras() + stop), "");
        content += &link(0, 2, 9, 2);
        for id in 1..=3 {
            for (output, input) in [(5, 2), (9, 3)] {
                if self.tape.in_100(70) {
                    content += &link(9, output, id, input);
                }
            }
        }
        // A root that seldom ends by itself has more to show.
        let end = r#"inputowner="0" indexofinput="4""#;
        if self.tape.in_100(80) { content.replace(end, r#"inputowner="0" indexofinput="5""#) } else { content }
    }

    fn diagram(&mut self, depth: usize) -> String {
        let mut content = String::new();
        let mut boxes = 0;
        for id in 1..=1 + self.tape.below(3) as i32 {
            let Some(name) = NAMES.get(self.next) else { break };
            self.next += 1;
            boxes = id;
            let inside = if depth > 0 && self.tape.in_100(50) { self.inside(depth - 1) } else { String::new() };
            content += &boxed(name, id, &self.extras(), &inside);
        }
        for _ in 0..self.tape.below(3 * (boxes as u64 + 1)) + 1 {
            let (from, output) = match self.tape.below(boxes as u64 + 2) as i32 {
                id if id >= 1 && id <= boxes => (id, self.tape.one(&[4, 5])),
                _ => (0, self.tape.one(&[1, 2, 2, 2, 7, 8])),
            };
            let (to, input) = match self.tape.below(boxes as u64 + 2) as i32 {
                id if id >= 1 && id <= boxes => (id, self.tape.one(&[2, 2, 2, 3, 6, 7])),
                _ => (0, self.tape.one(&[4, 5])),
            };
            content += &link(from, output, to, input);
        }
        content
    }

    fn extras(&mut self) -> String {
        let (of_o, of_e) = (self.tape.one(&[0, 0, 1, 2, 3]), self.tape.one(&[0, 0, 1, 2, 3]));
        let mut extras = format!(
            concat!(
                r#"<Output name="o" type="{}" type_size="1" nature="2" inner="0" tooltip="" id="5"/>"#,
                r#"<Input name="e" type="{}" type_size="1" nature="1" inner="0" tooltip="" id="7"/>"#,
                r#"<Input name="m" type="0" type_size="1" nature="4" inner="1" tooltip="" id="8" stm_value_name="Key"/>"#,
                r#"<Parameter name="P" inherits_from_parent="1" content_type="1" value="1" default_value="" custom_choice="0" tooltip="" id="6"/>"#,
            ),
            of_o, of_e
        );
        if self.tape.in_100(15) {
            extras += r#"<Output name="onError" type="3" type_size="1" nature="2" inner="0" tooltip="" id="10"/>"#;
        }
        if self.tape.in_100(30) {
            let (mode, timeout) = (
                self.tape.one(&["Lock", "Stop on demand", "Pause on demand", "Callback on demand"]),
                self.tape.one(&[-1, 0, 1]),
            );
            let first = self.tape.one(&RESOURCES);
            for name in RESOURCES {
                if name == first || self.tape.in_100(25) {
                    extras += &format!(r#"<Resource name="{name}" type="{mode}" timeout="{timeout}"/>"#);
                }
            }
        }
        extras
    }

    fn inside(&mut self, depth: usize) -> String {
        if self.tape.in_100(50) {
            return flow(&self.diagram(depth));
        }
        let (fps, start, end) =
            (self.tape.one(&[0, 5, 25]), self.tape.one(&[0, 1, 16]), self.tape.one(&[-1, 1, 20, 60, 5]));
        let mut layers = String::new();
        for l in 0..1 + self.tape.below(2) {
            let mut keyframes = String::new();
            for k in 0..1 + self.tape.below(3) {
                let (index, content) = (self.tape.one(&[0, 1, 10, 20, 40, 100]), self.diagram(depth));
                keyframes += &format!(
                    r#"<BehaviorKeyframe name="k{k}" index="{index}"><Diagram>{content}</Diagram></BehaviorKeyframe>"#
                );
            }
            let mute = i32::from(self.tape.in_100(10));
            layers += &format!(r#"<BehaviorLayer name="l{l}" mute="{mute}">{keyframes}</BehaviorLayer>"#);
        }
        let curve = concat!(
            r#"<ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0">"#,
            r#"<Key frame="5" value="1"/><Key frame="30" value="2"/></ActuatorCurve></ActuatorList>"#
        );
        let curve = if self.tape.in_100(50) { curve } else { "" };
        format!(
            r#"<Timeline enable="1" fps="{fps}" start_frame="{start}" end_frame="{end}">{curve}{layers}</Timeline>"#
        )
    }

    /// Events, stimulations, parameters and ends, at any time.
    fn controls(&mut self, xml: &str) -> Vec<(f64, Control)> {
        let paths = paths(&source("test", xml).project);
        let mut controls = Vec::new();
        for _ in 0..self.tape.below(3) {
            let event = Control::Event { key: "Key".to_owned(), value: Value::Int(1) };
            controls.push((self.tape.below(50) as f64 / 10.0, event));
        }
        for _ in 0..self.tape.below(4) {
            let path = self.tape.one(&paths);
            let control = if self.tape.in_100(20) {
                Control::SetParameter { path, parameter: "P".to_owned(), value: Value::Int(3) }
            } else {
                let port = self.tape.one(&["onStart", "onStop", "e", "o", "onStopped", "m", "onLoad"]).to_owned();
                Control::Stimulate { path, port, value: Value::Null }
            };
            controls.push((self.tape.below(50) as f64 / 10.0, control));
        }
        for _ in 0..self.tape.one(&[0, 1, 1, 2]) {
            let control = self.tape.one(&[Control::Stop, Control::Interrupt]);
            controls.push((self.tape.below(60) as f64 / 10.0, control));
        }
        controls
    }
}
