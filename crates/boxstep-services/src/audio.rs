//! `ALAudioPlayer`: sounds last as long as their files, or as the robot's own recordings; nothing is decoded or
//! audible.
//!
//! Source: the page ALAudioPlayer API of the NAOqi documentation. A sound is identified by the id of the call that
//! plays it (`id = player.post.play(…)`), as on the robot.

use super::alarm::Alarm;
use super::args::Args;
use super::world::{World, after, readable};
use crate::table::{
    Answer, Call, Const, Reply, Service, answers, bad, described, done, failed, ok, robot, runs, service, unknown,
};
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use lofty::config::ParseOptions;
use lofty::file::AudioFile;
use lofty::probe::Probe;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub(crate) static SERVICES: &[Service] = &[service(
    "ALAudioPlayer",
    "Plays sound files",
    &[
        runs("playFile", "Plays a file; waits", robot("(s)v (sff)v (mm)v"), play_file),
        runs("playFileInLoop", "Plays a file again and again", robot("(s)v (sff)v (mm)v"), play_file_in_loop),
        runs(
            "playFileFromPosition",
            "Plays a file from a second on; waits",
            robot("(sf)v (sfff)v (mmm)v"),
            play_file_from_position,
        ),
        runs("loadFile", "Loads a file; its number", described("(s)i"), load_file),
        runs("unloadFile", "Unloads it", described("(i)v"), unload_file),
        runs("unloadAllFiles", "Unloads every file", described("()v"), unload_all_files),
        runs("play", "Plays a loaded file; waits", described("(i)v (iff)v (mm)v"), play_loaded),
        runs("playInLoop", "Plays a loaded file again and again", unknown("(m)m (mm)m (mmm)m"), play_loaded_in_loop),
        runs("pause", "Pauses or goes on", robot("(i)v"), pause),
        runs("stopAll", "Ends every sound", described("()v"), stop_every_sound),
        runs("setVolume", "Loudness of a file", unknown("(mm)m"), set_volume),
        runs("getVolume", "Loudness of a file", unknown("(m)m"), get_volume),
        runs("setMasterVolume", "Loudness", described("(f)v"), set_master_volume),
        runs("getMasterVolume", "Loudness", described("()f"), get_master_volume),
        runs("setPanorama", "Left −1 … right 1", unknown("(m)m"), set_panorama),
        runs("getFileLength", "Seconds of a file", described("(i)f"), get_file_length),
        runs("getCurrentPosition", "Second it plays", unknown("(m)m"), get_current_position),
        runs("goTo", "Goes to a second", unknown("(mm)m"), go_to),
        runs("getLoadedFilesIds", "Numbers of the loaded files", unknown("()m"), get_loaded_files_ids),
        runs("getLoadedFilesNames", "Names of the loaded files", unknown("()m"), get_loaded_files_names),
        runs("playSine", "Plays a tone: Hz, gain, panorama, seconds", unknown("(mmmm)m"), play_sine),
        runs("playWebStream", "Plays a stream", described("(sff)v"), play_web_stream),
        runs(
            "playSoundSetFile",
            "Plays a file of a sound set",
            described("(ss)v (s)v (mmm)v (mmmm)v (mmmmm)v"),
            play_sound_set_file,
        ),
        runs(
            "playSoundSetFileInLoop",
            "Plays it again and again",
            unknown("(m)m (mm)m (mmm)m (mmmm)m (mmmmm)m"),
            play_sound_set_file,
        ),
        runs("loadSoundSet", "Loads a sound set", described("(s)v"), play_sound_set_file),
        answers("unloadSoundSet", "Unloads it", unknown("(m)m"), Const::Null),
        answers("getInstalledSoundSetsList", "Sound sets", described("()[s]"), Const::Empty),
        answers("getLoadedSoundSetsList", "Loaded sound sets", unknown("()m"), Const::Empty),
        answers("getSoundSetFileNames", "Files of a sound set", unknown("(m)m"), Const::Empty),
        runs("getSoundSetLocation", "Folder of a sound set", unknown("(m)m"), play_sound_set_file),
        answers("isSoundSetInstalled", "Whether there is a sound set", unknown("(m)m"), Const::Bool(false)),
        answers("isSoundSetFileInstalled", "Whether it has a file", unknown("(mm)m"), Const::Bool(false)),
        answers("isSoundSetLoaded", "Whether it is loaded", unknown("(m)m"), Const::Bool(false)),
    ],
)];

