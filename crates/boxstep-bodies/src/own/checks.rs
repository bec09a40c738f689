//! Checks that a body file meets the requirements of the simulation and of curves.

use super::Fault;
use super::file::{Draft, File, KindWord, LinkRow, Text};
use crate::{BodyKind, PostureFamily};
use boxstep_types::meant;
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;

/// The most entries of any list.
const MOST: usize = 512;
/// The most bytes of a name.
const LONGEST_NAME: usize = 64;
/// The largest coordinate of a link relative to its parent, in metres or radians.
const FARTHEST: f64 = 1000.0;
/// Names with a special meaning where joints and chains are named.
const TAKEN: [&str; 2] = ["Body", "Chains"];

type Checked = Result<(), Fault>;

fn fault<T>(message: impl Into<String>, at: Range<usize>) -> Result<T, Fault> {
    Err((message.into(), None, Some(at)))
}

/// Checks a file; `services` are the names of all services.
pub(super) fn check(draft: &Draft, services: &[&str]) -> Checked {
    let file = &draft.file;
    is_name(&file.name, "the body")?;
    if BodyKind::ALL.iter().any(|kind| kind.body().name == file.name.get_ref()) {
        return fault(format!("there is a body `{}` already", file.name.get_ref()), file.name.span());
    }
    sizes(file)?;
    joints(file)?;
    let known: BTreeSet<&str> = file.joints.iter().map(|j| &**j.name.get_ref()).collect();
    chains(file, &known)?;
    couplings(file, &known)?;
    postures(file, &known)?;
    leds(file)?;
    links(file, &known)?;
    soles(file)?;
    for touch in &file.touch {
        is_name(&touch.event, "the event of a touch sensor")?;
    }
    once(file.touch.iter().map(|t| &t.event), "touch sensor")?;
    for service in &file.services {
        if !services.contains(&service.get_ref().as_str()) {
            let message = format!("the simulation knows no service `{}`", service.get_ref());
            let help = meant(service.get_ref(), services.iter().copied());
            let help = help.unwrap_or_else(|| "a service of your own is for --robot FILE.py".to_owned());
            return Err((message, Some(help), Some(service.span())));
        }
    }
    if let Some(height) = file.torso_height.as_ref().filter(|h| !h.get_ref().is_finite() || *h.get_ref() < 0.0) {
        return fault("`torso_height` is metres, from 0", height.span());
    }
    curves(file, &known)
}

fn is_name(name: &Text, whose: &str) -> Checked {
    let text = name.get_ref();
    if text.is_empty() || text.len() > LONGEST_NAME || text.chars().any(char::is_control) {
        return fault(format!("the name of {whose} has 1 to {LONGEST_NAME} characters"), name.span());
    }
    Ok(())
}

fn sizes(file: &File) -> Checked {
    let lists = [
        ("joints", file.joints.len()),
        ("chains", file.chains.len()),
        ("couplings", file.couplings.len()),
        ("postures", file.postures.len()),
        ("leds", file.leds.len()),
        ("led_groups", file.led_groups.len()),
        ("touch", file.touch.len()),
        ("links", file.links.len()),
        ("soles", file.soles.len()),
        ("services", file.services.len()),
        ("curves", file.curves.len()),
    ];
    match lists.iter().find(|(_, n)| *n > MOST) {
        Some((list, n)) => Err((format!("`{list}` has {n} entries; more than {MOST} are not read"), None, None)),
        None if file.joints.is_empty() => Err((
            "the body has no joints".to_owned(),
            Some("write them as [[joints]], or name a description that has some: urdf = \"FILE.urdf\"".to_owned()),
            None,
        )),
        None => Ok(()),
    }
}

/// Checks that no name occurs twice.
fn once<'a>(names: impl Iterator<Item = &'a Text>, what: &str) -> Checked {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name.get_ref()) {
            return fault(format!("there is another {what} named `{}`", name.get_ref()), name.span());
        }
    }
    Ok(())
}

