//! Collection of an archive's entries under the limits.

use super::oddity::{Oddity, not_on_windows};
use super::trusted;
use super::{ArchiveFault, Entry, Refusal};
use crate::ArchiveLimits;
use crate::project::normal;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{self, Read};
use std::rc::Rc;

/// Archives that unpack to no more bytes than this are not checked for their compression ratio.
const DENSE_FROM: u64 = 16 << 20;

/// The entries collected so far, and what the limits still allow.
pub(super) struct Gather<'a> {
    pub(super) entries: Vec<Entry>,
    pub(super) oddities: Vec<Oddity>,
    /// Paths that were not collected, because programs on a reader's computer would obey them.
    pub(super) left_out: BTreeSet<String>,
    /// They are collected, too.
    pub(super) whole: bool,
    limits: &'a ArchiveLimits,
    packed: u64,
    left: u64,
    files: HashSet<String>,
    folders: HashSet<String>,
    /// Names of files by their names in lower case.
    small: HashMap<String, String>,
    seen: usize,
}

/// The maximum number of oddities reported for one archive; users read no more.
const MOST_ODDITIES: usize = 100;

impl<'a> Gather<'a> {
    /// Creates a collector for an archive of `packed` bytes.
    pub(super) fn new(limits: &'a ArchiveLimits, packed: usize) -> Self {
        let packed = packed as u64;
        let left = limits.bytes.min((packed.saturating_mul(limits.ratio)).max(DENSE_FROM));
        let (files, folders, small) = (HashSet::new(), HashSet::new(), HashMap::new());
        let (entries, oddities, left_out) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { entries, oddities, left_out, whole: false, limits, packed, left, files, folders, small, seen: 0 }
    }

    pub(super) fn odd(&mut self, oddity: Oddity) {
        if self.oddities.len() < MOST_ODDITIES {
            self.oddities.push(oddity);
        }
    }

    /// Counts an entry of any kind and returns its normalized name; `None` for the archive's own top folder.
    pub(super) fn name(&mut self, raw: &[u8]) -> Result<Option<String>, Refusal> {
        self.seen += 1;
        if self.seen > self.limits.entries {
            return Err((None, ArchiveFault::TooMany(self.limits.entries)));
        }
        let shown = || Some(String::from_utf8_lossy(raw).chars().take(200).collect());
        if raw.len() > self.limits.name {
            return Err((shown(), ArchiveFault::LongName(self.limits.name)));
        }
        let bad = || (shown(), ArchiveFault::BadName);
        let name = std::str::from_utf8(raw).map_err(|_| bad())?;
        if name.split(['/', '\\']).any(|part| part == "..") {
            return Err(bad());
        }
        let backslash = name.contains('\\').then(|| name.to_owned());
        let name = normal("", name).ok_or_else(bad)?;
        if name.split('/').count() > self.limits.depth {
            return Err((shown(), ArchiveFault::TooDeep(self.limits.depth)));
        }
        if raw.is_empty() {
            return Err(bad());
        }
        if let Some(name) = backslash {
            self.odd(Oddity::Backslash(name));
        }
        Ok(Some(name).filter(|n| !n.is_empty()))
    }

    /// Adds a folder. An archive may list a folder more than once.
    pub(super) fn folder(&mut self, name: String) -> Result<(), Refusal> {
        if self.files.contains(&name) {
            return Err((Some(name), ArchiveFault::FileAndFolder));
        }
        self.parents(&name)?;
        self.folders.insert(name);
        Ok(())
    }

    /// Adds a file and reads its bytes.
    pub(super) fn file(&mut self, name: String, executable: bool, reader: impl Read) -> Result<(), Refusal> {
        if self.folders.contains(&name) {
            return Err((Some(name), ArchiveFault::FileAndFolder));
        }
        self.parents(&name)?;
        if !self.files.insert(name.clone()) {
            return Err((Some(name), ArchiveFault::Duplicate));
        }
        let mut bytes = Vec::new();
        let read = reader.take(self.left.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|e| (Some(name.clone()), ArchiveFault::Damaged(e.to_string())))?;
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return Err((Some(name), self.too_much()));
        };
        self.left = left;
        let repository = || trusted::makes_a_repository(&name, &bytes).then_some(name.as_str());
        if !self.whole
            && let Some(obeyed) = trusted::part_of(&name).or_else(repository)
        {
            self.left_out.insert(obeyed.to_owned());
            return Ok(());
        }
        if let Some(why) = not_on_windows(&name) {
            self.odd(Oddity::NotOnWindows(name.clone(), why));
        }
        if let Some(other) = self.small.insert(name.to_lowercase(), name.clone()) {
            self.odd(Oddity::OnlyCase(name.clone(), other));
        }
        self.entries.push(Entry { name, bytes, executable });
        Ok(())
    }

    /// Registers all folders around an entry; none of them may be a file.
    fn parents(&mut self, name: &str) -> Result<(), Refusal> {
        for (at, _) in name.match_indices('/') {
            let folder = name.get(..at).unwrap_or_default();
            if self.files.contains(folder) {
                return Err((Some(folder.to_owned()), ArchiveFault::FileAndFolder));
            }
            if !self.folders.contains(folder) {
                self.folders.insert(folder.to_owned());
            }
        }
        Ok(())
    }

    /// Returns the limit that is exceeded when no more bytes are allowed.
    pub(super) fn too_much(&self) -> ArchiveFault {
        if self.packed.saturating_mul(self.limits.ratio) < self.limits.bytes {
            ArchiveFault::TooDense(self.limits.ratio)
        } else {
            ArchiveFault::TooLarge(self.limits.bytes)
        }
    }

    /// Returns a reader that fails when the limits are exceeded, and a flag for that. It is for streams that contain
    /// more than the bytes of entries.
    pub(super) fn capped<R: Read>(&self, inner: R) -> (Capped<R>, Rc<Cell<bool>>) {
        let over = Rc::new(Cell::new(false));
        // Room for a header and its padding for every entry.
        let headers = (self.limits.entries as u64).saturating_mul(1024 + self.limits.name as u64);
        (Capped { inner, left: self.left.saturating_add(headers), over: over.clone() }, over)
    }
}

/// The reader that [`Gather::capped`] returns.
pub(super) struct Capped<R> {
    inner: R,
    left: u64,
    over: Rc<Cell<bool>>,
}

impl<R: Read> Read for Capped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => {
                self.over.set(true);
                return Err(io::Error::other("beyond the limits"));
            }
        }
        Ok(read)
    }
}
