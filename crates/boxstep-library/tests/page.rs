//! `docs/reference/library.md`, which is made of the files of the library.

use crate::read;
use boxstep_format::model::{BoxDef, InputNature, OutputNature, Parameter, ParameterType, PortType, ResourceMode};
use boxstep_library::{LibraryBox, boxes};
use std::fmt::Write as _;
use std::path::Path;

/// How each icon begins.
pub(crate) const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-1 -8 16 16\" width=\"16\" height=\"16\" \
    fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.3\" stroke-linecap=\"round\" stroke-linejoin=\"round\">";

const HEAD: &str = "# The library of boxes

Boxstep's own boxes, for behaviors that you make. Each is a file of the folder `library`: a `.xar` with one box, whose script you may change. All run on NAO and Pepper,
as far as the robot has what they need, and on the simulated robot;
scripts are Python 3 and run in a robot's Python 2.7, too.

- **Bold** inputs start or stop the box; **bold** outputs tell that it has ended. A box that is stopped ends what it does: a sentence, a motion, a recording.
- The type of a port stands behind its name: a number, a text, or any value; without one it is a signal without a value.
- The value of a parameter is the one that it has at first; behind it stand its limits or its choices.
- *Takes* is the resource of the robot that the box has while it runs; another box that needs it waits for a second, and then ends without a start.
";

/// `BOXSTEP_BLESS=1` writes the page.
#[test]
fn the_page_of_boxes_is_the_library() {
    let page = page();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/library.md");
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == page, "docs/reference/library.md is not the library: write it anew with BOXSTEP_BLESS=1");
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut group = "";
    for one in boxes() {
        if one.group != group {
            group = one.group;
            write!(page, "\n## {group}\n").unwrap();
        }
        one_box(&mut page, one);
    }
    page.push_str("\nNext: [What box scripts can use](python.md), [Services and their signatures](services.md), [Test behaviors](../guides/test.md)\n");
    page
}

fn one_box(page: &mut String, one: &LibraryBox) {
    let def = read(one);
    write!(page, "\n### {}\n\n{}\n\n| | | |\n|---|---|---|\n", one.name, one.about).unwrap();
    for input in def.inputs.iter().filter(|input| input.nature != InputNature::OnLoad) {
        let acts = matches!(input.nature, InputNature::OnStart | InputNature::OnStop);
        row(page, "input", &port(&input.name, input.port_type, acts), &input.tooltip);
    }
    for output in &def.outputs {
        let ends = output.nature == OutputNature::OnStopped;
        row(page, "output", &port(&output.name, output.port_type, ends), &output.tooltip);
    }
    for parameter in &def.parameters {
        row(page, "parameter", &value(parameter), &parameter.tooltip);
    }
    let taken = taken(&def);
    if !taken.is_empty() {
        writeln!(page, "\nTakes: {taken}.").unwrap();
    }
}

fn row(page: &mut String, kind: &str, what: &str, about: &str) {
    writeln!(page, "| {kind} | {what} | {} |", about.replace('|', "\\|")).unwrap();
}

fn port(name: &str, port_type: PortType, bold: bool) -> String {
    let name = if bold { format!("**`{name}`**") } else { format!("`{name}`") };
    match port_type {
        PortType::Bang => name,
        PortType::Number => format!("{name} number"),
        PortType::String => format!("{name} text"),
        PortType::Dynamic => format!("{name} any"),
        other => panic!("no box of the library has ports of the type {other:?}"),
    }
}

fn value(parameter: &Parameter) -> String {
    let shown = match parameter.content_type {
        ParameterType::Bool => if &*parameter.value == "1" { "yes" } else { "no" }.to_owned(),
        ParameterType::File => "a file".to_owned(),
        _ => format!("`{}`", parameter.value),
    };
    let mut text = format!("`{}`: {shown}", parameter.name);
    if let (Some(min), Some(max)) = (parameter.min, parameter.max) {
        write!(text, " ({min} … {max})").unwrap();
    }
    if !parameter.choices.is_empty() {
        let choices: Vec<String> = parameter.choices.iter().map(|choice| format!("`{choice}`")).collect();
        let other = if parameter.custom_choice { " or another" } else { "" };
        write!(text, " ({}{other})", choices.join(" ")).unwrap();
    }
    text
}

fn taken(def: &BoxDef) -> String {
    let names: Vec<&str> = def
        .resources
        .iter()
        .inspect(|resource| assert_eq!(resource.mode, Some(ResourceMode::Lock), "{}", def.name))
        .map(|resource| &*resource.name)
        .collect();
    names.join(", ")
}
