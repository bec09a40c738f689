//! Laws that hold for any operations on any file.

use crate::document::Document;
use crate::error::EditError;
use crate::fields::*;
use crate::op::Op;
use crate::scratch::Scratch;
use crate::{copied, ops};
use boxstep_format::model::{BoxDef, Project};
use boxstep_format::testing::{project, without_spans};
use boxstep_format::write::write_xar;
use boxstep_format::{Limits, paths, read_xar};
use boxstep_types::{BoxPath, Random};
use proptest::prelude::*;
use std::path::Path;

/// Makes random operations, of which most can be done.
struct Maker {
    random: Random,
    clip: Option<String>,
}

impl Maker {
    fn below(&mut self, end: usize) -> usize {
        (self.random.unit() * end as f64) as usize
    }

    fn pick<'t, T>(&mut self, list: &'t [T]) -> Option<&'t T> {
        list.get(self.below(list.len()))
    }

    fn word(&mut self) -> String {
        const WORDS: [&str; 8] = ["go", "Hello", "a \"b\" <c>", "ü☃", "x/y", "", "onStart", "1"];
        WORDS[self.below(WORDS.len())].to_owned()
    }

    fn number(&mut self) -> f64 {
        [0.0, 1.5, -20.0, 300.0, 0.1][self.below(5)]
    }

    fn port(&mut self, def: &BoxDef) -> String {
        let inputs = def.inputs.iter().map(|port| &port.name);
        let ports = inputs.chain(def.outputs.iter().map(|port| &port.name));
        let all: Vec<_> = ports.chain(def.parameters.iter().map(|port| &port.name)).collect();
        self.pick(&all).map_or_else(|| "none".to_owned(), |name| name.to_string())
    }

    fn next(&mut self, document: &Document) -> Op {
        let project = &document.file().project;
        let all: Vec<paths::BoxAt<'_>> = paths::boxes(project).collect();
        let chosen = &all[self.below(all.len())];
        let (r#box, def) = (chosen.path.clone(), chosen.def);
        let beside: Vec<&paths::BoxAt<'_>> = all
            .iter()
            .filter(|at| {
                at.trail.len() == chosen.trail.len()
                    && at.trail.split_last().map(|(l, of)| (l.layer, l.keyframe, of))
                        == chosen.trail.split_last().map(|(l, of)| (l.layer, l.keyframe, of))
            })
            .collect();
        let other = self.pick(&beside).map_or(r#box.clone(), |at| at.path.clone());
        let other_def = beside.iter().find(|at| at.path == other).map_or(def, |at| at.def);
        let boxes: Vec<BoxPath> = vec![r#box.clone(), other.clone()];
        let diagrams = paths::diagrams(&r#box, def);
        let diagram = self.pick(&diagrams).map_or(r#box.clone(), |d| d.path.clone());
        let layers = def.timeline.as_ref().map_or(&[][..], |timeline| &timeline.layers);
        let layer = self.pick(layers);
        let keyframe = layer.and_then(|layer| layer.keyframes.first()).map_or("none".into(), |k| k.name.to_string());
        let layer = layer.map_or("none".into(), |layer| layer.name.to_string());
        let curves = def.timeline.as_ref().and_then(|t| t.actuators.as_ref()).map_or(&[][..], |list| &list.curves);
        let curve = self.pick(curves);
        let joint = curve.map_or("HeadYaw".into(), |curve| curve.actuator.to_string());
        let frame = curve.and_then(|curve| curve.keys.last()).map_or(5, |key| key.frame);
        let from = PortAt { r#box: r#box.clone(), port: self.port(def) };
        let to = PortAt { r#box: other.clone(), port: self.port(other_def) };
        match self.below(40) {
            0 | 1 => Op::SetParameter { parameter: self.port(def), value: self.word(), r#box },
            2 => Op::SetScript { r#box, script: "a = 1\nb = 2".into(), was: None },
            3 => Op::SetText { r#box, language: None, text: self.word() },
            4 => Op::SetTooltip { r#box, tooltip: self.word() },
            5 => Op::SetPicture { r#box, picture: self.word() },
            6 => Op::Rename { r#box, name: self.word() },
            7 if self.below(2) == 0 => Op::MoveBy { boxes, dx: self.number(), dy: self.number() },
            7 => Op::Move { boxes: vec![Placed { r#box, x: self.number(), y: self.number() }] },
            8..=11 => Op::Connect { from, to },
            12 => {
                // A link that there is, if one leads between two boxes.
                let of = chosen.diagram.and_then(|d| Some((d, d.links.get(self.below(d.links.len()))?)));
                let ends = of.and_then(|(d, link)| {
                    let owner = |id: i32| d.boxes.iter().find(|def| def.id == id);
                    let (a, b) = (owner(link.from_box)?, owner(link.to_box)?);
                    let path = |def: &BoxDef| all.iter().find(|at| at.def.span == def.span).map(|at| at.path.clone());
                    let from = a.outputs.iter().find(|port| port.id == link.from_port)?.name.to_string();
                    let to = b.inputs.iter().find(|port| port.id == link.to_port)?.name.to_string();
                    Some((PortAt { r#box: path(a)?, port: from }, PortAt { r#box: path(b)?, port: to }))
                });
                let (from, to) = ends.unwrap_or((from, to));
                if self.below(2) == 0 { Op::Disconnect { from, to } } else { Op::OrderLink { from, to, before: None } }
            }
            13..=15 => {
                let kind = [Kind::Script, Kind::Diagram, Kind::Timeline][self.below(3)];
                let (name, x, y) = (Some(self.word()), self.number(), self.number());
                Op::Add { diagram, add: NewBox::Empty(kind), name, x, y }
            }
            16 => match copied(document.file(), &boxes) {
                Ok(clip) => Op::Add { diagram, add: NewBox::Xar(clip), name: None, x: 1.0, y: 2.0 },
                Err(_) => Op::Remove { boxes: vec![] },
            },
            17 => Op::Remove { boxes },
            18 | 19 => Op::Duplicate { boxes, dx: self.number(), dy: self.number() },
            20 | 21 => {
                let clip = copied(document.file(), &boxes).ok();
                self.clip = clip.or(self.clip.take());
                Op::Paste { diagram, clip: self.clip.clone().unwrap_or_default(), x: Some(4.0), y: None }
            }
            22 | 23 => Op::Wrap { boxes, name: self.word() },
            24 => Op::Unwrap { r#box },
            25 => match copied(document.file(), std::slice::from_ref(&other)) {
                Ok(clip) => Op::Replace { r#box, with: Some(NewBox::Xar(clip)) },
                Err(_) => Op::Replace { r#box, with: Some(NewBox::Library("Wait".into())) },
            },
            26 => {
                let input = InputFields { name: Some(self.word()), r#type: Some(Type::Dynamic), ..Default::default() };
                Op::AddInput { r#box, input }
            }
            27 => {
                let output = OutputFields { name: Some(self.word()), ..Default::default() };
                if self.below(2) == 0 {
                    Op::AddOutput { r#box, output }
                } else {
                    Op::SetOutput { r#box, port: from.port, output }
                }
            }
            28 => {
                let choices = Some(vec![self.word(), self.word()]);
                let parameter = ParameterFields {
                    name: Some(self.word()),
                    r#type: Some([ParameterKind::Int, ParameterKind::String, ParameterKind::Bool][self.below(3)]),
                    min: Some(self.number()),
                    choices,
                    ..Default::default()
                };
                if self.below(2) == 0 {
                    Op::AddParameter { r#box, parameter }
                } else {
                    Op::ChangeParameter { r#box, port: from.port, parameter }
                }
            }
            29 => {
                let input = InputFields { name: Some(self.word()), tooltip: Some(self.word()), ..Default::default() };
                Op::SetInput { r#box, port: from.port, input }
            }
            30 => {
                let resource = ResourceFields { name: Some(self.word()), ..Default::default() };
                Op::AddResource { r#box, resource }
            }
            31 => Op::RemovePort { r#box, port: from.port },
            32 => Op::SetTimeline { r#box, fps: Some(30), start_frame: None, end_frame: Some(-1), size: None },
            33 => match self.below(3) {
                0 => Op::AddLayer { r#box, layer: self.word() },
                1 => Op::SetLayer { r#box, layer, name: Some(self.word()), mute: Some(true) },
                _ => Op::RemoveLayer { r#box, layer },
            },
            34 => match self.below(3) {
                0 => Op::AddKeyframe { r#box, layer, name: self.word(), frame: 9 },
                1 => Op::SetKeyframe { r#box, layer, keyframe, name: Some(self.word()), frame: Some(12) },
                _ => Op::RemoveKeyframe { r#box, layer, keyframe },
            },
            35 => match self.below(3) {
                0 => Op::AddCurve { r#box, joint: "LHand".into() },
                1 => Op::MuteCurve { r#box, joint, mute: true },
                _ => Op::RemoveCurve { r#box, joint },
            },
            36 => {
                let tangent = TangentFields { interpolation: Interpolate::Bezier, frames: 3.0, value: 1.0 };
                let value = self.number();
                let keys = vec![KeyAt { frame: self.below(40) as i32, value, left: None, right: Some(tangent) }];
                Op::SetKeys { r#box, joint, keys }
            }
            37 => match self.below(2) {
                0 => Op::RemoveKeys { r#box, keys: vec![KeyRef { joint, frame }] },
                _ => Op::MoveKeys { r#box, keys: vec![KeyRef { joint, frame }], frames: 2, value: self.number() },
            },
            38 => {
                let tangent = TangentFields { interpolation: Interpolate::Linear, frames: -3.0, value: 1.0 };
                let tangent = (self.below(2) == 0).then_some(tangent);
                Op::SetTangent { r#box, joint, frame, side: Side::Left, tangent }
            }
            _ => match self.below(2) {
                0 => Op::Stretch { r#box, from: 2, factor: 1.5, frames: 3 },
                _ => Op::Mirror { r#box },
            },
        }
    }
}

/// Does random operations, and checks each: the file says what the model says, and the lines that are not named as
/// changed are the old ones. Then undoes all of them, does them again, and undoes them once more.
fn check(text: &[u8], seed: u64, times: usize) -> usize {
    let Ok(mut document) = Document::read("x.xar", text) else { return 0 };
    let mut maker = Maker { random: Random::new(seed), clip: None };
    for _ in 0..times {
        let op = maker.next(&document);
        let before = document.file().clone();
        match document.apply("random", None, std::slice::from_ref(&op)) {
            Err(EditError::Write(e)) => panic!("{op:?}: {e}\n{}", before.text()),
            Err(e) => {
                let _ = e.to_string();
                assert_eq!(document.file().text(), before.text(), "{op:?}");
            }
            Ok(change) => {
                says_what_the_model_says(&before, &op, document.file());
                is_what_the_whole_text_says(document.file(), &op);
                let is_old = |line: u32| !change.lines.iter().any(|lines| lines.contains(&line));
                let mut old = before.text().lines();
                for (at, line) in document.file().text().lines().enumerate().filter(|(at, _)| is_old(*at as u32 + 1)) {
                    assert!(old.any(|old| old == line), "{op:?}: line {}: {line}\n{:?}", at + 1, change.lines);
                }
            }
        }
    }
    // Back and forth, and another way from there.
    document.undo();
    document.undo();
    document.redo();
    let root = BoxPath::root(document.file().project.root.name.clone());
    let _ = document.apply("", None, &[Op::SetTooltip { r#box: root, tooltip: "between".into() }]);
    document.undo();
    let last = document.file().to_bytes();
    let done = document.steps().len();
    let is =
        |document: &Document, bytes: &[u8]| assert!(document.file().to_bytes() == bytes, "{}", document.file().text());
    while document.undo().is_some() {}
    is(&document, text);
    assert!(!document.is_changed());
    while document.steps().len() < done {
        document.redo();
    }
    is(&document, &last);
    while document.undo().is_some() {}
    is(&document, text);
    done
}

/// Checks that a file of which only a part was read anew is what reading all of it gives.
fn is_what_the_whole_text_says(file: &boxstep_format::XarFile, op: &Op) {
    let whole = read_xar("x.xar", &file.to_bytes(), &Limits::default()).unwrap();
    assert!(file.project == whole.project, "{op:?}\n{}", file.text());
    assert!(file.raw == whole.raw, "{op:?}\n{}", file.text());
    assert_eq!(file.findings, whole.findings, "{op:?}\n{}", file.text());
}

/// Checks that the model after an operation is what the changed text says, except for a replacement, which goes on.
fn says_what_the_model_says(before: &boxstep_format::XarFile, op: &Op, after: &boxstep_format::XarFile) {
    let mut scratch = Scratch::new(before);
    ops::apply(op, &mut scratch).unwrap();
    if scratch.then.is_empty() {
        let wanted: Project = without_spans(&scratch.project);
        assert!(without_spans(&after.project) == wanted, "{op:?}\n{}\n{wanted:#?}", after.text());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_operations_are_undone_to_the_byte((old, sources) in project(), seed in any::<u64>(), crlf in any::<bool>()) {
        let mut text = write_xar(&old, &sources).unwrap();
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        check(text.as_bytes(), seed, 40);
        check(text.replace(['\n', '\r'], "").as_bytes(), seed, 10);
    }
}

#[test]
fn examples_survive_a_thousand_operations() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut done = 0;
    for (seed, name) in ["hello", "timeline-layers", "nested-parameters", "loop-counter"].into_iter().enumerate() {
        let bytes = std::fs::read(examples.join(name).join("behavior.xar")).unwrap();
        done += check(&bytes, seed as u64, 350);
    }
    assert!(done > 400, "only {done} operations could be done");
}

/// Plays the same with every file of a folder: `BOXSTEP_FILES=FOLDER BOXSTEP_OPS=1000`.
#[test]
fn files_of_a_folder_survive_operations() {
    let Ok(folder) = std::env::var("BOXSTEP_FILES") else { return };
    let times = std::env::var("BOXSTEP_OPS").ok().and_then(|times| times.parse().ok()).unwrap_or(30);
    let mut waiting = vec![std::path::PathBuf::from(folder)];
    let (mut files, mut done) = (0, 0);
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|end| end == "xar") {
            let bytes = std::fs::read(&path).unwrap();
            if read_xar("x.xar", &bytes, &Limits::default()).is_ok() {
                files += 1;
                done += check(&bytes, files, times);
            }
        }
    }
    println!("{files} files, {done} operations");
    assert!(files > 0);
}
