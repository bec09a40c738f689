//! Converts a checked file to the static tables of a body, which live as long as the program, like those of the
//! built-in robots.

use super::file::{Draft, File, KindWord, PostureRow, Text};
use crate::parts::joined;
use crate::{
    Body, Build, Chain, Channel, Coupling, CurveRule, Fact, Form, Gait, Geometry, Joint, JointKind, Led, LedGroup,
    Link, Mass, OfferedServices, Posture, PostureFamily, Sole, Solid, TouchSensor,
};
use boxstep_types::ENGINE_SERVICES;
use toml::Spanned;

/// The services that every robot has, whatever its body: the engine's own, memory, settings, the log.
pub const EVERY_ROBOT: [&str; 15] = joined(&[
    &ENGINE_SERVICES,
    &[
        "ALLauncher",
        "ALLogger",
        "ALMemory",
        "ALNotificationManager",
        "ALPreferenceManager",
        "ALPreferences",
        "ALRobotModel",
        "ALServiceManager",
        "ALStore",
        "ALSystem",
        "PackageManager",
        "ServiceDirectory",
    ],
]);

fn text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn list<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    Box::leak(items.into_iter().collect::<Vec<T>>().into_boxed_slice())
}

fn texts(names: &[Text]) -> &'static [&'static str] {
    list(names.iter().map(|n| text(n.get_ref())))
}

pub(super) fn body(draft: Draft, source: &str) -> &'static Body {
    let file = &draft.file;
    let number = |x: &Option<Spanned<f64>>, else_: f64| x.as_ref().map_or(else_, |x| *x.get_ref());
    let joints = list(file.joints.iter().map(|row| {
        let (min, max) = match row.kind {
            KindWord::Wheel => (f64::NEG_INFINITY, f64::INFINITY),
            _ => (number(&row.min, 0.0), number(&row.max, 1.0)),
        };
        let (name, max_speed) = (text(row.name.get_ref()), *row.speed.get_ref());
        Joint { name, kind: row.kind.into(), min, max, max_speed, max_torque: number(&row.torque, f64::INFINITY) }
    }));
    let of_kind = |kind: JointKind| joints.iter().filter(move |j| j.kind == kind);
    let wheels = of_kind(JointKind::Wheel).next().is_some();
    let hands = of_kind(JointKind::Hand).count();
    let gait = file.gait.map_or(if wheels { Gait::Wheels } else { Gait::Fixed }, Gait::from);
    let name = text(file.name.get_ref());
    let type_name = file.kind.as_ref().map_or(name, |kind| text(kind.get_ref()));
    let legs = gait == Gait::Legs;
    let first = file.postures.first().map_or("", |p| text(p.name.get_ref()));
    let awake = file.awake.as_ref().map_or(first, |p| text(p.get_ref()));
    let body = Body {
        name,
        source: text(source),
        build: Build {
            type_name,
            // NAOqi has numbers for the robots of its maker only.
            type_number: -1,
            gait,
            hands: hands > 0,
            torso_height: number(&file.torso_height, 0.0),
            neck_height: 0.0,
            shoulder: [0.0; 3],
            config: list([
                ("Model Type", Fact::Text(type_name)),
                ("Legs", Fact::Flag(legs)),
                ("Hands", Fact::Flag(hands > 0)),
                ("Number of Hands", Fact::Number(hands as i64)),
            ]),
            memory_type: type_name,
            memory_version: "",
            sonars: &[],
        },
        offers: OfferedServices::Only(offers(&draft, gait)),
        joints,
        chains: list(file.chains.iter().map(|c| Chain { name: text(c.name.get_ref()), joints: texts(&c.joints) })),
        collections: collections(joints),
        couplings: list(
            file.couplings
                .iter()
                .map(|c| Coupling { joint: text(c.joint.get_ref()), follows: text(c.follows.get_ref()) }),
        ),
        brakes: &[],
        shell_limits: &[],
        leds: list(file.leds.iter().map(|led| {
            let channels =
                led.channels.as_ref().map_or(Channel::ALL, |all| list(all.get_ref().iter().map(|c| (*c).into())));
            let name = text(led.name.get_ref());
            let device = match &led.device {
                Some(device) => text(device.get_ref()),
                None if channels.len() > 1 => text(&format!("{name}/Led/*")),
                None => text(&format!("{name}/Led")),
            };
            Led { name, device, channels }
        })),
        led_groups: list(file.led_groups.iter().map(|group| LedGroup {
            name: text(group.name.get_ref()),
            leds: texts(&group.leds),
            channels: Channel::ALL,
        })),
        postures: list(file.postures.iter().map(posture)),
        awake,
        rest: file.rest.as_ref().map_or(awake, |p| text(p.get_ref())),
        touch: list(file.touch.iter().map(|touch| {
            let event = text(touch.event.get_ref());
            TouchSensor {
                event,
                place: touch.place.as_ref().map_or(event, |p| text(p.get_ref())),
                device: touch.device.as_ref().map_or("", |d| text(d.get_ref())),
                clicks: texts(&touch.clicks),
            }
        })),
        geometry: geometry(file, joints),
        curves: list(file.curves.iter().map(|(actuator, row)| {
            let (joint, scale, offset) = row.get_ref().rule();
            CurveRule { actuator: text(actuator.get_ref()), joint: text(joint), scale, offset }
        })),
    };
    Box::leak(Box::new(body))
}

