//! The door to `.xar`, `.pml` and folders, over the small projects in `tests/projects`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use boxstep_format::project::{OpenedKind, inside, read_manifest, read_pml, read_translations};
use boxstep_format::{Limits, Problem, codes, open, paths};
use std::path::{Path, PathBuf};

fn projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects")
}

/// A fresh folder for one test.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_project_lists_its_behaviors() {
    for path in ["two", "two/two.pml"] {
        let project = open(&projects().join(path), &Limits::default()).unwrap();
        assert_eq!((project.kind, project.name.as_str()), (OpenedKind::Project, "Two"));
        assert_eq!(project.uuid(), Some("two-1234"));
        let names: Vec<_> = project.behaviors.iter().map(|b| (b.name.as_str(), b.relative.as_str())).collect();
        assert_eq!(names, [("dance", "dance/behavior.xar"), ("greet/hello", "greet/hello/behavior.xar")]);
        assert!(project.findings.is_empty());
        assert_eq!(project.default_behavior().unwrap().name, "greet/hello", "the one that people may ask for");
        assert_eq!(project.behavior("hello").unwrap().name, "greet/hello");
        assert_eq!(&*project.behavior("dance").unwrap().read(&Limits::default()).unwrap().project.root.name, "root");
        let pml = project.pml.as_ref().unwrap();
        assert_eq!((pml.version, pml.ignored.join(",")), (Some(5), ".metadata".into()));
        assert_eq!((pml.dialogs[0].src.as_str(), pml.files[0].name.as_str()), ("topic/topic.dlg", "beep"));
        assert_eq!((pml.topics[0].topic_name.as_str(), pml.topics[0].language.as_str()), ("topic", "en_US"));
    }
}

#[test]
fn the_manifest_says_what_the_package_is() {
    let project = open(&projects().join("two"), &Limits::default()).unwrap();
    let m = project.manifest.unwrap();
    assert_eq!((m.languages.join(","), m.robot_models.join(",")), ("en_US,de_DE".into(), "NAO,JULIETTE".into()));
    assert_eq!((m.naoqi.0.as_deref(), m.naoqi.1.as_deref()), (Some("2.3"), Some("2.8")));
    assert_eq!((m.names[0].text.as_str(), m.descriptions[0].text.as_str()), ("Two behaviors", "It dances & greets."));
    assert_eq!((m.behaviors[0].nature.as_deref(), m.behaviors[0].user_requestable), (Some("solitary"), false));
    let hello = &m.behaviors[1];
    assert_eq!((hello.nature.as_deref(), hello.user_requestable), (Some("interactive"), true));
    assert_eq!((&*hello.trigger_sentences[0].text, &*hello.loading_responses[0].text), ("say hello", "one moment"));
    assert_eq!(hello.conditions, [("launchTrigger".to_owned(), "('Dialog/Said')".to_owned())]);
    assert_eq!((&*m.dialogs[0].topic_name, &*m.dialogs[0].topics[0].text), ("topic", "topic/topic_enu.top"));
    assert_eq!((m.services[0].autorun, &*m.executables[0]), (true, "bin/run.sh"));
}

#[test]
fn a_xar_knows_its_project() {
    let path = projects().join("two/dance/behavior.xar");
    let opened = open(&path, &Limits::default()).unwrap();
    assert_eq!((opened.kind, opened.name.as_str(), opened.uuid()), (OpenedKind::Project, "Two", Some("two-1234")));
    assert_eq!(opened.default_behavior().unwrap().name, "dance");
}

#[test]
fn a_xar_without_a_project_stands_for_itself() {
    // `plain` has no project, but its parents might: only one that lists the file counts.
    for path in ["plain", "plain/behavior.xar"] {
        let opened = open(&projects().join(path), &Limits::default()).unwrap();
        assert_eq!((opened.kind, opened.name.as_str(), opened.behaviors.len()), (OpenedKind::Behavior, "plain", 1));
        assert!(opened.behaviors[0].folder.ends_with("plain"));
    }
}

#[test]
fn an_installed_package_needs_no_project_file() {
    let opened = open(&projects().join("package"), &Limits::default()).unwrap();
    assert_eq!(
        (opened.kind, opened.uuid(), &*opened.behaviors[0].name),
        (OpenedKind::Package, Some("installed"), "greet")
    );
}

#[test]
fn localized_texts_are_found_by_box_and_parameter() {
    let project = open(&projects().join("two"), &Limits::default()).unwrap();
    let behavior = project.behavior("dance").unwrap();
    let file = behavior.read(&Limits::default()).unwrap();
    for language in ["de_DE", "German"] {
        let german = project.translations(language, &Limits::default()).unwrap().unwrap();
        assert_eq!((german.len(), german.language.as_str()), (1, "de_DE"), "obsolete and empty ones do not count");
        let say = paths::find(&file.project, &"root/Flow/Say".parse().unwrap()).unwrap();
        let text = |source| german.text(&behavior.relative, &file.project, &say.trail, "Text", source);
        assert_eq!((text("Hello"), text("Bye"), text("Later")), (Some("Hallo & guten Tag"), None, None));
        assert_eq!(german.text(&behavior.relative, &file.project, &[], "Text", "Hello"), None);
    }
    assert!(project.translations("fr_FR", &Limits::default()).unwrap().is_none());
}

