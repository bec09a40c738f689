//! The format of a body file.

use super::Fault;
use super::urdf::{Place, Robot};
use crate::{Channel, Gait, JointKind};
use boxstep_types::meant;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// A text with its position in the file.
pub(super) type Text = Spanned<String>;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) name: Text,
    /// The type that `ALRobotModel` reports.
    #[serde(rename = "type")]
    pub(super) kind: Option<Text>,
    pub(super) gait: Option<GaitWord>,
    /// The path of a robot description whose joints this body has.
    pub(super) urdf: Option<Text>,
    /// In metres.
    pub(super) torso_height: Option<Spanned<f64>>,
    #[serde(default)]
    pub(super) joints: Vec<JointRow>,
    #[serde(default)]
    pub(super) chains: Vec<ChainRow>,
    #[serde(default)]
    pub(super) couplings: Vec<CouplingRow>,
    #[serde(default)]
    pub(super) postures: Vec<PostureRow>,
    pub(super) awake: Option<Text>,
    pub(super) rest: Option<Text>,
    #[serde(default)]
    pub(super) leds: Vec<LedRow>,
    #[serde(default)]
    pub(super) led_groups: Vec<GroupRow>,
    #[serde(default)]
    pub(super) touch: Vec<TouchRow>,
    #[serde(default)]
    pub(super) links: Vec<LinkRow>,
    #[serde(default)]
    pub(super) soles: Vec<SoleRow>,
    /// Services besides those that its parts imply.
    #[serde(default)]
    pub(super) services: Vec<Text>,
    #[serde(default)]
    pub(super) curves: BTreeMap<Text, Spanned<CurveRow>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum GaitWord {
    Legs,
    Wheels,
    Fixed,
}

