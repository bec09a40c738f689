//! What a run that goes on takes of a behavior that has changed: scripts and values of parameters.

use boxstep_draw::diff::{Change, Diff, Kind, What};
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::protocol::{Scheduler as _, ScriptSource};
use boxstep_engine::shared::Shared;
use boxstep_format::model::{BoxDef, Script, ScriptLanguage};
use boxstep_format::{XarFile, param_value, paths};
use boxstep_types::{BoxPath, Sources};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// How many changes of a box are listed.
const NAMED: usize = 3;

/// A behavior that plays, and its file as the run has it.
pub(crate) struct LiveBehavior {
    engine: Shared<Engine>,
    playing: Playing,
    /// The file as it was last.
    last: XarFile,
}

impl LiveBehavior {
    pub(crate) fn new(engine: Shared<Engine>, file: &XarFile) -> Self {
        Self { engine, playing: Playing::new(file), last: file.clone() }
    }

    /// Passes the scripts and values that have changed to the run. Returns what counts only later: a box, and what of
    /// it has changed.
    pub(crate) fn take(&mut self, file: &XarFile) -> Vec<(String, String)> {
        let mut done = Done::default();
        let mut refused = Vec::new();
        for source in self.playing.changed(file) {
            let path = source.path.clone();
            if let Err(why) = self.send(Control::Script(Arc::new(source))) {
                refused.push((path.to_string(), why));
            }
            done.scripts.insert(path.to_string());
        }
        for (path, parameter, control) in values(&self.last, file) {
            if self.plays(&path) && self.send(control).is_ok() {
                done.values.insert((path.to_string(), parameter));
            }
        }
        refused.extend(later(Diff::new(&self.last, file).changes(), &done));
        self.last = file.clone();
        refused
    }

    /// Whether a box of this path plays.
    pub(crate) fn plays(&self, path: &BoxPath) -> bool {
        self.playing.0.contains_key(path)
    }

    /// Passes a control to the run. Nothing may follow the footer of a trace.
    pub(crate) fn send(&self, what: Control) -> Result<(), String> {
        send(&self.engine, what)
    }

    /// Whether the run goes on.
    pub(crate) fn goes_on(&self) -> bool {
        self.engine.lock().outcome().is_none()
    }
}

/// What a run has taken.
#[derive(Default)]
struct Done {
    /// Boxes with another script.
    scripts: BTreeSet<String>,
    /// Boxes and their parameters with another value.
    values: BTreeSet<(String, String)>,
}

/// Returns the values of parameters that differ, for boxes of the same path and id.
fn values(old: &XarFile, new: &XarFile) -> Vec<(BoxPath, String, Control)> {
    let before: HashMap<BoxPath, &BoxDef> = paths::boxes(&old.project).map(|at| (at.path, at.def)).collect();
    let mut found = Vec::new();
    for at in paths::boxes(&new.project) {
        let Some(was) = before.get(&at.path).filter(|was| was.id == at.def.id) else { continue };
        for parameter in &at.def.parameters {
            let same = |old: &&boxstep_format::model::Parameter| {
                old.name == parameter.name
                    && old.content_type == parameter.content_type
                    && old.inherits_from_parent == parameter.inherits_from_parent
            };
            let differs = was.parameters.iter().find(same).is_some_and(|old| old.value != parameter.value);
            if let Some(value) = differs.then(|| param_value(parameter).ok()).flatten() {
                let (path, name) = (at.path.clone(), parameter.name.to_string());
                let control = Control::SetParameter { path: path.clone(), parameter: name.clone(), value };
                found.push((path, name, control));
            }
        }
    }
    found
}

/// The scripts of the boxes that play, by box path.
struct Playing(HashMap<BoxPath, Scripted>);

struct Scripted {
    /// The id of the box: by now another box may have the same path in the files.
    id: i32,
    /// The text of the script, or the text that it gets when the box is at rest; `None` if the script is not run.
    text: Option<Arc<str>>,
}

impl Playing {
    fn new(file: &XarFile) -> Self {
        let boxes = paths::boxes(&file.project);
        let text = |def: &BoxDef| script(def).map(|script| script.text.clone());
        Self(boxes.map(|at| (at.path, Scripted { id: at.def.id, text: text(at.def) })).collect())
    }

    /// Returns the scripts that differ from the playing ones and can be reloaded.
    fn changed(&mut self, file: &XarFile) -> Vec<ScriptSource> {
        let mut changed = Vec::new();
        for at in paths::boxes(&file.project) {
            let (Some(plays), Some(script)) = (self.0.get_mut(&at.path), script(at.def)) else { continue };
            let changes = plays.id == at.def.id && plays.text.as_ref().is_some_and(|text| *text != script.text);
            if changes {
                plays.text = Some(script.text.clone());
                changed.push(source(script, at.path, &file.sources));
            }
        }
        changed
    }
}

