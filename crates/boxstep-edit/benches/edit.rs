//! Speed of operations and of undo, beside reading the file anew.
//!
//! `cargo bench -p boxstep-edit`

use boxstep_edit::{Document, Op, OpenFile, Placed};
use boxstep_format::{Limits, read_xar};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// A file with so many boxes in one diagram, each linked with the next.
fn generated(boxes: usize) -> String {
    let each = |n: usize| {
        format!(
            r#"                        <Box name="Box {n}" id="{n}" localization="8" tooltip="" x="{}" y="{}">
                            <script language="4">
                                <content>
                                    <![CDATA[class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.onStopped()]]>
</content>
                            </script>
                            <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
                            <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />
                            <Parameter name="Text" inherits_from_parent="0" content_type="3" value="Hello" default_value="" custom_choice="0" tooltip="" id="6" />
                        </Box>
"#,
            n % 100 * 120,
            n / 100 * 80
        )
    };
    let link = |n: usize| {
        format!(
            "                        <Link inputowner=\"{}\" indexofinput=\"2\" outputowner=\"{n}\" indexofoutput=\"4\" />\n",
            n + 1
        )
    };
    let inside: String = (1..=boxes).map(each).chain((1..boxes).map(link)).collect();
    format!(
        r#"<ChoregrapheProject xar_version="3">
    <Box name="root" id="-1">
        <Timeline enable="0">
            <BehaviorLayer name="l">
                <BehaviorKeyframe name="k" index="1">
                    <Diagram scale="100">
{inside}                    </Diagram>
                </BehaviorKeyframe>
            </BehaviorLayer>
        </Timeline>
    </Box>
</ChoregrapheProject>
"#
    )
}

fn editing(c: &mut Criterion) {
    // As a test it runs once and small.
    let measures = std::env::args().any(|argument| argument == "--bench");
    let sizes: &[usize] = if measures { &[100, 1_000, 10_000] } else { &[10] };
    for boxes in sizes {
        let text = generated(*boxes);
        let mut group = c.benchmark_group(format!("{boxes} boxes, {} kB", text.len() / 1000));
        group.sample_size(20);
        group.bench_function("read anew", |b| {
            b.iter(|| {
                read_xar("bench.xar", black_box(text.as_bytes()), &Limits::default()).map(|file| file.text().len())
            });
        });
        let Ok(mut document) = Document::read("bench.xar", text.as_bytes()) else { continue };
        let moved = |number: usize| {
            let path = format!("root/Box {number}").parse().ok()?;
            Some([Op::Move { boxes: vec![Placed { r#box: path, x: 1.5, y: 2.5 }] }])
        };
        for (which, number) in [("an operation and its undo", 5), ("the same at the last box", *boxes)] {
            let Some(op) = moved(number) else { continue };
            group.bench_function(which, |b| {
                b.iter(|| (document.apply("move", None, &op).is_ok(), document.undo().is_some()));
            });
        }
        document.redo();
        group.bench_function("undo and redo", |b| {
            b.iter(|| (document.undo().is_some(), document.redo().is_some()));
        });
        let folder = std::env::temp_dir().join(format!("boxstep-bench-{}", std::process::id()));
        let file = folder.join("behavior.xar");
        let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, &text));
        if let (Ok(()), Ok(mut open), Some(op)) = (written, OpenFile::open(&file, "bench.xar"), moved(5)) {
            group.bench_function("an operation and its undo, with the draft", |b| {
                b.iter(|| (open.apply("move", None, &op).is_ok(), open.undo().is_some()));
            });
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
}

criterion_group!(benches, editing);
criterion_main!(benches);
