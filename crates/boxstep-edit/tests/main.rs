//! The integration tests of this crate, in one program.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod box_folders;
mod boxes;
mod drafts;
mod files;
mod open_file;
mod operations;
mod ports;
mod prefixes;
mod project;
mod replacing;
mod templates;
mod text_file;
mod time;

use boxstep_edit::{Document, Op};
use boxstep_types::BoxPath;

/// Two boxes in a flow diagram, and a link from the first to the second.
const TWO: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">
    <Box name="root" id="-1" localization="8" tooltip="" x="0" y="0">
        <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
        <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />
        <Timeline enable="0">
            <BehaviorLayer name="behavior_layer1">
                <BehaviorKeyframe name="keyframe1" index="1">
                    <Diagram scale="100">
                        <Box name="Say" id="1" localization="8" tooltip="" x="120" y="60">
                            <script language="4">
                                <content>
                                    <![CDATA[class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.said(self.getParameter("Text"))
        self.onStopped()]]>
</content>
                            </script>
                            <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
                            <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />
                            <Output name="said" type="3" type_size="1" nature="2" inner="0" tooltip="" id="5" />
                            <Parameter name="Text" inherits_from_parent="0" content_type="3" value="Hello" default_value="" custom_choice="0" tooltip="" id="6" />
                            <Parameter name="Speed" inherits_from_parent="0" content_type="1" value="100" default_value="100" min="50" max="200" tooltip="" id="7" />
                        </Box>
                        <Box name="Count" id="2" localization="8" tooltip="" x="330" y="60">
                            <Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1" />
                            <Input name="onNumber" type="2" type_size="1" nature="1" inner="0" tooltip="" id="2" />
                            <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="3" />
                            <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />
                        </Box>
                        <Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />
                        <Link inputowner="2" indexofinput="3" outputowner="1" indexofoutput="4" />
                    </Diagram>
                </BehaviorKeyframe>
            </BehaviorLayer>
        </Timeline>
    </Box>
</ChoregrapheProject>
"#;

fn document(text: &str) -> Document {
    Document::read("behavior.xar", text.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

fn path(text: &str) -> BoxPath {
    text.parse().unwrap()
}

fn op(json: &str) -> Op {
    serde_json::from_str(json).unwrap_or_else(|e| panic!("{e}: {json}"))
}
