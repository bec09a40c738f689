//! From what the user names to a behavior that can be played.

use crate::failure::Failure;
use boxstep_format::model::Project;
use boxstep_format::{FormatError, Limits, read_xar};
use boxstep_types::{Diagnostic, Sources};
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A behavior, read.
pub(crate) struct Opened {
    /// Name as `ALBehaviorManager` knows it.
    pub(crate) name: String,
    pub(crate) project: Arc<Project>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) findings: Vec<Diagnostic>,
    /// Folder of the behavior, absolute.
    pub(crate) folder: PathBuf,
    pub(crate) relative_folder: String,
    pub(crate) package_uid: String,
    /// Robots the manifest names.
    pub(crate) robots: Vec<String>,
    /// Files that were read: name in the behavior, SHA-256.
    pub(crate) files: Vec<(String, String)>,
    /// Name and path of every behavior there, if there are several.
    pub(crate) all: Vec<String>,
}

/// Opens a `.xar` file, a behavior's folder or a project.
pub(crate) fn behavior(path: &Path, wanted: Option<&str>) -> Result<Opened, Failure> {
    let _ = wanted;
    let file = if path.is_dir() { path.join("behavior.xar") } else { path.to_owned() };
    let bytes = std::fs::read(&file).map_err(|e| Failure::io(&file, &e))?;
    let xar = read_xar(&file.display().to_string(), &bytes, &Limits::default()).map_err(|e| unreadable(&e))?;
    let folder = std::path::absolute(&file).map_err(|e| Failure::io(&file, &e))?;
    let folder = folder.parent().map(Path::to_owned).unwrap_or_default();
    let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let shown = file.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Opened {
        name,
        project: Arc::new(xar.project),
        sources: Arc::new(xar.sources),
        findings: xar.findings,
        folder,
        relative_folder: ".".to_owned(),
        package_uid: String::new(),
        robots: Vec::new(),
        files: vec![(shown, sha256(&bytes))],
        all: Vec::new(),
    })
}

/// A file that cannot be read, with its line where it has one.
pub(crate) fn unreadable(error: &FormatError) -> Failure {
    Failure::Rendered(format!("{}", error.diagnostic()))
}

/// In hex.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Diagnostics for people, with their lines.
pub(crate) fn rendered(found: &[Diagnostic], _sources: &Sources) -> String {
    found.iter().map(|d| format!("{d}\n")).collect()
}