/// The loaded files and the sounds that are playing.
#[derive(Debug)]
pub(crate) struct Audio {
    files: BTreeMap<i64, (String, f64)>,
    last_file: i64,
    sounds: BTreeMap<CallId, Sound>,
    /// The volume, 0…1.
    master: f64,
    panorama: f64,
    /// The recordings in progress, by service: the file name, and the start.
    pub(crate) recording: BTreeMap<&'static str, (String, Time)>,
    /// The lengths in seconds of the finished recordings, by the names of the files that a robot would have written.
    recordings: BTreeMap<String, f64>,
}

/// The most recordings that are remembered.
const MOST_RECORDINGS: usize = 1000;

impl Audio {
    /// Stores a finished sound recording.
    pub(crate) fn recorded(&mut self, name: &str, seconds: f64) {
        if self.recordings.len() < MOST_RECORDINGS || self.recordings.contains_key(name) {
            self.recordings.insert(name.to_owned(), seconds);
        }
        // A script that loaded an earlier recording of the same name plays the new one.
        for file in self.files.values_mut().filter(|f| f.0 == name) {
            file.1 = seconds;
        }
    }
}

impl Default for Audio {
    fn default() -> Self {
        Self {
            files: BTreeMap::new(),
            last_file: 0,
            sounds: BTreeMap::new(),
            master: 1.0,
            panorama: 0.0,
            recording: BTreeMap::new(),
            recordings: BTreeMap::new(),
        }
    }
}

#[derive(Debug)]
struct Sound {
    /// The position in the file at `since`, in seconds.
    position: f64,
    /// When it started or resumed; `None` while paused.
    since: Option<Time>,
    /// The length in seconds; infinite for a stream.
    length: f64,
    repeat: bool,
    file: i64,
    /// Counts changes, so that outdated alarms are ignored.
    generation: u32,
}

impl Sound {
    fn at(&self, now: Time) -> f64 {
        let Some(since) = self.since else { return self.position };
        let t = self.position + (now - since).as_secs_f64();
        if self.repeat && self.length > 0.0 { t % self.length } else { t.min(self.length) }
    }
}

fn play_file(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = load(w, call.args.text(0, "file")?)?;
    play(w, cx, call, file, 0.0, false, 1)
}

fn play_file_in_loop(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = load(w, call.args.text(0, "file")?)?;
    play(w, cx, call, file, 0.0, true, 1)
}

fn play_file_from_position(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let file = load(w, args.text(0, "file")?)?;
    play(w, cx, call, file, args.seconds(1, "position")?, false, 2)
}

fn play_loaded(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = loaded(w, call.args)?;
    play(w, cx, call, file, 0.0, false, 1)
}

fn play_loaded_in_loop(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = loaded(w, call.args)?;
    play(w, cx, call, file, 0.0, true, 1)
}

pub(crate) fn play_sine(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let frequency = args.number(0, "frequency")?;
    let seconds = args.seconds(3, "duration")?;
    let text = format!("tone of {frequency} Hz for {}", readable(seconds));
    cx.act("sound", text, Value::map([("frequency", Value::Float(frequency)), ("seconds", seconds.into())]));
    w.answer_after(cx, call.id, seconds, Value::Null)
}

/// Plays a stream. The simulation has no network, so the stream is silent, until it is stopped.
fn play_web_stream(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let url = call.args.text(0, "url")?;
    cx.act("sound", format!("web stream {url}"), Value::map([("url", Value::from(url))]));
    begin(w, cx, call.id, 0, 0.0, f64::INFINITY, false);
    Ok(Answer::Later)
}

fn play_sound_set_file(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    failed(format!("`{}` is not installed: the simulation has no sound sets", call.args.text(0, "sound set")?))
}

fn load_file(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(load(w, call.args.text(0, "file")?)?)
}

