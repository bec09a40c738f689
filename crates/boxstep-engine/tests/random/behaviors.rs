//! Random behaviors: nesting, links, natures, types, timelines, layers, written state machines, resources, scripts as
//! lists of actions, dialogs, native boxes, other behaviors that scripts start and stop, and what is done from outside.

use super::natives::Puts;
use super::tape::{Tape, Tapes};
use crate::support::*;
use boxstep_engine::config::Control;
use boxstep_engine::protocol::Frame;
use boxstep_engine::protocol::TimelineCommand::{GetFrame, GoTo, Pause, Play, SetFps, Stop};
use boxstep_format::model::{BoxDef, Project};
use boxstep_format::paths::{diagrams, segments};
use boxstep_types::{BoxPath, Value};
use std::collections::BTreeMap;

const NAMES: [&str; 12] = ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"];
const RESOURCES: [&str; 3] = ["Legs", "Speech", "Leds"];
const MODES: [&str; 4] = ["Lock", "Stop on demand", "Pause on demand", "Callback on demand"];
const METHODS: [&str; 10] = [
    "__init__",
    "onLoad",
    "onUnload",
    "onInput_onStart",
    "onInput_onStop",
    "onInput_e",
    "setParameter",
    "onResource",
    "onResourceLost",
    "onResourceError",
];
/// A box of the root that starts and stops its siblings again and again.
const DRIVER: &str = "Z";

/// Parts of the robot: part and whole.
pub const PARTS: [(&str, &str); 1] = [("Legs", "Body")];
/// All resources, by the tree that the engine is given.
pub const TREE: [(&str, Option<&str>); 4] = [("Body", None), ("Legs", Some("Body")), ("Speech", None), ("Leds", None)];

/// A case.
pub struct Case {
    pub xml: String,
    /// Behaviors that scripts start and stop, by name.
    pub others: Vec<(&'static str, String)>,
    pub scripts: Scripts,
    /// Boxes that are native, by name.
    pub natives: BTreeMap<&'static str, Vec<Puts>>,
    /// When, and what is done from outside.
    pub controls: Vec<(f64, Control)>,
    /// What is in it, and how often.
    pub axes: BTreeMap<&'static str, u64>,
}

impl Case {
    pub fn of(tapes: &mut Tapes) -> Self {
        let Tapes { first, more } = tapes;
        let mut g = Gen { tape: first, more, next: 0, natives: BTreeMap::new(), axes: BTreeMap::new() };
        let depth = 1 + g.tape.below(3) as usize;
        let inside = if g.tape.in_100(70) { flow(&g.root(depth)) } else { g.inside(depth) };
        let extras = if g.tape.in_100(30) { g.extras() } else { String::new() };
        let xml = project(&boxed("root", -1, &extras, &inside));
        let other = if g.tape.in_100(50) { g.inside(1) } else { String::new() };
        let mut others = vec![("other", project(&boxed("other", -1, "", &other)))];
        let scripts = g.scripts();
        let controls = g.controls(&xml);
        if g.more.in_100(50) {
            let third = g.inside(1);
            others.push(("third", project(&boxed("third", -1, "", &third))));
        }
        let Gen { natives, axes, .. } = g;
        Self { xml, others, scripts, natives, controls, axes }
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
    /// Chooses what cases had first.
    tape: &'a mut Tape,
    /// Chooses what came later.
    more: &'a mut Tape,
    next: usize,
    natives: BTreeMap<&'static str, Vec<Puts>>,
    axes: BTreeMap<&'static str, u64>,
}

impl Gen<'_> {
    fn has(&mut self, axis: &'static str) {
        *self.axes.entry(axis).or_default() += 1;
    }

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

    fn drive(&mut self) -> Vec<Do> {
        let step = |g: &mut Self| match g.tape.below(5) {
            0 | 1 => Sleep(g.tape.one(&[0.0, 0.05, 0.1, 0.5, 1.0, 2.5])),
            2 => Out("stop", Value::Null),
            _ => Out("o", Value::Null),
        };
        (0..20).map(|_| step(self)).collect()
    }

    fn diagram(&mut self, depth: usize) -> String {
        self.counted_diagram(depth).0
    }

