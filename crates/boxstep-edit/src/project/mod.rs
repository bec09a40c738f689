//! Edits of a project: its `.pml`, manifest, translations, and the files that they list. Each file keeps every byte that
//! a change does not concern; all files of a change are written, or none.

mod behaviors;
mod contents;
mod dialogs;
mod error;
mod files;
mod manifest;
mod op;
mod overlay;
mod translations;

pub use contents::{Mention, ProjectContents, ProjectDialog, ProjectPackage};
pub use error::ProjectError;
pub use op::{Nature, ProjectOp};

use boxstep_format::together::{FileChange, recover, write_together};
use overlay::Overlay;
use std::path::{Path, PathBuf};

/// How many bytes of files are kept to undo changes.
const MOST_UNDO: usize = 64 << 20;

/// A project whose files are changed.
///
/// Other programs may change the files at any time: each change reads them again, and is refused if they are other ones
/// when it is written. The last changes can be undone: as many as have 64 MiB of files, or one.
#[derive(Debug)]
pub struct ProjectFolder {
    folder: PathBuf,
    /// The name of the project file in the folder.
    pml: String,
    undo: Vec<Vec<FileChange>>,
    redo: Vec<Vec<FileChange>>,
}

impl ProjectFolder {
    /// Opens a project: a folder, or a `.pml`. What a program that was killed has left half done is put back first.
    ///
    /// # Errors
    /// There is no project file, or there are several.
    pub fn open(path: &Path) -> Result<Self, ProjectError> {
        let io = |e| ProjectError::Io(path.to_owned(), e);
        let is_pml = |path: &Path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pml"));
        let real = path.canonicalize().map_err(io)?;
        let (folder, mut known) = if real.is_dir() {
            let mut known = Vec::new();
            for item in std::fs::read_dir(&real).map_err(io)? {
                let item = item.map_err(io)?;
                if item.file_type().is_ok_and(|kind| kind.is_file()) && is_pml(&item.path()) {
                    known.push(item.file_name().to_string_lossy().into_owned());
                }
            }
            (real, known)
        } else {
            let name = real.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = real.parent().unwrap_or(Path::new(".")).to_owned();
            (folder, if is_pml(&real) { vec![name] } else { Vec::new() })
        };
        known.sort();
        match known.as_slice() {
            [pml] => {
                recover(&folder);
                Ok(Self { pml: pml.clone(), folder, undo: Vec::new(), redo: Vec::new() })
            }
            _ => Err(ProjectError::WhichProject(path.to_owned(), known)),
        }
    }

    /// The folder of the project.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns what operations would change, and changes nothing.
    ///
    /// # Errors
    /// The first operation that cannot be done.
    pub fn preview(&self, ops: &[ProjectOp]) -> Result<Vec<FileChange>, ProjectError> {
        let mut overlay = Overlay::new(&self.folder, &self.pml);
        for op in ops {
            apply(op, &mut overlay)?;
        }
        Ok(overlay.changes())
    }

    /// Does operations, all or none, and returns what has changed.
    ///
    /// # Errors
    /// The first operation that cannot be done, or a file that cannot be written.
    pub fn apply(&mut self, ops: &[ProjectOp]) -> Result<&[FileChange], ProjectError> {
        let changes = self.preview(ops)?;
        write_together(&self.folder, &changes)?;
        self.redo.clear();
        self.undo.push(changes);
        forget_oldest(&mut self.undo, MOST_UNDO);
        Ok(self.undo.last().map_or(&[], Vec::as_slice))
    }

    /// Whether there is a change that can be undone.
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Undoes the last change; false if there is none.
    ///
    /// # Errors
    /// A file has changed since, or cannot be written; then all are as they were.
    pub fn undo(&mut self) -> Result<bool, ProjectError> {
        let Some(changes) = self.undo.last() else { return Ok(false) };
        let back: Vec<FileChange> = changes.iter().rev().map(inverse).collect();
        write_together(&self.folder, &back)?;
        self.redo.extend(self.undo.pop());
        Ok(true)
    }

    /// Does again what was undone last; false if nothing was.
    ///
    /// # Errors
    /// As [`ProjectFolder::undo`].
    pub fn redo(&mut self) -> Result<bool, ProjectError> {
        let Some(changes) = self.redo.last() else { return Ok(false) };
        write_together(&self.folder, changes)?;
        self.undo.extend(self.redo.pop());
        Ok(true)
    }
}

/// Forgets the oldest changes until the others have no more bytes than these; the last one remains.
fn forget_oldest(changes: &mut Vec<Vec<FileChange>>, most: usize) {
    let size = |change: &FileChange| -> usize {
        [&change.before, &change.after].into_iter().flatten().map(|contents| contents.bytes.len()).sum()
    };
    let mut bytes = 0;
    let fits = changes.iter().rev().take_while(|files| {
        bytes += files.iter().map(size).sum::<usize>();
        bytes <= most
    });
    let kept = fits.count().max(1);
    changes.drain(..changes.len().saturating_sub(kept));
}

fn inverse(change: &FileChange) -> FileChange {
    FileChange { name: change.name.clone(), before: change.after.clone(), after: change.before.clone() }
}

fn apply(op: &ProjectOp, overlay: &mut Overlay<'_>) -> Result<(), ProjectError> {
    match op {
        ProjectOp::AddBehavior { name } => behaviors::add(overlay, name),
        ProjectOp::RenameBehavior { behavior, name } => behaviors::rename(overlay, behavior, name),
        ProjectOp::RemoveBehavior { behavior } => behaviors::remove(overlay, behavior),
        ProjectOp::SetNature { behavior, nature } => manifest::set_nature(overlay, behavior, *nature),
        ProjectOp::AddDialog { name, languages } => dialogs::add(overlay, name, languages),
        ProjectOp::RemoveDialog { name, languages } => dialogs::remove(overlay, name, languages),
        ProjectOp::AddFiles { files } => files::add(overlay, files),
        ProjectOp::RemoveFiles { files } => files::remove(overlay, files),
        ProjectOp::SetManifest { version, names, descriptions } => {
            manifest::set(overlay, version.as_deref(), names, descriptions)
        }
        ProjectOp::SetTranslation { language, source, translation, context, parameter } => {
            let at = translations::Place { context: context.as_deref(), parameter: parameter.as_deref() };
            translations::set(overlay, language, source, translation, at)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_format::together::Contents;

    #[test]
    fn old_changes_are_forgotten_when_they_are_too_many_bytes() {
        let change = |bytes: usize| {
            let half = |bytes| Some(Contents::plain(vec![0; bytes]));
            vec![FileChange { name: "a".into(), before: half(bytes / 2), after: half(bytes - bytes / 2) }]
        };
        let kept = |sizes: &[usize]| {
            let mut changes = sizes.iter().map(|bytes| change(*bytes)).collect();
            forget_oldest(&mut changes, 100);
            changes.len()
        };
        assert_eq!(kept(&[40, 40, 20]), 3);
        assert_eq!(kept(&[1, 40, 40, 20]), 3);
        assert_eq!(kept(&[1, 1, 1, 500]), 1, "the last one can be undone");
        assert_eq!(kept(&[]), 0);
    }
}
