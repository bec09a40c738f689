//! A box of a file becomes another one: the model says what there will be, and the file says it, too.

use boxstep_format::model::{BoxDef, Project, Timeline};
use boxstep_format::testing::{project, without_spans};
use boxstep_format::write::{Copies, inverse, spliced, write_xar};
use boxstep_format::{Limits, XarFile, paths, read_xar};
use boxstep_types::{Random, Span};
use proptest::prelude::*;

fn read(text: &str) -> XarFile {
    read_xar("x.xar", text.as_bytes(), &Limits::default()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Changes the file so that its root is another one, and checks that it says so, and that undoing it gives the file.
fn become_other(file: &XarFile, root: BoxDef, others: &[XarFile]) -> XarFile {
    let copies = Copies::new(file, others);
    let mut edits = file.edits();
    edits.set_box(&file.project.root, &root, &copies);
    let splices = edits.splices().unwrap_or_else(|e| panic!("{e}\n{}", file.text()));
    let new = file.spliced(&splices, &Limits::default()).unwrap_or_else(|e| panic!("{e}\n{splices:#?}"));
    let wanted = Project { root, ..file.project.clone() };
    let (is, wanted) = (without_spans(&new.project), without_spans(&wanted));
    if is != wanted {
        let (is, wanted) = (format!("{is:#?}"), format!("{wanted:#?}"));
        let at = is.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
        let near = |text: &str| text.lines().skip(at.saturating_sub(12)).take(16).collect::<Vec<_>>().join("\n");
        panic!("{}\n--- is not\n{}\n{}\n{splices:#?}", near(&is), near(&wanted), file.text());
    }
    let back = spliced(new.text(), &inverse(file.text(), &splices)).unwrap();
    assert_eq!(back, file.text());
    new
}

/// Mixes a box of a file with another box, which has no spans: lists lose, swap and gain items, fields change.
struct Mixer {
    random: Random,
    /// Boxes of the file, to be copied.
    copied: Vec<BoxDef>,
}

impl Mixer {
    fn below(&mut self, end: usize) -> usize {
        (self.random.unit() * end as f64) as usize
    }

    fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn list<T: Clone>(&mut self, list: &mut Vec<T>, other: &[T], blend: impl Fn(&mut T, &T)) {
        list.retain(|_| !self.chance(6));
        for item in &mut *list {
            if self.chance(3) && !other.is_empty() {
                blend(item, &other[self.below(other.len())]);
            }
        }
        for item in other {
            if self.chance(3) {
                list.insert(self.below(list.len() + 1), item.clone());
            }
        }
        if list.len() > 1 && self.chance(4) {
            let (a, b) = (self.below(list.len()), self.below(list.len()));
            list.swap(a, b);
        }
    }

    fn mix(&mut self, def: &mut BoxDef, other: &BoxDef) {
        if self.chance(3) {
            let (kept, script, timeline) = (def.span, def.script.take(), def.timeline.take());
            let lists = (def.inputs.clone(), def.outputs.clone(), def.parameters.clone(), def.resources.clone());
            let plugin = def.plugin_content.filter(|_| !self.chance(3));
            *def = BoxDef { span: kept, script, timeline, plugin_content: plugin, ..other.clone() };
            (def.inputs, def.outputs, def.parameters, def.resources) = lists;
        }
        self.list(&mut def.inputs, &other.inputs, |a, b| {
            let span = a.span;
            *a = b.clone();
            a.span = span;
        });
        self.list(&mut def.outputs, &other.outputs, |a, b| {
            let span = a.span;
            *a = b.clone();
            a.span = span;
        });
        self.list(&mut def.parameters, &other.parameters, |a, b| {
            let span = a.span;
            *a = b.clone();
            a.span = span;
        });
        self.list(&mut def.resources, &other.resources, |a, b| {
            let span = a.span;
            *a = b.clone();
            a.span = span;
        });
        match (&mut def.script, &other.script) {
            (script @ Some(_), None) | (script @ None, Some(_)) if self.chance(2) => *script = other.script.clone(),
            (Some(script), Some(other)) => {
                script.text = other.text.clone();
                script.language = other.language;
            }
            _ => {}
        }
        match (&mut def.timeline, &other.timeline) {
            (timeline @ Some(_), None) | (timeline @ None, Some(_)) if self.chance(2) => {
                *timeline = other.timeline.clone();
            }
            // A machine refers to boxes by their number.
            (Some(timeline), Some(other)) if timeline.machine.is_none() => self.timeline(timeline, other),
            _ => {}
        }
    }

    fn timeline(&mut self, timeline: &mut Timeline, other: &Timeline) {
        if self.chance(2) {
            let (layers, actuators, span) = (timeline.layers.clone(), timeline.actuators.clone(), timeline.span);
            *timeline = Timeline { layers, actuators, span, machine: None, ..other.clone() };
        }
        match (&mut timeline.actuators, &other.actuators) {
            (Some(list), Some(other)) => {
                list.model = other.model.clone();
                self.list(&mut list.curves, &other.curves, |a, b| {
                    let (span, keys) = (a.span, a.keys.clone());
                    *a = b.clone();
                    (a.span, a.keys) = (span, keys);
                });
                for curve in &mut list.curves {
                    let keys = other.curves.first().map(|curve| curve.keys.clone()).unwrap_or_default();
                    self.list(&mut curve.keys, &keys, |a, b| {
                        let (span, sides) = (a.span, (a.left.clone(), a.right.clone()));
                        *a = b.clone();
                        a.span = span;
                        if sides.0.is_some() && a.frame % 2 == 0 {
                            (a.left, a.right) = sides;
                        }
                    });
                }
            }
            (actuators, _) if self.chance(2) => *actuators = other.actuators.clone(),
            _ => {}
        }
        if other.machine.is_some() {
            return;
        }
        self.list(&mut timeline.layers, &other.layers, |a, b| {
            a.name = b.name.clone();
            a.mute = b.mute;
        });
        for layer in &mut timeline.layers {
            let keyframes = other.layers.first().map(|layer| layer.keyframes.clone()).unwrap_or_default();
            self.list(&mut layer.keyframes, &keyframes, |a, b| {
                a.name = b.name.clone();
                a.index = b.index;
                a.bitmap = b.bitmap.clone();
                a.diagram.scale = b.diagram.scale;
            });
            for keyframe in &mut layer.keyframes {
                let diagram = &mut keyframe.diagram;
                let others = keyframes.first().map(|k| k.diagram.clone()).unwrap_or_default();
                self.list(&mut diagram.links, &others.links, |a, b| {
                    let span = a.span;
                    *a = b.clone();
                    a.span = span;
                });
                self.list(&mut diagram.boxes, &others.boxes, |_, _| {});
                for def in &mut diagram.boxes {
                    if let Some(other) = others.boxes.first()
                        && def.span != Span::default()
                    {
                        self.mix(def, other);
                    }
                }
                if !self.copied.is_empty() && self.chance(2) {
                    let at = self.below(self.copied.len());
                    let mut copy = self.copied[at].clone();
                    (copy.name, copy.x, copy.id) = ("a copy".into(), 17.5, 99);
                    diagram.boxes.push(copy);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_file_says_what_the_new_model_says((old, sources) in project(), (other, _) in project(), seed in any::<u64>()) {
        let file = read(&write_xar(&old, &sources).unwrap());
        let mut other = without_spans(&other).root;
        other.plugin_content = None;
        let copied = paths::boxes(&file.project).skip(1).map(|at| at.def.clone()).collect();
        let mut root = file.project.root.clone();
        Mixer { random: Random::new(seed), copied }.mix(&mut root, &other);
        let new = become_other(&file, root, &[]);
        // What has not changed costs nothing.
        let mut edits = new.edits();
        edits.set_box(&new.project.root, &new.project.root, &Copies::new(&new, &[]));
        prop_assert_eq!(edits.splices().unwrap(), []);
        // A file on one line, too.
        let line = file.text().replace('\n', "");
        if let Ok(line) = read_xar("x.xar", line.as_bytes(), &Limits::default()) {
            let mut root = line.project.root.clone();
            Mixer { random: Random::new(seed), copied: Vec::new() }.mix(&mut root, &other);
            become_other(&line, root, &[]);
        }
    }
}

const TWO: &str = r#"<ChoregrapheProject xar_version="3">
    <Box name="root" id="-1">
        <Timeline enable="0">
            <BehaviorLayer name="l">
                <BehaviorKeyframe name="k" index="1">
                    <Diagram>
                        <Box name="A" id="1" own="kept" x="1" y="2">
                            <mystery/>
                            <pluginContent><text><![CDATA[Hello]]></text></pluginContent>
                        </Box>
                        <Box name="B" id="2" x="3" y="4"/>
                        <!-- said -->
                        <Link inputowner="2" indexofinput="1" outputowner="1" indexofoutput="2"/>
                    </Diagram>
                </BehaviorKeyframe>
            </BehaviorLayer>
        </Timeline>
    </Box>
</ChoregrapheProject>
"#;

fn boxes(root: &mut BoxDef) -> &mut Vec<BoxDef> {
    &mut root.timeline.as_mut().unwrap().layers[0].keyframes[0].diagram.boxes
}

#[test]
fn a_copy_keeps_what_the_model_does_not_know() {
    let file = read(TWO);
    let mut root = file.project.root.clone();
    let mut copy = boxes(&mut root)[0].clone();
    (copy.name, copy.id, copy.x) = ("A (1)".into(), 3, 40.0);
    boxes(&mut root).push(copy);
    let new = become_other(&file, root, &[]);
    let added = r#"                        <Box name="A (1)" id="3" x="40" y="2" own="kept">
                            <mystery />
                            <pluginContent>
                                <text>
                                    <![CDATA[Hello]]>
</text>
                            </pluginContent>
                        </Box>
"#;
    let after_b = TWO.find("                        <!-- said").unwrap();
    assert_eq!(new.text(), [&TWO[..after_b], added, &TWO[after_b..]].concat());
}

#[test]
fn boxes_of_another_file_are_copied() {
    let file = read(TWO);
    let other = read(&TWO.replace("Hello", "Good-bye").replace("\"A\"", "\"C\""));
    let mut copy = boxes(&mut other.project.root.clone())[0].clone();
    copy.set_file(Copies::id(0));
    copy.id = 7;
    let mut root = file.project.root.clone();
    boxes(&mut root).insert(0, copy);
    let new = become_other(&file, root, &[other]);
    assert!(new.text().contains("Good-bye") && new.text().matches("<mystery").count() == 2, "{}", new.text());
}

#[test]
fn a_move_keeps_the_other_lines() {
    let file = read(TWO);
    let mut root = file.project.root.clone();
    boxes(&mut root).swap(0, 1);
    let new = become_other(&file, root, &[]);
    assert_eq!(new.text().lines().count(), TWO.lines().count(), "{}", new.text());
    assert!(new.text().contains("<!-- said -->") && new.text().contains("own=\"kept\""));
}
