//! Opens what the user names, and reads the behavior that is to be played.

use crate::failure::Failure;
use crate::{boxes, near, terminal};
use boxstep_api::play::{ProjectLibrary, behavior_source, full_name, is_project, package_name, whole_project};
use boxstep_bodies::Body;
use boxstep_engine::config::{BehaviorSource, Library};
use boxstep_format::model::Project;
use boxstep_format::paths::{self, Place};
use boxstep_format::project::{Behavior, ProjectContents};
use boxstep_format::{FormatError, Limits, Opened, XarFile, codes};
use boxstep_record::Normal;
use boxstep_types::{BoxPath, Diagnostic, FileId, Segment, Severity, Sources};
use boxstep_view::{Model, Models};
use sha2::{Digest as _, Sha256};
use std::fmt::{self, Write as _};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A behavior of a project that has been read.
pub(crate) struct Chosen {
    /// The name by which the robot knows it: the package, then the behavior in it.
    pub(crate) name: String,
    /// The names of all behaviors of the project.
    pub(crate) all: Vec<String>,
    pub(crate) file: XarFile,
    opened: Opened,
    pub(crate) behavior: Behavior,
    alone: Option<ExtractedBox>,
    /// It is not as it is on the disk.
    edited: bool,
}

/// Makes a version of a behavior's file what the engine plays, with translated texts.
pub(crate) type Localized = Box<dyn Fn(XarFile) -> BehaviorSource + Send>;

/// A box that plays without its surrounding behavior.
struct ExtractedBox {
    /// The path of the box in the file.
    path: BoxPath,
    trail: Vec<Place>,
    /// The whole behavior. Translations refer to texts by its boxes, and it shows which robot the behavior was made
    /// for.
    whole: Project,
}

/// The argument that stands for standard input, as the file of a behavior.
const STDIN: &str = "-";
/// The name of standard input in messages.
const STDIN_SHOWN: &str = "<stdin>";

/// Returns whether an argument stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new(STDIN)
}

/// Returns the name of a file in messages.
pub(crate) fn shown(path: &Path) -> &Path {
    if is_stdin(path) { Path::new(STDIN_SHOWN) } else { path }
}

/// Opens a `.xar`, a folder, a project or an archive, also from standard input.
///
/// # Errors
/// It cannot be opened.
pub(crate) fn anything(path: &Path) -> Result<Opened, FormatError> {
    match is_stdin(path) {
        true => boxstep_format::open_stream(STDIN_SHOWN, std::io::stdin().lock(), &Limits::default()),
        false => boxstep_format::open(path, &Limits::default()),
    }
}

/// Like [`anything`], with the error for the user.
pub(crate) fn project(path: &Path) -> Result<Opened, Failure> {
    anything(path).map_err(|e| unreadable(&e))
}

/// Opens a project whose files are to be changed.
pub(crate) fn changeable(path: &Path) -> Result<Opened, Failure> {
    if is_stdin(path) {
        return Err(Failure::Usage("standard input cannot be changed: name a file".to_owned()));
    }
    let opened = project(path)?;
    if opened.archive().is_some() {
        let why = format!("{} is an archive: unpack it first (boxstep unpack)", path.display());
        return Err(Failure::Usage(why));
    }
    Ok(opened)
}

/// Opens a project for one of its behaviors, if one is named.
pub(crate) fn project_for(path: &Path, wanted: Option<&str>) -> Result<Opened, Failure> {
    match wanted {
        Some(name) if !is_stdin(path) => {
            boxstep_format::open_named(path, name, &Limits::default()).map_err(|e| unreadable(&e))
        }
        _ => project(path),
    }
}

/// Returns the findings about entries of archives that are not unpacked, because programs of this computer would obey
/// them.
pub(crate) fn left_out(findings: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    findings.iter().filter(|finding| finding.code == codes::ARCHIVE_LEFT_OUT)
}

