//! `ALLeds`: each LED has an intensity over time.
//!
//! Source: the page ALLeds API of the NAOqi documentation. Calls with a duration return when it has passed.

use super::args::{Args, numbers_of};
use super::body::{Channel, SimBody};
use super::motion::joints::Track;
use super::world::{World, readable};
use crate::table::{Call, Reply, Service, bad, done, ok, robot, runs, service, unknown};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_motion::JointPath;
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALLeds",
    "Lights",
    &[
        runs("on", "Lights a group", robot("(s)v"), on),
        runs("off", "Darkens a group", robot("(s)v"), off),
        runs("fade", "Fades a group to a brightness; waits", robot("(sff)v"), fade_intensity),
        runs("fadeRGB", "Fades a group to a colour; waits", robot("(sffff)v (ssf)v (sif)v"), fade_rgb),
        runs("fadeListRGB", "Fades a group through colours; waits", robot("(smm)v"), fade_list_rgb),
        runs("setIntensity", "Brightness at once", robot("(sf)v"), set_intensity),
        runs("getIntensity", "Brightness", robot("(s)m"), get_intensity),
        runs("reset", "Usual state of a group", robot("(s)v"), reset),
        runs("randomEyes", "Random colours for some seconds", robot("(f)v"), random_eyes),
        runs("rasta", "Colours for some seconds", robot("(f)v"), rasta),
        runs("rotateEyes", "Turns a colour round the eyes", robot("(iff)v"), rotate_eyes),
        runs("earLedsSetAngle", "Lights the ears at an angle", robot("(ifb)v"), ear_leds_set_angle),
        runs("createGroup", "Makes a group", robot("(s[s])v"), create_group),
        runs("listGroups", "Every group", robot("()[s]"), list_groups),
        runs("listGroup", "LEDs of a group", robot("(s)[s]"), list_group),
        runs("listLEDs", "Every LED", robot("()[s]"), list_le_ds),
        runs("listLED", "LEDs of a group, before NAOqi 2", unknown("(m)m"), list_group),
        runs("set", "Brightness of a group, before NAOqi 2", unknown("(mm)m"), set_intensity),
    ],
)];

/// The state of the LEDs.
#[derive(Debug)]
pub(crate) struct Leds {
    tracks: Vec<Track>,
    groups: BTreeMap<String, Vec<usize>>,
}

impl Leds {
    pub(crate) fn new(body: &SimBody) -> Self {
        let tracks = (0..body.led_count()).map(|i| Track::Still(body.led_default(i))).collect();
        Self { tracks, groups: BTreeMap::new() }
    }

    /// Returns the intensity of an LED, 0…1.
    pub(crate) fn at(&self, led: usize, now: Time) -> f64 {
        self.tracks.get(led).map_or(0.0, |t| t.at(now)).clamp(0.0, 1.0)
    }
}

/// Red, green and blue, each 0…1.
type Rgb = [f64; 3];

/// The colors that the documentation names.
const COLORS: &[(&str, u32)] = &[
    ("white", 0xffffff),
    ("red", 0xff0000),
    ("green", 0x00ff00),
    ("blue", 0x0000ff),
    ("yellow", 0xffff00),
    ("magenta", 0xff00ff),
    ("cyan", 0x00ffff),
    ("black", 0x000000),
];

/// The seconds between the colors of `randomEyes`.
const RANDOM_STEP: f64 = 0.5;
/// The most colors that one call generates.
const MOST_COLORS: usize = 2000;

fn fade_rgb(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let name = args.text(0, "group")?;
    let leds = find(w, name)?;
    let (rgb, at) = match args.len() {
        5 => ([part(args, 1, "red")?, part(args, 2, "green")?, part(args, 3, "blue")?], 4),
        3 => (color(args.value(1, "color")?)?, 2),
        _ => return bad("give a colour and a duration, or red, green, blue and a duration"),
    };
    let seconds = args.seconds(at, "duration")?;
    fade(w, cx, call, name, &leds, &[(seconds, rgb)])
}

fn fade_list_rgb(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let name = args.text(0, "group")?;
    let leds = find(w, name)?;
    let colors = args.list(1, "colors")?.iter().map(color).collect::<Result<Vec<_>, _>>()?;
    let times = args.numbers(2, "times")?;
    let rising = times.iter().try_fold(0.0, |a, b| (*b >= a).then_some(*b)).is_some();
    if colors.len() != times.len() || colors.is_empty() || !rising {
        return bad("colors and times must be as many, and the times must rise from 0");
    }
    fade(w, cx, call, name, &leds, &times.into_iter().zip(colors).collect::<Vec<_>>())
}

