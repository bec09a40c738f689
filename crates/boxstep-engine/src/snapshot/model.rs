//! What a snapshot knows of the model it belongs to: enough to say of another what differs.

use boxstep_format::model::{BoxDef, Diagram, Project, Tangent, Timeline};
use boxstep_format::paths;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// FNV-1a: the same on every machine and in every version.
#[derive(Clone, Copy)]
struct Fnv(u64);

impl Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(())
    }
}

/// The hash of something's debug text: names of variants, numbers, escaped texts.
fn hash(what: impl fmt::Debug) -> u64 {
    let mut fnv = Fnv(0xcbf2_9ce4_8422_2325);
    // A hash takes whatever it is given.
    let _ = write!(fnv, "{what:?}");
    fnv.0
}

/// What of a box can differ, as messages name it.
const SIDES: [&str; 6] =
    ["other ports", "other parameters", "other resources", "another script", "another timeline", "other links"];

/// Hashes of a behavior's boxes, by path: one for each of [`SIDES`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fingerprint {
    /// Of all of it.
    model: String,
    boxes: BTreeMap<String, [u32; 6]>,
}

impl Fingerprint {
    pub(super) fn of(project: &Project) -> Self {
        let all: Vec<(String, [u64; 6])> =
            paths::boxes(project).map(|at| (at.path.to_string(), sides(at.def))).collect();
        let model = format!("{:016x}", hash(&all));
        let short = |sides: [u64; 6]| sides.map(|side| (side ^ (side >> 32)) as u32);
        Self { model, boxes: all.into_iter().map(|(path, sides)| (path, short(sides))).collect() }
    }

    /// What the other has otherwise; empty if it is the same model.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        if self.model == other.model {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (path, was) in &self.boxes {
            match other.boxes.get(path) {
                None => found.push(format!("{path} is not there any more")),
                Some(is) => {
                    let differs = SIDES.iter().zip(was.iter().zip(is)).filter(|(_, (was, is))| was != is);
                    let sides: Vec<&str> = differs.map(|(side, _)| *side).collect();
                    if !sides.is_empty() {
                        found.push(format!("{path} has {}", sides.join(" and ")));
                    }
                }
            }
        }
        let new = other.boxes.keys().filter(|path| !self.boxes.contains_key(*path));
        found.extend(new.map(|path| format!("{path} is new")));
        if found.is_empty() {
            found.push("its boxes are in another order".to_owned());
        }
        found
    }
}

/// What decides how a box runs: not where it is drawn, nor how its file is laid out.
fn sides(def: &BoxDef) -> [u64; 6] {
    let inputs: Vec<_> =
        def.inputs.iter().map(|i| (&i.name, i.id, i.port_type, i.nature, i.inner, &i.memory_key)).collect();
    let outputs: Vec<_> = def.outputs.iter().map(|o| (&o.name, o.id, o.port_type, o.nature)).collect();
    let parameters: Vec<_> =
        def.parameters.iter().map(|p| (&p.name, p.id, p.content_type, &p.value, p.inherits_from_parent)).collect();
    let resources: Vec<_> = def.resources.iter().map(|r| (&r.name, r.mode, r.timeout)).collect();
    let script = def.script.as_ref().map(|s| (s.language, &s.text));
    let diagrams = def.timeline.iter().flat_map(|t| &t.layers).flat_map(|l| &l.keyframes).map(|k| &k.diagram);
    [
        hash((def.id, inputs, outputs)),
        hash(parameters),
        hash(resources),
        hash(script),
        hash(def.timeline.as_ref().map(timeline)),
        hash(diagrams.map(links).collect::<Vec<_>>()),
    ]
}

fn links(diagram: &Diagram) -> impl fmt::Debug {
    diagram.links.iter().map(|l| (l.from_box, l.from_port, l.to_box, l.to_port)).collect::<Vec<_>>()
}

fn timeline(t: &Timeline) -> impl fmt::Debug {
    let side = |t: &Option<Tangent>| t.as_ref().map(|t| (t.interpolation, t.abscissa, t.ordinate));
    let curves = t.actuators.iter().flat_map(|a| &a.curves);
    let curves: Vec<_> = curves
        .map(|c| {
            let keys: Vec<_> = c.keys.iter().map(|k| (k.frame, k.value, side(&k.left), side(&k.right))).collect();
            (c.actuator.clone(), c.mute, c.unit, keys)
        })
        .collect();
    let layers: Vec<_> = t
        .layers
        .iter()
        .map(|l| {
            let keyframes: Vec<_> =
                l.keyframes.iter().map(|k| (k.name.clone(), k.index, k.diagram.boxes.len())).collect();
            (l.name.clone(), l.mute, keyframes)
        })
        .collect();
    let machine = t.machine.as_ref().map(|m| {
        let states = m.states.iter();
        let states: Vec<_> = states
            .map(|s| (s.name.clone(), s.begin, s.end, s.labels.clone(), s.boxes.clone(), s.links.clone()))
            .collect();
        let transitions: Vec<_> = m.transitions.iter().map(|t| (t.from, t.to, t.timeout)).collect();
        (states, m.initial, m.finals.clone(), transitions)
    });
    (t.enabled, t.fps, t.start_frame, t.end_frame, t.acquisition, curves, layers, machine)
}
