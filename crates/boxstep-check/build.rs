//! Embeds the pages of `docs/reference/codes`, for `--explain`.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    // In the workspace these are the documentation's own pages; in a packaged crate, copies of them from the link
    // `pages`.
    let folder = [here.join("../../docs/reference/codes"), here.join("pages")].into_iter().find(|f| f.is_dir());
    let folder = folder.ok_or_else(|| io::Error::other("docs/reference/codes is not there"))?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut entries: Vec<PathBuf> = fs::read_dir(&folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    let mut table = String::from("&[\n");
    for page in &entries {
        println!("cargo::rerun-if-changed={}", page.display());
        if let Some(number) = number(page) {
            table.push_str(&format!("    ({number}, include_str!({:?})),\n", page.canonicalize()?));
        }
    }
    table.push_str("]\n");
    fs::write(out.join("pages.rs"), table)
}

/// Returns 600 for `BS0600.md`; `None` for the README.
fn number(page: &Path) -> Option<u16> {
    page.file_name()?.to_str()?.strip_prefix("BS")?.strip_suffix(".md")?.parse().ok()
}