/// The angle by which the fingers of a hand open, in radians.
const OPENS: f64 = 1.3;

/// Returns the geometry: links are drawn as rods between their joints, with a thickness that suits the size of the
/// robot.
fn geometry(file: &File, joints: &[Joint]) -> Geometry {
    let three = |x: &Option<Spanned<[f64; 3]>>| x.as_ref().map_or([0.0; 3], |x| *x.get_ref());
    let length = |[x, y, z]: [f64; 3]| (x * x + y * y + z * z).sqrt();
    let longest = file.links.iter().map(|link| length(three(&link.xyz))).fold(0.0, f64::max);
    let radius = if longest > 0.0 { 0.1 * longest } else { 0.05 };
    let links = file.links.iter().map(|row| {
        let name = row.name.get_ref();
        let children = file.links.iter().filter(|link| link.parent.as_ref().is_some_and(|p| p.get_ref() == name));
        let rods = children.map(|child| (three(&child.xyz), false));
        let solids = std::iter::once(([0.0; 3], true)).chain(rods).map(|(to, dark)| {
            let thick = if dark { 1.2 * radius } else { radius };
            Solid { form: Form::Capsule([0.0; 3], to, thick), dark }
        });
        let joint = row.joint.as_ref().map_or("", |joint| text(joint.get_ref()));
        let hand = joints.iter().any(|one| one.name == joint && one.kind == JointKind::Hand);
        let axis = row.axis.as_ref().map_or([1.0, 0.0, 0.0], |axis| *axis.get_ref());
        let size = length(axis);
        Link {
            name: text(name),
            parent: row.parent.as_ref().map_or("", |parent| text(parent.get_ref())),
            at: three(&row.xyz),
            turned: three(&row.rpy),
            joint,
            axis: axis.map(|x| x / size),
            scale: if hand { OPENS } else { 1.0 },
            solids: list(solids),
        }
    });
    let masses = file.links.iter().filter(|row| row.mass.is_some()).map(|row| Mass {
        link: text(row.name.get_ref()),
        mass: row.mass.as_ref().map_or(0.0, |mass| *mass.get_ref()),
        center: three(&row.center),
        inertia: row.inertia.as_ref().map_or([0.0; 6], |inertia| *inertia.get_ref()),
    });
    let soles = file.soles.iter().map(|row| {
        let outline = list(row.outline.get_ref().iter().copied());
        Sole { link: text(row.link.get_ref()), outline }
    });
    Geometry { links: list(links), masses: list(masses), soles: list(soles), ..Geometry::NONE }
}

/// Returns the collections `JointActuators`, `Joints` and `Actuators`, as the built-in robots have them.
fn collections(joints: &'static [Joint]) -> &'static [Chain] {
    let names = |angles: bool| list(joints.iter().filter(|j| (j.kind == JointKind::Angle) == angles).map(|j| j.name));
    list(
        [
            Chain { name: "JointActuators", joints: list(joints.iter().map(|j| j.name)) },
            Chain { name: "Joints", joints: names(true) },
            Chain { name: "Actuators", joints: names(false) },
        ]
        .into_iter()
        .filter(|chain| !chain.joints.is_empty()),
    )
}

fn posture(row: &PostureRow) -> Posture {
    let named = |family: &Text| PostureFamily::ALL.into_iter().find(|f| f.name() == family.get_ref());
    Posture {
        name: text(row.name.get_ref()),
        family: row.family.as_ref().and_then(named).unwrap_or(PostureFamily::Standing),
        angles: list(row.angles.iter().map(|(joint, angle)| (text(joint.get_ref()), *angle.get_ref()))),
    }
}

/// Returns the services of a robot: those that every robot has, those that its parts imply, and those that the file
/// names.
fn offers(draft: &Draft, gait: Gait) -> &'static [&'static str] {
    let file = &draft.file;
    let parts: [(bool, &[&'static str]); 5] = [
        (!file.joints.is_empty(), &["ALMotion"]),
        (!file.postures.is_empty(), &["ALRobotPosture"]),
        (!file.leds.is_empty(), &["ALLeds"]),
        (!file.touch.is_empty(), &["ALSensors", "ALTouch"]),
        (gait != Gait::Fixed, &["ALNavigation"]),
    ];
    let of_parts = parts.into_iter().filter(|(has, _)| *has).flat_map(|(_, services)| services.iter().copied());
    let named = file.services.iter().map(|s| text(s.get_ref()));
    list(EVERY_ROBOT.into_iter().chain(of_parts).chain(named))
}
