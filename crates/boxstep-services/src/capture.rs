//! Microphones and loudspeakers. No sound file is written: scripts name paths on a robot, and the simulation must not
//! create files there on the machine that plays the behavior. The length of a sound recording is stored, so that the
//! robot can play it.
//!
//! Source: the pages ALAudioDevice and ALAudioRecorder API of the NAOqi documentation.

use crate::audio;
use crate::microphones;
use crate::senses::loudness;
use crate::table::{
    Call, Const, Reply, Service, accepts, acts, bad, described, done, failed, gets, ok, runs, service, sets, unknown,
};
use crate::world::{World, readable};
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

const NO: Const = Const::Bool(false);
pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALAudioRecorder",
        "Records sound",
        &[
            runs(
                "startMicrophonesRecording",
                "Records: file, type, rate, channels",
                described("(ssim)v (m)v (mm)v (mmm)v"),
                start_recording,
            ),
            runs("stopMicrophonesRecording", "Ends recording", described("()v"), stop_recording),
            acts("startPlaying", "Plays a recording", unknown("(m)m"), "sound", "playing", Const::Null),
        ],
    ),
    service(
        "ALAudioDevice",
        "Loudspeakers and microphones",
        &[
            runs("setOutputVolume", "Loudness, 0…100", described("(i)v"), set_output_volume),
            gets("getOutputVolume", "Loudness, 0…100", described("()i"), "volume", Const::Int(50)),
            sets("muteAudioOut", "Silent or not", described("(b)v"), "muted"),
            gets("isAudioOutMuted", "Whether it is silent", unknown("()m"), "muted", NO),
            runs(
                "startMicrophonesRecording",
                "Records to a file",
                unknown("(m)m (mm)m (mmm)m (mmmm)m"),
                start_recording,
            ),
            runs("stopMicrophonesRecording", "Ends recording", unknown("()m"), stop_recording),
            gets("isInputClosed", "Whether the microphones are off", unknown("()m"), "inputClosed", NO),
            gets("isOutputClosed", "Whether the loudspeakers are off", unknown("()m"), "outputClosed", NO),
            accepts("openAudioInputs", "Microphones on", unknown("()m")),
            accepts("closeAudioInputs", "Microphones off", unknown("()m")),
            accepts("openAudioOutputs", "Loudspeakers on", unknown("()m")),
            accepts("closeAudioOutputs", "Loudspeakers off", unknown("()m")),
            accepts("enableEnergyComputation", "Measures loudness", unknown("()m")),
            accepts("disableEnergyComputation", "Ends it", unknown("()m")),
            runs("getFrontMicEnergy", "Loudness at the front", unknown("()m"), get_mic_energy),
            runs("getRearMicEnergy", "Loudness at the back", unknown("()m"), get_mic_energy),
            runs("getLeftMicEnergy", "Loudness at the left", unknown("()m"), get_mic_energy),
            runs("getRightMicEnergy", "Loudness at the right", unknown("()m"), get_mic_energy),
            accepts("flushAudioOutputs", "Drops what waits", unknown("()m")),
            sets("setParameter", "Sets a parameter", unknown("(mm)m"), "parameter"),
            gets("getParameter", "Value of a parameter", unknown("(m)m"), "parameter", Const::Int(0)),
            runs(
                "setClientPreferences",
                "How a module gets sound: name, rate, channels, apart",
                described("(simi)v"),
                microphones::set_client_preferences,
            ),
            runs(
                "subscribe",
                "Calls processRemote of a module with sound",
                unknown("(m)m (mm)m (mmm)m"),
                microphones::subscribe,
            ),
            runs("unsubscribe", "Ends it", unknown("(m)m"), microphones::unsubscribe),
            accepts("sendRemoteBufferToOutput", "Plays samples", unknown("(mm)m")),
            accepts("sendLocalBufferToOutput", "Plays samples", unknown("(mm)m")),
            accepts("setFileAsInput", "Takes a file for the microphones", unknown("(m)m")),
            runs("playSine", "Plays a tone", unknown("(mmmm)m"), audio::play_sine),
            accepts("disableEcho", "No echo", unknown("()m")),
        ],
    ),
    service(
        "ALVolumeSlider",
        "Loudness by steps",
        &[
            runs("increaseVolume", "Louder", unknown("()m"), increase_volume),
            runs("decreaseVolume", "Less loud", unknown("()m"), decrease_volume),
        ],
    ),
];

