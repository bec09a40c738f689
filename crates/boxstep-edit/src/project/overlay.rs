//! The files of a project as they will be.

use super::ProjectError;
use boxstep_format::project::{Pml, read_pml};
use boxstep_format::raw::RawNode;
use boxstep_format::together::{Contents, FileChange, TogetherError, contents, plain_path};
use boxstep_format::write::{At, Edits};
use boxstep_format::{Limits, XmlFile};
use std::collections::BTreeMap;
use std::path::Path;

/// The files of a folder, with changes that are not written yet.
pub(super) struct Overlay<'a> {
    folder: &'a Path,
    pml: &'a str,
    limits: Limits,
    /// What was read, and what it will be, by name.
    files: BTreeMap<String, (Option<Contents>, Option<Contents>)>,
}

/// An element with attributes, to be added.
pub(super) type Element<'a> = (&'a str, Vec<(&'a str, String)>);

impl<'a> Overlay<'a> {
    pub(super) fn new(folder: &'a Path, pml: &'a str) -> Self {
        Self { folder, pml, limits: Limits::default(), files: BTreeMap::new() }
    }

    pub(super) fn folder(&self) -> &Path {
        self.folder
    }

    /// The name of the project file.
    pub(super) fn pml_name(&self) -> &str {
        self.pml
    }

    pub(super) fn changes(self) -> Vec<FileChange> {
        let changed = self.files.into_iter().filter(|(_, (before, after))| before != after);
        changed.map(|(name, (before, after))| FileChange { name, before, after }).collect()
    }

    /// Returns a file as it will be; `None` if there is none.
    pub(super) fn get(&mut self, name: &str) -> Result<Option<Contents>, ProjectError> {
        if let Some((_, now)) = self.files.get(name) {
            return Ok(now.clone());
        }
        let there = contents(self.folder, name)?;
        self.files.insert(name.to_owned(), (there.clone(), there.clone()));
        Ok(there)
    }

    /// Says what a file will contain.
    pub(super) fn set(&mut self, name: &str, contents: Option<Contents>) -> Result<(), ProjectError> {
        self.get(name)?;
        if let Some((_, now)) = self.files.get_mut(name) {
            *now = contents;
        }
        Ok(())
    }

    /// Adds a file that is not there.
    pub(super) fn create(&mut self, name: &str, text: &str) -> Result<(), ProjectError> {
        // Other file systems do not tell upper and lower case apart.
        let path = plain_path(self.folder, name)?;
        let lower = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let beside = path.parent().and_then(|folder| folder.read_dir().ok()).into_iter().flatten().flatten();
        let names = beside.map(|item| item.file_name().to_string_lossy().to_lowercase());
        let removed = self.files.get(name).is_some_and(|(before, after)| before.is_some() && after.is_none());
        if self.get(name)?.is_some() || (!removed && names.into_iter().any(|name| name == lower)) {
            return Err(ProjectError::Taken(name.to_owned()));
        }
        self.set(name, Some(Contents::plain(text.as_bytes().to_vec())))
    }

    /// Returns the names of all files of a folder, as it will be. A link in it is refused.
    pub(super) fn below(&mut self, folder: &str) -> Result<Vec<String>, ProjectError> {
        let mut waiting = vec![folder.to_owned()];
        while let Some(folder) = waiting.pop() {
            let path = plain_path(self.folder, &folder)?;
            let io = |e| ProjectError::Io(path.clone(), e);
            if !path.is_dir() {
                continue;
            }
            for item in path.read_dir().map_err(io)? {
                let item = item.map_err(io)?;
                let own = item.file_name();
                let name =
                    format!("{folder}/{}", own.to_str().ok_or_else(|| io(std::io::ErrorKind::InvalidInput.into()))?);
                let kind = item.file_type().map_err(io)?;
                if kind.is_symlink() {
                    return Err(TogetherError::Outside(name).into());
                } else if kind.is_dir() {
                    waiting.push(name);
                } else {
                    self.get(&name)?;
                }
            }
        }
        let prefix = format!("{folder}/");
        let there = self.files.iter().filter(|(name, (_, now))| now.is_some() && name.starts_with(&prefix));
        Ok(there.map(|(name, _)| name.clone()).collect())
    }

    /// Reads the project file as it will be.
    pub(super) fn pml(&mut self) -> Result<Pml, ProjectError> {
        let name = self.pml.to_owned();
        let bytes = self.get(&name)?.map(|file| file.bytes).unwrap_or_default();
        Ok(read_pml(&name, &bytes, &self.limits)?)
    }

    /// Changes an XML file; `change` gets its root. Returns false if there is no such file.
    pub(super) fn edit_xml(
        &mut self,
        name: &str,
        change: impl for<'f> FnOnce(RawNode<'f>, &mut Edits<'f>) -> Result<(), ProjectError>,
    ) -> Result<bool, ProjectError> {
        let Some(file) = self.get(name)? else { return Ok(false) };
        let xml = XmlFile::read(name, &file.bytes, &self.limits)?;
        let mut edits = xml.edits();
        if let Some(root) = xml.raw().root() {
            change(root, &mut edits)?;
        }
        let written = |e| ProjectError::Write(name.to_owned(), e);
        let edited = xml.edited(edits, &self.limits).map_err(written)?;
        self.set(name, Some(Contents { bytes: edited.to_bytes(), ..file }))?;
        Ok(true)
    }

    /// Adds entries to a group of the project file, which is added if there is none.
    pub(super) fn list(&mut self, group: &str, entries: &[Element<'_>]) -> Result<(), ProjectError> {
        let pml = self.pml.to_owned();
        self.edit_xml(&pml, |root, edits| {
            match root.elements().find(|one| one.name() == group) {
                Some(known) => edits.insert(At::End(known), |p| entries.iter().for_each(|one| print(p, one))),
                None => edits.insert(At::End(root), |p| {
                    p.start(group);
                    entries.iter().for_each(|one| print(p, one));
                    p.end();
                }),
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Removes those entries of the project file for which this is true of their group, element and path.
    pub(super) fn unlist(&mut self, is: impl Fn(&str, RawNode<'_>, &str) -> bool) -> Result<(), ProjectError> {
        let pml = self.pml.to_owned();
        self.edit_xml(&pml, |root, edits| {
            for group in root.elements() {
                for entry in group.elements() {
                    let src = entry.attribute("src").unwrap_or_default();
                    if is(group.name(), entry, &plain(&src)) {
                        edits.remove(entry);
                    }
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The name of the manifest, if the project has one.
    pub(super) fn manifest(&mut self) -> Result<Option<String>, ProjectError> {
        let name = self.pml()?.manifest.map_or_else(|| "manifest.xml".to_owned(), |name| plain(&name));
        Ok(self.get(&name)?.is_some().then_some(name))
    }
}

pub(super) fn print(p: &mut boxstep_format::write::Printer, (name, attributes): &Element<'_>) {
    p.start(name);
    attributes.iter().for_each(|(name, value)| p.attribute(name, value));
    p.end();
}

/// Returns a path of a project file as it is compared: with `/`, and without `.`.
pub(super) fn plain(path: &str) -> String {
    let parts = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "."));
    parts.collect::<Vec<_>>().join("/")
}

/// Returns whether a path is a folder, or lies in it.
pub(super) fn is_in(path: &str, folder: &str) -> bool {
    path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}