/// Prints these findings to standard error, for commands that print no other findings.
pub(crate) fn print_left_out(findings: &[Diagnostic]) {
    let shown: Vec<Diagnostic> = left_out(findings).cloned().collect();
    // A closed standard error is ignored.
    let _ = write!(terminal::stderr(), "{}", rendered(&shown, &Sources::new()));
}

/// Opens and reads a behavior. `wanted` is its name; it may be `None` if there is only one, or a default.
pub(crate) fn behavior(path: &Path, wanted: Option<&str>) -> Result<Chosen, Failure> {
    behavior_of(project_for(path, wanted)?, path, wanted)
}

/// Opens and reads a behavior, or one box of it alone.
pub(crate) fn behavior_or_box(path: &Path, wanted: Option<&str>, alone: Option<&BoxPath>) -> Result<Chosen, Failure> {
    let chosen = behavior(path, wanted)?;
    match alone {
        Some(alone) => chosen.alone(alone).map_err(|why| Failure::Usage(format!("--box: {why}"))),
        None => Ok(chosen),
    }
}

/// Reads a behavior of an opened project.
pub(crate) fn behavior_of(opened: Opened, path: &Path, wanted: Option<&str>) -> Result<Chosen, Failure> {
    let behavior = choose(&opened, path, wanted)?.clone();
    Chosen::read(opened, behavior).map_err(|e| unreadable(&e))
}

/// Reads a behavior of an opened project.
///
/// # Errors
/// Why it cannot be read, in one line.
pub(crate) fn in_a_line(opened: Opened, path: &Path, wanted: Option<&str>) -> Result<Chosen, String> {
    let behavior = choose(&opened, path, wanted).map_err(|why| why.to_string())?.clone();
    Chosen::read(opened, behavior).map_err(|e| in_words(&e))
}

/// Returns why a file cannot be read, in one line, with the position if there is one.
pub(crate) fn in_words(error: &FormatError) -> String {
    let found = error.diagnostic();
    let place = found.span.map(|span| error.sources().place(span) + ": ").unwrap_or_default();
    place + &found.message
}

/// Returns the behavior with the given name, or the default one.
pub(crate) fn choose<'a>(opened: &'a Opened, path: &Path, wanted: Option<&str>) -> Result<&'a Behavior, Failure> {
    let path = shown(path);
    let list = || opened.behaviors.iter().map(|b| format!("\n  {}", shown_name(opened, b))).collect::<String>();
    if opened.behaviors.is_empty() {
        let path = path.display();
        let instead = match opened.collaborative_topics().as_slice() {
            [] => format!("`boxstep show {path}` shows what it has"),
            _ => format!("talk to its dialogs with `boxstep talk {path}`"),
        };
        return Err(Failure::Usage(format!("{path} has no behavior; {instead}")));
    }
    match wanted {
        Some(name) => opened
            .behavior(name)
            .or_else(|| opened.behaviors.iter().find(|b| full_name(opened, b) == name))
            .ok_or_else(|| Failure::Usage(format!("{} has no behavior `{name}`, but{}", path.display(), list()))),
        None => opened.default_behavior().ok_or_else(|| {
            Failure::Usage(format!("{} has several behaviors; choose with --behavior:{}", path.display(), list()))
        }),
    }
}

impl Chosen {
    /// Returns true if it is a Python program.
    pub(crate) fn is_program(&self) -> bool {
        self.behavior.is_program()
    }

    /// Reads a behavior of a project.
    pub(crate) fn read(opened: Opened, behavior: Behavior) -> Result<Self, FormatError> {
        let all = opened.names.iter().map(|name| if name == "." { package_name(&opened) } else { name });
        let all = all.map(str::to_owned).collect();
        let file = behavior.read(&Limits::default())?;
        Ok(Self { name: full_name(&opened, &behavior), all, file, opened, behavior, alone: None, edited: false })
    }

    /// Makes the behavior what it is in an editor.
    pub(crate) fn edit(&mut self, file: XarFile) {
        (self.file, self.edited) = (file, true);
    }