fn unload_file(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = loaded(w, call.args)?;
    w.audio.files.remove(&file);
    done()
}

fn unload_all_files(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.audio.files.clear();
    done()
}

fn get_loaded_files_ids(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.audio.files.keys().copied().collect::<Vec<_>>())
}

fn get_loaded_files_names(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.audio.files.values().map(|f| f.0.clone()).collect::<Vec<_>>())
}

fn get_file_length(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let file = playing(w, args).map(|s| s.file).or_else(|_| loaded(w, args))?;
    ok(w.audio.files.get(&file).map_or(0.0, |f| f.1))
}

fn get_current_position(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let now = cx.now();
    ok(playing(w, call.args)?.at(now))
}

fn pause(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let now = cx.now();
    let sound = playing(w, args)?;
    sound.position = sound.at(now);
    sound.since = if sound.since.is_some() { None } else { Some(now) };
    reschedule(w, cx, args)
}

fn go_to(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let to = args.seconds(1, "position")?;
    let now = cx.now();
    let sound = playing(w, args)?;
    sound.position = to.min(sound.length);
    sound.since = sound.since.map(|_| now);
    reschedule(w, cx, args)
}

fn stop_every_sound(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    stop_all(w, cx);
    done()
}

fn set_master_volume(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.audio.master = unit(call.args, 0, "volume")?;
    done()
}

fn get_master_volume(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.audio.master)
}

fn set_panorama(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.audio.panorama = call.args.number(0, "panorama")?.clamp(-1.0, 1.0);
    done()
}

fn set_volume(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let volume = unit(args, 1, "volume")?;
    w.settings.insert(format!("ALAudioPlayer/volume/{}", args.int(0, "id")?), volume.into());
    done()
}

fn get_volume(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let id = call.args.int(0, "id")?;
    ok(w.setting("ALAudioPlayer", &format!("volume/{id}")).cloned().unwrap_or(Value::Float(1.0)))
}

/// Returns a volume, 0…1.
fn unit(args: Args<'_>, i: usize, what: &str) -> Result<f64, ServiceError> {
    let x = args.number(i, what)?;
    if (0.0..=1.0).contains(&x) {
        return Ok(x);
    }
    bad(format!("argument {} ({what}) must be from 0 to 1, not {x}", i + 1))
}

/// Loads a sound file and returns its id. Loading it again returns the same id.
fn load(w: &mut World, name: &str) -> Result<i64, ServiceError> {
    if let Some((id, _)) = w.audio.files.iter().find(|(_, f)| f.0 == name) {
        return Ok(*id);
    }
    let recorded = w.audio.recordings.get(name).copied();
    let length = match recorded.map_or_else(|| measure(&resolve(w, name)), Ok) {
        Ok(seconds) => seconds,
        Err(why) => return failed(format!("cannot play the sound file `{name}`: {why}")),
    };
    w.audio.last_file += 1;
    w.audio.files.insert(w.audio.last_file, (name.to_owned(), length));
    Ok(w.audio.last_file)
}

/// Returns a relative path below the behavior's folder, and any other path unchanged.
fn resolve(w: &World, name: &str) -> PathBuf {
    let path = Path::new(name);
    match &w.options.folder {
        Some(folder) if path.is_relative() => folder.join(path),
        _ => path.to_owned(),
    }
}

/// Returns the length of a sound file in seconds.
fn measure(path: &Path) -> Result<f64, String> {
    if !path.is_file() {
        return Err("there is no such file".into());
    }
    let options = ParseOptions::new().read_tags(false).read_cover_art(false);
    let file = Probe::open(path).and_then(|p| p.options(options).guess_file_type().map_err(Into::into));
    let file = file.and_then(Probe::read).map_err(|e| format!("it is not a sound file that can be read ({e})"))?;
    Ok(file.properties().duration().as_secs_f64())
}

/// Returns the id of a loaded file.
fn loaded(w: &World, args: Args<'_>) -> Result<i64, ServiceError> {
    let id = args.int(0, "file id")?;
    if w.audio.files.contains_key(&id) { Ok(id) } else { failed(format!("no file was loaded with the id {id}")) }
}

