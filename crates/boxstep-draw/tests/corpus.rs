//! Every real file in every format, if a folder of them is available.

use crate::common::{corpus, nao, well_formed};
use boxstep_draw::diff::Diff;
use boxstep_draw::plot::Plot;
use boxstep_draw::{Level, dot, json, json_schema, mermaid, page, svg, tree};
use boxstep_format::{Limits, XarFile, paths, read_xar};

#[test]
fn every_file_is_drawn_in_every_form() {
    let Some(files) = corpus() else { return };
    let schema = serde_json::from_str(&json_schema()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let diff_schema = serde_json::from_str(&boxstep_draw::diff::json_schema()).unwrap();
    let diff_schema = jsonschema::validator_for(&diff_schema).unwrap();
    let mut before: Option<XarFile> = None;
    let mut drawn = 0;
    for path in files {
        let name = path.to_string_lossy();
        let file = read_xar(&name, &std::fs::read(&path).unwrap(), &Limits::default()).unwrap();
        let project = &file.project;
        let root = Level::root(project);
        for at in paths::boxes(project) {
            let level = Level { at, keyframe: None };
            let found = Level::find(project, &level.at.path.to_string()).unwrap();
            assert!(found.at.path == level.at.path, "{name}: {}", level.at.path);
            well_formed(&svg(&level, nao()));
        }
        well_formed(&page(&name, project, &root, nao()));
        let tree = tree(project);
        assert!(tree.starts_with("behavior, xar 3") || name.ends_with("box.xar"), "{name}");
        assert!(dot(&root).starts_with("digraph ") && mermaid(&root).starts_with("flowchart "));
        let json: serde_json::Value = serde_json::from_str(&json(&name, &file)).unwrap();
        if let Some(e) = schema.iter_errors(&json).next() {
            panic!("{name}: {e}");
        }
        if let Ok(plot) = Plot::new(project, &root, nao(), &[]) {
            well_formed(&plot.svg(&name));
            assert!(!plot.text(120).is_empty());
        }
        assert!(Diff::new(&file, &file).is_same(), "{name}");
        if let Some(before) = &before {
            let diff = Diff::new(before, &file);
            let json: serde_json::Value = serde_json::from_str(&diff.json("a", "b")).unwrap();
            assert!(diff_schema.is_valid(&json), "{name}");
            assert_eq!(diff.is_same(), diff.text("a", "b", true).is_empty());
            well_formed(&diff.html("a", "b", nao()));
        }
        before = Some(file);
        drawn += 1;
    }
    eprintln!("{drawn} files drawn");
}
