//! Drawings of behaviors as SVG.

mod diagram;
mod icons;
mod legend;
mod timeline;

pub(crate) use legend::inline as legend_inline;
pub use legend::legend;
pub(crate) use timeline::nice;

use crate::curves::JointLine;
use crate::layout::Overlaps;
use crate::level::{Anchors, Level, has_inside};
use crate::plot::Group;
use crate::scene::{Marks, Scene};
use crate::style;
use crate::text;
use crate::xml::{Xml, number};
use boxstep_bodies::Body;
use boxstep_dynamics::FrameBudget;
use boxstep_format::model::{Project, Timeline};
use boxstep_types::BoxPath;
use timeline::Panel;

/// Margin around a drawing, and gap between its parts.
const PAD: f64 = 16.0;
const GAP: f64 = 18.0;
/// Height of the line above a drawing, and of that above a keyframe's diagram.
const CAPTION: f64 = 28.0;
const SUB: f64 = 20.0;

/// Draws the contents of a box as an SVG file: its timeline, then the diagram of each keyframe. A box without contents
/// is drawn as its parent's diagram shows it. `body` provides the joint limits.
///
/// The file needs no other files, is readable in light and dark mode, and describes in words what it shows (`title`,
/// `desc`, and a `title` on each box, port and link).
pub fn svg(level: &Level<'_>, body: &Body) -> String {
    let path = level.path().to_string();
    let mut xml = Xml::new();
    let parts = parts(level, body, &Marks::default());
    let how = Sheet { title: &path, note: &subtitle(level), standalone: true, captioned: true, anchors: None };
    sheet(&mut xml, &parts, &how);
    xml.finish() + "\n"
}

/// Draws the contents of a box as [`svg`] does, without a heading: for a card that has the name beside it.
pub fn picture(level: &Level<'_>, body: &Body) -> String {
    let path = level.path().to_string();
    let mut xml = Xml::new();
    let parts = parts(level, body, &Marks::default());
    sheet(&mut xml, &parts, &Sheet { title: &path, note: "", standalone: true, captioned: false, anchors: None });
    xml.finish() + "\n"
}

/// Draws the contents of a box for a page that shows a run. The drawing has no style sheet. Boxes have their path
/// (`data-box`), diagrams theirs (`data-diagram`), and ports and ends of links have the names of their signals in a
/// trace (`data-port`, `data-from`, `data-to`: `output`, name and path, separated by tabs). `root` is the path of the
/// root in the shown run, if it differs from that in the file, as when a character plays the behavior. On a page that
/// edits, boxes stand where the file says, also on each other; else they are moved apart. Of a timeline with diagrams the
/// curves are left out: a page has its own view of them.
pub fn live(project: &Project, level: &Level<'_>, body: &Body, root: Option<&str>, edits: bool) -> String {
    let mut xml = Xml::new();
    // What is empty can be filled on a page.
    let overlaps = if edits { Overlaps::Stay } else { Overlaps::Apart };
    let parts = parts(level, body, &Marks { with_empty: true, curves_apart: true, overlaps, ..Marks::default() });
    let (path, anchors) = (level.path().to_string(), Anchors::paths(project, root));
    let how = Sheet { title: &path, note: "", standalone: false, captioned: false, anchors: Some(&anchors) };
    sheet(&mut xml, &parts, &how);
    xml.finish()
}

/// A segment of a curve that is faster than its joint.
#[derive(Clone, Debug, PartialEq)]
pub struct FastSegment {
    /// The joint.
    pub joint: String,
    /// Its first frame.
    pub from: f64,
    /// Its last frame.
    pub to: f64,
    /// How fast it is, and how fast the joint can be.
    pub words: String,
}

/// What is to be known of a timeline besides its keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionNotes {
    /// The segments that are faster than their joints.
    pub fast: Vec<FastSegment>,
    /// The margin of balance over frames, in millimetres, if the robot gets near to tipping over.
    pub balance: Vec<(f64, f64)>,
}

