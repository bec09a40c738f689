//! The licenses of the crates and npm packages that are in the program.

use crate::Outcome;
use crate::tools::{cargo, output, root, target};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The name of the file in wheels and archives.
pub(crate) const NAME: &str = "THIRD-PARTY-LICENSES.txt";

/// The features that wheels and archives have.
pub(crate) const FEATURES: [&str; 2] = ["fleet", "physics"];

/// Packages whose license obliges to say where their source is (MPL-2.0). They are in the program as they were published.
const UNCHANGED: [&str; 1] = ["option-ext"];

/// Returns where [`write()`] leaves the file.
pub(crate) fn file() -> PathBuf {
    target().join("licenses.txt")
}

/// Writes the names, licenses and license texts of all packages in the program for a system.
pub(crate) fn write(triple: &str) -> Outcome {
    let features = format!("--features={}", FEATURES.map(|feature| format!("boxstep/{feature}")).join(","));
    let mut metadata =
        cargo(&["metadata", "--format-version", "1", "--locked", "--filter-platform", triple, &features]);
    let listed = output(&mut metadata)?;
    let metadata: Value = serde_json::from_str(&listed).map_err(|e| format!("cargo metadata: {e}"))?;
    let read = |name: &str| {
        let path = root().join(name);
        std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let (mit, apache) = (read("LICENSE-MIT")?, read("LICENSE-APACHE")?);
    // Texts that several packages share are written once.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in linked(&metadata) {
        let (name, folder) = (title(package)?, folder(package));
        let found = license_texts(&folder);
        if found.is_empty() {
            texts.entry(text_of(package, &mit, &apache)?).or_default().push(name);
            continue;
        }
        for text in found {
            texts.entry(text).or_default().push(name.clone());
        }
    }
    let page = root().join("crates/boxstep-view/web/dist/licenses.txt");
    let page = std::fs::read_to_string(&page).map_err(|e| format!("{}: {e}", page.display()))?;
    let rule = "-".repeat(80);
    let mut out =
        "Boxstep contains these packages of others. Boxstep itself: LICENSE-MIT, LICENSE-APACHE.\nThe standard library of Rust is in it, too, under MIT or Apache-2.0.\n".to_owned();
    for (text, mut names) in texts {
        names.sort();
        names.dedup();
        out.push_str(&format!("\n{rule}\n{}\n{rule}\n\n{}\n", names.join("\n"), text.trim_end()));
    }
    out.push_str(&format!("\n{rule}\nPackages in the page\n{rule}\n\n{page}"));
    std::fs::write(file(), out).map_err(|e| format!("{}: {e}", file().display()))
}

/// Returns the packages of others that are linked into `boxstep`: those that are reached without dependencies of builds
/// and tests.
fn linked(metadata: &Value) -> Vec<&Value> {
    fn list(value: &Value) -> &[Value] {
        value.as_array().map(Vec::as_slice).unwrap_or_default()
    }
    let nodes: HashMap<&str, &Value> =
        list(&metadata["resolve"]["nodes"]).iter().filter_map(|n| Some((n["id"].as_str()?, n))).collect();
    let packages = list(&metadata["packages"]);
    let start = packages.iter().find(|p| p["name"] == "boxstep").and_then(|p| p["id"].as_str());
    let (mut seen, mut open) = (HashSet::new(), Vec::from_iter(start.map(str::to_owned)));
    while let Some(id) = open.pop() {
        if !seen.insert(id.clone()) {
            continue;
        }
        for dependency in nodes.get(id.as_str()).map(|node| list(&node["deps"])).unwrap_or_default() {
            let is_linked = list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            open.extend(dependency["pkg"].as_str().filter(|_| is_linked).map(str::to_owned));
        }
    }
    let of_others = |package: &&Value| !package["source"].is_null();
    packages.iter().filter(|p| p["id"].as_str().is_some_and(|id| seen.contains(id))).filter(of_others).collect()
}

