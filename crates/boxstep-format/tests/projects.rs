//! Opening of `.xar`, `.pml` and folders, with the small projects in `tests/projects`.

use boxstep_format::project::{Listed, OpenedKind, PartFault, inside, read_manifest, read_pml, read_translations};
use boxstep_format::{Limits, Problem, codes, open, open_named, paths};
use std::path::{Path, PathBuf};

fn projects() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects")
}

/// Creates an empty folder for one test.
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
    // `plain` has no project, but its parent folders might; only one that lists the file counts.
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
    let want = [codes::UNSUPPORTED_VERSION, codes::UNKNOWN_ELEMENT, codes::MISSING_FILE];
    assert_eq!(found, want);
    let error = opened.manifest_error.unwrap();
    assert_eq!((error.code(), opened.manifest.is_none()), (codes::NOT_XML, true));
    assert!(error.to_string().contains("manifest.xml:1:1"), "{error}");
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

#[cfg(unix)]
#[test]
fn the_neighbours_of_a_behavior_are_not_looked_for() {
    use std::os::unix::fs::symlink;
    let folder = scratch("neighbours");
    let xar = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"/></ChoregrapheProject>"#;
    for name in ["project/talk", "elsewhere"] {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        std::fs::write(folder.join(name).join("behavior.xar"), xar).unwrap();
    }
    let project = folder.join("project");
    symlink("loop", project.join("loop")).unwrap();
    symlink("../elsewhere", project.join("out")).unwrap();
    symlink("talk", project.join("other-name")).unwrap();
    let list = |names: &[&str]| {
        let entry = |name: &&str| format!("<BehaviorDescription name='b' src='{name}' xar='behavior.xar' />");
        let entries: String = names.iter().map(entry).collect();
        let text = format!(
            "<Package name='p' format_version='4'><BehaviorDescriptions>{entries}</BehaviorDescriptions></Package>"
        );
        std::fs::write(project.join("p.pml"), text).unwrap();
    };
    let opened = |path: &str| {
        let opened = open(&project.join(path), &Limits::default()).unwrap();
        assert!(opened.findings.is_empty(), "{:?}", opened.findings);
        (opened.kind, opened.behaviors.iter().map(|b| b.name.clone()).collect::<Vec<_>>().join(","))
    };
    // One link leads into itself, one leads out, and one leads to nothing.
    list(&["loop", "out", "gone", "talk"]);
    assert_eq!(opened("talk/behavior.xar"), (OpenedKind::Project, "talk".to_owned()));
    assert_eq!(open(&project.join("p.pml"), &Limits::default()).unwrap_err().code(), codes::PATH_ESCAPES);
    let named = open_named(&project, "talk", &Limits::default()).unwrap();
    assert_eq!((named.behaviors.len(), named.names.join(",")), (1, "loop,out,gone,talk".to_owned()));
    // If the name fits no behavior, all are searched.
    assert!(open_named(&project, "walk", &Limits::default()).is_err());
    // A behavior also belongs to the project on the link's path.
    list(&["other-name"]);
    assert_eq!(opened("other-name/behavior.xar"), (OpenedKind::Project, "other-name".to_owned()));
    assert_eq!(opened("other-name"), (OpenedKind::Project, "other-name".to_owned()));
    list(&["gone"]);
    assert_eq!(opened("talk/behavior.xar"), (OpenedKind::Behavior, "talk".to_owned()));
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

#[test]
fn a_project_of_dialogs_alone_is_a_project() {
    let folder = scratch("topics-only");
    let open_text = |group: &str| {
        let text = format!("<Package name='p' format_version='4'>{group}</Package>");
        std::fs::write(folder.join("p.pml"), text).unwrap();
        open(&folder, &Limits::default()).unwrap()
    };
    for group in [
        "<Dialogs><Dialog name='d' src='d.dlg'/></Dialogs>",
        "<Topics><Topic name='t' src='t.top' topicName='t' language='en_US'/></Topics>",
        "<Resources><File name='s' src='service.py'/></Resources>",
    ] {
        let opened = open_text(group);
        assert!(opened.behaviors.is_empty() && opened.findings.is_empty(), "{group}: {:?}", opened.findings);
    }
    let only_texts = open_text("<Translations><Translation name='t' src='t.ts' language='en_US'/></Translations>");
    assert_eq!(only_texts.findings[0].code, codes::NO_BEHAVIOR);
}

#[test]
fn a_manifest_that_is_named_has_to_be_there() {
    let folder = scratch("no-manifest");
    let pml = "<Package name='p' format_version='4'><Manifest src='manifest.xml'/><Dialogs><Dialog name='d' \
               src='d.dlg'/></Dialogs></Package>";
    std::fs::write(folder.join("p.pml"), pml).unwrap();
    let opened = open(&folder, &Limits::default()).unwrap();
    assert_eq!(opened.findings.iter().map(|f| f.code).collect::<Vec<_>>(), [codes::MISSING_MANIFEST]);
    let span = opened.findings[0].span.unwrap();
    assert_eq!(opened.pml.as_ref().unwrap().sources.slice(span), "<Manifest src='manifest.xml'/>");
    std::fs::write(folder.join("manifest.xml"), "<package uuid='p'/>").unwrap();
    assert!(open(&folder, &Limits::default()).unwrap().findings.is_empty());
    std::fs::write(folder.join("p.pml"), pml.replace("manifest.xml", "../manifest.xml")).unwrap();
    let error = open(&folder, &Limits::default()).unwrap_err();
    assert_eq!((error.code(), error.span().is_some()), (codes::PATH_ESCAPES, true));
}

#[test]
fn dialogs_topics_translations_and_files_are_listed_with_what_is_in_them() {
    let folder = scratch("contents");
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let pml = "<Package name='p' format_version='4'><Dialogs><Dialog name='d' src='d/d.dlg'/></Dialogs><Resources>\
        <File name='f' src='gone.wav'/><File name='o' src='../o'/><File name='w' src='w.pmt'/></Resources><Topics>\
        <Topic name='t' src='d/t.top' topicName='d' language='en_US'/></Topics><Translations><Translation name='t' \
        src='de.ts' language='de_DE'/><Translation name='u' src='fr.ts' language='fr_FR'/></Translations></Package>";
    put("p.pml", pml);
    put("d/d.dlg", "multilanguage:d\n enu:t.top\n");
    put("d/t.top", "topic: ~d()\nlanguage: enu\n");
    put("w.pmt", "[[\"Line\", [1.0, 0.0]], 2.0]");
    put("de.ts", "<TS language='de_DE'/>");
    put("fr.ts", "<TS>");
    put(
        "manifest.xml",
        "<package><contents><dialogContent topicName='d'><topic language='en_US' path='d/t.top'/>\
        <topic language='fr_FR' path='d/u.top'/></dialogContent></contents></package>",
    );
    let contents = open(&folder, &Limits::default()).unwrap().contents(&Limits::default());
    let dialog = contents.dialogs[0].content.as_ref().unwrap();
    assert_eq!((&*dialog.topics[0].language.text, &*dialog.topics[0].path.text), ("enu", "t.top"));
    let topics: Vec<_> = contents.topics.iter().map(|t| (&*t.path, &*t.language, t.content.is_ok())).collect();
    assert_eq!(topics, [("d/t.top", "en_US", true), ("d/u.top", "fr_FR", false)], "each once");
    assert!(matches!(contents.topics[1].listed, Listed::Manifest(_)));
    assert_eq!(contents.trajectories[0].content.as_ref().unwrap(), &Some(1));
    assert!(matches!(contents.files[0].content, Err(PartFault::Missing)));
    assert!(matches!(contents.files[1].content, Err(PartFault::Outside)));
    assert_eq!(contents.translations[0].content.as_ref().unwrap().language, "de_DE");
    match &contents.translations[1].content {
        Err(PartFault::Unreadable(e)) => assert!(e.to_string().contains("fr.ts:1:1"), "{e}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn translations_are_found_without_a_project_file() {
    let folder = scratch("unlisted-translations");
    std::fs::create_dir_all(folder.join("translations")).unwrap();
    std::fs::copy(projects().join("two/dance/behavior.xar"), folder.join("behavior.xar")).unwrap();
    let text = std::fs::read_to_string(projects().join("two/translations/translation_de_DE.ts")).unwrap();
    std::fs::write(folder.join("translations/texts.ts"), &text).unwrap();
    std::fs::write(folder.join("translations/translation_fr_FR.ts"), text.replace("de_DE", "")).unwrap();
    let opened = open(&folder, &Limits::default()).unwrap();
    let german = opened.translations("German", &Limits::default()).unwrap().unwrap();
    let file = opened.behaviors[0].read(&Limits::default()).unwrap();
    let say = paths::find(&file.project, &"root/Flow/Say".parse().unwrap()).unwrap();
    // The contexts are those of `dance/behavior.xar`, because the behavior was moved.
    let moved = german.text(&opened.behaviors[0].relative, &file.project, &say.trail, "Text", "Hello");
    assert_eq!(moved, Some("Hallo & guten Tag"));
    assert!(opened.translations("fr_FR", &Limits::default()).unwrap().is_some(), "by its name");
    assert!(opened.translations("Spanish", &Limits::default()).unwrap().is_none());
}

#[test]
fn two_behaviors_that_translate_a_text_differently_leave_a_moved_one_its_own() {
    let context = |xar: &str, text: &str| {
        format!(
            "<context><name>{xar}:/words/start/Flow/Say</name><message><source>Hello</source><comment>Text\
                 </comment><translation>{text}</translation></message></context>"
        )
    };
    let file = projects().join("two/dance/behavior.xar");
    let file = open(&file, &Limits::default()).unwrap().behaviors[0].read(&Limits::default()).unwrap();
    let say = paths::find(&file.project, &"root/Flow/Say".parse().unwrap()).unwrap();
    let text = |translations: &str, xar: &str| {
        let ts = format!("<TS language='de_DE'>{translations}</TS>");
        let read = read_translations("t.ts", ts.as_bytes(), &Limits::default()).unwrap();
        read.text(xar, &file.project, &say.trail, "Text", "Hello").map(str::to_owned)
    };
    let (a, b) = (context("a.xar", "Hallo"), context("b.xar", "Servus"));
    assert_eq!(text(&format!("{a}{b}"), "b.xar").as_deref(), Some("Servus"));
    assert_eq!(text(&format!("{a}{b}"), "c.xar"), None);
    assert_eq!(text(&format!("{a}{}", context("b.xar", "Hallo")), "c.xar").as_deref(), Some("Hallo"));
    let other = context("c.xar", "Moin").replace("/Say<", "/Shout<");
    assert_eq!(text(&format!("{a}{other}"), "c.xar"), None, "a file that knows the behavior means this box has none");
}

#[test]
fn a_program_is_a_behavior_whose_only_script_is_the_file() {
    let path = scratch("program").join("Guten Tag.py");
    let text = "print 'hello'\r\n# <&> ]]>\n";
    std::fs::write(&path, text).unwrap();
    let opened = open(&path, &Limits::default()).unwrap();
    assert_eq!((opened.kind, opened.name.as_str()), (OpenedKind::Behavior, "Guten Tag"));
    let file = opened.behaviors[0].read(&Limits::default()).unwrap();
    let scripts: Vec<_> =
        paths::boxes(&file.project).filter_map(|at| Some((at.path, at.def.script.as_ref()?))).collect();
    let [(at, script)] = scripts.as_slice() else { panic!("{} scripts", scripts.len()) };
    assert_eq!((at.to_string().as_str(), &*script.text, script.is_program), ("root/Guten Tag", text, true));
    assert_eq!(file.sources.slice(script.text_span), text);
    let small = Limits { bytes: 10, ..Limits::default() };
    let error = opened.behaviors[0].read(&small).unwrap_err();
    assert!(error.to_string().contains("Guten Tag.py"), "{error}");
}
