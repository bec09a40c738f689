//! Finds what can be played in a folder, and its problems.

use crate::Program;
use crate::command::check::files::{Checked, CheckedCharacter, gather};
use crate::command::show::chart_of;
use crate::failure::Failure;
use crate::outcomes::{Played, recorded};
use crate::progress::Progress;
use boxstep_api::play::{full_name, known_body};
use boxstep_bodies::{Body, BodyKind};
use boxstep_draw::Level;
use boxstep_draw::chart::{self, Chart};
use boxstep_format::{Limits, XarFile, codes, paths};
use boxstep_test::Suite;
use boxstep_types::{Diagnostic, Sources};
use boxstep_view::{Entry, Findings};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

/// Something that can be played.
pub(crate) struct GalleryItem {
    pub(crate) entry: Entry,
    /// The file that findings are about.
    pub(crate) path: PathBuf,
    /// The arguments of `play`.
    pub(crate) asked: Vec<OsString>,
    pub(super) drawing: Option<Drawing>,
}

impl GalleryItem {
    /// Returns its drawing, if it has one.
    pub(crate) fn svg(&self) -> Option<String> {
        self.drawing.as_ref().map(Drawing::svg)
    }

    /// Returns whether both are the same behavior or character, even if it has changed.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.asked == other.asked
    }
}

/// The source of a drawing, which is made on demand.
#[derive(Clone)]
pub(super) enum Drawing {
    Behavior(Arc<XarFile>, &'static Body),
    Character(Arc<Chart>),
}

impl Drawing {
    fn svg(&self) -> String {
        match self {
            Self::Behavior(file, body) => boxstep_draw::svg(&Level::root(&file.project), body),
            Self::Character(chart) => chart::svg(chart),
        }
    }

