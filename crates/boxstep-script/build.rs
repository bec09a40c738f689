//! Embeds the Python runtime and the package `boxstep`, and computes the build id: a hash of them and of every source
//! file of the workspace's crates.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rustc-check-cfg=cfg(loom)");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);

    let mut modules = Vec::new();
    let mut table = String::from("&[\n");
    // The second folder belongs to the workspace. A packaged crate lacks it, and scripts import the installed package
    // instead. The other packages in that folder only re-export parts of `boxstep`.
    let own = here.join("python");
    let users = here.join("..").join("..").join("python");
    for (python, packages) in [(own, ["boxstep_runtime"].as_slice()), (users, &["boxstep"])] {
        let mut of_folder = Vec::new();
        for package in packages {
            files(&python.join(package), "py", &mut of_folder)?;
        }
        for file in &of_folder {
            let relative = file.strip_prefix(&python).unwrap_or(file).with_extension("");
            let name: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
            table.push_str(&format!("    ({:?}, include_str!({:?})),\n", name.join("."), file));
        }
        modules.extend(of_folder);
    }
    table.push_str("]\n");
    fs::write(out.join("python_sources.rs"), table)?;

    // A packaged crate stands alone; in the workspace any change of a crate changes the build id.
    let mut sources = modules;
    match here.parent().filter(|crates| crates.join("boxstep-engine").is_dir()) {
        Some(crates) => {
            for entry in fs::read_dir(crates)? {
                files(&entry?.path().join("src"), "rs", &mut sources)?;
            }
        }
        None => files(&here.join("src"), "rs", &mut sources)?,
    }
    sources.sort();
    let mut hash = DefaultHasher::new();
    env::var("CARGO_PKG_VERSION").unwrap_or_default().hash(&mut hash);
    for file in &sources {
        file.strip_prefix(&here).unwrap_or(file).file_name().hash(&mut hash);
        fs::read(file)?.hash(&mut hash);
    }
    println!("cargo::rustc-env=BOXSTEP_BUILD_ID={:016x}", hash.finish());
    Ok(())
}

/// Collects the files below a folder that have an extension, sorted by path.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut entries: Vec<_> = fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, extension, found)?;
        } else if path.extension().is_some_and(|e| e == extension) {
            println!("cargo::rerun-if-changed={}", path.display());
            found.push(path);
        }
    }
    Ok(())
}
