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
}

impl Limits {
    /// The deepest nesting that can be allowed.
    pub const MAX_DEPTH: usize = 500;
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 20, depth: 200, nodes: 4_000_000, findings: 500 }
    }
}
