//! A dialog or topic as a behavior: a box with it, which starts with the behavior.

use quick_xml::escape::escape;

/// Returns the text of a `.xar` whose only box is the dialog of a file. `file` is relative to the behavior's folder.
pub(super) fn text(name: &str, file: &str) -> String {
    let port = |kind: &str, name: &str, nature: u8, inner: u8, id: u8| {
        format!(
            r#"<{kind} name="{name}" type="1" type_size="1" nature="{nature}" inner="{inner}" tooltip="" id="{id}"/>"#
        )
    };
    let ports = [
        port("Input", "onLoad", 0, 1, 1),
        port("Input", "onStart", 2, 0, 2),
        port("Input", "onStop", 3, 0, 3),
        port("Output", "onStopped", 1, 0, 4),
    ]
    .concat();
    let (name, file) = (escape(name), escape(file));
    format!(
        r#"<?xml version="1.0" encoding="UTF-8" ?>
<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">
<Box name="root" id="-1" localization="8" tooltip="" x="0" y="0">{ports}
<Timeline enable="0"><BehaviorLayer name="behavior_layer1"><BehaviorKeyframe name="keyframe1" index="1"><Diagram>
<Box name="{name}" id="1" localization="8" tooltip="" x="160" y="100"><dialogFile>{file}</dialogFile>{ports}</Box>
<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2"/>
<Link inputowner="0" indexofinput="4" outputowner="1" indexofoutput="4"/>
</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box>
</ChoregrapheProject>
"#
    )
}
