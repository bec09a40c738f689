//! Reads a flight recording as one trace.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Returns the segments of a recording in a folder, in order; none if the folder is not a recording.
pub(super) fn segments(folder: &Path) -> Vec<PathBuf> {
    let is_segment = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let numbered = !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_digit());
        numbered && path.extension().is_some_and(|ending| ending == "jsonl")
    };
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(is_segment).collect();
    // Names have six digits or more, so longer names come later.
    found.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
    found
}

/// Returns the newest flight recording in a folder and its subfolders.
pub fn newest(folder: &Path) -> Option<PathBuf> {
    newest_within(folder, 3).map(|(_, path)| path)
}

fn newest_within(folder: &Path, depth: usize) -> Option<(std::time::SystemTime, PathBuf)> {
    if let Some(last) = segments(folder).last() {
        let at = fs::metadata(last).and_then(|meta| meta.modified()).ok()?;
        return Some((at, folder.to_owned()));
    }
    let inside = fs::read_dir(folder).ok()?.filter_map(Result::ok).filter(|_| depth > 0);
    // Links are not followed, because the recorder itself creates real folders.
    let folders = inside.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter_map(|entry| newest_within(&entry.path(), depth - 1)).max()
}

/// A flight recording as one trace: the header once, then every complete line.
pub struct Segments {
    rest: VecDeque<PathBuf>,
    current: Option<BufReader<File>>,
    header: bool,
    line: Vec<u8>,
    at: usize,
}

impl Segments {
    /// Opens the recording in a folder.
    ///
    /// # Errors
    /// The folder has no segments.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let rest: VecDeque<PathBuf> = segments(folder).into();
        if rest.is_empty() {
            return Err(ErrorKind::NotFound.into());
        }
        Ok(Self { rest, current: None, header: false, line: Vec::new(), at: 0 })
    }

    /// Reads the next line of the trace; returns false at the end.
    fn next_line(&mut self) -> io::Result<bool> {
        loop {
            self.line.clear();
            self.at = 0;
            if let Some(current) = &mut self.current {
                if read_line(current, &mut self.line)? {
                    return Ok(true);
                }
                self.current = None;
            }
            let Some(path) = self.rest.pop_front() else { return Ok(false) };
            let mut file = match File::open(path) {
                Ok(file) => BufReader::new(file),
                // The segment was removed meanwhile, because the run goes on.
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            if read_line(&mut file, &mut self.line)? {
                self.current = Some(file);
                if !std::mem::replace(&mut self.header, true) {
                    return Ok(true);
                }
            }
        }
    }
}

/// Reads a complete line; returns false at the end. Lines without an end, and lines with the zero bytes that a disk
/// leaves after a power loss, are skipped.
fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        line.clear();
        from.read_until(b'\n', line)?;
        if line.last() != Some(&b'\n') {
            line.clear();
            return Ok(false);
        }
        if !line.contains(&0) {
            return Ok(true);
        }
    }
}

impl Read for Segments {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let from = self.fill_buf()?;
        let count = from.len().min(into.len());
        if let (Some(to), Some(from)) = (into.get_mut(..count), from.get(..count)) {
            to.copy_from_slice(from);
        }
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Segments {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at >= self.line.len() && !self.next_line()? {
            self.line.clear();
            self.at = 0;
        }
        Ok(self.line.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_are_joined_and_torn_lines_left_out() {
        let folder = std::env::temp_dir().join(format!("boxstep-flight-{}-read", std::process::id()));
        let run = folder.join("robot").join("run");
        fs::create_dir_all(&run).unwrap();
        fs::write(run.join("000002.jsonl"), "{\"schema\":1}\n{\"n\":1}\n").unwrap();
        fs::write(run.join("000003.jsonl"), "{\"schema\":1}\n{\"n\":2}\n{\"n\":3").unwrap();
        fs::write(run.join("000004.jsonl"), "{\"sch").unwrap();
        fs::write(run.join("000005.jsonl"), b"{\"schema\":1}\n\0\0\0\n{\"n\":4}\n\0\0\0").unwrap();
        fs::write(run.join("notes.txt"), "x").unwrap();
        assert_eq!(newest(&folder), Some(run.clone()));
        let mut text = String::new();
        Segments::open(&run).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "{\"schema\":1}\n{\"n\":1}\n{\"n\":2}\n{\"n\":4}\n");
        assert!(Segments::open(&folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
