//! `ALTextToSpeech` and `ALAnimatedSpeech`: one voice, one queue of sentences.
//!
//! A sentence takes the time that [`text`] estimates; `say` returns when it has been said. Pages:
//! ALTextToSpeech API and ALAnimatedSpeech API of the NAOqi documentation.

mod text;

use super::alarm::Alarm;
use super::args::Args;
use super::table::{
    Answer, Call, Const, Method, Reply, Service, act, code, done, failed, get, ok, put, quiet, say, service,
};
use super::world::{World, after};
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;
use std::collections::{BTreeMap, VecDeque};
use text::Utterance;

/// Languages the documentation names; a real robot has two or three of them installed.
pub(crate) const LANGUAGES: &[&str] = &[
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

/// The voice's state.
#[derive(Debug)]
pub(crate) struct Speech {
    pub(crate) language: String,
    /// 0…1.
    pub(crate) volume: f64,
    voice: Option<String>,
    parameters: BTreeMap<String, f64>,
    last: i64,
    current: Option<Sentence>,
    queue: VecDeque<Sentence>,
}

#[derive(Debug)]
struct Sentence {
    id: i64,
    call: CallId,
    animated: bool,
    utterance: Utterance,
    speed: f64,
    language: String,
}

/// The next thing to happen to a sentence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeechStep {
    sentence: i64,
    what: What,
}

