//! `ALTextToSpeech` and `ALAnimatedSpeech`: one voice, and one queue of sentences.
//!
//! A sentence takes the time that [`text`] estimates; `say` returns when it has been spoken. Source: the pages
//! ALTextToSpeech API and ALAnimatedSpeech API of the NAOqi documentation.

mod text;

use super::alarm::Alarm;
use super::args::Args;
use super::world::{World, after};
use crate::table::{
    Answer, Call, Const, Reply, Service, accepts, acts, answers, done, failed, gets, nao6, ok, robot, runs, service,
    sets, signal, unknown,
};
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, VecDeque};
use text::Utterance;

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALTextToSpeech",
        "Speaks",
        &[
            runs("say", "Speaks; waits", robot("(s)v (ss)v"), say_plain),
            runs("sayToFile", "Speaks into a file", robot("(ss)v"), say_to_file),
            runs("sayToFileAndPlay", "Speaks into a file and plays it", robot("(s)v"), say_to_file_and_play),
            runs("stopAll", "Ends speaking", robot("()v"), stop_speech),
            runs("setLanguage", "Language, e.g. English", robot("(s)v"), set_speech_language),
            runs("getLanguage", "Language", robot("()s"), get_language),
            runs("getAvailableLanguages", "Languages it has", robot("()[s]"), get_available_languages),
            runs("getSupportedLanguages", "Languages there are", robot("()[s]"), get_available_languages),
            runs("setVoice", "Voice", robot("(s)v"), set_voice),
            runs("getVoice", "Voice", robot("()s"), get_voice),
            runs("getAvailableVoices", "Voices", robot("()[s]"), get_available_voices),
            runs("setVolume", "Loudness, 0…1", robot("(f)v"), set_volume),
            runs("getVolume", "Loudness, 0…1", robot("()f"), get_volume),
            runs("setParameter", "pitchShift, doubleVoice, speed …", robot("(sf)v"), set_parameter),
            runs("getParameter", "Value of a parameter", robot("(s)f"), get_parameter),
            runs("resetSpeed", "Usual speed", robot("()v"), reset_speed),
            sets("setLanguageDefaultVoice", "Voice of a language", robot("(ss)v"), "defaultVoice"),
            accepts("enableNotifications", "Raises events about words", robot("()v")),
            accepts("disableNotifications", "Raises none", robot("()v")),
            accepts("loadVoicePreference", "Takes parameters from a file", robot("(s)v")),
            runs("locale", "Language and country", robot("()s"), get_locale),
            accepts("addToDictionary", "Says how a word is spoken", nao6("(ss)b (sssss)b (m)b (mmm)b (mmmm)b")),
            accepts("deleteFromDictionary", "Forgets it", nao6("(s)b (ss)b")),
            accepts("showDictionary", "Words of the dictionary", nao6("()v (m)v")),
            gets("isAudioOutRemote", "Whether another robot speaks", unknown("()m"), "audioOut", Const::Bool(false)),
            sets("setLanguagePreferredVoice", "Voice of a language", unknown("(mm)m"), "preferredVoice"),
            accepts("reset", "Usual settings", unknown("()m")),
            accepts("setDefaultVoiceParameter", "Usual value of a voice parameter", unknown("()m (m)m (mm)m (mmm)m")),
        ],
    )
    .signals(&[signal("synchroTTS", "((ll))"), signal("languageTTS", "(s)")])
    .events(&[
        "ALTextToSpeech/CurrentBookMark",
        "ALTextToSpeech/CurrentSentence",
        "ALTextToSpeech/CurrentWord",
        "ALTextToSpeech/PositionOfCurrentWord",
        "ALTextToSpeech/Status",
        "ALTextToSpeech/TextDone",
        "ALTextToSpeech/TextInterrupted",
        "ALTextToSpeech/TextStarted",
    ]),
    service(
        "ALAnimatedSpeech",
        "Speaks and gestures",
        &[
            runs("say", "Speaks with gestures; waits", robot("(s)v (sm)v"), say_animated),
            runs("setBodyLanguageMode", "0 disabled, 1 random, 2 contextual", robot("(I)v"), set_body_language_mode),
            gets("getBodyLanguageMode", "0 disabled, 1 random, 2 contextual", robot("()I"), "mode", Const::Int(2)),
            runs(
                "setBodyLanguageModeFromStr",
                "disabled, random or contextual",
                robot("(s)v"),
                set_body_language_mode_from_str,
            ),
            runs(
                "getBodyLanguageModeToStr",
                "disabled, random or contextual",
                robot("()s"),
                get_body_language_mode_to_str,
            ),
            runs("setBodyLanguageEnabled", "Deprecated", robot("(b)v"), set_body_talk_enabled),
            runs("isBodyLanguageEnabled", "Deprecated", robot("()b"), is_body_talk_enabled),
            runs("setBodyTalkEnabled", "Deprecated", robot("(b)v"), set_body_talk_enabled),
            runs("isBodyTalkEnabled", "Deprecated", robot("()b"), is_body_talk_enabled),
            accepts("addTagsToWords", "Gestures for words", robot("(m)v")),
            accepts("declareAnimationsPackage", "Animations of a package", robot("(s)v")),
            accepts("declareTagForAnimations", "Animations of a tag", robot("(m)v")),
            accepts("declareAnimationsTags", "Tags of animations", unknown("(m)m")),
            answers(
                "isDefaultAnimationsEnabled",
                "Whether the stock gestures are used",
                unknown("()m"),
                Const::Bool(true),
            ),
            runs("stopAll", "Ends what is said", unknown("()m (m)m"), stop_animated),
            acts("loadAnimations", "Loads animations", unknown("(m)m"), "say", "animations loaded", Const::Null),
        ],
    )
    .events(&["ALAnimatedSpeech/EndOfAnimatedSpeech"]),
];

