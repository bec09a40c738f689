//! What a run that goes on takes of a behavior that has changed.

use super::parts::{self, ChangedPart};
use crate::open::Localized;
use boxstep_draw::diff::{Change, Diff, Kind, What};
use boxstep_engine::Engine;
use boxstep_engine::config::{Control, PartChange, PartSource};
use boxstep_engine::protocol::{Scheduler as _, ScriptSource};
use boxstep_engine::shared::Shared;
use boxstep_format::model::{BoxDef, Parameter, Script, ScriptLanguage, Timeline};
use boxstep_format::{XarFile, param_value, paths};
use boxstep_types::{BoxPath, Sources};
use std::collections::{BTreeMap, HashMap};
use std::mem::take;
use std::sync::Arc;

/// How many changes of a box are listed.
const NAMED: usize = 3;

/// A behavior that plays, and what the run has of its file.
pub(crate) struct LiveBehavior {
    engine: Shared<Engine>,
    /// The file as far as it plays.
    playing: XarFile,
    /// The boxes whose inside is to be replaced, with what comes there.
    pending: BTreeMap<BoxPath, Option<Timeline>>,
    /// Makes a version of the file what the engine plays; `None` if structure counts only from the next start.
    localized: Option<Localized>,
}

impl LiveBehavior {
    pub(crate) fn new(engine: Shared<Engine>, file: &XarFile, localized: Option<Localized>) -> Self {
        Self { engine, playing: file.clone(), pending: BTreeMap::new(), localized }
    }

    /// Passes what has changed to the run. Returns what counts only from the next start: a box, and what of it has
    /// changed.
    pub(crate) fn take(&mut self, file: &XarFile) -> Vec<(String, String)> {
        self.note_taken();
        self.take_parts(file);
        let mut refused = self.take_scripts(file);
        self.take_values(file);
        let mut has = self.playing.clone();
        for (path, inside) in &self.pending {
            if let Some(def) = same_box(&mut has, path) {
                def.timeline.clone_from(inside);
            }
        }
        refused.extend(later(Diff::new(&has, file).changes(), &refused));
        refused
    }

    /// Whether a box of this path plays.
    pub(crate) fn plays(&self, path: &BoxPath) -> bool {
        paths::find(&self.playing.project, path).is_ok_and(|at| at.path == *path)
    }

    /// Passes a control to the run. Nothing may follow the footer of a trace.
    pub(crate) fn send(&self, what: Control) -> Result<(), String> {
        send(&self.engine, what)
    }

    /// Returns the boxes whose new inside waits until it is loaded next.
    pub(crate) fn waiting(&self) -> Vec<String> {
        let pending = self.engine.lock().pending_parts().into_iter();
        pending.filter(|(_, loaded)| *loaded).map(|(path, _)| path.to_string()).collect()
    }

    /// Whether the run goes on.
    pub(crate) fn goes_on(&self) -> bool {
        self.engine.lock().outcome().is_none()
    }

    /// Notes which insides the run has replaced since.
    fn note_taken(&mut self) {
        let waiting = self.engine.lock().pending_parts();
        let (still, taken) =
            take(&mut self.pending).into_iter().partition(|(path, _)| waiting.iter().any(|(waits, _)| waits == path));
        self.pending = still;
        for (path, inside) in taken {
            if let Some(def) = same_box(&mut self.playing, &path) {
                def.timeline = inside;
            }
        }
    }

    /// Passes links, curves and insides that differ.
    fn take_parts(&mut self, file: &XarFile) {
        let Some(localized) = &self.localized else { return };
        let (old, new) = (&self.playing.project.root, &file.project.root);
        if old.name != new.name {
            return;
        }
        let mut found = parts::changed(BoxPath::root(new.name.clone()), old, new);
        let as_before = |path: &&BoxPath| !found.iter().any(|part| part.path == **path);
        let as_before: Vec<BoxPath> = self.pending.keys().filter(as_before).cloned().collect();
        for path in as_before {
            if let Ok(at) = paths::find(&file.project, &path) {
                found.push(ChangedPart { path, change: PartChange::default(), def: at.def });
            }
        }
        if found.is_empty() {
            return;
        }
        let source = localized(file.clone());
        for ChangedPart { path, change, def } in found {
            let Ok(at) = paths::find(&source.project, &path) else { continue };
            let (inside, sources) = (at.def.timeline.clone(), source.sources.clone());
            let part = PartSource { path: path.clone(), change, inside, sources };
            if send(&self.engine, Control::Part(Arc::new(part))).is_err() {
                continue;
            }
            self.pending.remove(&path);
            if change.boxes {
                self.pending.insert(path, def.timeline.clone());
            } else if change != PartChange::default()
                && let Some(playing) = same_box(&mut self.playing, &path)
            {
                change.apply(&mut playing.timeline, &def.timeline);
            }
        }
    }

