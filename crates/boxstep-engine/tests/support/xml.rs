//! Behaviors as XML in few words.

/// A project around a root box's content.
pub fn project(root: &str) -> String {
    format!(
        r#"<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">{root}</ChoregrapheProject>"#
    )
}

/// A box with the standard ports: onLoad 1, onStart 2, onStop 3, onStopped 4, then `extra`. Each box's
/// script is its own name, so that no two boxes share a class.
pub fn boxed(name: &str, id: i32, extra: &str, inside: &str) -> String {
    format!(
        r#"<Box name="{name}" id="{id}" localization="8" tooltip="" x="0" y="0"><script language="4"><content><![CDATA[{name}]]></content></script>
<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1"/>
<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
<Input name="onStop" type="1" type_size="1" nature="3" inner="0" tooltip="" id="3"/>
<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>{extra}{inside}</Box>"#
    )
}

/// The inside of a flow diagram box.
pub fn flow(content: &str) -> String {
    format!(
        r#"<Timeline enable="0"><BehaviorLayer name="behavior_layer1"><BehaviorKeyframe name="keyframe1" index="1"><Diagram>{content}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
    )
}

/// A link from a box's port to a box's port.
pub fn link(from: i32, output: i32, to: i32, input: i32) -> String {
    format!(r#"<Link inputowner="{to}" indexofinput="{input}" outputowner="{from}" indexofoutput="{output}"/>"#)
}

/// A root flow diagram.
pub fn root(content: &str) -> String {
    project(&boxed("root", -1, "", &flow(content)))
}