fn fade_intensity(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let seconds = call.args.seconds(2, "duration")?;
    fade_to(w, cx, call, seconds)
}

fn set_intensity(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    fade_to(w, cx, call, 0.0)
}

fn fade_to(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, seconds: f64) -> Reply {
    let name = call.args.text(0, "group")?;
    let leds = find(w, name)?;
    level(w, cx, name, &leds, part(call.args, 1, "intensity")?, seconds);
    w.answer_after(cx, call.id, seconds, Value::Null)
}

fn on(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    switch(w, cx, call, 1.0)
}

fn off(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    switch(w, cx, call, 0.0)
}

fn switch(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, intensity: f64) -> Reply {
    let name = call.args.text(0, "group")?;
    let leds = find(w, name)?;
    level(w, cx, name, &leds, intensity, 0.0);
    done()
}

fn reset(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "group")?;
    for led in find(w, name)? {
        let default = w.body.led_default(led);
        if let Some(track) = w.leds.tracks.get_mut(led) {
            *track = Track::Still(default);
        }
    }
    cx.act("leds", format!("{name} as they were"), Value::map([("group", Value::from(name))]));
    done()
}

fn get_intensity(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let leds = find(w, call.args.text(0, "group")?)?;
    let sum: f64 = leds.iter().map(|l| w.leds.at(*l, cx.now())).sum();
    ok(sum / leds.len().max(1) as f64)
}

fn create_group(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let name = args.text(0, "group")?;
    let mut leds = Vec::new();
    for led in args.texts(1, "LEDs")? {
        leds.extend(find(w, led)?);
    }
    w.leds.groups.insert(name.to_owned(), leds);
    done()
}

fn list_groups(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let own = w.leds.groups.keys().cloned();
    ok(w.body.led_groups().into_iter().chain(own).collect::<Vec<_>>())
}

fn list_group(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let leds = find(w, call.args.text(0, "group")?)?;
    ok(leds.into_iter().map(|l| w.body.led_name(l)).collect::<Vec<_>>())
}

fn list_le_ds(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok((0..w.body.led_count()).map(|l| w.body.led_name(l)).collect::<Vec<_>>())
}

fn rasta(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let seconds = call.args.seconds(0, "duration")?;
    animate(w, cx, call, "AllLeds", "rasta", seconds, &[0x00ff00, 0xffff00, 0xff0000])
}

fn random_eyes(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let seconds = call.args.seconds(0, "duration")?;
    let count = ((seconds / RANDOM_STEP).ceil() as usize).clamp(1, MOST_COLORS);
    let colors: Vec<u32> = (0..count).map(|_| (cx.random().next_u64() & 0xff_ffff) as u32).collect();
    animate(w, cx, call, "FaceLeds", "random eyes", seconds, &colors)
}

/// The rotating light is recorded in the trace but not simulated: all LEDs of the eyes have the color meanwhile.
fn rotate_eyes(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let rgb = color(args.value(0, "color")?)?;
    let (turn, seconds) = (args.seconds(1, "time for a turn")?, args.seconds(2, "duration")?);
    let leds = find(w, "FaceLeds")?;
    set(w, cx.now(), &leds, &[(0.0, rgb), (seconds, rgb)]);
    let text = format!("eyes turn {} every {}, {}", hex(rgb), readable(turn), readable(seconds));
    cx.act("leds", text, facts("FaceLeds", &[(seconds, rgb)]));
    w.answer_after(cx, call.id, seconds, Value::Null)
}

fn ear_leds_set_angle(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (degrees, seconds) = (args.int(0, "degrees")?, args.seconds(1, "duration")?);
    let stays = args.flag(2, "leave on at end")?;
    let leds = find(w, "EarLeds")?;
    let level = if stays { 1.0 } else { 0.0 };
    set(w, cx.now(), &leds, &[(seconds, [level; 3])]);
    let data = [("degrees", Value::Int(degrees)), ("seconds", seconds.into())];
    cx.act("leds", format!("ears show {degrees}° within {}", readable(seconds)), Value::map(data));
    w.answer_after(cx, call.id, seconds, Value::Null)
}

/// Returns the LEDs of a group, or a single LED.
fn find(w: &World, name: &str) -> Result<Vec<usize>, ServiceError> {
    let leds = w.leds.groups.get(name).cloned().or_else(|| w.body.leds(name));
    leds.ok_or_else(|| ServiceError::BadArguments(format!("`{name}` is neither a LED nor a group of LEDs")))
}

/// Returns a component of a color, clamped to 0…1.
fn part(args: Args<'_>, i: usize, what: &str) -> Result<f64, ServiceError> {
    Ok(args.number(i, what)?.clamp(0.0, 1.0))
}

