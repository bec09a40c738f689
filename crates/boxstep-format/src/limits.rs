//! How much of a stranger's file is read before it is refused.

/// Caps for one file. The defaults are far beyond any file an editor has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, and of its text once decoded. At most 4 GiB − 1 whatever is set.
    pub bytes: usize,
    /// Elements inside each other; one level of boxes takes five. Values over [`Limits::MAX_DEPTH`]
    /// count as that, because the model is walked and dropped recursively.
    pub depth: usize,
    /// Elements, texts and comments together.
    pub nodes: usize,
    /// Findings kept; the rest is counted in one last finding.
    pub findings: usize,
    /// For archives, and for folders that are packed.
    pub archive: ArchiveLimits,
}

/// Caps for an archive as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Files and folders in it.
    pub entries: usize,
    /// Bytes of the archive itself, and of all its files together once unpacked.
    pub bytes: u64,
    /// How many times its own size it may unpack to. What unpacks to 16 MiB or less is not looked at.
    pub ratio: u64,
    /// Folders inside each other.
    pub depth: usize,
    /// Bytes of an entry's name with its folders.
    pub name: usize,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self { entries: 20_000, bytes: 512 << 20, ratio: 200, depth: 32, name: 1000 }
    }
}

impl Limits {
    /// The deepest nesting that can be allowed.
    pub const MAX_DEPTH: usize = 500;
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 20, depth: 200, nodes: 4_000_000, findings: 500, archive: ArchiveLimits::default() }
    }
}