/// The state of the voice.
#[derive(Debug)]
pub(crate) struct Speech {
    pub(crate) language: String,
    /// The volume, 0…1.
    pub(crate) volume: f64,
    voice: Option<String>,
    parameters: BTreeMap<String, f64>,
    last: i64,
    current: Option<Sentence>,
    /// When the last sentence has ended.
    ended: Option<Time>,
    queue: VecDeque<Sentence>,
}

#[derive(Debug)]
struct Sentence {
    id: i64,
    then: Then,
    animated: bool,
    utterance: Utterance,
    speed: f64,
    language: String,
}

/// Who waits for the end of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    /// A call.
    Answer(CallId),
    /// The dialog, by its number of the sentence.
    Dialog(u64),
}

impl Then {
    fn ended(self, w: &mut World, cx: &mut ServiceCx<'_>) {
        match self {
            Then::Answer(call) => cx.complete(call, Ok(Value::Null)),
            Then::Dialog(number) => w.talk.said(number),
        }
    }
}

/// The next event of a sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeechStep {
    sentence: i64,
    what: SpeechEvent,
}

#[derive(Clone, Copy, Debug)]
enum SpeechEvent {
    Word(usize),
    Mark(usize),
    End,
}

impl Speech {
    pub(crate) fn new(language: &str) -> Self {
        Self {
            language: language.to_owned(),
            volume: 1.0,
            voice: None,
            parameters: BTreeMap::new(),
            last: 0,
            current: None,
            ended: None,
            queue: VecDeque::new(),
        }
    }

    fn parameter(&self, name: &str) -> Option<f64> {
        // The names differ between versions by case only (`pitchShift`, `speed`, `doubleVoice` …).
        let default = match name.to_ascii_lowercase().as_str() {
            "speed" | "defaultspeed" | "defaultvoicespeed" => 100.0,
            "pitchshift" | "doublevoice" | "doublevoicelevel" | "doublevoicetimeshift" => 0.0,
            "pitch" | "volume" => 100.0,
            _ => return self.parameters.get(&name.to_ascii_lowercase()).copied(),
        };
        Some(self.parameters.get(&name.to_ascii_lowercase()).copied().unwrap_or(default))
    }

    fn speed(&self) -> f64 {
        let speed = self.parameter("speed").unwrap_or(100.0) * self.parameter("defaultspeed").unwrap_or(100.0) / 100.0;
        speed.clamp(30.0, 400.0)
    }
}

/// The modes of body language, by number.
const MODES: &[&str] = &["disabled", "random", "contextual"];

fn say_plain(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let text = args.text(0, "text")?;
    // With two arguments, the sentence is spoken in another language than the robot's.
    let language = match args.get(1) {
        Some(_) => language_at(w, args, 1)?,
        None => w.speech.language.clone(),
    };
    say_text(w, cx, call.id, text, language, false)
}