/// Reads a color: `0xRRGGBB`, a name, or a list of red, green and blue from 0 to 1.
fn color(v: &Value) -> Result<Rgb, ServiceError> {
    match v {
        Value::Str(name) => {
            let name = name.to_ascii_lowercase();
            if let Some((_, c)) = COLORS.iter().find(|c| c.0 == name) {
                return Ok(split(*c));
            }
            let names: Vec<&str> = COLORS.iter().map(|c| c.0).collect();
            bad(format!("`{name}` is not a colour: use {} or a number 0xRRGGBB", names.join(", ")))
        }
        Value::List(_) => match numbers_of(v, "a colour")?.as_slice() {
            [r, g, b] => Ok([*r, *g, *b].map(|x| x.clamp(0.0, 1.0))),
            _ => bad("a colour in a list must be [red, green, blue]"),
        },
        // A script may have computed it as a float.
        _ => match v.as_f64().filter(|x| x.is_finite()) {
            Some(x) => Ok(split((x as i64 & 0xff_ffff) as u32)),
            None => bad(format!("a colour must be 0xRRGGBB, a name or [red, green, blue], not {}", v.kind())),
        },
    }
}

fn split(c: u32) -> Rgb {
    [c >> 16, c >> 8, c].map(|x| f64::from(x & 0xff) / 255.0)
}

fn hex(rgb: Rgb) -> String {
    let [r, g, b] = rgb.map(|x| (x * 255.0).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn facts(group: &str, keys: &[(f64, Rgb)]) -> Value {
    Value::map([
        ("group", Value::from(group)),
        ("colors", Value::list(keys.iter().map(|k| Value::from(hex(k.1))))),
        ("times", Value::list(keys.iter().map(|k| Value::Float(k.0)))),
    ])
}

/// Assigns colors over time to LEDs; an LED with one channel takes that component of each.
fn set(w: &mut World, now: Time, leds: &[usize], keys: &[(f64, Rgb)]) {
    for led in leds {
        let channel = w.body.led_channel(*led);
        let level = |rgb: &Rgb| match channel {
            Channel::Red => rgb[0],
            Channel::Green => rgb[1],
            Channel::Blue => rgb[2],
        };
        let from = w.leds.at(*led, now);
        let path = JointPath::linear("", keys.iter().map(|(t, rgb)| (*t, level(rgb))));
        let (Some(track), Some((_, last))) = (w.leds.tracks.get_mut(*led), keys.last()) else { continue };
        *track = match path.curve(from) {
            Ok(curve) if path.duration() > 0.0 => Track::along(now, curve),
            _ => Track::Still(level(last)),
        };
    }
}

fn fade(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    group: &str,
    leds: &[usize],
    keys: &[(f64, Rgb)],
) -> Reply {
    set(w, cx.now(), leds, keys);
    let seconds = keys.last().map_or(0.0, |k| k.0);
    let text = match keys {
        [(0.0, rgb)] => format!("{group} {}", hex(*rgb)),
        [(_, rgb)] => format!("{group} {} over {}", hex(*rgb), readable(seconds)),
        many => format!("{group} {} colours over {}", many.len(), readable(seconds)),
    };
    cx.act("leds", text, facts(group, keys));
    w.answer_after(cx, call.id, seconds, Value::Null)
}

fn level(w: &mut World, cx: &mut ServiceCx<'_>, group: &str, leds: &[usize], intensity: f64, seconds: f64) {
    set(w, cx.now(), leds, &[(seconds, [intensity; 3])]);
    let over = if seconds > 0.0 { format!(" over {}", readable(seconds)) } else { String::new() };
    let data = [("group", Value::from(group)), ("intensity", intensity.into()), ("seconds", seconds.into())];
    cx.act("leds", format!("{group} {:.0} %{over}", 100.0 * intensity), Value::map(data));
}

/// Shows colors one after another for some time.
fn animate(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    group: &str,
    what: &str,
    seconds: f64,
    colors: &[u32],
) -> Reply {
    let leds = find(w, group)?;
    let step = seconds / colors.len().max(1) as f64;
    let keys: Vec<_> = colors.iter().enumerate().map(|(i, c)| (step * (i + 1) as f64, split(*c))).collect();
    set(w, cx.now(), &leds, &keys);
    let data = [("group", Value::from(group)), ("animation", what.into()), ("seconds", seconds.into())];
    cx.act("leds", format!("{group} {what} for {}", readable(seconds)), Value::map(data));
    w.answer_after(cx, call.id, seconds, Value::Null)
}
