//! How fast a large file is read: text, raw view, model, and every link resolved.
//!
//! `cargo bench -p boxstep-format`; a file given as `BOXSTEP_BENCH_FILE` is measured too.

use boxstep_format::model::BoxDef;
use boxstep_format::{Limits, read_xar, resolve};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::fmt::Write as _;
use std::hint::black_box;

/// Boxes inside boxes, five to a diagram, each with a script and, at the leaves, curves.
fn synthetic(out: &mut String, levels: usize) {
    let mut next = 1;
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<ChoregrapheProject xar_version=\"3\">\n");
    one_box(out, levels, &mut next);
    out.push_str("</ChoregrapheProject>\n");
}

fn one_box(out: &mut String, levels: usize, next: &mut i32) {
    let id = *next;
    *next += 1;
    let _ = write!(
        out,
        r#"<Box name="Box {id}" id="{id}" localization="8" tooltip="This box &lt;does&gt; something." x="{id}" y="68">
    <bitmap>media/images/box/box-diagram.png</bitmap>
    <script language="4">
        <content>
            <![CDATA[class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onInput_onStart(self):
        self.onStopped() # activate the output of the box
]]>
        </content>
    </script>
    <Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="Signal sent when diagram is loaded." id="1" />
    <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="Box behavior starts when a signal is received on this input." id="2" />
    <Input name="onStop" type="1" type_size="1" nature="3" inner="0" tooltip="Box behavior stops when a signal is received on this input." id="3" />
    <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="Signal sent when box behavior is finished." id="4" />
    <Parameter name="Speed (%)" inherits_from_parent="0" content_type="1" value="100" default_value="100" min="50" max="200" tooltip="" id="5" />
    <Resource name="Speech" type="Lock" timeout="1" />
"#
    );
    if levels > 0 {
        out.push_str("<Timeline enable=\"0\"><BehaviorLayer name=\"behavior_layer1\"><BehaviorKeyframe name=\"keyframe1\" index=\"1\"><Diagram>\n");
        let first = *next;
        let mut ids = Vec::new();
        for _ in 0..5 {
            ids.push(*next);
            one_box(out, levels - 1, next);
        }
        let _ =
            writeln!(out, "<Link inputowner=\"{first}\" indexofinput=\"2\" outputowner=\"0\" indexofoutput=\"2\" />");
        for pair in ids.windows(2) {
            let _ = writeln!(
                out,
                "<Link inputowner=\"{}\" indexofinput=\"2\" outputowner=\"{}\" indexofoutput=\"4\" />",
                pair[1], pair[0]
            );
        }
        out.push_str("</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>\n");
    } else {
        out.push_str("<Timeline enable=\"1\" fps=\"25\" start_frame=\"1\" end_frame=\"-1\" size=\"300\"><ActuatorList model=\"nao\">\n");
        for joint in ["HeadYaw", "HeadPitch", "LShoulderPitch"] {
            let _ = writeln!(
                out,
                "<ActuatorCurve name=\"value\" actuator=\"{joint}\" recordable=\"1\" mute=\"0\" unit=\"0\">"
            );
            for key in 1..12 {
                let _ = writeln!(out, "    <Key frame=\"{}\" value=\"{:.5}\" />", key * 10, f64::from(key) * -1.7);
            }
            out.push_str("</ActuatorCurve>\n");
        }
        out.push_str("</ActuatorList></Timeline>\n");
    }
    out.push_str("</Box>\n");
}

fn links(def: &BoxDef) -> usize {
    let keyframes = def.timeline.iter().flat_map(|t| &t.layers).flat_map(|l| &l.keyframes);
    keyframes
        .map(|k| {
            let here = resolve::resolve(def, &k.diagram).iter().filter(|r| r.is_ok()).count();
            here + k.diagram.boxes.iter().map(links).sum::<usize>()
        })
        .sum()
}

fn read(c: &mut Criterion) {
    let mut files = Vec::new();
    let mut text = String::new();
    synthetic(&mut text, 4);
    files.push(("boxes".to_owned(), text.into_bytes()));
    if let Some(path) = std::env::var_os("BOXSTEP_BENCH_FILE")
        && let Ok(bytes) = std::fs::read(&path)
    {
        files.push(("file".to_owned(), bytes));
    }
    let mut group = c.benchmark_group("read");
    for (name, bytes) in files {
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                let Ok(file) = read_xar("bench.xar", black_box(&bytes), &Limits::default()) else { return 0 };
                links(&file.project.root)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, read);
criterion_main!(benches);