fn say_to_file_and_play(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let language = w.speech.language.clone();
    say_text(w, cx, call.id, call.args.text(0, "text")?, language, false)
}

fn say_to_file(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let text = text::read(args.text(0, "text")?, w.speech.speed(), false).text;
    let file = args.text(1, "file")?;
    cx.act(
        "sound",
        format!("speech written to {file} (no file is made in the simulation): {text}"),
        Value::map([("file", file.into()), ("text", Value::from(text))]),
    );
    done()
}

fn stop_speech(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    stop_all(w, cx);
    done()
}

fn get_language(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.speech.language.as_str())
}

fn get_available_languages(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(languages(w))
}

fn set_speech_language(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_language(w, cx, call.args)
}

fn get_locale(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(locale(&w.speech.language))
}

fn get_available_voices(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list([Value::from(voice(w))]))
}

fn get_voice(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(voice(w))
}

fn set_voice(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.speech.voice = Some(call.args.text(0, "voice")?.to_owned());
    done()
}

fn get_volume(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.speech.volume)
}

fn set_volume(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.speech.volume = call.args.number(0, "volume")?.clamp(0.0, 2.0);
    done()
}

fn reset_speed(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.speech.parameters.remove("speed");
    done()
}

fn set_parameter(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let name = args.text(0, "name")?.to_ascii_lowercase();
    w.speech.parameters.insert(name, args.number(1, "value")?);
    done()
}

fn get_parameter(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    match w.speech.parameter(name) {
        Some(value) => ok(value),
        None => failed(format!("there is no voice parameter `{name}`")),
    }
}

fn say_animated(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let language = w.speech.language.clone();
    say_text(w, cx, call.id, call.args.text(0, "text")?, language, true)
}

fn stop_animated(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    stop_all(w, cx);
    done()
}

fn set_body_language_mode(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_mode(w, call.args.int(0, "mode")?)
}

fn set_body_language_mode_from_str(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "mode")?;
    match MODES.iter().position(|m| *m == name) {
        Some(i) => set_mode(w, i as i64),
        None => failed(format!("`{name}` is not a body language mode: use {}", MODES.join(", "))),
    }
}

fn get_body_language_mode_to_str(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let mode = w.setting("ALAnimatedSpeech", "mode").and_then(Value::as_i64).unwrap_or(2);
    ok(MODES.get(mode as usize).copied().unwrap_or("contextual"))
}

fn set_body_talk_enabled(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let on = call.args.flag(0, "enabled")?;
    set_mode(w, if on { 2 } else { 0 })
}

fn is_body_talk_enabled(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.setting("ALAnimatedSpeech", "mode").and_then(Value::as_i64) != Some(0))
}

fn set_mode(w: &mut World, mode: i64) -> Reply {
    if !(0..=2).contains(&mode) {
        return super::table::bad("argument 1 (mode) must be 0 (disabled), 1 (random) or 2 (contextual)");
    }
    w.settings.insert("ALAnimatedSpeech/mode".into(), mode.into());
    done()
}

fn voice(w: &World) -> String {
    w.speech.voice.clone().unwrap_or_else(|| format!("simulated{}", w.speech.language))
}

/// Returns the language code of the robot's speech engines.
fn locale(language: &str) -> &'static str {
    match language {
        "Arabic" => "ar_SA",
        "Brazilian" => "pt_BR",
        "Chinese" => "zh_CN",
        "Czech" => "cs_CZ",
        "Danish" => "da_DK",
        "Dutch" => "nl_NL",
        "Finnish" => "fi_FI",
        "French" => "fr_FR",
        "German" => "de_DE",
        "Greek" => "el_GR",
        "Italian" => "it_IT",
        "Japanese" => "ja_JP",
        "Korean" => "ko_KR",
        "MandarinTaiwan" => "zh_TW",
        "Norwegian" => "nn_NO",
        "Polish" => "pl_PL",
        "Portuguese" => "pt_PT",
        "Russian" => "ru_RU",
        "Spanish" => "es_ES",
        "Swedish" => "sv_SE",
        "Turkish" => "tr_TR",
        _ => "en_US",
    }
}

