//! The legend of shapes and colors.

use super::diagram;
use crate::scene::Form;
use crate::style;
use crate::xml::Xml;

const FORMS: &[(Form, &str)] = &[
    (Form::Start, "starts the box"),
    (Form::Stop, "stops the box"),
    (Form::Event, "event"),
    (Form::Load, "stimulated on load"),
    (Form::Memory, "robot memory event"),
    (Form::Parameter, "link to a parameter"),
    (Form::Stopped, "the box has ended"),
    (Form::Punctual, "output, once"),
    (Form::Recurrent, "output, again and again"),
    (Form::Undefined, "output, not said when"),
];

const TYPES: &[(&str, &str)] = &[
    ("t-bang", "bang: no value"),
    ("t-dynamic", "dynamic: any value"),
    ("t-number", "number"),
    ("t-string", "string"),
    ("t-bitmap", "bitmap"),
    ("t-sound", "sound"),
];

/// Returns the legend of all drawings as an SVG file.
pub fn legend() -> String {
    let mut xml = Xml::new();
    let tag = xml.tag("svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("class", "bx").attr("role", "img");
    tag.num("width", WIDTH + 24.0).num("height", HEIGHT + 24.0).open();
    xml.leaf("title", "Legend: forms and colours of ports");
    xml.tag("style").open();
    xml.raw(&style::drawing());
    xml.close();
    xml.tag("rect").attr("class", "page").num("width", WIDTH + 24.0).num("height", HEIGHT + 24.0).empty();
    xml.tag("g").attr("transform", "translate(12 12)").open();
    rows(&mut xml);
    xml.finish() + "\n"
}

/// Returns the legend for a page that has the style sheet.
pub(crate) fn inline() -> String {
    let mut xml = Xml::new();
    let tag = xml.tag("svg").attr("class", "bx").attr("role", "img").attr("aria-label", "Legend");
    tag.num("width", WIDTH).num("height", HEIGHT).open();
    rows(&mut xml);
    xml.finish()
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 112.0;

fn rows(xml: &mut Xml) {
    let word = |xml: &mut Xml, x: f64, y: f64, text: &str| {
        xml.tag("text").attr("class", "label").num("x", x).num("y", y + 3.6).text(text);
    };
    for (i, (form, text)) in FORMS.iter().enumerate() {
        let (x, y) = (10.0 + (i / 5) as f64 * 190.0, 10.0 + (i % 5) as f64 * 22.0);
        let class = if *form == Form::Parameter { "t-parameter" } else { "t-bang" };
        diagram::shape(xml, *form, class, x, y);
        word(xml, x + 14.0, y, text);
    }
    for (i, (class, text)) in TYPES.iter().enumerate() {
        let y = 10.0 + i as f64 * 18.0;
        let link = format!("link {class}");
        xml.tag("path").attr("class", &link).attr("d", &format!("M390 {y}h26")).empty();
        diagram::shape(xml, Form::Event, class, 420.0, y);
        word(xml, 434.0, y, text);
    }
}