    /// Returns the drawing without a heading, for a card that has the name beside it.
    pub(super) fn picture(&self) -> String {
        match self {
            Self::Behavior(file, body) => boxstep_draw::picture(&Level::root(&file.project), body),
            Self::Character(chart) => chart::picture(chart),
        }
    }
}

/// Returns everything that can be played below a folder, sorted by file and name.
pub(crate) fn below(folder: &Path) -> Vec<GalleryItem> {
    let Ok(gathered) = gather(&[folder.to_owned()], true, &Progress::growing(false)) else { return Vec::new() };
    let mut items: Vec<GalleryItem> = gathered.behaviors.iter().map(|checked| behavior(checked, folder)).collect();
    items.extend(gathered.characters.iter().map(|found| character(found, folder)));
    items.extend(gathered.alone.iter().map(|path| dialog(path, folder)));
    items.extend(gathered.unreadable.into_iter().map(|(why, sources, name)| {
        let path = PathBuf::from(&name);
        let shown = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let why = Some(in_plain_words(&why, &sources, folder));
        let entry = Entry { kind: "unreadable", why, ..entry(shown, &path, folder) };
        GalleryItem { entry, asked: vec![path.clone().into()], path, drawing: None }
    }));
    add_tests(&mut items, folder);
    items.sort_by(|a, b| a.entry.file.cmp(&b.entry.file).then_with(|| a.entry.name.cmp(&b.entry.name)));
    items
}

/// Says why something cannot be read to people who have not made the file: the card has its name, and a path from the root
/// of the disk or the words of a parser would help nobody.
fn in_plain_words(why: &Diagnostic, sources: &Sources, folder: &Path) -> String {
    let line = why.span.map(|span| sources.line_col(span.file, span.start).line);
    let near = line.map(|line| format!(" near line {line}")).unwrap_or_default();
    if why.code == codes::NOT_XML {
        return format!("the file is cut off or damaged{near}");
    }
    let folder = format!("{}/", folder.display());
    format!("{}{near}", why.message.replace(&folder, ""))
}

fn entry(name: String, path: &Path, folder: &Path) -> Entry {
    let file = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
    Entry {
        entry: 0,
        name,
        file,
        kind: "behavior",
        languages: Vec::new(),
        robots: Vec::new(),
        boxes: 0,
        drawn: false,
        why: None,
        findings: None,
        last: None,
        tests: Vec::new(),
        project: None,
    }
}

fn character(found: &CheckedCharacter, folder: &Path) -> GalleryItem {
    let path = found.path.clone();
    let name = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    // A character with errors has no drawing; its findings list the errors.
    let drawing = found.character.as_ref().map(|character| Drawing::Character(Arc::new(chart_of(character))));
    let last = recorded(&path, Played::Character, folder);
    let entry = Entry { kind: "character", drawn: drawing.is_some(), last, ..entry(name, &path, folder) };
    GalleryItem { entry, asked: vec![path.clone().into()], path, drawing }
}

/// Returns a dialog or topic that no behavior uses: it is played by itself.
fn dialog(path: &Path, folder: &Path) -> GalleryItem {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let entry = Entry { kind: "dialog", last: recorded(path, Played::Behavior, folder), ..entry(name, path, folder) };
    GalleryItem { entry, asked: vec![path.into()], path: path.to_owned(), drawing: None }
}

/// Adds each test to what it tests. A test that cannot be read belongs to what is in its folder.
fn add_tests(items: &mut [GalleryItem], folder: &Path) {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    for test in boxstep_test::find(folder, true).unwrap_or_default() {
        let tested = Suite::open(&test).ok().and_then(|suite| suite.behavior().ok()).map(|(path, _)| real(&path));
        let shown = entry(String::new(), &test, folder).file;
        for item in items.iter_mut().filter(|item| item.entry.kind != "unreadable") {
            let own = real(&item.path);
            let is_own = match &tested {
                Some(tested) => *tested == own || own.parent() == Some(tested),
                None => own.parent() == real(&test).parent(),
            };
            if is_own {
                item.entry.tests.push(shown.clone());
            }
        }
    }
}

fn behavior(checked: &Checked, folder: &Path) -> GalleryItem {
    let (opened, behavior) = (&checked.opened, &checked.behavior);
    let name = full_name(opened, behavior);
    let archive = opened.archive().map(Path::to_owned);
    let path = archive.clone().unwrap_or_else(|| behavior.xar.clone());
    let asked = match &archive {
        Some(archive) => vec![archive.into(), "--behavior".into(), name.clone().into()],
        None if behavior.is_split() => vec![behavior.folder.clone().into()],
        None => vec![behavior.xar.clone().into()],
    };
    let project = &checked.file.project;
    let kind = known_body(checked.robots(), project).map(|(kind, _)| kind);
    let mut languages: Vec<String> = opened.manifest.iter().flat_map(|m| m.languages.clone()).collect();
    if languages.is_empty() {
        let translated = opened.read_translations(&Limits::default());
        languages = translated.into_iter().map(|part| part.language).filter(|l| !l.is_empty()).collect();
    }
    languages.sort();
    languages.dedup();
    let entry = Entry {
        languages,
        robots: kind.iter().map(ToString::to_string).collect(),
        boxes: paths::boxes(project).count().saturating_sub(1),
        drawn: true,
        project: opened.pml.as_ref().filter(|_| archive.is_none()).and_then(|_| project_of(&opened.folder, folder)),
        // Files of an archive are unpacked elsewhere.
        last: if archive.is_some() { None } else { recorded(&behavior.xar, Played::Behavior, folder) },
        ..entry(name, &path, folder)
    };
    let drawing = Drawing::Behavior(Arc::new(checked.file.clone()), kind.unwrap_or(BodyKind::Nao).body());
    let path = if archive.is_some() { PathBuf::from(&behavior.shown) } else { behavior.xar.clone() };
    GalleryItem { entry, path, asked, drawing: Some(drawing) }
}

/// Returns the folder of a project, relative to the one that is shown; `None` if it lies elsewhere.
fn project_of(project: &Path, folder: &Path) -> Option<String> {
    let (project, folder) = (project.canonicalize().ok()?, folder.canonicalize().ok()?);
    let inside = project.strip_prefix(folder).ok()?;
    Some(if inside.as_os_str().is_empty() { ".".to_owned() } else { inside.to_str()?.to_owned() })
}

/// How many findings are listed with their text.
const FIRST: usize = 5;

/// Returns the findings of `check` for a folder, by file.
pub(crate) fn findings(folder: &Path, program: &Program) -> Result<HashMap<PathBuf, Findings>, Failure> {
    let mut check = program.command();
    check.args(["check", "--recursive", "--format", "json"]).arg(folder);
    let output = check.stdin(Stdio::null()).stderr(Stdio::null()).output().map_err(|e| Failure::io(folder, &e))?;
    let mut all: HashMap<PathBuf, Findings> = HashMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(found) = serde_json::from_str::<CheckLine>(line) else { continue };
        let of = all.entry(PathBuf::from(&found.file)).or_default();
        match found.severity.as_str() {
            "error" => of.errors += 1,
            "warning" => of.warnings += 1,
            _ => continue,
        }
        if of.first.len() < FIRST {
            let line = found.line.map(|line| format!(":{line}")).unwrap_or_default();
            let place = found.r#box.unwrap_or_else(|| found.file.clone());
            of.first.push(format!("{place}{line}: {}", found.message));
        }
    }
    Ok(all)
}

/// A line of `check --format json`.
#[derive(serde::Deserialize)]
struct CheckLine {
    file: String,
    severity: String,
    message: String,
    line: Option<u32>,
    r#box: Option<String>,
}
