//! Names, positions and numbers that no sound file contains, in every format.

use crate::common::{fixture, nao, well_formed};
use boxstep_draw::diff::Diff;
use boxstep_draw::plot::Plot;
use boxstep_draw::{Level, dot, json, mermaid, page, svg, tree};
use boxstep_format::XarFile;
use boxstep_format::model::BoxDef;
use proptest::prelude::*;

/// Returns every format of a behavior, and checks that each is well-formed.
fn all_forms(file: &XarFile) -> String {
    let level = Level::root(&file.project);
    let drawn = [svg(&level, nao()), page("a <b>", &file.project, &level, nao())];
    drawn.iter().for_each(|xml| well_formed(xml));
    assert!(!drawn[1].contains("<script"));
    let parsed: serde_json::Value = serde_json::from_str(&json("name", file)).unwrap();
    assert_eq!(parsed["schema"], 1);
    let text = [dot(&level), mermaid(&level), tree(&file.project)].concat();
    if let Ok(plot) = Plot::new(&file.project, &level, nao(), &[]) {
        well_formed(&plot.svg("<>"));
        well_formed(&plot.html("<>"));
        plot.text(10);
    }
    text
}

/// Puts values into all parts of a model.
fn poison(def: &mut BoxDef, names: &[String], numbers: &[f64], frames: &[i32], at: &mut usize) {
    let mut turn = *at;
    let mut next = || {
        turn += 1;
        (names[turn % names.len()].clone(), numbers[turn % numbers.len()], frames[turn % frames.len()])
    };
    def.name = next().0.into();
    def.tooltip = next().0;
    (def.x, def.y) = (next().1, next().1);
    for p in &mut def.inputs {
        p.name = next().0.into();
        p.memory_key = Some(next().0);
    }
    for p in &mut def.outputs {
        p.name = next().0.into();
    }
    for p in &mut def.parameters {
        (p.name, p.value) = (next().0.into(), next().0.into());
        (p.min, p.max) = (Some(next().1), Some(next().1));
    }
    for r in &mut def.resources {
        (r.name, r.timeout) = (next().0.into(), next().1);
    }
    if let Some(s) = &mut def.script {
        s.text = next().0.into();
    }
    *at += 40;
    let Some(t) = &mut def.timeline else { return };
    (t.fps, t.start_frame, t.end_frame) = (Some(next().2), Some(next().2), Some(next().2));
    for c in t.actuators.iter_mut().flat_map(|a| &mut a.curves) {
        for k in &mut c.keys {
            (k.frame, k.value) = (next().2, next().1);
        }
    }
    for l in &mut t.layers {
        l.name = next().0.into();
        for k in &mut l.keyframes {
            (k.name, k.index) = (next().0.into(), next().2);
            for b in &mut k.diagram.boxes {
                poison(b, names, numbers, frames, at);
            }
        }
    }
}

fn poisoned(name: &str, names: &[String], numbers: &[f64], frames: &[i32]) -> XarFile {
    let mut file = fixture(name);
    poison(&mut file.project.root, names, numbers, frames, &mut 0);
    file
}

const NUMBERS: [f64; 7] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 5e-324, 0.0];
const FRAMES: [i32; 6] = [i32::MIN, i32::MAX, 0, -1, 1, 1_000_000];

#[test]
fn markup_in_names_stays_text() {
    let names: Vec<String> = [
        "<script>alert(1)</script>",
        "\"><b onload='x'>",
        "]]>",
        "&amp;&#0;",
        "\u{0}\u{1b}[31m\u{202e}",
        "`${x}`|[{(",
        "",
        "\\",
    ]
    .map(str::to_owned)
    .into();
    for name in ["flow.xar", "dance.xar"] {
        let text = all_forms(&poisoned(name, &names, &NUMBERS, &FRAMES));
        assert!(!text.contains('\u{1b}'), "nothing moves the cursor of a terminal");
    }
}

#[test]
fn a_difference_of_hostile_files_is_text_too() {
    let names: Vec<String> = ["<script>", "\u{1b}[2J", "\n\n+ fake", "\u{0}"].map(str::to_owned).into();
    let (a, b) = (fixture("dance.xar"), poisoned("dance.xar", &names, &NUMBERS, &FRAMES));
    let diff = Diff::new(&a, &b);
    assert!(!diff.is_same());
    well_formed(&diff.html("<a>", "<b>", nao()));
    assert!(!diff.text("a", "b", false).contains('\u{1b}'));
    serde_json::from_str::<serde_json::Value>(&diff.json("a", "b")).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_names_and_numbers_are_drawn(
        names in prop::collection::vec(any::<String>(), 1..8),
        numbers in prop::collection::vec(any::<f64>(), 1..8),
        frames in prop::collection::vec(any::<i32>(), 1..8),
    ) {
        for name in ["flow.xar", "dance.xar"] {
            let file = poisoned(name, &names, &numbers, &frames);
            all_forms(&file);
            let diff = Diff::new(&fixture(name), &file).html("a", "b", nao());
            well_formed(&diff);
            prop_assert!(Diff::new(&file, &file).is_same() || numbers.iter().any(|n| n.is_nan()));
        }
    }
}
