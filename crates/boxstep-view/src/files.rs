//! Files of the behavior's folder and of the user: which are served, and how a folder is listed.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::fs::{DirEntry, read_dir};
use std::path::{Component, Path, PathBuf};

/// Files that are served: extensions with their media types, and the maximum size in bytes.
pub(crate) struct Served {
    pub(crate) kinds: &'static [(&'static str, &'static str)],
    pub(crate) most: u64,
}

pub(crate) const MESHES: Served =
    Served { kinds: &[("glb", "model/gltf-binary"), ("stl", "model/stl")], most: 64 << 20 };
pub(crate) const SOUNDS: Served = Served {
    kinds: &[
        ("wav", "audio/wav"),
        ("ogg", "audio/ogg"),
        ("oga", "audio/ogg"),
        ("mp3", "audio/mpeg"),
        ("m4a", "audio/mp4"),
        ("flac", "audio/flac"),
    ],
    most: 64 << 20,
};
/// Pictures of boxes. A drawing in SVG can contain scripts, so it is none.
pub(crate) const PICTURES: Served = Served {
    kinds: &[
        ("png", "image/png"),
        ("jpg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        ("gif", "image/gif"),
        ("bmp", "image/bmp"),
        ("webp", "image/webp"),
    ],
    most: 4 << 20,
};

/// Returns a file below a folder, if it is one of these and inside the folder: without `..`, and without symbolic links
/// that lead out.
pub(crate) fn path_within(folder: &Path, path: &str, served: &Served) -> Option<(PathBuf, &'static str)> {
    let relative = Path::new(path);
    if path.contains(['\\', '\0']) || !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let ending = relative.extension()?.to_str()?;
    let (_, kind) = served.kinds.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending))?;
    let folder = folder.canonicalize().ok()?;
    let file = folder.join(relative).canonicalize().ok()?;
    let is_file = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= served.most);
    (is_file && file.starts_with(&folder)).then_some((file, kind))
}

/// Serves such a file.
pub(crate) async fn file(folder: Option<&Path>, path: &str, served: &Served) -> Response {
    let Some((file, kind)) = folder.and_then(|folder| path_within(folder, path, served)) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    match tokio::task::spawn_blocking(move || std::fs::read(file)).await {
        Ok(Ok(bytes)) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The maximum number of files in a list, of files and folders that are looked at, and of folders inside one another.
const MOST_FILES: usize = 2000;
const MOST_SEEN: usize = 20_000;
const DEEPEST: usize = 8;

/// Returns the paths of the files below a folder, relative to it, with `/`, in alphabetic order. Hidden files and
/// symbolic links are left out, and what is beyond the limits.
pub(crate) fn list(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = 0;
    collect(folder, "", DEEPEST, &mut seen, &mut found);
    found
}

fn collect(folder: &Path, prefix: &str, deep: usize, seen: &mut usize, found: &mut Vec<String>) {
    let Ok(entries) = read_dir(folder) else { return };
    let mut entries: Vec<DirEntry> = entries.filter_map(Result::ok).take(MOST_SEEN - *seen).collect();
    *seen += entries.len();
    entries.sort_by_key(DirEntry::file_name);
    for entry in entries {
        let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
        if name.starts_with('.') {
            continue;
        }
        let path = format!("{prefix}{name}");
        if kind.is_dir() && deep > 0 {
            collect(&entry.path(), &format!("{path}/"), deep - 1, seen, found);
        } else if kind.is_file() && found.len() < MOST_FILES {
            found.push(path);
        }
    }
}