const LANGUAGES: &[&str] = &[
    "Arabic",
    "Brazilian",
    "Chinese",
    "Czech",
    "Danish",
    "Dutch",
    "English",
    "Finnish",
    "French",
    "German",
    "Greek",
    "Italian",
    "Japanese",
    "Korean",
    "MandarinTaiwan",
    "Norwegian",
    "Polish",
    "Portuguese",
    "Russian",
    "Spanish",
    "Swedish",
    "Turkish",
];

pub(crate) fn languages(w: &World) -> Value {
    let own = w.options.language.as_str();
    Value::list(LANGUAGES.iter().copied().chain((!LANGUAGES.contains(&own)).then_some(own)).map(Value::from))
}

/// Whether the robot speaks a language.
pub(crate) fn is_installed(w: &World, name: &str) -> bool {
    LANGUAGES.contains(&name) || name == w.options.language
}

/// Returns the language that an argument names.
pub(crate) fn language_argument(w: &World, args: Args<'_>) -> Result<String, ServiceError> {
    language_at(w, args, 0)
}

fn language_at(w: &World, args: Args<'_>, i: usize) -> Result<String, ServiceError> {
    let name = args.text(i, "language")?;
    if is_installed(w, name) {
        return Ok(name.to_owned());
    }
    failed(format!("the language `{name}` is not installed; installed are {}", LANGUAGES.join(", ")))
}

fn set_language(w: &mut World, cx: &mut ServiceCx<'_>, args: Args<'_>) -> Reply {
    let language = language_argument(w, args)?;
    if w.speech.language != language {
        w.speech.language = language.clone();
        w.signal(cx, "ALTextToSpeech", "languageTTS", Value::list([Value::from(language)]));
    }
    done()
}

/// Queues a sentence.
fn say_text(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: CallId,
    text: &str,
    language: String,
    animated: bool,
) -> Reply {
    enqueue(w, cx, Then::Answer(call), text, language, animated);
    Ok(Answer::Later)
}

/// Says a sentence of the dialog, with gestures.
pub(crate) fn say_of_dialog(w: &mut World, cx: &mut ServiceCx<'_>, number: u64, text: &str) {
    let language = w.speech.language.clone();
    enqueue(w, cx, Then::Dialog(number), text, language, true);
}

/// Cuts off what the dialog says.
pub(crate) fn stop_dialog(w: &mut World, cx: &mut ServiceCx<'_>) {
    let of_dialog = |sentence: &Sentence| matches!(sentence.then, Then::Dialog(_));
    w.speech.queue.retain(|sentence| !of_dialog(sentence));
    if let Some(s) = w.speech.current.take_if(|s| of_dialog(s)) {
        finished(w, cx, s.id, s.animated, "stopped");
        start_next(w, cx);
    }
}

fn enqueue(w: &mut World, cx: &mut ServiceCx<'_>, then: Then, text: &str, language: String, animated: bool) {
    let speed = w.speech.speed();
    w.speech.last += 1;
    let id = w.speech.last;
    let utterance = text::read(text, speed, animated);
    w.speech.queue.push_back(Sentence { id, then, animated, utterance, speed, language });
    status(w, cx, id, "enqueued");
    start_next(w, cx);
}

fn status(w: &mut World, cx: &mut ServiceCx<'_>, id: i64, what: &str) {
    w.notice(cx, "ALTextToSpeech/Status", Value::list([id.into(), what.into()]));
}

fn start_next(w: &mut World, cx: &mut ServiceCx<'_>) {
    if w.speech.current.is_some() {
        return;
    }
    let Some(sentence) = w.speech.queue.pop_front() else { return };
    let (id, now) = (sentence.id, cx.now());
    let u = &sentence.utterance;
    let mut data = vec![
        ("seconds", Value::Float(round(u.seconds))),
        ("language", sentence.language.as_str().into()),
        ("speed", sentence.speed.into()),
    ];
    if sentence.animated {
        let mode = w.setting("ALAnimatedSpeech", "mode").and_then(Value::as_i64).unwrap_or(2);
        data.push(("body_language", MODES.get(mode as usize).copied().unwrap_or("contextual").into()));
        data.push(("animations", Value::list(u.animations.iter().map(|a| Value::from(a.as_str())))));
    }
    if !u.tags.is_empty() {
        data.push(("tags", Value::list(u.tags.iter().map(|t| Value::from(t.as_str())))));
    }
    cx.act("say", u.text.clone(), Value::map(data));

    // A word needs an alarm only if the events of words have subscribers.
    let mut steps: Vec<(f64, SpeechEvent)> =
        u.marks.iter().enumerate().map(|(i, m)| (m.0, SpeechEvent::Mark(i))).collect();
    if w.has_subscriber("ALTextToSpeech/CurrentWord") || w.has_subscriber("ALTextToSpeech/PositionOfCurrentWord") {
        steps.extend(u.words.iter().enumerate().map(|(i, m)| (m.0, SpeechEvent::Word(i))));
    }
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    steps.push((u.seconds, SpeechEvent::End));
    let text = u.text.clone();
    w.speech.current = Some(sentence);
    for (at, what) in steps {
        w.alarm(cx, after(now, at), Alarm::Speech(SpeechStep { sentence: id, what }));
    }
    status(w, cx, id, "started");
    w.notice(cx, "ALTextToSpeech/CurrentSentence", text);
    w.notice(cx, "ALTextToSpeech/TextDone", 0);
    w.notice(cx, "ALTextToSpeech/TextStarted", 1);
}