/// Returns the name, version and license of a package. A license that obliges more than to name the authors is refused.
fn title(package: &Value) -> Result<String, String> {
    let word = |key: &str| package[key].as_str().unwrap_or_default();
    let license = word("license");
    if UNCHANGED.contains(&word("name")) {
        let source = word("repository");
        return Ok(format!("{} {} ({license}; unchanged, its source is at {source})", word("name"), word("version")));
    }
    if !is_permissive(license) {
        return Err(format!("{} has the license {license}", word("name")));
    }
    Ok(format!("{} {} ({license})", word("name"), word("version")))
}

/// Returns the license text of a package that has none, below its authors: the terms of MIT, as in `mit`, if it offers
/// that, or those of Apache-2.0. Both oblige to pass on the names and the terms.
fn text_of(package: &Value, mit: &str, apache: &str) -> Result<String, String> {
    let name = package["name"].as_str().unwrap_or_default();
    let license = package["license"].as_str().unwrap_or_default();
    let offers =
        |wanted: &str| license.split(['/', ' ', '(', ')']).any(|word| word == wanted) && !license.contains(" AND ");
    let mit = mit.find("Permission is hereby granted").and_then(|start| mit.get(start..));
    let found = match mit {
        Some(terms) if offers("MIT") => Some(("MIT", terms)),
        _ if offers("Apache-2.0") => Some(("Apache-2.0", apache)),
        _ => None,
    };
    let Some((chosen, terms)) = found else {
        return Err(format!("{name} has no license text, and its license is {license}"));
    };
    let authors: Vec<&str> = package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let authors = if authors.is_empty() { format!("The authors of {name}") } else { authors.join(", ") };
    let source = package["repository"].as_str().unwrap_or("no repository named");
    Ok(format!(
        "(The package has no license text; it names its license, {chosen}.)\n\nCopyright (c) {authors}\n{source}\n\n{terms}"
    ))
}

/// Whether each part of an expression of licenses offers one that is not copyleft.
fn is_permissive(license: &str) -> bool {
    let alternatives = license.replace('/', " OR ");
    let is_free = |one: &str| !one.is_empty() && !["GPL", "MPL", "EPL", "CDDL"].iter().any(|word| one.contains(word));
    alternatives.split(" AND ").all(|part| part.split(" OR ").any(is_free))
}

fn folder(package: &Value) -> PathBuf {
    let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
    manifest.parent().map(Path::to_owned).unwrap_or_default()
}

/// Returns the texts of files that are named as licenses, copyrights and notices are.
fn license_texts(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    names.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"]
            .iter()
            .any(|start| name.starts_with(start))
    });
    names.sort();
    names.iter().filter_map(|path| std::fs::read_to_string(path).ok()).map(|text| text.replace("\r\n", "\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_permissive, text_of};
    use serde_json::json;

    #[test]
    fn copyleft_needs_an_alternative() {
        for good in ["MIT", "MIT/Apache-2.0", "MIT OR LGPL-2.1-or-later", "(Apache-2.0 OR MIT) AND BSD-3-Clause"] {
            assert!(is_permissive(good), "{good}");
        }
        for bad in ["", "MPL-2.0", "(MIT OR Apache-2.0) AND GPL-3.0"] {
            assert!(!is_permissive(bad), "{bad}");
        }
    }

    #[test]
    fn a_package_without_a_text_gets_that_of_mit_with_its_authors() {
        let ours = "MIT License\n\nCopyright (c) us\n\nPermission is hereby granted, …\n";
        let text =
            |authors, license| text_of(&json!({"name": "a", "authors": authors, "license": license}), ours, "Apache");
        let named = text(json!(["B <b@c>"]), "MIT OR Apache-2.0").unwrap();
        assert!(named.contains("Copyright (c) B <b@c>\n") && named.ends_with("\n\nPermission is hereby granted, …\n"));
        assert!(!named.contains("us\n\nPermission"), "{named}");
        assert!(text(json!([]), "MIT").unwrap().contains("The authors of a\n"));
        assert!(
            text(json!(["B <b@c>"]), "EPL-2.0 OR Apache-2.0")
                .unwrap()
                .ends_with("B <b@c>\nno repository named\n\nApache")
        );
        for other in ["EPL-2.0", "MIT AND BSD-3-Clause", "MIT-0"] {
            assert!(text(json!([]), other).is_err(), "{other}");
        }
    }
}