    /// Extracts one box, which becomes the root of the behavior; box paths begin there. The root stands for the whole
    /// behavior.
    pub(crate) fn alone(mut self, path: &BoxPath) -> Result<Self, NotAlone> {
        let whole = boxes::whole_path(&self.file.project, path).map_err(NotAlone::Find)?;
        let at = paths::find(&self.file.project, &whole).map_err(|error| NotAlone::Find(error.to_string()))?;
        if let Some(Segment::Keyframe { .. }) = path.segments().last() {
            return Err(NotAlone::Keyframe(path.clone(), at.path));
        }
        let (path, trail) = (at.path, at.trail);
        if let Some(alone) = boxstep_format::extract_box(&self.file.project, &trail).filter(|_| !trail.is_empty()) {
            let whole = std::mem::replace(&mut self.file.project, alone);
            self.alone = Some(ExtractedBox { path, trail, whole });
        }
        Ok(self)
    }

    /// Returns the path in the file of the box that plays alone, if one does.
    pub(crate) fn is_alone(&self) -> Option<&BoxPath> {
        self.alone.as_ref().map(|alone| &alone.path)
    }

    /// Returns the whole behavior, even if only a box of it plays.
    pub(crate) fn whole(&self) -> &Project {
        self.alone.as_ref().map_or(&self.file.project, |alone| &alone.whole)
    }

    /// Returns the behavior's folder relative to the application's folder; `.` if it is the same.
    pub(crate) fn relative_folder(&self) -> &str {
        &self.behavior.name
    }

    /// Returns the contents of the project other than behaviors.
    pub(crate) fn contents(&self) -> ProjectContents {
        self.opened.contents(&Limits::default())
    }

    /// Returns the robots that the manifest names.
    pub(crate) fn robots(&self) -> &[String] {
        self.opened.manifest.as_ref().map_or(&[], |m| m.robot_models.as_slice())
    }

    /// Returns the services that the package brings.
    pub(crate) fn services(&self) -> impl Iterator<Item = &str> {
        self.opened.manifest.iter().flat_map(|m| &m.services).map(|service| service.name.as_str())
    }

    /// Returns the number of findings that are more severe than notes.
    pub(crate) fn findings(&self) -> usize {
        let all = self.opened.findings.iter().chain(&self.file.findings);
        let count = all.filter(|d| d.severity > Severity::Note).count();
        count + usize::from(self.opened.manifest_error.is_some())
    }

