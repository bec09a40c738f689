//! Limits on the size of files, so that a foreign file cannot exhaust memory.

/// Limits for one file. The defaults are far beyond any file that an editor has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, and of its text once decoded. At most 4 GiB − 1, even if a larger value is set.
    pub bytes: usize,
    /// Depth of nested elements; one level of boxes takes five. Values over [`Limits::MAX_DEPTH`] count as that
    /// maximum, because the model is walked and dropped recursively.
    pub depth: usize,
    /// Number of elements, texts and comments together.
    pub nodes: usize,
    /// Number of findings kept; one last finding says how many more there are.
    pub findings: usize,
    /// Limits for archives, and for folders that are packed.
    pub archive: ArchiveLimits,
}

/// Limits for an archive as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// Number of files and folders.
    pub entries: usize,
    /// Bytes of the archive itself, and bytes of all its files together once unpacked.
    pub bytes: u64,
    /// How many times its own size an archive may unpack to. Archives that unpack to 16 MiB or less are exempt.
    pub ratio: u64,
    /// Depth of nested folders.
    pub depth: usize,
    /// Bytes of an entry's name, including its folders.
    pub name: usize,
}

impl Default for ArchiveLimits {
    fn default() -> Self {
        Self { entries: 20_000, bytes: 512 << 20, ratio: 200, depth: 32, name: 1000 }
    }
}

impl Limits {
    /// The largest nesting depth that can be allowed.
    pub const MAX_DEPTH: usize = 500;
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 20, depth: 200, nodes: 4_000_000, findings: 500, archive: ArchiveLimits::default() }
    }
}
