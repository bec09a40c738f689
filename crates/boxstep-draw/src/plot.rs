//! Joint curves over frames, in degrees (0…1 for hands), with the joint limits of the body, the margin of balance,
//! and the torques of motors.

mod braille;
mod chart;
mod terminal;

use crate::curves::{BALANCE, JointLine, TORQUE};
use crate::level::Level;
use crate::style;
use crate::text::{fit, format_number};
use crate::xml::{Xml, number};
use boxstep_bodies::Body;
use boxstep_dynamics::FrameBudget;
use boxstep_format::model::{BoxDef, Project};
use boxstep_types::BoxPath;
use std::fmt;

use chart::charts;
pub(crate) use chart::element;

/// The joint curves of a behavior, or of a part of it.
///
/// ```
/// use boxstep_bodies::BodyKind;
/// use boxstep_draw::{Level, plot::Plot};
/// use boxstep_format::{Limits, read_xar};
///
/// let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hello/behavior.xar");
/// let file = read_xar("behavior.xar", &std::fs::read(path)?, &Limits::default())?;
/// let joints = ["HeadYaw".to_owned(), "RHand".to_owned()];
/// let plot = Plot::new(&file.project, &Level::root(&file.project), BodyKind::Nao.body(), &joints)?;
/// assert_eq!(plot.len(), 2);
/// assert!(plot.svg("Wave").contains("HeadYaw"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Plot {
    body: &'static str,
    groups: Vec<Group>,
}

/// The curves of one timeline.
pub(crate) struct Group {
    pub(crate) path: BoxPath,
    pub(crate) fps: i32,
    pub(crate) lines: Vec<JointLine>,
}

/// Why there is nothing to plot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlotError {
    /// No timeline in the level at this path has a curve with keys.
    NoCurves(BoxPath),
    /// No curve moves this joint; the list has the joints that are moved.
    NoJoint(String, Vec<String>),
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlotError::NoCurves(path) => write!(f, "{path} has no joint curves"),
            PlotError::NoJoint(name, known) if name == BALANCE => {
                let why = "the robot sits, lies, kneels or jumps, or its masses are not known";
                write!(f, "the balance is not known: {why}; there are curves for {}", known.join(", "))
            }
            PlotError::NoJoint(name, known) => {
                write!(f, "no curve moves `{name}`; there are curves for {}", known.join(", "))
            }
        }
    }
}

impl std::error::Error for PlotError {}

impl Plot {
    /// Collects the curves of a level and of all boxes inside it. `joints` selects joints by name, or by chains of the
    /// body (`Head`, `LArm`), `balance`, or `torque`, the torques of all motors; an empty list selects all curves, and the
    /// balance and torques that are not as they should be.
    ///
    /// # Errors
    /// There are no curves, or none of a requested joint.
    pub fn new(
        project: &Project,
        level: &Level<'_>,
        body: &'static Body,
        joints: &[String],
    ) -> Result<Self, PlotError> {
        let (mut groups, mut frames) = (Vec::new(), FrameBudget::default());
        for at in level.boxes(project) {
            groups.extend(Group::with_torques(at.def, at.path, body, &mut frames));
        }
        if groups.is_empty() {
            return Err(PlotError::NoCurves(level.path()));
        }
        if joints.is_empty() {
            groups.iter_mut().for_each(Group::be_quiet);
        } else {
            choose(&mut groups, body, joints)?;
        }
        Ok(Self { body: body.name, groups })
    }

    /// The number of curves.
    pub fn len(&self) -> usize {
        self.groups.iter().map(|g| g.lines.len()).sum()
    }

    /// Always false, because [`Plot::new`] returns an error instead.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns an SVG drawing with a small chart for each joint.
    pub fn svg(&self, title: &str) -> String {
        let sizes: Vec<_> = self.groups.iter().map(|g| chart::size(g.lines.len())).collect();
        let width = sizes.iter().map(|s| s.0).fold(300.0, f64::max) + 2.0 * PAD;
        let height = sizes.iter().map(|s| s.1 + HEADING).sum::<f64>() + TOP + PAD;
        let mut xml = Xml::new();
        let view = format!("0 0 {} {}", number(width), number(height));
        let tag = xml.tag("svg").attr("xmlns", "http://www.w3.org/2000/svg").attr("class", "bx").attr("role", "img");
        tag.num("width", width).num("height", height).attr("viewBox", &view).open();
        xml.leaf("title", &format!("Joint curves of {title}"));
        xml.leaf("desc", &self.description());
        xml.tag("style").open();
        xml.raw(&style::drawing());
        xml.close();
        xml.tag("rect").attr("class", "page").num("width", width).num("height", height).empty();
        let title = fit(title, 14.0, width * 0.6);
        xml.tag("text").attr("class", "caption").num("x", PAD).num("y", 27.0).text(&title);
        let note = format!("values over frames; dashed: limits of {}", self.body);
        xml.tag("text").attr("class", "sub end").num("x", width - PAD).num("y", 27.0).text(&note);
        let mut y = TOP;
        for (group, (_, h)) in self.groups.iter().zip(sizes) {
            let heading = fit(&group.heading(), 11.5, width - 2.0 * PAD);
            xml.tag("text").attr("class", "sub").num("x", PAD).num("y", y + 13.0).text(&heading);
            let to = format!("translate({} {})", number(PAD), number(y + HEADING));
            xml.tag("g").attr("transform", &to).open();
            charts(&mut xml, group);
            xml.close();
            y += h + HEADING;
        }
        xml.finish() + "\n"
    }