fn joints(file: &File) -> Checked {
    for joint in &file.joints {
        is_name(&joint.name, "a joint")?;
        let name = joint.name.get_ref();
        if TAKEN.contains(&&**name) {
            return fault(
                format!("`{name}` cannot be the name of a joint: it stands for all of them"),
                joint.name.span(),
            );
        }
        let speed = *joint.speed.get_ref();
        if !(speed.is_finite() && speed > 0.0) {
            return fault(format!("the `speed` of {name} must be above 0, in value per second"), joint.speed.span());
        }
        if let Some(torque) = joint.torque.as_ref().filter(|t| !(t.get_ref().is_finite() && *t.get_ref() > 0.0)) {
            return fault(format!("the `torque` of {name} must be above 0, in newton metres"), torque.span());
        }
        let limits = (joint.min.as_ref(), joint.max.as_ref());
        match (joint.kind, limits) {
            (KindWord::Wheel, (None, None)) => {}
            (KindWord::Wheel, _) => {
                return fault(
                    format!("{name} is a wheel and turns without end: leave `min` and `max` out"),
                    joint.name.span(),
                );
            }
            (KindWord::Angle, (None, _) | (_, None)) => {
                return fault(format!("{name} needs `min` and `max`, in radians"), joint.name.span());
            }
            (kind, (min, max)) => {
                let value = |x: Option<&Spanned<f64>>, else_: f64| x.map_or(else_, |x| *x.get_ref());
                let (low, high) = (value(min, 0.0), value(max, 1.0));
                let at = min.or(max).map_or(joint.name.span(), Spanned::span);
                if !(low.is_finite() && high.is_finite() && low < high) {
                    return fault(format!("the `min` of {name} ({low}) is not less than its `max` ({high})"), at);
                }
                if kind == KindWord::Hand && !(low >= 0.0 && high <= 1.0) {
                    return fault(format!("{name} is a hand: it goes from 0 (closed) to 1 (open) at most"), at);
                }
            }
        }
    }
    once(file.joints.iter().map(|j| &j.name), "joint")
}

fn is_joint(name: &str, known: &BTreeSet<&str>, at: Range<usize>) -> Checked {
    if known.contains(name) {
        return Ok(());
    }
    Err((format!("the body has no joint `{name}`"), meant(name, known.iter().copied()), Some(at)))
}

fn chains(file: &File, known: &BTreeSet<&str>) -> Checked {
    for chain in &file.chains {
        is_name(&chain.name, "a chain")?;
        let name = &**chain.name.get_ref();
        if TAKEN.contains(&name) || known.contains(name) {
            return fault(
                format!("`{name}` cannot be the name of a chain: it stands for something else"),
                chain.name.span(),
            );
        }
        for joint in &chain.joints {
            is_joint(joint.get_ref(), known, joint.span())?;
        }
        once(chain.joints.iter(), "joint of the chain")?;
    }
    once(file.chains.iter().map(|c| &c.name), "chain")
}

fn couplings(file: &File, known: &BTreeSet<&str>) -> Checked {
    for coupling in &file.couplings {
        is_joint(coupling.joint.get_ref(), known, coupling.joint.span())?;
        is_joint(coupling.follows.get_ref(), known, coupling.follows.span())?;
        if file.couplings.iter().any(|c| c.joint.get_ref() == coupling.follows.get_ref()) {
            let message = format!("{} follows another joint, and has no motor of its own", coupling.follows.get_ref());
            return fault(message, coupling.follows.span());
        }
    }
    once(file.couplings.iter().map(|c| &c.joint), "coupling of the joint")
}

fn postures(file: &File, known: &BTreeSet<&str>) -> Checked {
    for posture in &file.postures {
        is_name(&posture.name, "a posture")?;
        if let Some(family) = &posture.family
            && PostureFamily::ALL.iter().all(|f| f.name() != family.get_ref())
        {
            let message = format!("there is no family of postures `{}`", family.get_ref());
            let all = PostureFamily::ALL.map(PostureFamily::name);
            let help = meant(family.get_ref(), all).unwrap_or_else(|| format!("one of {}", all.join(", ")));
            return Err((message, Some(help), Some(family.span())));
        }
        for (joint, angle) in &posture.angles {
            is_joint(joint.get_ref(), known, joint.span())?;
            let row = file.joints.iter().find(|j| j.name.get_ref() == joint.get_ref());
            let Some(row) = row else { continue };
            if row.kind == KindWord::Wheel {
                return fault(format!("{} is a wheel, and no part of a posture", joint.get_ref()), joint.span());
            }
            let min = row.min.as_ref().map_or(0.0, |x| *x.get_ref());
            let max = row.max.as_ref().map_or(1.0, |x| *x.get_ref());
            if !(min..=max).contains(angle.get_ref()) {
                let message = format!("{} goes from {min} to {max}, and not to {}", joint.get_ref(), angle.get_ref());
                return fault(message, angle.span());
            }
        }
    }
    once(file.postures.iter().map(|p| &p.name), "posture")?;
    for named in file.awake.iter().chain(&file.rest) {
        if file.postures.iter().all(|p| p.name.get_ref() != named.get_ref()) {
            let help = meant(named.get_ref(), file.postures.iter().map(|p| &**p.name.get_ref()));
            return Err((format!("there is no posture `{}`", named.get_ref()), help, Some(named.span())));
        }
    }
    Ok(())
}

