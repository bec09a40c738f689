//! Lists the files of an opened project, for all commands that write projects and archives.

use crate::failure::Failure;
use crate::open::unreadable;
use crate::settings::Settings;
use boxstep_bodies::own::BodyName;
use boxstep_check::config::FILE_NAME;
use boxstep_format::archive::{Entry, read_folder};
use boxstep_format::model::ParameterType;
use boxstep_format::project::{Behavior, OpenedKind, inside};
use boxstep_format::{Limits, Opened, XarFile, paths};
use boxstep_types::FileId;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The file that plays a split folder.
const MAIN_NAME: &str = "main.py";

/// Returns whether a behavior's file was named, and not its folder or project: the files beside it may be anything.
pub(crate) fn is_lone(path: &Path, opened: &Opened) -> bool {
    path.is_file() && opened.archive().is_none() && path.extension().is_some_and(|e| e != "pml")
}

/// Returns whether one behavior of a project was named, by its file or folder. The rest of the project is then not
/// included.
pub(crate) fn is_one(path: &Path, opened: &Opened) -> bool {
    let within = || path.is_dir() && path.canonicalize().ok() != opened.folder.canonicalize().ok();
    is_lone(path, opened) || opened.kind == OpenedKind::Project && within()
}

/// Returns the files of a project, of a behavior's folder, or of an archive; for a lone `.xar`, itself and what its
/// boxes attach.
pub(crate) fn list(path: &Path, opened: &Opened) -> Result<Vec<Entry>, Failure> {
    let root = match opened.behaviors.as_slice() {
        [behavior] if is_lone(path, opened) => return of_xar(opened, behavior),
        // A behavior's folder in a project that does not list it is treated as a project of its own.
        [behavior] if opened.kind == OpenedKind::Behavior => &behavior.folder,
        _ => &opened.folder,
    };
    let mut entries = folder(root)?;
    // What was changed in a page and not saved is not a part of the project.
    entries.retain(|entry| !boxstep_edit::is_draft(&entry.name));
    for behavior in opened.behaviors.iter().filter(|b| b.is_split()) {
        join(&mut entries, root, behavior)?;
    }
    Ok(entries)
}

/// Joins a split folder into a `behavior.xar`, the only form that Choregraphe and robots know.
fn join(entries: &mut Vec<Entry>, root: &Path, behavior: &Behavior) -> Result<(), Failure> {
    let within = behavior.folder.strip_prefix(root).unwrap_or(Path::new("")).to_string_lossy().replace('\\', "/");
    let name = |file: &str| if within.is_empty() { file.to_owned() } else { format!("{within}/{file}") };
    let parts: HashSet<String> = split_files(behavior)?.iter().map(|file| name(file)).collect();
    entries.retain(|e| !parts.contains(&e.name));
    let file = behavior.read(&Limits::default()).map_err(|e| unreadable(&e))?;
    entries.push(Entry { name: name("behavior.xar"), bytes: joined(&file)?, executable: false });
    Ok(())
}

/// Returns the joined `.xar`, in Choregraphe's layout.
pub(crate) fn joined(file: &XarFile) -> Result<Vec<u8>, Failure> {
    let laid_out = file.formatted(&Limits::default());
    Ok(laid_out.map_err(|e| Failure::Run(format!("it cannot be laid out: {e}")))?.to_bytes())
}

fn folder(path: &Path) -> Result<Vec<Entry>, Failure> {
    read_folder(path, &Limits::default()).map_err(|e| unreadable(&e))
}

fn of_xar(opened: &Opened, behavior: &Behavior) -> Result<Vec<Entry>, Failure> {
    let file = behavior.read(&Limits::default()).map_err(|e| unreadable(&e))?;
    let mut entries = vec![Entry { name: "behavior.xar".to_owned(), bytes: file.to_bytes(), executable: false }];
    let mut wanted = Vec::new();
    for at in paths::boxes(&file.project) {
        wanted.extend(at.def.dialog_file.as_deref());
        let files = at.def.parameters.iter().filter(|p| p.content_type == ParameterType::File);
        wanted.extend(files.map(|p| &*p.value));
    }
    for path in wanted {
        // `check` reports files that are missing or outside of the folder.
        let Ok(found) = opened.attached(behavior, path) else { continue };
        let inside = found.strip_prefix(&behavior.folder).ok().filter(|_| found.is_file());
        let Some(name) = inside.map(|p| p.to_string_lossy().replace('\\', "/")) else { continue };
        if entries.iter().all(|e| e.name != name) {
            let bytes = std::fs::read(&found).map_err(|e| Failure::io(&found, &e))?;
            entries.push(Entry { name, bytes, executable: false });
        }
    }
    Ok(entries)
}

