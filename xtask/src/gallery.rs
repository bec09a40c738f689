//! `cargo xtask gallery`: draws the examples to `docs/gallery`.

use crate::{Outcome, tools};
use boxstep_bodies::BodyKind;
use boxstep_draw::diff::Diff;
use boxstep_draw::plot::Plot;
use boxstep_draw::{Level, legend, page, svg};
use boxstep_format::{Limits, XarFile, read_xar};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes all files of the gallery, and removes obsolete ones.
pub(crate) fn run() -> Outcome {
    let folder = folder();
    let files = files()?;
    let told = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    fs::create_dir_all(&folder).map_err(|e| told(&folder, e))?;
    for name in stale(&folder, &files)? {
        let path = folder.join(name);
        fs::remove_file(&path).map_err(|e| told(&path, e))?;
    }
    for (name, text) in &files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|e| told(&path, e))?;
    }
    println!("{} files in {}", files.len(), folder.display());
    Ok(())
}

fn folder() -> PathBuf {
    tools::root().join("docs/gallery")
}

/// Returns the files in the folder that do not belong to the gallery.
fn stale(folder: &Path, files: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let names = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|n| !files.contains_key(n)).collect())
}

/// A drawing of the gallery.
struct Picture {
    file: String,
    heading: String,
    command: String,
}

/// Returns every file of the gallery by its name.
fn files() -> Result<BTreeMap<String, String>, String> {
    let body = BodyKind::Nao.body();
    let mut files = BTreeMap::new();
    let mut pictures = Vec::new();
    for name in examples()? {
        let file = read(&name)?;
        for level in Level::all(&file.project) {
            let path = level.at.path.to_string();
            let inner = level.at.depth() > 0;
            let picture = if inner { format!("{name}-{}.svg", plain(&path)) } else { format!("{name}.svg") };
            let heading = if inner { format!("{name}: {path}") } else { name.clone() };
            let choice = if inner { format!(" --box '{path}'") } else { String::new() };
            let command = format!("boxstep show examples/{name}{choice} -o {picture}");
            files.insert(picture.clone(), svg(&level, body));
            pictures.push(Picture { file: picture, heading, command });
        }
        if let Ok(plot) = Plot::new(&file.project, &Level::root(&file.project), body, &[]) {
            let picture = format!("{name}-curves.svg");
            files.insert(picture.clone(), plot.svg(&name));
            let command = format!("boxstep plot examples/{name} -o {picture}");
            pictures.push(Picture { file: picture, heading: format!("{name}: joint curves"), command });
        }
    }
    let layers = read("timeline-layers")?;
    files.insert("page.html".to_owned(), page("timeline-layers", &layers.project, &Level::root(&layers.project), body));
    let (hello, wait) = (read("hello")?, read("say-and-wait")?);
    files
        .insert("diff.html".to_owned(), Diff::new(&hello, &wait).html("examples/hello", "examples/say-and-wait", body));
    files.insert("legend.svg".to_owned(), legend());
    files.insert("README.md".to_owned(), readme(&pictures));
    files.insert("index.html".to_owned(), index(&pictures));
    Ok(files)
}

fn examples() -> Result<Vec<String>, String> {
    let folder = tools::root().join("examples");
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let behaviors = entries.flatten().filter(|e| e.path().join("behavior.xar").is_file());
    let mut names: Vec<String> = behaviors.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

fn read(name: &str) -> Result<XarFile, String> {
    let path = tools::root().join("examples").join(name).join("behavior.xar");
    let bytes = fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    read_xar(name, &bytes, &Limits::default()).map_err(|e| e.to_string())
}

/// Converts a box path to a part of a file name.
fn plain(path: &str) -> String {
    let letters = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect::<String>();
    letters.trim_matches('-').to_owned()
}

const INTRODUCTION: &str =
    "The examples as Boxstep draws them. The drawings follow the reader's choice of light or dark.";

fn readme(pictures: &[Picture]) -> String {
    let mut out = format!(
        "# Gallery\n\n{INTRODUCTION}\nMade by `cargo xtask gallery`; a test sees that they are up to date. [index.html](index.html) shows \
         them in a browser, [page.html](page.html) is what `boxstep show examples/timeline-layers -o page.html` writes, \
         [diff.html](diff.html) what `boxstep diff examples/hello examples/say-and-wait -o diff.html` does.\n\n\
         ![Forms and colours of ports](legend.svg)\n"
    );
    for p in pictures {
        let _ = write!(out, "\n## {}\n\n`{}`\n\n![{}]({})\n", p.heading, p.command, p.heading, p.file);
    }
    out
}

fn index(pictures: &[Picture]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>Boxstep: gallery</title>\n<style>\
         :root{{color-scheme:light dark}}body{{font:15px/1.5 system-ui,sans-serif;max-width:1240px;margin:0 auto;padding:20px}}\
         img{{border-radius:8px}}.scroll{{display:block;overflow:auto}}code{{font-size:13px}}h2{{margin-top:40px}}\
         @media(prefers-color-scheme:dark){{body{{background:#12161c;color:#e8edf4}}a{{color:#6cb2ff}}}}\
         </style></head>\n<body><h1>Gallery</h1>\n<p>{INTRODUCTION}\n\
         See also a <a href=\"page.html\">whole page</a> and a <a href=\"diff.html\">difference</a>.</p>\n\
         <span class=\"scroll\"><img src=\"legend.svg\" alt=\"Forms and colours of ports\"/></span>\n"
    );
    for p in pictures {
        let command = p.command.replace('\'', "&#39;");
        let _ = writeln!(
            out,
            "<h2>{}</h2>\n<p><code>{command}</code></p>\n<a class=\"scroll\" href=\"{}\"><img src=\"{}\" alt=\"{}\"/></a>",
            p.heading, p.file, p.file, p.heading
        );
    }
    out + "</body></html>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gallery_is_up_to_date() {
        let files = files().unwrap();
        assert!(files.len() > 12);
        for (name, text) in &files {
            let there = fs::read_to_string(folder().join(name)).unwrap_or_default();
            assert!(there == *text, "docs/gallery/{name} is not up to date: run `cargo xtask gallery`");
        }
        assert_eq!(stale(&folder(), &files).unwrap(), Vec::<String>::new());
    }
}
