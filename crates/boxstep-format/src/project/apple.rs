//! Files that macOS adds on disks and in archives that cannot store its metadata.

/// Returns true for the names of AppleDouble files and folders, which hold metadata of another file: `._behavior.xar`
/// beside `behavior.xar`, or the folder `__MACOSX` in a zip. Their extensions do not tell their content, so they are
/// never read.
pub fn is_apple_double(name: &str) -> bool {
    name.starts_with("._") || name == "__MACOSX"
}