/// Returns the files of a behavior other than those that define it: everything else in its folder, or for a lone file
/// what its boxes attach.
pub(crate) fn attached(path: &Path, opened: &Opened, behavior: &Behavior) -> Result<Vec<Entry>, Failure> {
    let mut entries = if is_lone(path, opened) { of_xar(opened, behavior)? } else { folder(&behavior.folder)? };
    let read = if behavior.is_split() { split_files(behavior)? } else { HashSet::new() };
    let describes = |e: &Entry| {
        let top = !e.name.contains('/');
        e.name.ends_with(".xar")
            || top && (e.name.ends_with(".pml") || e.name == "manifest.xml")
            || read.contains(&e.name)
    };
    entries.retain(|e| !describes(e));
    Ok(entries)
}

/// The library folders of an application, where scripts find modules, too; the Python runtime uses the same folders.
pub(crate) const LIBRARIES: [&str; 2] = ["lib", "lib/python"];

/// Returns what the scripts of a behavior can import from its application's folder: modules, packages and libraries.
/// Also returns the `boxstep.toml`, which says how scripts are read, with its baseline and body file. They keep their
/// places, so that a behavior that is converted without its project finds them.
pub(crate) fn modules(opened: &Opened, behavior: &Behavior) -> Result<Vec<Entry>, Failure> {
    let root = &opened.folder;
    if behavior.folder == *root || !behavior.folder.starts_with(root) {
        return Ok(Vec::new());
    }
    // The scripts of boxes are no modules.
    let mut scripts = HashSet::new();
    for here in opened.behaviors.iter().filter(|b| b.is_split() && b.folder == *root) {
        scripts.extend(split_files(here)?);
    }
    let mut settings = Vec::new();
    if root.join(FILE_NAME).is_file() {
        let found = Settings::for_path(root)?;
        settings.extend(found.config.baseline.clone());
        if let Some(BodyName::File(body)) = &found.config.body {
            settings.extend(body.to_str().map(str::to_owned));
        }
        settings.push(FILE_NAME.to_owned());
    }
    let items = std::fs::read_dir(root).map_err(|e| Failure::io(root, &e))?;
    let mut entries = Vec::new();
    for path in items.flatten().map(|item| item.path()) {
        // Links are not followed, as everywhere.
        let Ok(data) = path.symlink_metadata() else { continue };
        let Some(name) = path.file_name().and_then(OsStr::to_str) else { continue };
        let wanted = name.ends_with(".py") && !scripts.contains(name) || settings.iter().any(|s| s == name);
        if data.is_file() && wanted {
            let bytes = std::fs::read(&path).map_err(|e| Failure::io(&path, &e))?;
            entries.push(Entry { name: name.to_owned(), bytes, executable: false });
        } else if data.is_dir() && (LIBRARIES.contains(&name) || path.join("__init__.py").is_file()) {
            let inside = folder(&path)?.into_iter();
            entries.extend(inside.map(|entry| Entry { name: format!("{name}/{}", entry.name), ..entry }));
        }
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// Returns the translations of a behavior's project. They go to `translations`, where a behavior that is converted
/// without its project finds them.
pub(crate) fn translations(opened: &Opened) -> Result<Vec<Entry>, Failure> {
    let translations = opened.read_translations(&Limits::default());
    let mut entries = Vec::new();
    for part in translations.iter().filter(|part| part.content.is_ok()) {
        let Ok(path) = inside(&opened.folder, "", &part.path) else { continue };
        let Some(name) = path.file_name() else { continue };
        let bytes = std::fs::read(&path).map_err(|e| Failure::io(&path, &e))?;
        entries.push(Entry { name: format!("translations/{}", name.to_string_lossy()), bytes, executable: false });
    }
    Ok(entries)
}

/// Returns the names of the files that make up a split folder.
fn split_files(behavior: &Behavior) -> Result<HashSet<String>, Failure> {
    let file = behavior.read(&Limits::default()).map_err(|e| unreadable(&e))?;
    let names = (0..file.file.0).filter_map(|n| Path::new(file.sources.name(FileId(n))).file_name());
    Ok(names.map(|n| n.to_string_lossy().into_owned()).chain([MAIN_NAME.to_owned()]).collect())
}

/// Removes the files that the project file excludes from the package.
pub(crate) fn leave_out_ignored(entries: &mut Vec<Entry>, opened: &Opened) {
    if let Some(pml) = &opened.pml {
        entries.retain(|e| !pml.ignores(&e.name));
    }
}

/// Returns the behaviors among the files: folder (`.` for the project's own) and file name of each `.xar`.
fn behaviors(entries: &[Entry]) -> impl Iterator<Item = (&str, &str)> {
    let xars = entries.iter().map(|e| e.name.as_str()).filter(|name| name.ends_with(".xar"));
    xars.map(|name| name.rsplit_once('/').unwrap_or((".", name)))
}

/// Adds a manifest if there is none; a package cannot be installed without one.
pub(crate) fn add_manifest(entries: &mut Vec<Entry>, name: &str) {
    let id: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    add_manifest_of(entries, name, id.trim_matches('-'));
}

/// Like [`add_manifest`], with an id that has only letters, digits, `.`, `_` and `-`.
pub(crate) fn add_manifest_of(entries: &mut Vec<Entry>, name: &str, id: &str) {
    if entries.iter().any(|e| e.name == "manifest.xml") {
        return;
    }
    let mut xml = String::from("<?xml version='1.0' encoding='UTF-8'?>\n");
    let _ = writeln!(xml, "<package version=\"0.0.1\" uuid=\"{id}\">");
    let _ = writeln!(xml, " <names>\n  <name lang=\"en_US\">{}</name>\n </names>\n <contents>", escaped(name));
    for (folder, _) in behaviors(entries).filter(|(_, file)| *file == "behavior.xar") {
        let _ = writeln!(xml, "  <behaviorContent path=\"{}\">\n   <userRequestable/>", escaped(folder));
        xml.push_str("   <nature>interactive</nature>\n   <permissions/>\n  </behaviorContent>\n");
    }
    xml.push_str(" </contents>\n</package>\n");
    entries.push(Entry { name: "manifest.xml".to_owned(), bytes: xml.into_bytes(), executable: false });
}

/// Renames the project file, or adds one that lists the files.
pub(crate) fn add_pml(entries: &mut Vec<Entry>, file_name: &str) {
    let is_pml = |e: &&mut Entry| e.name.ends_with(".pml") && !e.name.contains('/');
    if let Some(pml) = entries.iter_mut().find(is_pml) {
        pml.name = file_name.to_owned();
        return;
    }
    let name = Path::new(file_name).file_stem().unwrap_or_default().to_string_lossy();
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n");
    let _ = writeln!(xml, "<Package name=\"{}\" format_version=\"4\">", escaped(&name));
    xml.push_str("    <Manifest src=\"manifest.xml\" />\n");
    let behaviors: Vec<_> = behaviors(entries)
        .map(|(src, xar)| {
            let (src, xar) = (escaped(src), escaped(xar));
            format!("<BehaviorDescription name=\"behavior\" src=\"{src}\" xar=\"{xar}\" />")
        })
        .collect();
    group(&mut xml, "BehaviorDescriptions", &behaviors);
    let files = |tag: &str, ending: &[&str], other: bool| {
        let fits = |name: &str| ending.iter().any(|e| name.ends_with(e)) != other && name != "manifest.xml";
        let all = entries.iter().map(|e| e.name.as_str()).filter(|name| fits(name));
        let stem = |path: &str| escaped(&PathBuf::from(path).file_stem().unwrap_or_default().to_string_lossy());
        all.map(|path| format!("<{tag} name=\"{}\" src=\"{}\" />", stem(path), escaped(path))).collect::<Vec<_>>()
    };
    group(&mut xml, "Dialogs", &files("Dialog", &[".dlg"], false));
    group(&mut xml, "Resources", &files("File", &[".xar", ".dlg", ".top"], true));
    group(&mut xml, "Topics", &files("Topic", &[".top"], false));
    xml.push_str("    <IgnoredPaths />\n</Package>\n");
    entries.push(Entry { name: file_name.to_owned(), bytes: xml.into_bytes(), executable: false });
}

fn group(xml: &mut String, name: &str, lines: &[String]) {
    if lines.is_empty() {
        let _ = writeln!(xml, "    <{name} />");
        return;
    }
    let inside: String = lines.iter().map(|line| format!("        {line}\n")).collect();
    let _ = writeln!(xml, "    <{name}>\n{inside}    </{name}>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns whether a path is that of a topic.
pub(crate) fn is_topic(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("top"))
}

/// Returns whether a path is that of a topic, or of a dialog with one in each language.
pub(crate) fn is_dialog(path: &Path) -> bool {
    is_topic(path) || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("dlg"))
}
