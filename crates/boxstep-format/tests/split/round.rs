//! Nothing is lost on the way from a `.xar` to a folder and back.

use super::canonical::{boxes, canonical, placeless};
use super::{files, findings, read, repository, shared, text, write, xar};
use std::path::Path;

/// Converts a file to a folder and back; returns a description of any difference.
pub(crate) fn trip(bytes: &[u8]) -> Option<String> {
    let file = xar(bytes)?;
    let folder = write(&file);
    let back = read(&folder);
    let (before, after) = (canonical(&file), canonical(&back));
    if let Some((a, b)) = before.iter().zip(&after).find(|(a, b)| a != b) {
        return Some(format!("{a}\nbecame\n{b}"));
    }
    if before.len() != after.len() {
        return Some(format!("{} nodes became {}", before.len(), after.len()));
    }
    let (before, after) = (placeless(&file.project), placeless(&back.project));
    if let Some((a, b)) = before.lines().zip(after.lines()).find(|(a, b)| a != b) {
        return Some(format!("in the model {a}\nbecame\n{b}"));
    }
    for def in boxes(&back.project.root) {
        let name = back.sources.name(def.span.file);
        if let Some(script) = def.script.as_ref().filter(|s| !s.text.is_empty()) {
            let place = back.sources.name(script.text_span.file);
            if place != name.replace(".xml", ".py") || back.sources.slice(script.text_span) != &*script.text {
                return Some(format!("the script of {name} is said to stand in {place}"));
            }
            // A byte order mark of the script follows that of the file.
            let mark = if script.text.starts_with('\u{FEFF}') { "\u{FEFF}" } else { "" };
            let bytes = &folder[place.strip_prefix("folder/").unwrap()];
            if *bytes != format!("{mark}{}", script.text).into_bytes() {
                return Some(format!("{place} is not its script"));
            }
        }
        if !back.sources.slice(def.span).starts_with('<') {
            return Some(format!("the box of {name} has no place"));
        }
    }
    let more: Vec<String> =
        findings(&back).into_iter().filter(|f| f.starts_with("split") || f.starts_with("stale")).collect();
    if !more.is_empty() {
        return Some(format!("{more:?}"));
    }
    let again = write(&back);
    (again != folder).then(|| "a folder that was read writes another".into())
}

/// Checks all files of a folder, and returns the number of readable ones.
fn all(folder: &Path) -> usize {
    let mut read = 0;
    for path in files(folder, "xar") {
        let bytes = std::fs::read(&path).unwrap();
        read += usize::from(xar(&bytes).is_some());
        if let Some(wrong) = trip(&bytes) {
            panic!("{}: {wrong}", path.display());
        }
    }
    read
}

#[test]
fn every_example_comes_back() {
    assert!(all(&repository().join("examples")) >= 7);
}

#[test]
fn every_fixture_that_can_be_read_comes_back() {
    assert!(all(&repository().join("crates")) > 60);
}

#[test]
fn every_real_file_and_golden_case_at_hand_comes_back() {
    for folder in [shared("BOXSTEP_CORPUS", "corpus"), shared("BOXSTEP_GOLDEN", "golden/qicore")].into_iter().flatten()
    {
        let read = all(&folder);
        println!("{}: {read} files", folder.display());
        assert!(read > 0);
    }
}

fn comes_back(inside: &str) {
    let xar = format!("<ChoregrapheProject xar_version=\"3\">{inside}</ChoregrapheProject>");
    assert_eq!(trip(xar.as_bytes()), None, "{xar}");
}

#[test]
fn scripts_come_back_whatever_is_in_them() {
    for script in ["", " ", "\n", "a]]>b", "]]>", "]]>]]>", "\u{FEFF}x", "\t\r\nx\r\n", "é日本\u{1F600}", "<&>\"'"] {
        let cdata = script.replace("]]>", "]]]]><![CDATA[>");
        comes_back(&format!(
            "<Box name='r' id='-1'><script language='4'><content><![CDATA[{cdata}]]></content></script></Box>"
        ));
    }
}