#[test]
fn attached_files_are_relative_to_the_behavior() {
    let project = open(&projects().join("two"), &Limits::default()).unwrap();
    let hello = project.behavior("hello").unwrap();
    let attached = |path| project.attached(hello, path);
    assert_eq!(attached("/beep.wav").unwrap(), projects().join("two/greet/hello/beep.wav"));
    assert_eq!(attached("../../topic/topic.dlg").unwrap(), projects().join("two/topic/topic.dlg"));
    assert_eq!(attached("../../../plain/behavior.xar").unwrap_err().code(), codes::PATH_ESCAPES);
}

#[test]
fn what_cannot_be_opened_says_why() {
    let fail = |path: &Path| open(path, &Limits::default()).unwrap_err();
    let missing = fail(&projects().join("nowhere.xar"));
    assert_eq!(missing.code(), codes::UNREADABLE_FILE);
    assert!(missing.to_string().contains("nowhere.xar"), "{missing}");
    assert_eq!(fail(&projects().join("two/manifest.xml")).code(), codes::NOT_A_PROJECT);
    assert_eq!(fail(&projects().join("two/translations")).code(), codes::NOT_A_PROJECT);
}

#[test]
fn a_project_with_nothing_or_with_broken_parts() {
    let folder = scratch("broken-parts");
    let pml = folder.join("p.pml");
    let open_text = |text: &str| {
        std::fs::write(&pml, text).unwrap();
        open(&pml, &Limits::default())
    };
    let empty = open_text("<Package name='p' format_version='4'/>").unwrap();
    assert_eq!((empty.behaviors.len(), empty.findings[0].code), (0, codes::NO_BEHAVIOR));
    assert!(empty.default_behavior().is_none());
    assert_eq!(open_text("<package name='p'/>").unwrap_err().code(), codes::WRONG_ROOT);
    assert_eq!(open_text("version 1\noid sha256:abc\n").unwrap_err().code(), codes::NOT_XML);
    assert_eq!(open_text("<<<<<<< HEAD\n<Package/>").unwrap_err().code(), codes::NOT_XML);
    std::fs::write(folder.join("manifest.xml"), "<package>").unwrap();
    let opened = open_text(
        "<Package name='p' format_version='9'><BehaviorDescriptions><BehaviorDescription src='gone'/>\
         </BehaviorDescriptions><New/></Package>",
    );
    let opened = opened.unwrap();
    let found: Vec<_> = opened.findings.iter().map(|f| f.code).collect();
    let want = [codes::UNSUPPORTED_VERSION, codes::UNKNOWN_ELEMENT, codes::MISSING_FILE, codes::BAD_PROJECT_ENTRY];
    assert_eq!(found, want);
    assert_eq!(opened.behaviors[0].read(&Limits::default()).unwrap_err().code(), codes::UNREADABLE_FILE);
}

#[test]
fn no_path_leads_out_of_the_project() {
    let folder = scratch("escapes").join("project");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("../secret.xar"), "<ChoregrapheProject/>").unwrap();
    let pml = folder.join("p.pml");
    for (src, xar) in
        [("..", "secret.xar"), (".", "../secret.xar"), ("/etc", "passwd"), (".", "/etc/passwd"), ("a", "..\\..\\x")]
    {
        let text = format!(
            "<Package name='p' format_version='4'><BehaviorDescriptions><BehaviorDescription name='b' \
             src='{src}' xar='{xar}'/></BehaviorDescriptions></Package>"
        );
        std::fs::write(&pml, &text).unwrap();
        let error = open(&pml, &Limits::default()).unwrap_err();
        assert_eq!(error.code(), codes::PATH_ESCAPES, "{src} {xar}");
        assert!(error.sources().slice(error.span().unwrap()).contains(xar), "the error shows the entry");
    }
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_project() {
    let folder = scratch("links").join("project");
    std::fs::create_dir_all(folder.join("own")).unwrap();
    std::fs::write(folder.join("../secret.xar"), "x").unwrap();
    std::os::unix::fs::symlink("../secret.xar", folder.join("behavior.xar")).unwrap();
    std::os::unix::fs::symlink("..", folder.join("up")).unwrap();
    std::os::unix::fs::symlink("own", folder.join("same")).unwrap();
    for path in ["behavior.xar", "up/secret.xar", "up/not-there-yet"] {
        assert_eq!(inside(&folder, "", path), Err(Problem::Escapes(path.into())));
    }
    assert_eq!(inside(&folder, "", "same/x"), Ok(folder.join("same/x")));
}

#[test]
fn a_translation_file_may_name_its_document_type_and_no_more() {
    let read = |text: &str| read_translations("t.ts", text.as_bytes(), &Limits::default());
    assert!(read("<!DOCTYPE TS>\n<TS/>").unwrap().is_empty());
    assert_eq!(read("<!DOCTYPE TS [<!ENTITY a 'b'>]><TS/>").unwrap_err().code(), codes::DOCTYPE);
    assert_eq!(read("<!DOCTYPE TS SYSTEM 'file:///etc/passwd'><TS/>").unwrap_err().code(), codes::DOCTYPE);
    assert_eq!(read("<tmx/>").unwrap_err().code(), codes::WRONG_ROOT);
    let pml = read_pml("p.pml", b"<!DOCTYPE Package><Package/>", &Limits::default()).unwrap_err();
    assert_eq!(pml.code(), codes::DOCTYPE);
    assert_eq!(read_manifest("m.xml", b"<manifest/>", &Limits::default()).unwrap_err().code(), codes::WRONG_ROOT);
}
