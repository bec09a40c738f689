//! What macOS leaves beside files on disks and in archives that cannot keep what it knows of them.

/// Whether a file or folder of this name has something of another one in AppleDouble form: `._behavior.xar` beside `behavior.xar`, or
/// the folder `__MACOSX` in a zip. Its ending says nothing of what is in it, so nothing reads it.
pub fn is_apples(name: &str) -> bool {
    name.starts_with("._") || name == "__MACOSX"
}