#[test]
fn what_stands_around_a_script_comes_back() {
    for script in [
        "<script language='4'/>",
        "<script language='4'><content/></script>",
        "<script/>",
        "<script language='5'><content>u: (hi) ho &lt;3</content></script>",
        "<script language='4' x='y'><!-- c --><content a='b'>stray<!--1--><![CDATA[x]]><!--2--><![CDATA[y]]> more</content><other/></script>",
        "<script language='4'><content><!-- only --></content></script>",
        "<script language='4'><content>a<!-- in -->b</content></script>",
        "<script language='4'><content><b/></content><content>second</content></script><script><content>z</content></script>",
    ] {
        comes_back(&format!("<Box name='r' id='-1'>{script}</Box>"));
    }
}

fn diagram(inside: &str) -> String {
    format!(
        "<Box name='r' id='-1'><Input name='onStart' type='1' type_size='1' nature='2' inner='0' tooltip='' id='2'/><Timeline enable='0'><BehaviorLayer name='l'><BehaviorKeyframe name='k' index='1'>{inside}</BehaviorKeyframe></BehaviorLayer></Timeline></Box>"
    )
}

#[test]
fn comments_and_unknown_things_keep_their_places() {
    comes_back(&diagram(
        "<!--0--><Diagram scale='3' State='mine' _State='x' y='z'><!--1--><Link inputowner='1' indexofinput='2' outputowner='0' indexofoutput='2'/><!--2--><Box name='a' id='1' content='c' _content='d' bitmap='e'><Input name='i' type='1' nature='2' id='2' more='&#10;'/><!--3--></Box><Object Name='o'/><Interval/><_Link/><Other><!--4--><Box/>text</Other><!--5--></Diagram><Diagram/>",
    ));
    comes_back(
        "<!-- before --><Box name='r' id='-1'><Timeline enable='1' fps='3'><Flag/><!--a--><ActuatorCurve/><watches/><StateMachine/></Timeline><Timeline><x/></Timeline><pluginContent> <Box/> </pluginContent></Box><Resource name='x' type='Lock' timeout='1'/><Box name='second' id='2'/>",
    );
    comes_back(
        "<Box name='r' id='-1'><Timeline enable='1'><!--x--><BehaviorLayer name='empty'/><BehaviorLayer name='m' mute='1'><BehaviorKeyframe name='k' index='2'><Diagram><Box name='q' id='1'/></Diagram></BehaviorKeyframe><BehaviorKeyframe name='bare' index='3'/></BehaviorLayer></Timeline></Box>",
    );
}

#[test]
fn links_come_back_though_names_cannot_tell_them() {
    let ports = "<Input name='p' id='1' type='0' nature='1'/><Input name='p' id='2' type='0' nature='1'/><Parameter name='p' id='3' content_type='3' value=''/><Parameter name='q' id='4' content_type='3' value=''/><Output name='' id='5' type='0' nature='2'/>";
    let boxes = format!(
        "<Box name='a' id='1'>{ports}</Box><Box name='b' id='1'>{ports}</Box><Box name='c' id='x'>{ports}</Box>"
    );
    let mut links = String::new();
    for (to, input, from, output) in [
        ("1", "1", "0", "2"),
        ("1", "2", "0", "2"),
        ("1", "3", "1", "5"),
        ("1", "4", "1", "5"),
        ("7", "1", "0", "2"),
        ("1", "99", "0", "2"),
        ("0", "2", "1", "1"),
        ("x", "1", "0", "2"),
        ("01", " 1", "0", "2"),
        ("1", "4", "0", "2"),
    ] {
        links +=
            &format!("<Link inputowner='{to}' indexofinput='{input}' outputowner='{from}' indexofoutput='{output}'/>");
    }
    links += "<Link inputowner='1' indexofinput='4' outputowner='0' indexofoutput='2' more='x'/><Link/><Link inputowner='1' indexofinput='4' outputower='0' indexofoutput='2'><!--in--></Link>";
    comes_back(&diagram(&format!("<Diagram>{boxes}{links}</Diagram>")));
}

