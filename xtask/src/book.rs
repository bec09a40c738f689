//! `cargo xtask book`: builds the documentation as a book that needs no server, and checks its links and headings.

use crate::Outcome;
use crate::tools::{python_with, root, run, target};
use std::ffi::OsStr;
use std::process::Command;

/// Builds the book into `target/book`.
pub(crate) fn build() -> Outcome {
    let file = root().join("xtask/book/requirements.txt");
    let package = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let python = python_with(OsStr::new("python3"), "book-python", package.trim(), "mkdocs")?;
    let book = target().join("book");
    // The variable hides an advertisement.
    run(Command::new(python)
        .args(["-m", "mkdocs", "build", "--strict", "--site-dir"])
        .arg(&book)
        .current_dir(root())
        .env("NO_MKDOCS_2_WARNING", "1"))?;
    println!("book: {}", book.join("index.html").display());
    Ok(())
}