/// Returns the sound that a call plays.
fn playing<'w>(w: &'w mut World, args: Args<'_>) -> Result<&'w mut Sound, ServiceError> {
    let id = args.int(0, "id")?;
    let call = u32::try_from(id).ok().map(CallId);
    match call.and_then(|call| w.audio.sounds.get_mut(&call)) {
        Some(sound) => Ok(sound),
        None => failed(format!("no sound is being played with the id {id}")),
    }
}

fn play(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: &Call<'_>,
    file: i64,
    position: f64,
    repeat: bool,
    volume_at: usize,
) -> Reply {
    let volume = if call.args.len() > volume_at { unit(call.args, volume_at, "volume")? } else { 1.0 };
    let pan = call.args.number_or(volume_at + 1, "panorama", w.audio.panorama)?.clamp(-1.0, 1.0);
    let Some((name, length)) = w.audio.files.get(&file).cloned() else {
        return failed(format!("no file was loaded with the id {file}"));
    };
    let how = if repeat { "in a loop".to_owned() } else { readable((length - position).max(0.0)) };
    let short = Path::new(&name).file_name().map_or(name.clone(), |n| n.to_string_lossy().into_owned());
    let data = [
        ("file", Value::from(name)),
        ("seconds", ((length * 1000.0).round() / 1000.0).into()),
        ("from", position.into()),
        ("loop", repeat.into()),
        ("volume", (volume * w.audio.master).into()),
        ("panorama", pan.into()),
    ];
    cx.act("sound", format!("{short}, {how}"), Value::map(data));
    // A loop over an empty sound would never let time advance.
    begin(w, cx, call.id, file, position.min(length), length, repeat && length > 0.0);
    Ok(Answer::Later)
}

fn begin(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId, file: i64, position: f64, length: f64, repeat: bool) {
    w.audio.sounds.insert(call, Sound { position, since: Some(cx.now()), length, repeat, file, generation: 0 });
    schedule(w, cx, call);
}

fn reschedule(w: &mut World, cx: &mut ServiceCx<'_>, args: Args<'_>) -> Reply {
    let call = CallId(args.int(0, "id")? as u32);
    if let Some(sound) = w.audio.sounds.get_mut(&call) {
        sound.generation += 1;
    }
    schedule(w, cx, call);
    done()
}

/// Sets the alarm for the end of a sound that has an end.
fn schedule(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId) {
    let Some(s) = w.audio.sounds.get(&call) else { return };
    if s.since.is_some() && !s.repeat && s.length.is_finite() {
        let (at, generation) = (after(cx.now(), s.length - s.position), s.generation);
        w.alarm(cx, at, Alarm::Sound(call, generation));
    }
}

/// Returns whether a sound is still playing, unchanged since this generation.
pub(crate) fn plays(w: &World, call: CallId, generation: u32) -> bool {
    w.audio.sounds.get(&call).is_some_and(|s| s.generation == generation)
}

/// Handles the possible end of a sound.
pub(crate) fn ended(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId, generation: u32) {
    if plays(w, call, generation) {
        w.audio.sounds.remove(&call);
        cx.complete(call, Ok(Value::Null));
    }
}

/// Stops every sound; their calls return.
pub(crate) fn stop_all(w: &mut World, cx: &mut ServiceCx<'_>) {
    let sounds = std::mem::take(&mut w.audio.sounds);
    if !sounds.is_empty() {
        cx.act("sound", "all sounds stopped", Value::map([("stopped", Value::Int(sounds.len() as i64))]));
    }
    for call in sounds.into_keys() {
        cx.complete(call, Ok(Value::Null));
    }
}

/// Handles the cancellation of a call that plays a sound: the sound stops.
pub(crate) fn cancel(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId) {
    if let Some(sound) = w.audio.sounds.remove(&call) {
        let name = w.audio.files.get(&sound.file).map_or("web stream", |f| f.0.as_str());
        let short = Path::new(name).file_name().map_or(name.into(), |n| n.to_string_lossy());
        cx.act("sound", format!("{short} stopped"), Value::map([("file", Value::from(name))]));
    }
}