    /// Returns an HTML page with the drawing, and a table of ranges and keys.
    pub fn html(&self, title: &str) -> String {
        let mut xml = crate::page::begin(&format!("Joint curves of {title}"));
        xml.tag("main").attr("id", "main").open();
        xml.leaf("h1", title);
        xml.leaf(
            "p",
            &format!("Joint curves in degrees (hands 0 to 1); dashed lines are the limits of {}.", self.body),
        );
        for group in &self.groups {
            xml.tag("section").open();
            xml.leaf("h2", &group.path.to_string());
            xml.leaf("p", &group.heading());
            crate::page::plotted(&mut xml, group);
            group.table(&mut xml);
            xml.close();
        }
        xml.finish() + "\n"
    }

    /// Returns charts for a terminal of this many columns.
    pub fn text(&self, columns: usize) -> String {
        terminal::text(&self.groups, columns)
    }

    fn description(&self) -> String {
        let of =
            |g: &Group| format!("{}: {}.", g.path, g.lines.iter().map(JointLine::words).collect::<Vec<_>>().join("; "));
        self.groups.iter().map(of).collect::<Vec<_>>().join(" ")
    }
}

const PAD: f64 = 16.0;
const TOP: f64 = 40.0;
const HEADING: f64 = 24.0;

impl Group {
    /// Returns the curves of a box's timeline, with its balance and torques if they are not as they should be; `None` if
    /// no curve has keys.
    pub(crate) fn from_box(def: &BoxDef, path: BoxPath, body: &'static Body, frames: &mut FrameBudget) -> Option<Self> {
        let mut group = Self::with_torques(def, path, body, frames)?;
        group.be_quiet();
        Some(group)
    }

    fn be_quiet(&mut self) {
        self.lines.retain(|line| !line.quiet);
    }

    fn with_torques(def: &BoxDef, path: BoxPath, body: &'static Body, frames: &mut FrameBudget) -> Option<Self> {
        let timeline = def.timeline.as_ref()?;
        let curves = timeline.actuators.iter().flat_map(|a| &a.curves);
        let mut lines: Vec<JointLine> = curves.filter_map(|c| JointLine::new(c, body)).collect();
        lines.extend(JointLine::of_motion(timeline, body, frames));
        (!lines.is_empty()).then(|| Self { path, fps: timeline.fps.unwrap_or(25), lines })
    }

    pub(crate) fn frames(&self) -> (f64, f64) {
        let ends = self.lines.iter().map(JointLine::frames);
        let (from, to) = ends.fold((1.0, f64::NEG_INFINITY), |(a, b), (from, to)| (from.min(a), to.max(b)));
        (from, to.max(from + 1.0))
    }

    fn heading(&self) -> String {
        let (from, to) = self.frames();
        let seconds = format_number((to - from) / f64::from(self.fps.max(1)));
        format!(
            "{}: frames {} to {}, {} frames per second, {seconds} s",
            self.path,
            format_number(from),
            format_number(to),
            self.fps
        )
    }

    /// Writes the contents of the charts as a table, for users who cannot see them.
    pub(crate) fn table(&self, xml: &mut Xml) {
        xml.tag("div").attr("class", "scroll").attr("tabindex", "0").open();
        xml.tag("table").open();
        xml.tag("tr").open();
        for head in ["joint", "keys", "frames", "from", "to", "limits", ""] {
            xml.tag("th").attr("scope", "col").text(head);
        }
        xml.close();
        for line in &self.lines {
            let (from, to) = line.frames();
            let value = |v: f64| line.shown(v);
            let limits = match line.limits {
                Some((a, b)) => format!("{} to {}", value(a), value(b)),
                None => line.missing_joint_note().unwrap_or_else(|| "unknown".to_owned()),
            };
            let mut notes = Vec::new();
            if line.muted {
                notes.push("muted".to_owned());
            }
            notes.extend(line.excess());
            notes.extend(line.gap());
            xml.tag("tr").open();
            xml.tag("th").attr("scope", "row").text(&line.joint);
            let frames = format!("{} to {}", format_number(from), format_number(to));
            let keys = if line.is_calculated() { String::new() } else { line.keys.len().to_string() };
            for cell in [keys, frames, value(line.extent.min), value(line.extent.max), limits, notes.join(", ")] {
                xml.leaf("td", &cell);
            }
            xml.close();
        }
        xml.close();
        xml.close();
    }
}

/// Keeps only the requested joints.
fn choose(groups: &mut Vec<Group>, body: &Body, joints: &[String]) -> Result<(), PlotError> {
    let mut wanted: Vec<String> = Vec::new();
    for name in joints {
        let lines = || groups.iter().flat_map(|group| &group.lines);
        let of_chain = body.joints_of(name);
        let chosen: Vec<String> = match name.as_str() {
            TORQUE => lines().filter(|line| line.is_torque()).map(|line| line.joint.clone()).collect(),
            _ if of_chain.is_empty() => vec![name.clone()],
            _ => of_chain.into_iter().map(str::to_owned).collect(),
        };
        if !chosen.iter().any(|joint| lines().any(|line| line.joint == *joint)) {
            let torque = lines().any(JointLine::is_torque).then(|| TORQUE.to_owned());
            let told = |line: &&JointLine| !line.quiet || line.is_balance();
            let mut known: Vec<String> = lines().filter(told).map(|line| line.joint.clone()).chain(torque).collect();
            known.sort();
            known.dedup();
            return Err(PlotError::NoJoint(name.clone(), known));
        }
        wanted.extend(chosen);
    }
    for group in groups.iter_mut() {
        group.lines.retain(|l| wanted.contains(&l.joint));
    }
    groups.retain(|g| !g.lines.is_empty());
    Ok(())
}