impl From<GaitWord> for Gait {
    fn from(word: GaitWord) -> Self {
        match word {
            GaitWord::Legs => Gait::Legs,
            GaitWord::Wheels => Gait::Wheels,
            GaitWord::Fixed => Gait::Fixed,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KindWord {
    #[default]
    Angle,
    Hand,
    Wheel,
}

impl From<KindWord> for JointKind {
    fn from(word: KindWord) -> Self {
        match word {
            KindWord::Angle => JointKind::Angle,
            KindWord::Hand => JointKind::Hand,
            KindWord::Wheel => JointKind::Wheel,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JointRow {
    pub(super) name: Text,
    #[serde(default)]
    pub(super) kind: KindWord,
    pub(super) min: Option<Spanned<f64>>,
    pub(super) max: Option<Spanned<f64>>,
    pub(super) speed: Spanned<f64>,
    /// In newton metres.
    pub(super) torque: Option<Spanned<f64>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChainRow {
    pub(super) name: Text,
    pub(super) joints: Vec<Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CouplingRow {
    pub(super) joint: Text,
    pub(super) follows: Text,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PostureRow {
    pub(super) name: Text,
    pub(super) family: Option<Text>,
    pub(super) angles: BTreeMap<Text, Spanned<f64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ChannelWord {
    Red,
    Green,
    Blue,
}

impl From<ChannelWord> for Channel {
    fn from(word: ChannelWord) -> Self {
        match word {
            ChannelWord::Red => Channel::Red,
            ChannelWord::Green => Channel::Green,
            ChannelWord::Blue => Channel::Blue,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LedRow {
    pub(super) name: Text,
    /// The device in memory; `*` stands for the channel's word.
    pub(super) device: Option<Text>,
    pub(super) channels: Option<Spanned<Vec<ChannelWord>>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroupRow {
    pub(super) name: Text,
    pub(super) leds: Vec<Text>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TouchRow {
    pub(super) event: Text,
    pub(super) place: Option<Text>,
    pub(super) device: Option<Text>,
    #[serde(default)]
    pub(super) clicks: Vec<Text>,
}

/// A part of the robot and its position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkRow {
    pub(super) name: Text,
    /// A link before this one; `None` for the first.
    pub(super) parent: Option<Text>,
    pub(super) joint: Option<Text>,
    pub(super) xyz: Option<Spanned<[f64; 3]>>,
    pub(super) rpy: Option<Spanned<[f64; 3]>>,
    pub(super) axis: Option<Spanned<[f64; 3]>>,
    /// In kilograms.
    pub(super) mass: Option<Spanned<f64>>,
    /// The center of mass.
    pub(super) center: Option<Spanned<[f64; 3]>>,
    /// About the center of mass: xx, xy, xz, yy, yz, zz.
    pub(super) inertia: Option<Spanned<[f64; 6]>>,
}

/// What is flat on the floor when the robot stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SoleRow {
    pub(super) link: Text,
    /// The corners, counter-clockwise from above, in the link's frame.
    pub(super) outline: Spanned<Vec<[f64; 3]>>,
}

impl LinkRow {
    fn new(name: Text) -> Self {
        let [xyz, rpy, axis, center] = [const { None }; 4];
        Self { name, parent: None, joint: None, xyz, rpy, axis, mass: None, center, inertia: None }
    }
}

/// The name of a joint, or a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "the name of a joint, or a table with `joint`, `scale`, `offset` and `mirror`")]
pub(super) enum CurveRow {
    Joint(String),
    Table(CurveTable),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CurveTable {
    pub(super) joint: String,
    #[serde(default = "one")]
    pub(super) scale: f64,
    #[serde(default)]
    pub(super) offset: f64,
    #[serde(default)]
    pub(super) mirror: bool,
}

fn one() -> f64 {
    1.0
}

impl CurveRow {
    /// Returns the joint, the factor and the offset.
    pub(super) fn rule(&self) -> (&str, f64, f64) {
        match self {
            Self::Joint(joint) => (joint, 1.0, 0.0),
            Self::Table(t) => (&t.joint, if t.mirror { -t.scale } else { t.scale }, t.offset),
        }
    }
}

/// A file that has been parsed and not yet checked.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) file: File,
    /// The text of the robot description; empty if there is none.
    pub(super) urdf: String,
}

/// Parses the text of a body file.
pub(super) fn read(text: &str) -> Result<Draft, Fault> {
    let file = toml::from_str(text).map_err(|e| {
        let message = e.message().trim().to_owned();
        (message.clone(), near(&message), e.span())
    })?;
    Ok(Draft { file, urdf: String::new() })
}

/// For ``unknown field `mni`, expected one of `name`, `min` ``, returns a hint with the name that was probably meant.
fn near(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let wrong = quoted.next().filter(|_| message.starts_with("unknown"))?;
    meant(wrong, quoted)
}

impl Draft {
    /// Makes a body from a robot description alone.
    pub(super) fn of_urdf(robot: Robot, text: &str) -> Self {
        let nowhere = |text: &str| Spanned::new(0..0, text.to_owned());
        let file = File {
            name: nowhere(&robot.name),
            kind: None,
            gait: None,
            urdf: None,
            torso_height: None,
            joints: Vec::new(),
            chains: Vec::new(),
            couplings: Vec::new(),
            postures: Vec::new(),
            awake: None,
            rest: None,
            leds: Vec::new(),
            led_groups: Vec::new(),
            touch: Vec::new(),
            links: Vec::new(),
            soles: Vec::new(),
            services: Vec::new(),
            curves: BTreeMap::new(),
        };
        let mut draft = Self { file, urdf: String::new() };
        draft.join(robot, text, None);
        draft
    }

    /// Inserts the joints of a robot description before the file's own; faults in them are reported at `at`.
    pub(super) fn add(&mut self, robot: Robot, text: &str, at: Range<usize>) {
        self.join(robot, text, Some(at));
    }

    fn join(&mut self, robot: Robot, text: &str, at: Option<Range<usize>>) {
        let spanned = |own: &Range<usize>| at.clone().unwrap_or_else(|| own.clone());
        let mut joints = Vec::new();
        for joint in robot.joints {
            let span = spanned(&joint.at);
            let name = Spanned::new(span.clone(), joint.name);
            if let Some(follows) = joint.mimics {
                let follows = Spanned::new(span.clone(), follows);
                self.file.couplings.push(CouplingRow { joint: name.clone(), follows });
            }
            let number = |x: f64| Spanned::new(span.clone(), x);
            let (min, max) = joint.limits.map_or((None, None), |(min, max)| (Some(number(min)), Some(number(max))));
            let kind = if joint.endless { KindWord::Wheel } else { KindWord::Angle };
            joints.push(JointRow {
                name,
                kind,
                min,
                max,
                speed: number(joint.speed),
                torque: joint.torque.map(number),
            });
        }
        joints.append(&mut self.file.joints);
        self.file.joints = joints;
        let mut links = links(robot.places, &spanned(&(0..0)));
        for link in &mut links {
            let masses = robot.masses.iter().rev();
            if let Some(found) = masses.clone().find(|mass| mass.link == *link.name.get_ref() && mass.mass != 0.0) {
                let span = spanned(&found.at);
                link.mass = Some(Spanned::new(span.clone(), found.mass));
                link.center = Some(Spanned::new(span.clone(), found.center));
                link.inertia = Some(Spanned::new(span, found.inertia));
            }
        }
        links.append(&mut self.file.links);
        self.file.links = links;
        self.urdf = text.to_owned();
    }
}

/// Returns the links of a description, parents before their children. Links without a known ancestor are left out.
fn links(mut places: Vec<Place>, span: &Range<usize>) -> Vec<LinkRow> {
    let text = |text: &str| Spanned::new(span.clone(), text.to_owned());
    let root = |of: &str, places: &[Place]| places.iter().all(|place| place.child != of);
    let mut links: Vec<LinkRow> = Vec::new();
    let first = places.iter().map(|place| place.parent.clone()).find(|parent| root(parent, &places));
    links.extend(first.map(|first| LinkRow::new(text(&first))));
    // Each round adds the children of the links so far. A link is not added twice.
    loop {
        let before = links.len();
        places.retain(|place| {
            let there = |name: &str| links.iter().any(|link| link.name.get_ref() == name);
            if !there(&place.parent) || there(&place.child) {
                return !there(&place.child);
            }
            links.push(LinkRow {
                parent: Some(text(&place.parent)),
                joint: (!place.joint.is_empty()).then(|| text(&place.joint)),
                xyz: Some(Spanned::new(span.clone(), place.xyz)),
                rpy: Some(Spanned::new(span.clone(), place.rpy)),
                // The axis of a fixed joint says nothing, and some descriptions have 0 0 0 there.
                axis: (!place.joint.is_empty()).then(|| Spanned::new(span.clone(), place.axis)),
                ..LinkRow::new(text(&place.child))
            });
            false
        });
        if links.len() == before {
            return links;
        }
    }
}
