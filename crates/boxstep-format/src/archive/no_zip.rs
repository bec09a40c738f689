//! In WebAssembly there are no zip archives: a page opens single behaviors, and the library for zips would ask the page for
//! random numbers.

use super::gather::Gather;
use super::{ArchiveFault, Entry, Refusal};
use std::io;
use std::path::Path;

const WHY: &str = "this build of Boxstep has no zip archives";

pub(super) fn read(_: &[u8], _: &mut Gather<'_>) -> Result<(), Refusal> {
    Err((None, ArchiveFault::Damaged(WHY.to_owned())))
}

pub(super) fn write(_: &[&Entry]) -> io::Result<Vec<u8>> {
    Err(io::Error::new(io::ErrorKind::Unsupported, WHY))
}

/// Returns whether a file is a zip that names a behavior or a project: not here.
pub fn is_zip_of_behaviors(_: &Path) -> bool {
    false
}