fn leds(file: &File) -> Checked {
    for led in &file.leds {
        is_name(&led.name, "an LED")?;
        if let Some(channels) = &led.channels {
            let all = channels.get_ref();
            if all.is_empty() || (1..all.len()).any(|i| all[..i].contains(&all[i])) {
                return fault(
                    "`channels` names each of red, green and blue once at most, and one at least",
                    channels.span(),
                );
            }
        }
        if let Some(device) = led.device.as_ref().filter(|d| !d.get_ref().contains('*'))
            && led.channels.as_ref().is_none_or(|c| c.get_ref().len() > 1)
        {
            return fault(
                "the device of an LED with several colours has `*` for the word of the colour",
                device.span(),
            );
        }
    }
    once(file.leds.iter().map(|l| &l.name).chain(file.led_groups.iter().map(|g| &g.name)), "LED or group")?;
    for group in &file.led_groups {
        is_name(&group.name, "a group of LEDs")?;
        for led in &group.leds {
            if file.leds.iter().all(|l| l.name.get_ref() != led.get_ref()) {
                let help = meant(led.get_ref(), file.leds.iter().map(|l| &**l.name.get_ref()));
                return Err((format!("the body has no LED `{}`", led.get_ref()), help, Some(led.span())));
            }
        }
    }
    Ok(())
}

fn curves(file: &File, known: &BTreeSet<&str>) -> Checked {
    let mut moved = BTreeSet::new();
    for (actuator, row) in &file.curves {
        is_name(actuator, "a curve")?;
        let (joint, scale, offset) = row.get_ref().rule();
        is_joint(joint, known, row.span())?;
        if !scale.is_finite() || !offset.is_finite() {
            return fault("`scale` and `offset` must be finite numbers", row.span());
        }
        if !moved.insert(joint) {
            return fault(format!("another curve moves {joint} already: a joint has one"), row.span());
        }
    }
    Ok(())
}

/// The largest mass, in kilograms.
const HEAVIEST: f64 = 10_000.0;

fn masses(link: &LinkRow) -> Checked {
    if let Some(mass) = link.mass.as_ref().filter(|mass| !(0.0..=HEAVIEST).contains(mass.get_ref())) {
        return fault(format!("a `mass` is in kilograms, from 0 to {HEAVIEST}"), mass.span());
    }
    if let Some(inertia) = link.inertia.as_ref().filter(|six| !six.get_ref().iter().all(|x| x.abs() <= HEAVIEST)) {
        return fault(
            format!("an `inertia` is six numbers, none beyond {HEAVIEST}: xx, xy, xz, yy, yz, zz"),
            inertia.span(),
        );
    }
    Ok(())
}

/// The most soles, and corners of one.
const MOST_SOLES: usize = 8;
const MOST_CORNERS: usize = 16;

fn soles(file: &File) -> Checked {
    if let Some(sole) = file.soles.get(MOST_SOLES) {
        return fault(format!("a body has at most {MOST_SOLES} soles"), sole.link.span());
    }
    for sole in &file.soles {
        let name = sole.link.get_ref();
        if file.links.iter().all(|link| link.name.get_ref() != name) {
            return fault(format!("there is no link `{name}`"), sole.link.span());
        }
        let corners = sole.outline.get_ref();
        let near = |x: &f64| x.is_finite() && x.abs() <= FARTHEST;
        if !(3..=MOST_CORNERS).contains(&corners.len()) || !corners.iter().flatten().all(near) {
            let message = format!("an `outline` has 3 to {MOST_CORNERS} corners, each of three numbers");
            return fault(message, sole.outline.span());
        }
    }
    once(file.soles.iter().map(|sole| &sole.link), "sole of a link")
}

fn links(file: &File, known: &BTreeSet<&str>) -> Checked {
    let mut before: BTreeSet<&str> = BTreeSet::new();
    for link in &file.links {
        is_name(&link.name, "a link")?;
        match &link.parent {
            None if !before.is_empty() => {
                return fault(
                    format!("the link `{}` has no `parent`: only the first has none", link.name.get_ref()),
                    link.name.span(),
                );
            }
            Some(parent) if !before.contains(&**parent.get_ref()) => {
                return fault(format!("there is no link `{}` before this one", parent.get_ref()), parent.span());
            }
            _ => {}
        }
        if let Some(joint) = link.joint.as_ref().filter(|joint| !known.contains(&**joint.get_ref())) {
            return fault(format!("there is no joint `{}`", joint.get_ref()), joint.span());
        }
        for three in [&link.xyz, &link.rpy, &link.axis, &link.center].into_iter().flatten() {
            if !three.get_ref().iter().all(|x| x.is_finite() && x.abs() <= FARTHEST) {
                return fault(format!("three numbers, none beyond {FARTHEST}"), three.span());
            }
        }
        if let Some(axis) = link.axis.as_ref().filter(|axis| axis.get_ref().iter().all(|x| *x == 0.0)) {
            return fault("an `axis` must not be zero", axis.span());
        }
        masses(link)?;
        before.insert(link.name.get_ref());
    }
    once(file.links.iter().map(|link| &link.name), "link")
}