#[derive(Clone, Copy, Debug)]
enum What {
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
            queue: VecDeque::new(),
        }
    }

    fn parameter(&self, name: &str) -> Option<f64> {
        // Names differ between versions only by case (`pitchShift`, `speed`, `doubleVoice` …).
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

const SPEECH: &[Method] = &[
    code("getAvailableLanguages", 0, 0),
    code("getSupportedLanguages", 0, 0),
    code("getAvailableVoices", 0, 0),
    code("getLanguage", 0, 0),
    code("getParameter", 1, 1),
    code("getVoice", 0, 0),
    code("getVolume", 0, 0),
    code("locale", 0, 0),
    code("resetSpeed", 0, 0),
    code("say", 1, 2),
    code("sayToFile", 2, 2),
    code("sayToFileAndPlay", 1, 1),
    code("setLanguage", 1, 1),
    code("setParameter", 2, 2),
    code("setVoice", 1, 1),
    code("setVolume", 1, 1),
    code("stopAll", 0, 0),
    get("isAudioOutRemote", "audioOut", 0, Const::Bool(false)),
    put("setLanguageDefaultVoice", "defaultVoice", 2),
    put("setLanguagePreferredVoice", "preferredVoice", 2),
    quiet("addToDictionary", 1, 5),
    quiet("deleteFromDictionary", 1, 2),
    quiet("disableNotifications", 0, 0),
    quiet("enableNotifications", 0, 0),
    quiet("loadVoicePreference", 1, 1),
    quiet("reset", 0, 0),
    quiet("setDefaultVoiceParameter", 0, 3),
    say("showDictionary", 0, 1, Const::Str("")),
];

const SPEECH_EVENTS: &[&str] = &[
    "ALTextToSpeech/CurrentBookMark",
    "ALTextToSpeech/CurrentSentence",
    "ALTextToSpeech/CurrentWord",
    "ALTextToSpeech/PositionOfCurrentWord",
    "ALTextToSpeech/Status",
    "ALTextToSpeech/TextDone",
    "ALTextToSpeech/TextInterrupted",
    "ALTextToSpeech/TextStarted",
];

pub(crate) static SPEECH_SERVICE: Service = Service {
    code: speech,
    events: SPEECH_EVENTS,
    signals: &["languageTTS", "synchroTTS"],
    ..service("ALTextToSpeech", SPEECH)
};

const ANIMATED: &[Method] = &[
    code("say", 1, 2),
    code("setBodyLanguageMode", 1, 1),
    code("setBodyLanguageModeFromStr", 1, 1),
    code("getBodyLanguageModeToStr", 0, 0),
    code("stopAll", 0, 1),
    code("setBodyTalkEnabled", 1, 1),
    code("isBodyTalkEnabled", 0, 0),
    code("setBodyLanguageEnabled", 1, 1),
    code("isBodyLanguageEnabled", 0, 0),
    get("getBodyLanguageMode", "mode", 0, Const::Int(2)),
    quiet("addTagsToWords", 1, 1),
    quiet("declareAnimationsPackage", 1, 1),
    quiet("declareAnimationsTags", 1, 1),
    quiet("declareTagForAnimations", 1, 1),
    say("isDefaultAnimationsEnabled", 0, 0, Const::Bool(true)),
    act("loadAnimations", 1, 1, "say", "animations loaded", Const::Null),
];

pub(crate) static ANIMATED_SERVICE: Service = Service {
    code: animated,
    events: &["ALAnimatedSpeech/EndOfAnimatedSpeech"],
    ..service("ALAnimatedSpeech", ANIMATED)
};

/// Modes of body language by number.
const MODES: &[&str] = &["disabled", "random", "contextual"];

fn speech(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    match call.method {
        "say" => {
            let text = args.text(0, "text")?;
            // The second form says the sentence in another language than the robot's.
            let language = match args.get(1) {
                Some(_) => language_at(w, args, 1)?,
                None => w.speech.language.clone(),
            };
            say_text(w, cx, call.id, text, language, false)
        }
        "sayToFileAndPlay" => {
            let language = w.speech.language.clone();
            say_text(w, cx, call.id, args.text(0, "text")?, language, false)
        }
        "sayToFile" => {
            let text = text::read(args.text(0, "text")?, w.speech.speed(), false).text;
            let file = args.text(1, "file")?;
            cx.act(
                "sound",
                format!("speech written to {file} (no file is made in the simulation): {text}"),
                Value::map([("file", file.into()), ("text", Value::from(text))]),
            );
            done()
        }
        "stopAll" => {
            stop_all(w, cx);
            done()
        }
        "getLanguage" => ok(w.speech.language.as_str()),
        "getAvailableLanguages" | "getSupportedLanguages" => ok(languages(w)),
        "setLanguage" => set_language(w, cx, args),
        "locale" => ok(locale(&w.speech.language)),
        "getAvailableVoices" => ok(Value::list([Value::from(voice(w))])),
        "getVoice" => ok(voice(w)),
        "setVoice" => {
            w.speech.voice = Some(args.text(0, "voice")?.to_owned());
            done()
        }
        "getVolume" => ok(w.speech.volume),
        "setVolume" => {
            w.speech.volume = args.number(0, "volume")?.clamp(0.0, 2.0);
            done()
        }
        "resetSpeed" => {
            w.speech.parameters.remove("speed");
            done()
        }
        "setParameter" => {
            let name = args.text(0, "name")?.to_ascii_lowercase();
            w.speech.parameters.insert(name, args.number(1, "value")?);
            done()
        }
        "getParameter" => {
            let name = args.text(0, "name")?;
            match w.speech.parameter(name) {
                Some(value) => ok(value),
                None => failed(format!("there is no voice parameter `{name}`")),
            }
        }
        _ => Err(ServiceError::NoMethod),
    }
}

fn animated(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    match call.method {
        "say" => {
            let language = w.speech.language.clone();
            say_text(w, cx, call.id, args.text(0, "text")?, language, true)
        }
        "stopAll" => {
            stop_all(w, cx);
            done()
        }
        "setBodyLanguageMode" => set_mode(w, args.int(0, "mode")?),
        "setBodyLanguageModeFromStr" => {
            let name = args.text(0, "mode")?;
            match MODES.iter().position(|m| *m == name) {
                Some(i) => set_mode(w, i as i64),
                None => failed(format!("`{name}` is not a body language mode: use {}", MODES.join(", "))),
            }
        }
        "getBodyLanguageModeToStr" => {
            let mode = w.setting("ALAnimatedSpeech", "mode").and_then(Value::as_i64).unwrap_or(2);
            ok(MODES.get(mode as usize).copied().unwrap_or("contextual"))
        }
        "setBodyTalkEnabled" | "setBodyLanguageEnabled" => {
            let on = args.flag(0, "enabled")?;
            set_mode(w, if on { 2 } else { 0 })
        }
        "isBodyTalkEnabled" | "isBodyLanguageEnabled" => {
            ok(w.setting("ALAnimatedSpeech", "mode").and_then(Value::as_i64) != Some(0))
        }
        _ => Err(ServiceError::NoMethod),
    }
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

/// Language codes as the robot's speech engines name them.
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

pub(crate) fn languages(w: &World) -> Value {
    let own = w.options.language.as_str();
    Value::list(LANGUAGES.iter().copied().chain((!LANGUAGES.contains(&own)).then_some(own)).map(Value::from))
}

/// A language by its name, or why it is none.
pub(crate) fn language_argument(w: &World, args: Args<'_>) -> Result<String, ServiceError> {
    language_at(w, args, 0)
}

fn language_at(w: &World, args: Args<'_>, i: usize) -> Result<String, ServiceError> {
    let name = args.text(i, "language")?;
    if LANGUAGES.contains(&name) || name == w.options.language {
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

/// Puts a sentence at the end of the queue.
fn say_text(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    call: CallId,
    text: &str,
    language: String,
    animated: bool,
) -> Reply {
    let speed = w.speech.speed();
    w.speech.last += 1;
    let id = w.speech.last;
    let utterance = text::read(text, speed, animated);
    w.speech.queue.push_back(Sentence { id, call, animated, utterance, speed, language });
    status(w, cx, id, "enqueued");
    start_next(w, cx);
    Ok(Answer::Later)
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

    // Each word is an alarm only if somebody listens for words.
    let mut steps: Vec<(f64, What)> = u.marks.iter().enumerate().map(|(i, m)| (m.0, What::Mark(i))).collect();
    if w.hears("ALTextToSpeech/CurrentWord") || w.hears("ALTextToSpeech/PositionOfCurrentWord") {
        steps.extend(u.words.iter().enumerate().map(|(i, m)| (m.0, What::Word(i))));
    }
    steps.sort_by(|a, b| a.0.total_cmp(&b.0));
    steps.push((u.seconds, What::End));
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

/// Seconds to the millisecond: enough for people, and stable in traces.
fn round(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// Is the sentence of this step still being said?
pub(crate) fn is_said(w: &World, step: &SpeechStep) -> bool {
    w.speech.current.as_ref().is_some_and(|s| s.id == step.sentence)
}

/// An alarm of a sentence has come.
pub(crate) fn step(w: &mut World, cx: &mut ServiceCx<'_>, step: SpeechStep) {
    let Some(current) = w.speech.current.as_ref().filter(|_| is_said(w, &step)) else { return };
    match step.what {
        What::Word(i) => {
            let word = current.utterance.words.get(i).map(|w| w.1.clone()).unwrap_or_default();
            let position = i as i64;
            w.notice(cx, "ALTextToSpeech/CurrentWord", word);
            w.notice(cx, "ALTextToSpeech/PositionOfCurrentWord", position);
        }
        What::Mark(i) => {
            let mark = current.utterance.marks.get(i).map(|m| m.1).unwrap_or_default();
            w.notice(cx, "ALTextToSpeech/CurrentBookMark", mark);
        }
        What::End => {
            let (id, call, animated) = (current.id, current.call, current.animated);
            w.speech.current = None;
            finished(w, cx, id, animated, "done");
            cx.complete(call, Ok(Value::Null));
            start_next(w, cx);
        }
    }
}

fn finished(w: &mut World, cx: &mut ServiceCx<'_>, id: i64, animated: bool, how: &str) {
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

/// Stops the sentence that is being said and forgets those that wait; their calls return.
pub(crate) fn stop_all(w: &mut World, cx: &mut ServiceCx<'_>) {
    let waiting = std::mem::take(&mut w.speech.queue);
    if let Some(s) = w.speech.current.take() {
        finished(w, cx, s.id, s.animated, "stopped");
        cx.complete(s.call, Ok(Value::Null));
    }
    for s in waiting {
        status(w, cx, s.id, "thrown");
        cx.complete(s.call, Ok(Value::Null));
    }
}

/// One call was given up: its sentence stops, the others go on.
pub(crate) fn cancel(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId) {
    w.speech.queue.retain(|s| s.call != call);
    if let Some(s) = w.speech.current.take_if(|s| s.call == call) {
        finished(w, cx, s.id, s.animated, "stopped");
        start_next(w, cx);
    }
}
