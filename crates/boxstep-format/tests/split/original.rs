//! Folders with scripts as the original converter left them. The tests apply its documented changes to scripts of real
//! and invented boxes, and reading reverses them.

use super::canonical::boxes;
use super::golden::cases;
use super::{findings, read, shared, text, write, xar};
use boxstep_format::split::Folder;
use boxstep_format::testing::laws;
use std::collections::BTreeMap;

const PROLOGUE: &str = "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\nimport time\nimport random\n\nfrom naoqi import *\nimport qicore\nimport qicore_legacy\n\n";

/// Applies the converter's changes to a script. (The form of the constructor's call over four lines is not covered.)
fn converted(script: &str, name: &str) -> String {
    let mut out = script.trim_start().to_owned();
    if out.is_empty() {
        out =
            format!("class {name}_class(GeneratedClass):\n  def __init__(self):\n    GeneratedClass.__init__(self)\n");
    }
    out = out.replacen("MyClass", &format!("{name}_class"), 1);
    out = out.replace('\t', "    ");
    out = format!("{PROLOGUE}{out}");
    out = out.replacen("(GeneratedClass):", "(qicore_legacy.BehaviorLegacy):", 1);
    let call = format!("qicore_legacy.BehaviorLegacy.__init__(self, \"{name}\", io_info)");
    if out.contains("GeneratedClass.__init__(self)") {
        out = out.replace("GeneratedClass.__init__(self)", &call);
    } else {
        out = out.replace("GeneratedClass.__init__(self, False)", &call);
    }
    out = out.replace("ALFrameManager", "self").replace("ALProxy(\"self\")", "self");
    out = out.replace("GeneratedClass.", "qicore_legacy.BehaviorLeagcy.");
    out = out.replace("self.getTimelineFps(self.getName())", "25");
    out.replace("def __init__(self", "def __init__(self, io_info") + "\n"
}

/// Returns the part of a script that can be recovered; different texts that the converter made equal cannot.
fn left(script: &str) -> String {
    let text = script.trim_start().replace('\t', "    ");
    let text = text.replace("ALFrameManager.getBehaviorPath(", "\0");
    let text = text.replace("ALFrameManager", "self").replace("ALProxy(\"self\")", "self");
    let text = text.replace('\0', "ALFrameManager.getBehaviorPath(");
    let bare = text.replace("self.getTimelineFps(self.getName())", "25");
    if bare.contains("GeneratedClass.__init__(self)") {
        return bare;
    }
    bare.replace("GeneratedClass.__init__(self, False)", "GeneratedClass.__init__(self)")
}

/// Adds our folder's scripts, converted, to a folder of the original converter, under its names.
fn with_scripts(original: &Folder, ours: &Folder) -> (Folder, BTreeMap<String, String>) {
    let (mut folder, mut scripts) = (original.clone(), BTreeMap::new());
    for name in original.keys().filter_map(|n| n.strip_suffix(".xml")) {
        let file = format!("{name}.py");
        if ours.contains_key(&file) {
            let script = text(ours, &file).to_owned();
            folder.insert(file, converted(&script, name).into_bytes());
            scripts.insert(name.to_owned(), script);
        }
    }
    (folder, scripts)
}

/// Checks that the scripts of a folder are recovered, and returns their number.
fn come_back(case: &str, folder: &Folder, scripts: &BTreeMap<String, String>) -> usize {
    let file = read(folder);
    let mut met = 0;
    for def in boxes(&file.project.root) {
        let name = file.sources.name(def.span.file);
        let name = name.rsplit('/').next().unwrap().trim_end_matches(".xml");
        let Some(script) = scripts.get(name) else { continue };
        let back = def.script.as_ref().map_or("", |s| &s.text);
        // The converter gave a box without a script an empty class.
        assert_eq!(back, left(script), "{case}: {name}");
        met += usize::from(!back.is_empty());
    }
    laws::split_folder(folder);
    met
}

#[test]
fn scripts_of_the_original_come_back_in_its_own_folders() {
    let mut met = 0;
    for (case, input, original) in cases() {
        let Some(file) = xar(&input).filter(|_| case != "escapes") else { continue };
        let (folder, scripts) = with_scripts(&original, &write(&file));
        met += come_back(&case, &folder, &scripts);
    }
    assert!(met > 10 || shared("BOXSTEP_GOLDEN", "golden/qicore").is_none(), "{met}");
}

#[test]
fn scripts_of_real_boxes_come_back() {
    let Some(corpus) = shared("BOXSTEP_CORPUS", "corpus") else { return };
    let mut met = 0;
    for path in super::files(&corpus, "xar").iter().step_by(17).take(60) {
        let Some(file) = xar(&std::fs::read(path).unwrap()) else { continue };
        let ours = write(&file);
        for (name, bytes) in ours.iter().filter(|(n, _)| n.ends_with(".py") && *n != "main.py") {
            let (name, script) = (name.trim_end_matches(".py"), std::str::from_utf8(bytes).unwrap());
            // The four lines became one, and their content is lost.
            if script.contains("disable autoBind")
                || script.contains("io_info")
                || script.contains("GeneratedClass.__init__(self, False)")
            {
                continue;
            }
            let mut folder = Folder::new();
            let root = "<Box id=\"-1\" content=\"l0_root.py\" robot=\"None\" tooltip=\"\" x=\"0\" y=\"0\" />";
            folder.insert("l0_root.xml".into(), root.into());
            folder.insert("l0_root.py".into(), converted(script, "l0_root").into_bytes());
            let scripts = BTreeMap::from([("l0_root".to_owned(), script.to_owned())]);
            met += come_back(&format!("{}: {name}", path.display()), &folder, &scripts);
        }
    }
    assert!(met > 20, "{met}");
}

#[test]
fn folders_of_the_original_become_files_that_say_the_same() {
    for (case, input, original) in cases() {
        let Some(file) = xar(&input).filter(|_| case != "escapes") else { continue };
        let (folder, _) = with_scripts(&original, &write(&file));
        let back = read(&folder);
        let laid_out = back.formatted(&Default::default()).unwrap();
        let again = xar(&laid_out.to_bytes()).unwrap();
        boxstep_format::testing::assert_same((&back.project, &back.sources), (&again.project, &again.sources));
        let wrong: Vec<String> =
            findings(&again).into_iter().filter(|f| f.starts_with("bad") || f.starts_with("dangling")).collect();
        assert_eq!(wrong, Vec::<String>::new(), "{case}");
    }
}