    /// Boxes and links, and how many of each.
    fn counted_diagram(&mut self, depth: usize) -> (String, u64, u64) {
        let mut content = String::new();
        let mut boxes = 0;
        for id in 1..=1 + self.tape.below(3) as i32 {
            let Some(name) = NAMES.get(self.next) else { break };
            self.next += 1;
            boxes = id;
            let inside = if depth > 0 && self.tape.in_100(50) { self.inside(depth - 1) } else { String::new() };
            let made = boxed(name, id, &self.extras(), &inside);
            let bare = self.tape.in_100(20);
            let made = if bare { made.replace(&format!("<![CDATA[{name}]]>"), "") } else { made };
            content += &self.of_a_kind(name, made);
        }
        let links = self.tape.below(3 * (boxes as u64 + 1)) + 1;
        for _ in 0..links {
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
        (content, boxes as u64, links)
    }

    /// Most boxes are scripts and diagrams; some are of another kind.
    fn of_a_kind(&mut self, name: &'static str, made: String) -> String {
        match self.more.below(100) {
            70..78 => {
                self.has("dialog box");
                let file = "<dialogFile>talk.dlg</dialogFile><script ";
                made.replace(&format!("<![CDATA[{name}]]>"), "").replacen("<script ", file, 1)
            }
            78..84 => {
                self.has("plugin box");
                let plugin = "<pluginContent><text>Hello</text></pluginContent><script ";
                made.replacen("<Box ", r#"<Box plugin="textedit_plugin" "#, 1).replacen("<script ", plugin, 1)
            }
            84.. => {
                self.has("native box");
                let puts = (0..1 + self.more.below(3)).map(|_| self.puts()).collect();
                self.natives.insert(name, puts);
                made
            }
            _ => made,
        }
    }

    fn puts(&mut self) -> Puts {
        match self.more.below(4) {
            0 | 1 => Puts::Output(self.more.below(2) as usize),
            2 => Puts::Nothing,
            _ => Puts::Timeline(self.more.one(&[Play, Pause, GoTo(frame(10)), GoTo(frame(1000))])),
        }
    }

    /// A state machine that somebody has written: its states share out the boxes and links of a diagram.
    fn machine(&mut self, depth: usize) -> String {
        self.has("state machine");
        let (content, boxes, links) = self.counted_diagram(depth);
        let clocked = self.more.in_100(30);
        let count = 1 + self.more.below(3);
        let mut states = String::new();
        for s in 0..count {
            let mut span = String::new();
            if clocked && self.more.in_100(60) {
                self.has("state at a frame");
                span = format!(r#" begin="{}" end="{}""#, 1 + 10 * s, 11 + 10 * s);
            }
            states += &format!(r#"<State Name="s{s}"{span}><Label Name="to s{s}"/>"#);
            for (tag, all, chance) in [("Object", boxes, 70), ("Link", links, 75)] {
                for n in 0..all {
                    if self.more.in_100(chance) {
                        states += &format!(r#"<{tag} number="{n}"/>"#);
                    }
                }
            }
            states += "</State>";
        }
        for (tag, axis) in [("InitialState", "initial state"), ("FinalState", "final state")] {
            if self.more.in_100(30) {
                self.has(axis);
                states += &format!(r#"<{tag} Name="s{}"/>"#, self.more.below(count));
            }
        }
        for _ in 0..self.more.below(5) {
            let (from, to) = (self.more.below(count), self.more.below(count));
            let time = self.more.one(&[None, None, Some(100), Some(500), Some(1500), Some(0), Some(-1)]);
            self.has(match time {
                Some(0..) => "transition with a time-out",
                Some(_) => "transition with a negative time-out",
                None => "transition without a time-out",
            });
            if from == to {
                self.has("transition from a state to itself");
            }
            let time = time.map(|ms| format!(r#" TimeOut="{ms}""#)).unwrap_or_default();
            states += &format!(r#"<Transition From="s{from}" To="s{to}"{time}/>"#);
        }
        let clock = if clocked { r#"enable="1" fps="10" start_frame="1" end_frame="30""# } else { r#"enable="0""# };
        format!(
            r#"<Timeline {clock}><BehaviorLayer name="l0"><BehaviorKeyframe name="k0" index="1"><Diagram>{content}</Diagram></BehaviorKeyframe></BehaviorLayer><StateMachine>{states}</StateMachine></Timeline>"#
        )
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
        let mut group = Vec::new();
        let (mut mode, mut timeout) = ("Lock", 0);
        if self.tape.in_100(30) {
            (mode, timeout) = (self.tape.one(&MODES), self.tape.one(&[-1, 0, 1]));
            let first = self.tape.one(&RESOURCES);
            group.extend(RESOURCES.into_iter().filter(|name| *name == first || self.tape.in_100(25)));
        } else if self.more.in_100(45) {
            (mode, timeout) = (self.more.one(&MODES), self.more.one(&[-1, 0, 2]));
            group.push(self.more.one(&RESOURCES));
        }
        if !group.is_empty() && self.more.in_100(35) {
            group.push("Body");
        }
        if let [_, rest @ ..] = &*group {
            self.has(mode);
            self.has(match timeout {
                0 => "timeout 0",
                1.. => "timeout in seconds",
                _ => "timeout without end",
            });
            for axis in [(!rest.is_empty()).then_some("group of several"), group.contains(&"Body").then_some("a whole")]
            {
                axis.into_iter().for_each(|axis| self.has(axis));
            }
        }
        for name in group {
            extras += &format!(r#"<Resource name="{name}" type="{mode}" timeout="{timeout}"/>"#);
        }
        extras
    }

    fn inside(&mut self, depth: usize) -> String {
        if self.more.in_100(12) {
            return self.machine(depth);
        }
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

    fn action(&mut self) -> Do {
        if self.more.in_100(10) {
            return self.later_action();
        }
        match self.tape.below(18) {
            0..4 => Out("onStopped", Value::Null),
            4 => Out("o", Value::Int(1)),
            5 => Out("o", self.tape.one(&["x".into(), Value::Float(0.5), Value::list([Value::Int(1)]), Value::Null])),
            6..9 => Sleep(self.tape.one(&[0.0, 0.1, 0.5, 1.0, 3.0])),
            9 => Call("ALMotion", "move", Vec::new()),
            10 => Call("ALMemory", "raiseEvent", vec!["Key".into(), Value::Int(1)]),
            11 => Set("P", Value::Int(2)),
            15 => {
                let method = self.tape.one(&["startBehavior", "runBehavior", "stopBehavior"]);
                let name = if self.tape.in_100(5) { "test" } else { "other" };
                Call("ALBehaviorManager", method, vec![name.into()])
            }
            12..15 => {
                let command = match self.tape.below(7) {
                    0 => Play,
                    1 => Pause,
                    2 => Stop,
                    3 => SetFps(self.tape.one(&[0, 1, 50])),
                    4 => GetFrame,
                    _ => GoTo(frame(self.tape.one(&[-1, 0, 1, 10, 20, 40, 1000]))),
                };
                Timeline(self.tape.in_100(70), command)
            }
            _ => match self.tape.below(9) {
                0 => Hang,
                3 => Spin,
                1 => Raise,
                2 => Every(0.5, 0.5),
                _ => Hear("Key", "heard"),
            },
        }
    }

    /// What scripts learned to do later.
    fn later_action(&mut self) -> Do {
        match self.more.below(6) {
            0 => LogParameter("P"),
            1 => Set("P", self.more.one(&["x".into(), Value::Int(3), Value::Null])),
            2 => {
                self.has("goto by name");
                let label = self.more.one(&["to s0", "to s1", "s2", "k0", "k1", "nowhere"]);
                Timeline(self.more.in_100(70), GoTo(Frame::Name(label.into())))
            }
            3 => Call("ALBehaviorManager", "stopAllBehaviors", Vec::new()),
            _ => {
                let method = self.more.one(&["startBehavior", "runBehavior", "stopBehavior", "isBehaviorRunning"]);
                self.has("a third behavior by name");
                Call("ALBehaviorManager", method, vec!["third".into()])
            }
        }
    }

    fn scripts(&mut self) -> Scripts {
        let mut scripts = Scripts::new();
        for name in NAMES.into_iter().take(self.next).chain(["root", "other"]) {
            for method in METHODS {
                if self.tape.in_100(40) {
                    let count = 1 + self.tape.below(4);
                    let mut actions: Vec<Do> = (0..count).map(|_| self.action()).collect();
                    match method {
                        "__init__" => actions.retain(|a| matches!(a, Sleep(_) | Raise)),
                        _ if name == "root" => actions.retain(|a| !matches!(a, Out(..) | Hang)),
                        _ => {}
                    }
                    scripts.insert((name, method), actions);
                }
            }
        }
        let steps = self.drive();
        scripts.insert((DRIVER, "onInput_onStart"), steps);
        scripts
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