    /// Passes the scripts that differ. Returns why the run refuses some.
    fn take_scripts(&mut self, file: &XarFile) -> Vec<(String, String)> {
        let before: HashMap<BoxPath, (i32, Arc<str>)> = paths::boxes(&self.playing.project)
            .filter_map(|at| Some((at.path, (at.def.id, script(at.def)?.text.clone()))))
            .collect();
        let mut refused = Vec::new();
        for at in paths::boxes(&file.project) {
            let (Some((id, text)), Some(new)) = (before.get(&at.path), script(at.def)) else { continue };
            if *id != at.def.id || *text == new.text {
                continue;
            }
            let source = source(new, at.path.clone(), &file.sources);
            match self.send(Control::Script(Arc::new(source))) {
                Ok(()) => {
                    if let Some(script) = same_box(&mut self.playing, &at.path).and_then(|def| def.script.as_mut()) {
                        script.text = new.text.clone();
                    }
                }
                Err(why) => refused.push((at.path.to_string(), why)),
            }
        }
        refused
    }

    /// Passes the values of parameters that differ.
    fn take_values(&mut self, file: &XarFile) {
        for (path, parameter, text, control) in values(&self.playing, file) {
            if self.send(control).is_ok()
                && let Some(playing) = same_box(&mut self.playing, &path)
                && let Some(playing) = playing.parameters.iter_mut().find(|playing| *playing.name == parameter)
            {
                playing.value = text;
            }
        }
    }
}

/// Returns the box of this very path.
fn same_box<'a>(file: &'a mut XarFile, path: &BoxPath) -> Option<&'a mut BoxDef> {
    let at = paths::find(&file.project, path).ok().filter(|at| at.path == *path)?;
    let trail = at.trail;
    paths::at_mut(&mut file.project, &trail)
}

/// Returns the values of parameters that differ, for boxes of the same path and id: as the file says them, and for the
/// run.
fn values(old: &XarFile, new: &XarFile) -> Vec<(BoxPath, String, Arc<str>, Control)> {
    let before: HashMap<BoxPath, &BoxDef> = paths::boxes(&old.project).map(|at| (at.path, at.def)).collect();
    let mut found = Vec::new();
    for at in paths::boxes(&new.project) {
        let Some(was) = before.get(&at.path).filter(|was| was.id == at.def.id) else { continue };
        for parameter in &at.def.parameters {
            let same = |old: &&Parameter| {
                old.name == parameter.name
                    && old.content_type == parameter.content_type
                    && old.inherits_from_parent == parameter.inherits_from_parent
            };
            let differs = was.parameters.iter().find(same).is_some_and(|old| old.value != parameter.value);
            if let Some(value) = differs.then(|| param_value(parameter).ok()).flatten() {
                let (path, name) = (at.path.clone(), parameter.name.to_string());
                let control = Control::SetParameter { path: path.clone(), parameter: name.clone(), value };
                found.push((path, name, parameter.value.clone(), control));
            }
        }
    }
    found
}

/// Returns the script of a box, if it is one that runs.
pub(super) fn script(def: &BoxDef) -> Option<&Script> {
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

/// Describes the changes of each box, except for scripts that are refused: they are told with the reason. What only an
/// editor shows has no effect on a run.
fn later(changes: &[Change], refused: &[(String, String)]) -> Vec<(String, String)> {
    let mut boxes: Vec<(String, Vec<String>)> = Vec::new();
    for change in changes {
        let told = change.what == What::Script && refused.iter().any(|(path, _)| *path == change.path);
        let drawn = match change.what {
            What::Position => true,
            What::Detail => change.name != "dialog file",
            _ => false,
        };
        if told || drawn {
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
    fn what_is_left_is_told_by_box_and_what_only_an_editor_shows_is_not() {
        let old = file("A", 1, 0, "old");
        let of = |new: &XarFile, refused: &[&str]| {
            let refused: Vec<_> = refused.iter().map(|path| ((*path).to_owned(), String::new())).collect();
            later(Diff::new(&old, new).changes(), &refused)
        };
        assert_eq!(of(&file("A", 1, 50, "new"), &["root/A"]), []);
        assert_eq!(of(&file("A", 1, 0, "new"), &[]), [("root/A".to_owned(), "script changed".to_owned())]);
        let renamed = of(&file("B", 1, 0, "old"), &[]);
        assert!(renamed.iter().any(|(path, what)| path == "root/B" && what.contains("name")), "{renamed:?}");
    }
}
