//! Determines what can be stimulated in a file, as options of `boxstep play`.

use boxstep_format::model::{BoxDef, InputNature, Project};
use boxstep_format::{Limits, read_xar};
use boxstep_types::{BoxPath, Value};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::path::Path;

/// A file that could be read.
pub(crate) struct Prepared {
    /// The number of boxes with a script that is not blank.
    pub(crate) scripts: usize,
    /// `--event …` and `--stimulate …`.
    pub(crate) options: Vec<String>,
}

/// The events of touches by a person.
const TOUCHES: &[&str] = &[
    "FrontTactilTouched",
    "MiddleTactilTouched",
    "RearTactilTouched",
    "HandLeftBackTouched",
    "HandRightBackTouched",
    "LeftBumperPressed",
    "RightBumperPressed",
    "ChestButtonPressed",
];

/// The time of the first stimulus, and the period over which the stimuli are spread, as fractions of the playing time.
const FIRST: f64 = 1.0 / 6.0;
const SPREAD: f64 = 1.0 / 3.0;

/// Reads a file that is to play for this many seconds. Returns its hash, and its options or the reason why it cannot
/// be read.
pub(crate) fn prepare(path: &Path, seconds: f64) -> Result<(String, Result<Prepared, String>), String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let hash: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    let read = read_xar(&path.display().to_string(), &bytes, &Limits::default());
    let prepared = match read {
        Err(e) => Err(e.diagnostic().to_string()),
        Ok(file) => Ok(Prepared { scripts: scripts(&file.project.root), options: stimuli(&file.project, seconds) }),
    };
    Ok((hash, prepared))
}

fn children(def: &BoxDef) -> impl Iterator<Item = &BoxDef> {
    def.timeline.iter().flat_map(|t| &t.layers).flat_map(|l| &l.keyframes).flat_map(|k| &k.diagram.boxes)
}

fn scripts(def: &BoxDef) -> usize {
    let own = def.script.as_ref().is_some_and(|s| !s.text.trim().is_empty());
    usize::from(own) + children(def).map(scripts).sum::<usize>()
}

fn memory_keys(def: &BoxDef, into: &mut BTreeSet<String>) {
    let keys = def.inputs.iter().filter(|i| i.nature == InputNature::Memory).filter_map(|i| i.memory_key.clone());
    into.extend(keys.filter(|k| !k.is_empty()));
    children(def).for_each(|c| memory_keys(c, into));
}

fn stimuli(project: &Project, seconds: f64) -> Vec<String> {
    let mut keys: BTreeSet<String> = TOUCHES.iter().map(|k| (*k).to_owned()).collect();
    memory_keys(&project.root, &mut keys);
    let root = BoxPath::root(project.root.name.clone());
    let inputs =
        project.root.inputs.iter().filter(|i| {
            !i.inner && !matches!(i.nature, InputNature::OnLoad | InputNature::OnStart | InputNature::OnStop)
        });
    let mut all: Vec<(&str, String)> = keys.iter().map(|k| ("--event", format!("{k}=1.0"))).collect();
    all.extend(inputs.map(|i| ("--stimulate", format!("{root}:{}={}", escaped(&i.name), Value::Float(1.0)))));
    let step = SPREAD * seconds / all.len() as f64;
    let at = |i: usize, later: f64| format!("@{:.3}", FIRST * seconds + step * i as f64 + later);
    let mut options = Vec::new();
    for (i, (option, what)) in all.iter().enumerate() {
        options.extend([(*option).to_owned(), format!("{what}{}", at(i, 0.0))]);
        // A touch also ends.
        if let Some(key) = what.strip_suffix("=1.0").filter(|key| TOUCHES.contains(key)) {
            options.extend([(*option).to_owned(), format!("{key}=0.0{}", at(i, 0.25))]);
        }
    }
    options
}

/// Escapes a name for an option in which `:` and `=` have a meaning.
fn escaped(name: &str) -> String {
    let special = |c: char| matches!(c, '\\' | ':' | '=' | '/');
    name.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain(std::iter::once(c))).collect()
}
