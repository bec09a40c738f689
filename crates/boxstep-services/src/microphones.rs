//! The sound that modules get from the microphones: `ALAudioDevice` calls `processRemote(channels, samples of a channel,
//! time, bytes)` of each subscriber for as long as it is subscribed.
//!
//! Decision: a module gets 4,096 samples a channel at 48,000 Hz and 1,365 at 16,000 Hz, every 85 ms. Each sound of the
//! world is a tone of 440 Hz, as loud as it is at the robot's head; everything else is silent.

use crate::alarm::Alarm;
use crate::senses::{loudness, stamp};
use crate::table::{Call, Reply, bad, done};
use crate::world::World;
use boxstep_engine::services::{Ask, Effect, ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// How a module wants its sound.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Preferences {
    rate: i64,
    channels: i64,
    /// The samples of each channel together; otherwise those of each moment.
    apart: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self { rate: 48_000, channels: 4, apart: false }
    }
}

/// The modules that listen, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Microphones {
    preferences: BTreeMap<String, Preferences>,
    /// Each has a number of its own.
    listeners: BTreeMap<u64, String>,
    last: u64,
}

/// The numbers of the calls of modules, which no dialog has.
pub(crate) const NUMBERS: std::ops::Range<u64> = 1 << 60..1 << 61;

/// The samples of a buffer at 48,000 Hz, which decide how long it is.
const SAMPLES: i64 = 4096;
const FASTEST: i64 = 48_000;
/// The pitch of a sound.
const TONE: f64 = 440.0;

/// `setClientPreferences(name, rate, channels, apart)`: the channels are 0 for all, else one of 1 to 4, or a list of four
/// flags.
pub(crate) fn set_client_preferences(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (name, rate) = (args.text(0, "module")?, args.int(1, "rate")?);
    if !matches!(rate, 16_000 | 48_000) {
        return bad(format!("argument 2 (rate) must be 16000 or 48000, not {rate}"));
    }
    let channels = match args.value(2, "channels")? {
        Value::List(flags) if flags.len() == 4 => flags.iter().filter(|flag| flag.truthy()).count() as i64,
        Value::Int(0) => 4,
        Value::Int(1..=4) => 1,
        _ => return bad("argument 3 (channels) must be a number from 0 to 4, or four flags"),
    };
    if channels == 4 && rate != FASTEST || channels == 0 {
        return bad("all channels are there at 48000 Hz only, and there must be some");
    }
    let apart = args.flag(3, "deinterleaved")?;
    w.microphones.preferences.insert(name.to_owned(), Preferences { rate, channels, apart });
    done()
}

pub(crate) fn subscribe(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "module")?.to_owned();
    if !w.microphones.listeners.values().any(|known| *known == name) {
        w.microphones.last += 1;
        let number = w.microphones.last;
        w.microphones.listeners.insert(number, name);
        wait(w, cx, number);
    }
    done()
}

pub(crate) fn unsubscribe(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "module")?;
    w.microphones.listeners.retain(|_, known| known != name);
    done()
}

/// Sets the timer for the end of the next buffer.
fn wait(w: &mut World, cx: &mut ServiceCx<'_>, number: u64) {
    let at = cx.now() + Time(SAMPLES * 1_000_000_000 / FASTEST);
    w.alarm(cx, at, Alarm::Microphones(number));
}

/// Returns whether the module still listens.
pub(crate) fn listens(w: &World, number: u64) -> bool {
    w.microphones.listeners.contains_key(&number)
}

/// Handles the timer: the module gets what was heard.
pub(crate) fn process(w: &mut World, cx: &mut ServiceCx<'_>, number: u64) {
    let Some(module) = w.microphones.listeners.get(&number).cloned() else { return };
    let wanted = w.microphones.preferences.get(&module).copied().unwrap_or_default();
    let samples = SAMPLES * wanted.rate / FASTEST;
    let begin = cx.now() - Time(SAMPLES * 1_000_000_000 / FASTEST);
    let bytes = sound(w, begin, samples, wanted);
    let args = vec![Value::Int(wanted.channels), Value::Int(samples), stamp(w, begin), Value::Bytes(bytes.into())];
    let ask = Ask { number: NUMBERS.start + number, service: module.into(), method: "processRemote".into(), args };
    cx.effect(Effect::Call(Box::new(ask)));
    wait(w, cx, number);
}

/// Returns samples of 16 bits, the low byte first.
fn sound(w: &World, begin: Time, samples: i64, wanted: Preferences) -> Vec<u8> {
    let one = (0..samples).map(|i| {
        let at = begin + Time(i * 1_000_000_000 / wanted.rate);
        let level = loudness(w, at);
        let wave = if level > 0.0 { (TAU * (TONE * at.as_secs_f64()).fract()).sin() } else { 0.0 };
        (level * wave * f64::from(i16::MAX)) as i16
    });
    let one: Vec<i16> = one.collect();
    let copies = wanted.channels as usize;
    let ordered: Vec<i16> = if wanted.apart {
        one.iter().copied().cycle().take(one.len() * copies).collect()
    } else {
        one.iter().flat_map(|sample| std::iter::repeat_n(*sample, copies)).collect()
    };
    ordered.into_iter().flat_map(i16::to_le_bytes).collect()
}

/// Receives how a module took its sound. One that cannot take any gets no more, with one warning.
pub(crate) fn answered(w: &mut World, cx: &mut ServiceCx<'_>, number: u64, result: Result<Value, ServiceError>) {
    let Err(error) = result else { return };
    if let Some(module) = w.microphones.listeners.remove(&(number - NUMBERS.start)) {
        let why = error.message(&module, "processRemote");
        cx.effect(Effect::Warn(format!("{module} gets no more sound of the microphones: {why}")));
    }
}

/// Ends every subscription, when the robot is halted.
pub(crate) fn stop_all(w: &mut World) {
    w.microphones.listeners.clear();
}