#[test]
fn a_prefix_of_the_roots_namespace_comes_back() {
    let xar = "<c:ChoregrapheProject xmlns:c='http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd' xar_version='3'><c:Box name='r' id='-1'><c:script language='4'><c:content>x</c:content></c:script><c:Input name='i' type='1' nature='2' id='2'/><c:Timeline enable='0'><c:BehaviorLayer name='l'><c:BehaviorKeyframe name='k' index='1'><c:Diagram><c:Box name='a' id='1'><c:Input name='i' type='1' nature='2' id='2'/></c:Box><c:Link inputowner='1' indexofinput='2' outputowner='0' indexofoutput='2'/><c:Link inputowner='1' indexofinput='9' outputowner='0' indexofoutput='2'/></c:Diagram></c:BehaviorKeyframe></c:BehaviorLayer></c:Timeline></c:Box></c:ChoregrapheProject>";
    assert_eq!(trip(xar.as_bytes()), None);
}

#[test]
fn diagrams_of_layers_come_back_from_the_states_that_hold_them() {
    let key = |name: &str, index: i32| {
        format!(
            "<BehaviorKeyframe name='{name}' index='{index}' bitmap='b'><Diagram scale='{index}'><Box name='{name}' id='1'/><!--{name}--></Diagram></BehaviorKeyframe>"
        )
    };
    let layers = format!(
        "<BehaviorLayer name='A'>{}{}{}</BehaviorLayer><BehaviorLayer name='B' mute='1'>{}</BehaviorLayer><BehaviorLayer name='C'>{}{}</BehaviorLayer>",
        key("late", 20),
        key("one", 5),
        key("two", 5),
        key("muted", 1),
        key("one", 1),
        key("x;y \"&", 20)
    );
    let xar = format!(
        "<ChoregrapheProject xar_version='3'><Box name='r' id='-1'><Timeline enable='1' fps='10'>{layers}</Timeline></Box></ChoregrapheProject>"
    );
    let xar = xar.replace("name='x;y \"&'", "name='x;y &quot;&amp;'").replace("<!--x;y \"&-->", "<!--x-->");
    assert_eq!(trip(xar.as_bytes()), None, "{xar}");
    let folder = write(&super::xar(xar.as_bytes()).unwrap());
    let names: Vec<&str> = folder.keys().map(String::as_str).filter(|n| n.starts_with("l0_root_")).collect();
    let expected = [
        "l0_root_project.xml",
        "l0_root_state_0.xml",
        "l0_root_state_1.xml",
        "l0_root_state_2.xml",
        "l0_root_state_machine.xml",
        "l0_root_timeline.xml",
        "l0_root_unplayed_0.xml",
        "l0_root_unplayed_1.xml",
    ];
    assert_eq!(names, expected);
    assert!(text(&folder, "l0_root_state_2.xml").contains("<Label Name=\"x;y &quot;&amp;\" />"));
}

#[test]
fn a_state_machine_comes_back_also_where_its_keyframe_has_no_diagram() {
    for diagram in
        ["", "<Diagram/>", "<Diagram scale='2'><!--c--><Box name='a' id='1'/><Box name='b' id='1'/></Diagram>"]
    {
        comes_back(&format!(
            "<Box name='r' id='-1'><Timeline enable='1'><BehaviorLayer name='mine'><BehaviorKeyframe name='own' index='7'>{diagram}</BehaviorKeyframe></BehaviorLayer><StateMachine><State Name='one'><Label Name='x'/></State><State Name='two' begin='3' end='9'/><InitialState Name='two'/><FinalState Name='one'/><Transition From='two' To='one'/></StateMachine></Timeline></Box>"
        ));
    }
}
