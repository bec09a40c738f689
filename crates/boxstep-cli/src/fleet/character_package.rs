//! A character with all that it plays as one file, which goes to the robot that plays it and to those that act for it.

use crate::character::{LoadedCharacter, file_of};
use crate::files;
use boxstep_format::Limits;
use boxstep_format::archive::{ArchiveKind, Entry, pack, read_folder, unpack};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path};

/// The extension of such a file.
const EXTENSION: &str = "character";

/// Returns whether a file of a show is a character with all that it plays.
pub(crate) fn is_character(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == EXTENSION)
}

/// A character that was packed.
pub(super) struct PackedCharacter {
    /// The name of the packed file.
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// The character's file in it.
    pub(super) file: String,
    pub(super) loaded: LoadedCharacter,
}

/// Packs the character that a path stands for; `None` if it stands for none.
pub(super) fn packed(path: &Path) -> Option<Result<PackedCharacter, String>> {
    file_of(path).map(|file| packed_file(&file))
}

fn packed_file(path: &Path) -> Result<PackedCharacter, String> {
    let loaded = LoadedCharacter::read(path, &[]).map_err(super::bundle::words)?;
    let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let entries = entries(&loaded, &own)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let bytes = pack(ArchiveKind::Zip, &stem, &entries).map_err(|e| e.diagnostic().to_string())?;
    Ok(PackedCharacter { name: format!("{stem}.{EXTENSION}"), bytes, file: own, loaded })
}

/// Returns the files of a character: of a project all, otherwise those that it names, and what these attach.
fn entries(loaded: &LoadedCharacter, own: &str) -> Result<Vec<Entry>, String> {
    let folder = loaded.folder();
    let whole = |folder: &Path| read_folder(folder, &Limits::default()).map_err(|e| e.diagnostic().to_string());
    if loaded.is_in_project() {
        return whole(folder);
    }
    let mut entries: BTreeMap<String, Entry> = BTreeMap::new();
    let mut add = |name: String, bytes: Vec<u8>| {
        entries.entry(name.clone()).or_insert(Entry { name, bytes, executable: false });
    };
    let read = |path: &Path| fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    add(own.to_owned(), read(&folder.join(own))?);
    for script in &loaded.character.scripts {
        add(inside(&script.name)?, read(&folder.join(&*script.name))?);
    }
    for (name, chosen) in loaded.all_plays() {
        let chosen = chosen.map_err(str::to_owned)?;
        let (name, path) = (inside(name)?, folder.join(name));
        if path.is_dir() {
            whole(&path)?.into_iter().for_each(|entry| add(format!("{name}/{}", entry.name), entry.bytes));
            continue;
        }
        add(name.clone(), read(&path)?);
        // What boxes attach is named from the folder of the behavior.
        let beside = name.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
        for (part, path) in chosen.parts() {
            if path.is_file() && Path::new(&part).components().all(|part| matches!(part, Component::Normal(_))) {
                add(format!("{beside}{part}"), read(&path)?);
            }
        }
        let opened = boxstep_format::open(&path, &Limits::default()).map_err(|e| e.diagnostic().to_string())?;
        for entry in files::attached(&path, &opened, &chosen.behavior).map_err(super::bundle::words)? {
            add(format!("{beside}{}", entry.name), entry.bytes);
        }
    }
    Ok(entries.into_values().collect())
}

/// Returns the name of a file within the character's folder.
fn inside(name: &str) -> Result<String, String> {
    let name = name.replace('\\', "/");
    let plain = |part: Component<'_>| match part {
        Component::Normal(part) => Some(Some(part.to_string_lossy().into_owned())),
        Component::CurDir => Some(None),
        _ => None,
    };
    let parts: Option<Vec<Option<String>>> = Path::new(&name).components().map(plain).collect();
    match parts {
        Some(parts) => Ok(parts.into_iter().flatten().collect::<Vec<_>>().join("/")),
        None => Err(format!("`{name}` is not in the folder of the character, so it cannot be sent to robots")),
    }
}

/// A character that was unpacked, in a folder of its own.
pub(super) struct UnpackedCharacter {
    pub(super) loaded: LoadedCharacter,
    _folder: tempfile::TempDir,
}

impl UnpackedCharacter {
    /// Unpacks a packed file and reads the character in it.
    pub(super) fn read(packed: &Path, name: &str, file: &str) -> Result<Self, String> {
        let unread = |e: std::io::Error| format!("{name}: {e}");
        let entries = unpack(name, &fs::read(packed).map_err(unread)?, &Limits::default());
        let entries = entries.map_err(|e| e.diagnostic().to_string())?;
        if entries.iter().all(|entry| entry.name != file) {
            return Err(format!("{name} has no file {file}"));
        }
        let folder = tempfile::tempdir().map_err(unread)?;
        for entry in entries {
            let path = folder.path().join(inside(&entry.name)?);
            path.parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::write(&path, &entry.bytes))
                .map_err(unread)?;
        }
        let loaded = LoadedCharacter::read(&folder.path().join(file), &[]).map_err(super::bundle::words)?;
        Ok(Self { loaded, _folder: folder })
    }
}