pub(crate) fn start_recording(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = call.args.text(0, "file name")?.to_owned();
    begin_recording(w, cx, call, file)
}

pub(crate) fn start_recording_in(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = format!("{}/{}", call.args.text(0, "folder")?, call.args.text(1, "file name")?);
    begin_recording(w, cx, call, file)
}

fn begin_recording(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, file: String) -> Reply {
    let service = call.service.name;
    if w.audio.recording.contains_key(service) {
        return failed("a recording is already going on");
    }
    cx.act(
        "record",
        format!("{file} begins (no file is made in the simulation)"),
        Value::map([("file", Value::from(file.as_str()))]),
    );
    w.audio.recording.insert(service, (file, cx.now()));
    done()
}

fn stop_recording(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    if let Some((file, seconds)) = end_recording(w, cx, call) {
        w.audio.recorded(&file, seconds);
    }
    done()
}

/// Answers how many frames a robot would have written, and the file; an empty list if nothing was recorded.
pub(crate) fn stop_video(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let recorded = end_recording(w, cx, call);
    let rate = w.setting("ALVideoRecorder", "frameRate").and_then(Value::as_f64).unwrap_or(15.0);
    let frames = |seconds: f64| Value::Int((seconds * rate) as i64);
    ok(recorded.map_or(Value::list([]), |(file, seconds)| Value::list([frames(seconds), Value::from(file)])))
}

/// Ends a recording; returns the file name and the length in seconds.
fn end_recording(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Option<(String, f64)> {
    let (file, since) = w.audio.recording.remove(call.service.name)?;
    let seconds = (cx.now() - since).as_secs_f64();
    let data = [("file", Value::from(file.as_str())), ("seconds", Value::Float(seconds))];
    cx.act("record", format!("{file} ends after {}", readable(seconds)), Value::map(data));
    Some((file, seconds))
}

pub(crate) fn is_recording(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.audio.recording.contains_key(call.service.name))
}

fn set_output_volume(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let volume = call.args.int(0, "volume")?;
    if !(0..=100).contains(&volume) {
        return bad(format!("argument 1 (volume) must be from 0 to 100, not {volume}"));
    }
    w.settings.insert("ALAudioDevice/volume".into(), volume.into());
    cx.act("sound", format!("volume {volume} %"), Value::map([("volume", Value::Int(volume))]));
    done()
}

/// Answers how loud it is; every microphone hears the same. Decision: 1 is 32767, the loudest sample.
fn get_mic_energy(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    // Silence is 0, and not -0.
    ok(loudness(w, cx.now()) * f64::from(i16::MAX) + 0.0)
}

/// The change of a press of the volume keys, in percent.
const VOLUME_STEP: i64 = 10;

fn increase_volume(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    change_volume(w, cx, VOLUME_STEP)
}

fn decrease_volume(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    change_volume(w, cx, -VOLUME_STEP)
}

fn change_volume(w: &mut World, cx: &mut ServiceCx<'_>, step: i64) -> Reply {
    let before = w.setting("ALAudioDevice", "volume").and_then(Value::as_i64).unwrap_or(50);
    let volume = (before + step).clamp(0, 100);
    w.settings.insert("ALAudioDevice/volume".into(), volume.into());
    cx.act("sound", format!("volume {volume} %"), Value::map([("volume", Value::Int(volume))]));
    done()
}