/// Returns what is to be known of a box's timeline besides its keys.
pub fn motion_notes(level: &Level<'_>, body: &'static Body) -> MotionNotes {
    let group = Group::from_box(level.at.def, level.at.path.clone(), body, &mut FrameBudget::default());
    let Some(group) = group else { return MotionNotes::default() };
    let of_line = |line: &JointLine| {
        let joint = line.joint.clone();
        let segment = move |(from, to, words)| FastSegment { joint: joint.clone(), from, to, words };
        line.too_fast(group.fps).into_iter().map(segment).collect::<Vec<_>>()
    };
    let balance = group.lines.iter().find(|line| line.is_balance());
    MotionNotes {
        fast: group.lines.iter().filter(|line| !line.muted).flat_map(of_line).collect(),
        balance: balance.map(|line| line.keys.iter().map(|key| (key.time, key.value)).collect()).unwrap_or_default(),
    }
}

/// Returns the style sheet for [`live`], in light and dark mode.
pub fn live_style() -> String {
    style::drawing()
}

/// How a drawing is embedded in its file.
pub(crate) struct Sheet<'a> {
    pub(crate) title: &'a str,
    pub(crate) note: &'a str,
    /// True if the drawing is a file of its own, with title and style sheet.
    pub(crate) standalone: bool,
    /// True if a file of its own has its title as a heading.
    pub(crate) captioned: bool,
    /// The names of boxes that links or scripts refer to.
    pub(crate) anchors: Option<&'a Anchors>,
}

/// A diagram or timeline with its layout.
pub(crate) struct Part<'a> {
    caption: Option<String>,
    /// The path of a diagram.
    path: Option<BoxPath>,
    drawn: Drawn<'a>,
}

enum Drawn<'a> {
    Diagram(Scene<'a>),
    Timeline(Panel),
}

impl Part<'_> {
    fn size(&self) -> (f64, f64) {
        let (w, h) = match &self.drawn {
            Drawn::Diagram(scene) => (scene.width, scene.height + diagram::footer(scene)),
            Drawn::Timeline(panel) => (panel.width, panel.height),
        };
        (w, h + if self.caption.is_some() { SUB } else { 0.0 })
    }

    fn words(&self) -> String {
        match &self.drawn {
            Drawn::Diagram(scene) => diagram::description(scene),
            Drawn::Timeline(panel) => panel.about.clone(),
        }
    }
}

/// Returns the first and last frame of a timeline's ruler; `None` for a flow diagram.
pub(crate) fn frames(timeline: &Timeline, body: &Body) -> Option<(f64, f64)> {
    Panel::new(timeline, body, &Marks::default()).map(|panel| panel.frames)
}

/// Returns the parts of a level's drawing, with the marks of a difference.
pub(crate) fn parts<'a>(level: &Level<'a>, body: &Body, marks: &Marks<'_>) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    let def = level.at.def;
    let diagrams = level.diagrams();
    if level.keyframe.is_none()
        && (diagrams.is_empty() || !marks.curves_apart)
        && let Some(panel) = def.timeline.as_ref().and_then(|t| Panel::new(t, body, marks))
    {
        parts.push(Part { caption: None, path: None, drawn: Drawn::Timeline(panel) });
    }
    for at in diagrams {
        let empty = at.diagram.boxes.is_empty() && at.diagram.links.is_empty();
        if empty && !parts.is_empty() && !marks.with_empty {
            continue;
        }
        let scene = Scene::of_diagram(def, at.diagram, (at.layer, at.keyframe), marks);
        parts.push(Part { caption: level.caption(&at), path: Some(at.path), drawn: Drawn::Diagram(scene) });
    }
    if parts.is_empty() || !(has_inside(def) || marks.with_empty) {
        parts = vec![Part { caption: None, path: None, drawn: Drawn::Diagram(Scene::of_box(def)) }];
    }
    parts
}

