//! Every available real file must be readable. The files are not part of this repository: set `BOXSTEP_CORPUS` to a
//! folder with them, or put it beside the repository as `../shared/corpus`.

use boxstep_format::testing::assert_same;
use boxstep_format::write::write_xar;
use boxstep_format::{Limits, open, paths, read_xar};
use boxstep_types::BoxPath;
use std::path::{Path, PathBuf};

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    if !folder.is_dir() {
        println!("skipped: there is no folder of real files at {}", folder.display());
        return None;
    }
    Some(folder)
}

fn files_ending(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_ending(&path, ending, found);
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn every_real_xar_reads() {
    let Some(folder) = corpus() else { return };
    let mut files = Vec::new();
    files_ending(&folder, "xar", &mut files);
    assert!(!files.is_empty());
    let mut findings = std::collections::BTreeMap::<String, usize>::new();
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let file = read_xar(&path.to_string_lossy(), &bytes, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(&*file.project.root.name, "root", "{}", path.display());
        for finding in &file.findings {
            let place = finding.span.map(|s| file.sources.place(s)).unwrap_or_default();
            println!("{place}: {finding}");
            *findings.entry(finding.code.name.to_owned()).or_default() += 1;
        }
    }
    println!("{} files, findings: {findings:?}", files.len());
}

#[test]
fn every_real_project_opens() {
    let Some(folder) = corpus() else { return };
    let mut files = Vec::new();
    files_ending(&folder, "pml", &mut files);
    let mut behaviors = 0;
    for path in &files {
        let opened = open(path, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
        behaviors += opened.behaviors.len();
        for finding in &opened.findings {
            println!("{}: {finding}", path.display());
        }
    }
    println!("{} projects, {behaviors} behaviors", files.len());
}

#[test]
fn every_box_of_every_real_xar_has_a_path_that_leads_back() {
    let Some(folder) = corpus() else { return };
    let mut files = Vec::new();
    files_ending(&folder, "xar", &mut files);
    for path in &files {
        let file = read_xar("x.xar", &std::fs::read(path).unwrap(), &Limits::default()).unwrap();
        for at in paths::boxes(&file.project) {
            let printed: BoxPath = at.path.to_string().parse().unwrap();
            let back = paths::find(&file.project, &printed).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert_eq!(back.trail, at.trail, "{}: {printed}", path.display());
        }
    }
}

/// Collects hand-made edge cases beside the real files, if there are any; some of them cannot be read.
fn edge_cases(corpus: &Path, found: &mut Vec<PathBuf>) {
    let folder = corpus.join("../golden/qicore");
    if folder.is_dir() {
        files_ending(&folder, "xar", found);
    }
}

#[test]
fn every_real_xar_is_written_back_to_the_byte_and_survives_the_model() {
    let Some(folder) = corpus() else { return };
    let mut files = Vec::new();
    files_ending(&folder, "xar", &mut files);
    let real = files.len();
    edge_cases(&folder, &mut files);
    let (mut written, mut same_layout) = (0, 0);
    for path in &files {
        let name = path.to_string_lossy();
        let bytes = std::fs::read(path).unwrap();
        let Ok(file) = read_xar(&name, &bytes, &Limits::default()) else { continue };
        assert_eq!(file.to_bytes(), bytes, "{name}");
        let text = write_xar(&file.project, &file.sources).unwrap_or_else(|e| panic!("{name}: {e}"));
        let again = read_xar(&name, text.as_bytes(), &Limits::default()).unwrap();
        assert_same((&file.project, &file.sources), (&again.project, &again.sources));
        let laid_out = file.formatted(&Limits::default()).unwrap();
        assert_same((&file.project, &file.sources), (&laid_out.project, &laid_out.sources));
        if laid_out.to_bytes() == bytes {
            same_layout += 1;
        } else {
            println!("{name}: was not in canonical layout");
        }
        written += 1;
    }
    println!("{written} files, {same_layout} of them in canonical layout already");
    assert!(written >= real);
    // The canonical layout is the editor's, so nearly every file written by the editor already has it.
    assert!(same_layout * 10 >= real * 9, "{same_layout} of {real}");
}