/// Returns the script of a box, if it is one that runs.
fn script(def: &BoxDef) -> Option<&Script> {
    def.script.as_ref().filter(|s| s.language == ScriptLanguage::Python && !s.text.trim().is_empty())
}

fn source(script: &Script, path: BoxPath, sources: &Sources) -> ScriptSource {
    let span = script.text_span;
    let (file, first_line) = (sources.name(span.file).into(), sources.line(span.file, span.start));
    let Script { text, is_program, args, .. } = script.clone();
    ScriptSource { text, is_program, args, file, first_line, path }
}

/// Nothing may follow the footer of a trace.
pub(super) fn send(engine: &Shared<Engine>, what: Control) -> Result<(), String> {
    engine.poke(|engine| {
        let now = engine.now();
        if engine.outcome().is_some() { Ok(()) } else { engine.control(now, what) }
    })
}

/// Describes the changes of each box, except for what is `done`. The position of a box in the drawing is ignored.
fn later(changes: &[Change], done: &Done) -> Vec<(String, String)> {
    let mut boxes: Vec<(String, Vec<String>)> = Vec::new();
    for change in changes {
        let is_done = match change.what {
            What::Script => done.scripts.contains(&change.path),
            What::Parameter => done.values.contains(&(change.path.clone(), change.name.clone())),
            _ => false,
        };
        if is_done || change.what == What::Position {
            continue;
        }
        let words = words(change);
        match boxes.iter_mut().find(|(path, _)| *path == change.path) {
            Some((_, all)) => all.push(words),
            None => boxes.push((change.path.clone(), vec![words])),
        }
    }
    let shown = |all: Vec<String>| match all.len() {
        n if n > NAMED => format!("{} and {} more", all[..NAMED].join(", "), n - NAMED),
        _ => all.join(", "),
    };
    boxes.into_iter().map(|(path, all)| (path, shown(all))).collect()
}

fn words(change: &Change) -> String {
    let way = match change.kind {
        Kind::Added => "added",
        Kind::Removed => "removed",
        Kind::Changed => "changed",
    };
    match change.what {
        What::Box => way.to_owned(),
        What::Script => format!("script {way}"),
        what => format!("{} {} {way}", format!("{what:?}").to_lowercase(), change.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_format::{Limits, read_xar};

    fn read(xml: &str) -> XarFile {
        read_xar("behavior.xar", xml.as_bytes(), &Limits::default()).unwrap()
    }

    /// A root with one box in it.
    fn file(name: &str, id: i32, x: i32, script: &str) -> XarFile {
        let of_box = |name: &str, id: i32, x: i32, script: &str, inside: &str| {
            format!(
                r#"<Box name="{name}" id="{id}" localization="8" tooltip="" x="{x}" y="0"><script language="4"><content><![CDATA[{script}]]></content></script>{inside}</Box>"#
            )
        };
        let talk = of_box(name, id, x, script, "");
        let inside = format!(
            r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{talk}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
        );
        let root = of_box("root", -1, 0, "", &inside);
        read(&format!(
            r#"<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">{root}</ChoregrapheProject>"#
        ))
    }

    #[test]
    fn only_scripts_of_the_same_box_are_taken_and_each_text_once() {
        let mut playing = Playing::new(&file("A", 1, 0, "old"));
        assert_eq!(playing.changed(&file("A", 1, 0, "old")), []);
        let new = playing.changed(&file("A", 1, 0, "new"));
        assert_eq!((new.len(), &*new[0].text, new[0].path.to_string()), (1, "new", "root/A".to_owned()));
        assert_eq!(playing.changed(&file("A", 1, 0, "new")), [], "the engine has it");
        assert_eq!(playing.changed(&file("A", 1, 0, "old")).len(), 1, "back again");
        assert_eq!(playing.changed(&file("A", 2, 0, "new")), [], "another box of that name");
        assert_eq!(playing.changed(&file("B", 1, 0, "new")), [], "another path");
        assert_eq!(playing.changed(&file("A", 1, 0, " ")), [], "a script that is gone");
    }

    #[test]
    fn what_is_left_is_told_by_box_and_positions_are_not() {
        let old = file("A", 1, 0, "old");
        let of = |new: &XarFile, done: &[&str]| {
            let scripts = done.iter().map(|path| (*path).to_owned()).collect();
            let done = Done { scripts, ..Done::default() };
            later(Diff::new(&old, new).changes(), &done)
        };
        assert_eq!(of(&file("A", 1, 50, "new"), &["root/A"]), []);
        assert_eq!(of(&file("A", 1, 0, "new"), &[]), [("root/A".to_owned(), "script changed".to_owned())]);
        let renamed = of(&file("B", 1, 0, "old"), &[]);
        assert!(renamed.iter().any(|(path, what)| path == "root/B" && what.contains("name")), "{renamed:?}");
    }
}