    /// Returns a line for each entry of the archive that was not unpacked.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = &str> {
        left_out(&self.opened.findings).map(|finding| finding.message.as_str())
    }

    /// Returns the behavior's folder as an absolute path.
    pub(crate) fn folder(&self) -> Result<PathBuf, Failure> {
        self.behavior.folder.canonicalize().map_err(|e| Failure::io(&self.behavior.folder, &e))
    }

    /// Returns the project's folder, which holds everything that belongs to the behavior.
    pub(crate) fn project_folder(&self) -> &Path {
        &self.opened.folder
    }

    /// Returns the topics that a robot with the project's package activates by itself.
    pub(crate) fn collaborative_topics(&self) -> Vec<PathBuf> {
        self.opened.collaborative_topics()
    }

    /// Returns whether the behavior is in the folder of a project or package.
    pub(crate) fn is_in_project(&self) -> bool {
        is_project(&self.opened) || self.opened.archive().is_some()
    }

    /// Returns the UUID of the package; empty if there is no package.
    pub(crate) fn package(&self) -> &str {
        self.opened.uuid().unwrap_or_default()
    }

    /// Returns the folder that an archive was unpacked to, and the archive's name.
    pub(crate) fn archive(&self) -> Option<(&Path, String)> {
        let archive = self.opened.archive()?;
        let name = archive.file_name().unwrap_or(archive.as_os_str()).to_string_lossy().into_owned();
        Some((&self.opened.folder, name))
    }

    /// Returns the path of the archive that contains the behavior, if any, and of the file with its bytes. What came
    /// from standard input has only the latter.
    pub(crate) fn archive_file(&self) -> Option<(&Path, &Path)> {
        let archive = self.opened.archive()?;
        Some((archive, if archive == Path::new(STDIN_SHOWN) { &self.behavior.xar } else { archive }))
    }

    /// Returns the replacements of machine-specific paths in traces.
    pub(crate) fn normal(&self) -> Result<Normal, Failure> {
        let normal = Normal::new().folder(&self.folder()?, "behavior").folder(&std::env::temp_dir(), "temp");
        Ok(match std::env::current_dir() {
            Ok(here) => normal.folder(&here, "cwd"),
            Err(_) => normal,
        })
    }

    /// Returns the files that were read: the name in the project, and the SHA-256 in hex.
    pub(crate) fn files(&self) -> Result<Vec<(String, String)>, Failure> {
        let hash = |(name, path): (String, PathBuf)| match std::fs::read(&path) {
            // What plays may have changes that are not saved.
            Ok(_) if self.edited && path == self.behavior.xar => Ok((name, sha256(&self.file.to_bytes()))),
            Ok(bytes) => Ok((name, sha256(&bytes))),
            Err(e) => Err(Failure::io(&path, &e)),
        };
        self.parts().into_iter().map(hash).collect()
    }

    /// Returns the files that were read: the name in the project, and the path.
    pub(crate) fn parts(&self) -> Vec<(String, PathBuf)> {
        let mut files = Vec::new();
        if self.behavior.is_split() {
            // All parts of the split folder; the last file number is the text joined from them.
            for n in 0..self.file.file.0 {
                let name = Path::new(self.file.sources.name(FileId(n))).file_name().unwrap_or_default();
                files.push((name.to_string_lossy().into_owned(), self.behavior.folder.join(name)));
            }
            files.sort();
        } else {
            files.push((self.behavior.relative.clone(), self.behavior.xar.clone()));
        }
        for path in &self.opened.read {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((name, path.clone()));
        }
        files
    }

    /// Returns the project's other behaviors that `wanted` selects, as far as they can be read.
    pub(crate) fn others(&self, wanted: impl Fn(&str) -> bool) -> Vec<(String, XarFile)> {
        let opened = whole_project(&self.opened);
        let real = |behavior: &Behavior| behavior.xar.canonicalize().ok();
        let own = real(&self.behavior);
        let named = opened.behaviors.iter().map(|b| (full_name(&opened, b), b)).filter(|(name, _)| wanted(name));
        let others = named.filter(|(_, b)| real(b) != own);
        others.filter_map(|(name, b)| Some((name, b.read(&Limits::default()).ok()?))).collect()
    }

    /// Returns what the engine plays, with translated texts where there are translations, and the error if the project
    /// has translations that cannot be read.
    pub(crate) fn source(&self, language: &str, body: &'static Body) -> (BehaviorSource, Option<FormatError>) {
        let mut file = self.file.clone();
        if let Some(alone) = &self.alone {
            file.project = alone.whole.clone();
        }
        let trail = self.alone.as_ref().map_or(&[][..], |alone| &alone.trail);
        behavior_source(&self.opened, &self.behavior, file, trail, language, body)
    }

    /// Returns what makes another version of the file what the engine plays; `None` if only a box plays.
    pub(crate) fn localized(&self, language: &str, body: &'static Body) -> Option<Localized> {
        if self.alone.is_some() {
            return None;
        }
        let (opened, behavior, language) = (self.opened.without_keeping(), self.behavior.clone(), language.to_owned());
        Some(Box::new(move |file| behavior_source(&opened, &behavior, file, &[], &language, body).0))
    }

    /// Returns the services of the package, with the programs that robots start for them. A box that plays alone
    /// has none.
    pub(crate) fn service_programs(&self, language: &str, body: &'static Body) -> Vec<(Arc<str>, BehaviorSource)> {
        let source = |(program, file): (Behavior, XarFile)| {
            let (source, _) = behavior_source(&self.opened, &program, file, &[], language, body);
            (program.name.into(), source)
        };
        self.service_files().into_iter().map(source).collect()
    }

    /// Reads the programs of the services of the package. One that cannot be read is left out, and told.
    pub(crate) fn service_files(&self) -> Vec<(Behavior, XarFile)> {
        let programs = if self.alone.is_some() { Vec::new() } else { self.opened.service_programs() };
        let read = |program: Behavior| {
            let mut file = program.read(&Limits::default()).inspect_err(print_unreadable).ok()?;
            file.project.root.name = program.name.clone().into();
            Some((program, file))
        };
        programs.into_iter().filter_map(read).collect()
    }

    /// Returns the behaviors of the whole project, for scripts that start others. A page draws those that are started.
    pub(crate) fn library(&self, language: &str, body: &'static Body, drawn: Option<&Models>) -> Box<dyn Library> {
        // Scripts may keep the engine, and with it the library, until the end of the process.
        let opened = self.opened.without_keeping();
        // Open the whole project only on demand: most scripts start no other behavior, and a project may have
        // thousands.
        let whole = move || whole_project(&opened).without_keeping();
        library(whole, language, body, drawn)
    }
}