/// Rounds seconds to the millisecond: precise enough for people, and stable in traces.
fn round(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Returns whether the sentence of this step is still being spoken.
pub(crate) fn is_said(w: &World, step: &SpeechStep) -> bool {
    w.speech.current.as_ref().is_some_and(|s| s.id == step.sentence)
}

/// How long after a sentence it counts as being said: who has said it goes on only then.
const JUST_NOW: Time = Time::from_millis(100);

/// Returns whether the robot speaks, or has spoken just now.
pub(crate) fn is_speaking(w: &World, now: Time) -> bool {
    w.speech.current.is_some() || w.speech.ended.is_some_and(|ended| now < ended + JUST_NOW)
}

/// Handles an alarm of a sentence.
pub(crate) fn step(w: &mut World, cx: &mut ServiceCx<'_>, step: SpeechStep) {
    let Some(current) = w.speech.current.as_ref().filter(|_| is_said(w, &step)) else { return };
    match step.what {
        SpeechEvent::Word(i) => {
            let word = current.utterance.words.get(i).map(|w| w.1.clone()).unwrap_or_default();
            let position = i as i64;
            w.notice(cx, "ALTextToSpeech/CurrentWord", word);
            w.notice(cx, "ALTextToSpeech/PositionOfCurrentWord", position);
        }
        SpeechEvent::Mark(i) => {
            let mark = current.utterance.marks.get(i).map(|m| m.1).unwrap_or_default();
            w.notice(cx, "ALTextToSpeech/CurrentBookMark", mark);
        }
        SpeechEvent::End => {
            let (id, then, animated) = (current.id, current.then, current.animated);
            w.speech.current = None;
            finished(w, cx, id, animated, "done");
            then.ended(w, cx);
            start_next(w, cx);
        }
    }
}

fn finished(w: &mut World, cx: &mut ServiceCx<'_>, id: i64, animated: bool, how: &str) {
    w.speech.ended = Some(cx.now());
    status(w, cx, id, how);
    w.notice(cx, "ALTextToSpeech/CurrentSentence", "");
    w.notice(cx, "ALTextToSpeech/TextStarted", 0);
    w.notice(cx, "ALTextToSpeech/TextDone", 1);
    if how == "stopped" {
        w.notice(cx, "ALTextToSpeech/TextInterrupted", 1);
    }
    if animated {
        w.notice(cx, "ALAnimatedSpeech/EndOfAnimatedSpeech", Value::list([id.into()]));
    }
}

/// Stops the sentence that is being spoken and drops the queued ones; their calls return.
pub(crate) fn stop_all(w: &mut World, cx: &mut ServiceCx<'_>) {
    let waiting = std::mem::take(&mut w.speech.queue);
    if let Some(s) = w.speech.current.take() {
        finished(w, cx, s.id, s.animated, "stopped");
        s.then.ended(w, cx);
    }
    for s in waiting {
        status(w, cx, s.id, "thrown");
        s.then.ended(w, cx);
    }
}

/// Handles the cancellation of a call: its sentence stops, the others continue.
pub(crate) fn cancel(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId) {
    w.speech.queue.retain(|s| s.then != Then::Answer(call));
    if let Some(s) = w.speech.current.take_if(|s| s.then == Then::Answer(call)) {
        finished(w, cx, s.id, s.animated, "stopped");
        start_next(w, cx);
    }
}