/// Writes the parts of a level as one `svg` element.
pub(crate) fn sheet(xml: &mut Xml, parts: &[Part<'_>], how: &Sheet<'_>) {
    let pad = if how.standalone { PAD } else { 1.0 };
    let top = if how.captioned { pad + CAPTION } else { pad };
    let (places, (width, height)) = arrange(parts);
    let width = width.max(if how.standalone { 260.0 } else { 1.0 }) + 2.0 * pad;
    let height = height + top + pad;
    let view = format!("0 0 {} {}", number(width), number(height));
    let tag = xml.tag("svg").attr("class", "bx").attr("role", if how.anchors.is_some() { "group" } else { "img" });
    let tag = tag.maybe("xmlns", how.standalone.then_some("http://www.w3.org/2000/svg"));
    tag.num("width", width).num("height", height).attr("viewBox", &view).attr("aria-label", how.title).open();
    xml.leaf("title", how.title);
    xml.leaf("desc", &parts.iter().map(Part::words).collect::<Vec<_>>().join(" "));
    if how.standalone {
        xml.tag("style").open();
        xml.raw(&style::drawing());
        xml.close();
        xml.line();
        xml.tag("rect").attr("class", "page").num("width", width).num("height", height).empty();
    }
    if how.captioned {
        let title = text::fit(how.title, 14.0, width - 2.0 * pad);
        let used = text::width(&title, 14.0) + 14.0;
        xml.tag("text").attr("class", "caption").num("x", pad).num("y", PAD + 12.0).text(&title);
        let note = text::fit(how.note, 11.5, width - 2.0 * pad - used);
        if used + 40.0 < width {
            xml.tag("text").attr("class", "sub end").num("x", width - pad).num("y", PAD + 12.0).text(&note);
        }
        xml.line();
    }
    for (part, (x, y)) in parts.iter().zip(places) {
        let (x, mut y) = (x + pad, y + top);
        if let Some(caption) = &part.caption {
            let caption = text::fit(caption, 11.5, part.size().0);
            xml.tag("text").attr("class", "sub").num("x", x).num("y", y + 12.0).text(&caption);
            y += SUB;
        }
        let to = format!("translate({} {})", number(x), number(y));
        let live = how.anchors.filter(|anchors| anchors.live);
        let path = live.zip(part.path.as_ref()).map(|(anchors, path)| anchors.path_of(path));
        xml.tag("g").maybe("data-diagram", path.as_deref()).attr("transform", &to).open();
        match &part.drawn {
            Drawn::Diagram(scene) => diagram::draw(xml, scene, how.anchors),
            Drawn::Timeline(panel) => panel.draw(xml),
        }
        xml.close();
        xml.line();
    }
    xml.close();
}

/// Returns the positions of the parts, in rows as wide as the widest part or a timeline, and the total size.
fn arrange(parts: &[Part<'_>]) -> (Vec<(f64, f64)>, (f64, f64)) {
    let limit = parts.iter().map(|p| p.size().0).fold(timeline::WIDTH, f64::max);
    let (mut x, mut y, mut row) = (0.0, 0.0, 0.0_f64);
    let (mut places, mut width) = (Vec::with_capacity(parts.len()), 0.0_f64);
    for part in parts {
        let (w, h) = part.size();
        if x > 0.0 && x + w > limit {
            (x, y, row) = (0.0, y + row + GAP, 0.0);
        }
        places.push((x, y));
        width = width.max(x + w);
        row = row.max(h);
        x += w + GAP;
    }
    (places, (width, y + row))
}

/// Describes the level's kind and its number of boxes.
pub(crate) fn subtitle(level: &Level<'_>) -> String {
    let def = level.at.def;
    let boxes: usize = level.diagrams().iter().map(|d| d.diagram.boxes.len()).sum();
    let kind = crate::scene::kind(def).word();
    match boxes {
        0 => kind.to_owned(),
        1 => format!("{kind}, 1 box"),
        n => format!("{kind}, {n} boxes"),
    }
}