/// Returns the behaviors of a project as a library. A page draws those that are started.
pub(crate) fn library(
    opened: impl FnOnce() -> Opened + Send + 'static,
    language: &str,
    body: &'static Body,
    drawn: Option<&Models>,
) -> Box<dyn Library> {
    let library = ProjectLibrary::new(opened, language.to_owned(), body);
    let Some(drawn) = drawn.cloned() else { return Box::new(library) };
    Box::new(library.on_open(move |name, file| {
        let model = Model { name: name.to_owned(), file: Arc::new(file.clone()), body };
        drawn.exchange(&[], vec![model]);
    }))
}

/// Returns the name that messages use and `--behavior` takes.
pub(crate) fn shown_name(opened: &Opened, behavior: &Behavior) -> String {
    if behavior.name == "." { full_name(opened, behavior) } else { behavior.name.clone() }
}

/// Why a box cannot be played alone.
pub(crate) enum NotAlone {
    /// There is no such box, or more than one: a sentence.
    Find(String),
    /// The path names a keyframe; the second path is the box that has it.
    Keyframe(BoxPath, BoxPath),
}

impl fmt::Display for NotAlone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotAlone::Find(why) => f.write_str(why),
            NotAlone::Keyframe(path, of) => {
                write!(f, "{path} is a keyframe, and only boxes are played alone: {of}, or a box in it")
            }
        }
    }
}

/// Renders the error of a file that cannot be read, with its line if there is one.
pub(crate) fn unreadable(error: &FormatError) -> Failure {
    Failure::Rendered(rendered(&[near::diagnostic(error)], error.sources()))
}

/// Prints this error to standard error, where a run goes on without the file.
fn print_unreadable(error: &FormatError) {
    // A closed standard error is ignored.
    let _ = write!(terminal::stderr(), "{}", rendered(&[near::diagnostic(error)], error.sources()));
}

/// Renders diagnostics for people, with their lines.
pub(crate) fn rendered(found: &[Diagnostic], sources: &Sources) -> String {
    found.iter().map(|d| boxstep_check::render(d, sources, true) + "\n").collect()
}

/// Reads a text file; `-` is standard input.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if is_stdin(path) {
        std::io::stdin().read_to_end(&mut bytes).map(drop)
    } else {
        std::fs::read(path).map(|all| bytes = all)
    };
    read.map_err(|e| Failure::io(path, &e))?;
    decoded(bytes).map_err(|why| Failure::File(path.to_owned(), why))
}

/// Decodes bytes as UTF-8.
///
/// # Errors
/// A sentence with the position of the first invalid byte.
pub(crate) fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|e| {
        let good = e.utf8_error().valid_up_to();
        let line = 1 + e.as_bytes()[..good].iter().filter(|byte| **byte == b'\n').count();
        format!("line {line}: byte {good} is not UTF-8")
    })
}

/// Returns the SHA-256 of bytes in hex.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
