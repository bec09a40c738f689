//! The page of a difference: both drawings, with marks on the changes.

use crate::common::{nao, read, well_formed};
use boxstep_draw::diff::Diff;

const FLOW: &str = include_str!("behaviors/flow.xar");
const DANCE: &str = include_str!("behaviors/dance.xar");

/// Returns the drawings before and after an edit.
#[track_caller]
fn drawings(text: &str, from: &str, to: &str) -> (String, String) {
    assert!(text.contains(from), "{from}");
    let (a, b) = (read(text), read(&text.replacen(from, to, 1)));
    let page = Diff::new(&a, &b).html("a", "b", nao());
    well_formed(&page);
    for target in page.split("href=\"#").skip(1).map(|r| r.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
    let pair = page.split("class=\"pair\"").last().unwrap();
    let (before, after) = pair.split_once("<h4>after</h4>").unwrap();
    (before.to_owned(), after.split("</section>").next().unwrap().to_owned())
}

#[test]
fn changes_of_a_timeline_are_marked_in_its_drawing() {
    // A changed key has a marked dot, and the old curve is drawn below the new one.
    let key = DANCE.split("<Key ").nth(1).unwrap().split("value=\"").nth(1).unwrap().split('"').next().unwrap();
    let (before, after) = drawings(DANCE, &format!("value=\"{key}\""), "value=\"33.25\"");
    // A mark applies to the element itself, not to everything inside it.
    let css = boxstep_draw::legend();
    assert!(css.contains(".bx .changed>.label{") && !css.contains(".changed .label"));
    assert!(before.contains("class=\"dot changed\"") && !before.contains("spark was"));
    assert!(after.contains("class=\"dot changed\"") && after.contains("class=\"spark was\""));
    // Now a curve, a layer and a keyframe.
    let (before, after) = drawings(DANCE, "actuator=\"HeadYaw\"", "actuator=\"HeadPitch\"");
    assert!(before.contains("<g class=\"removed\">") && after.contains("<g class=\"added\">"));
    let (_, after) = drawings(DANCE, "name=\"words\"", "name=\"texts\"");
    assert!(after.contains("<g class=\"mute changed\">"), "a layer that is muted, too");
    let (before, after) = drawings(DANCE, "index=\"40\"", "index=\"45\"");
    assert!(
        before.contains("<g class=\"changed\"><title>keyframe later")
            && after.contains("<g class=\"changed\"><title>keyframe later")
    );
}

#[test]
fn ports_of_the_containing_box_are_marked_inside_it() {
    let port = r#"<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#;
    let more = format!(
        "{port}<Output name=\"failed\" type=\"1\" type_size=\"1\" nature=\"2\" inner=\"0\" tooltip=\"\" id=\"99\"/>"
    );
    let (before, after) = drawings(FLOW, port, &more);
    assert!(after.contains("class=\"slot unlinked added\"") && !before.contains("added"));
}

#[test]
fn both_drawings_have_one_origin_and_one_scale() {
    // The left box moves farther left, and the right one stays in place.
    let (before, after) = drawings(FLOW, r#"x="60" y="40""#, r#"x="-40" y="10""#);
    let place = |drawing: &str| {
        let node = drawing.split("<title>Answer (").nth(1).unwrap();
        let rect = node.split("<rect class=\"box\" ").nth(1).unwrap();
        rect.split("width").next().unwrap().to_owned()
    };
    assert_eq!(place(&before), place(&after));
    let width = |drawing: &str| drawing.split(" width=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(width(&before), width(&after));
}

#[test]
fn a_page_of_several_boxes_has_a_list_of_them() {
    let new = FLOW.replace("value=\"2.5\"", "value=\"3\"").replace("value=\"50\"", "value=\"60\"");
    let (a, b) = (read(FLOW), read(&new));
    let page = Diff::new(&a, &b).html("a", "b", nao());
    let list = page.split("<nav").nth(1).unwrap().split("</nav>").next().unwrap();
    assert!(list.contains(">root/Answer</a>") && list.contains("href=\"#b1\""), "{list}");
}
