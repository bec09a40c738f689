//! `ALSpeechRecognition`: what it listens for is kept and told; what it hears comes from outside.
//!
//! A word is heard by raising `WordRecognized` with `[word, confidence, …]`. Page:
//! ALSpeechRecognition API of the NAOqi documentation.

use super::speech;
use super::table::{Call, Const, Method, Reply, Service, code, done, extractor, failed, get, ok, put, quiet, say};
use super::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// What the robot listens for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recognition {
    language: Option<String>,
    now: Context,
    pushed: Vec<Context>,
}

/// Most contexts that can be pushed: scripts that never pop must not eat the memory.
const MOST_CONTEXTS: usize = 1000;

#[derive(Clone, Debug, Default)]
struct Context {
    words: Vec<String>,
    spotting: bool,
}

const METHODS: &[Method] = &[
    code("addWordListToVocabulary", 2, 2),
    code("getAvailableLanguages", 0, 0),
    code("getLanguage", 0, 0),
    code("pause", 0, 1),
    code("popContexts", 0, 0),
    code("pushContexts", 0, 0),
    code("eraseContextSet", 0, 1),
    code("removeAllContext", 0, 0),
    code("setLanguage", 1, 1),
    code("setVocabulary", 1, 2),
    code("setWordListAsVocabulary", 1, 2),
    code("subscribe", 1, 3),
    get("getAudioExpression", "audioExpression", 0, Const::Bool(true)),
    get("getVisualExpression", "visualExpression", 0, Const::Bool(true)),
    put("setAudioExpression", "audioExpression", 1),
    put("setVisualExpression", "visualExpression", 1),
    put("setVisualExpressionMode", "visualExpressionMode", 1),
    put("setLanguageModel", "languageModel", 1),
    quiet("activateAllRules", 1, 1),
    quiet("addWordListToSlot", 3, 3),
    quiet("enableVoiceActivityDetection", 0, 1),
    quiet("_enableFreeSpeechToText", 0, 0),
    quiet("removeWordListFromSlot", 2, 2),
    quiet("activateRule", 2, 2),
    quiet("addContext", 2, 2),
    quiet("deactivateAllRules", 1, 1),
    quiet("deactivateRule", 2, 2),
    quiet("loadVocabulary", 1, 1),
    quiet("removeContext", 1, 1),
    quiet("saveContextSet", 1, 1),
    quiet("loadContextSet", 1, 1),
    say("compile", 3, 3, Const::Bool(true)),
    say("getRules", 2, 2, Const::Empty),
];

const EVENTS: &[&str] = &[
    "ALSpeechRecognition/ActiveListening",
    "ALSpeechRecognition/IsRunning",
    "ALSpeechRecognition/Status",
    "LastWordRecognized",
    "SpeechDetected",
    "WordRecognized",
    "WordRecognizedAndGrammar",
];

pub(crate) static SERVICE: Service = Service { code: call, ..extractor("ALSpeechRecognition", EVENTS, METHODS) };

fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    match call.method {
        "setVocabulary" | "setWordListAsVocabulary" => {
            let words = args.texts(0, "vocabulary")?;
            let spotting = args.flag_or(1, "word spotting", false)?;
            if words.iter().all(|word| word.trim().is_empty()) {
                return failed("the vocabulary is empty");
            }
            w.recognition.now = Context { words: words.into_iter().map(str::to_owned).collect(), spotting };
            listen(w, cx);
            done()
        }
        "addWordListToVocabulary" => {
            let words = args.texts(1, "words")?;
            w.recognition.now.words.extend(words.into_iter().map(str::to_owned));
            listen(w, cx);
            done()
        }
        "pushContexts" => {
            if w.recognition.pushed.len() >= MOST_CONTEXTS {
                return failed(format!("{MOST_CONTEXTS} contexts were pushed and none popped"));
            }
            let context = std::mem::take(&mut w.recognition.now);
            w.recognition.pushed.push(context);
            done()
        }
        "popContexts" => {
            w.recognition.now = w.recognition.pushed.pop().unwrap_or_default();
            done()
        }
        "pause" => {
            let paused = args.flag_or(0, "pause", true)?;
            w.settings.insert("ALSpeechRecognition/pause".into(), paused.into());
            done()
        }
        "removeAllContext" | "eraseContextSet" => {
            w.recognition.now = Context::default();
            w.recognition.pushed.clear();
            done()
        }
        "subscribe" => {
            let answer = super::extractors::call(w, call)?;
            if !w.recognition.now.words.is_empty() {
                listen(w, cx);
            }
            Ok(answer)
        }
        "getLanguage" => ok(language(w)),
        "setLanguage" => {
            w.recognition.language = Some(speech::language_argument(w, args)?);
            done()
        }
        "getAvailableLanguages" => ok(speech::languages(w)),
        _ => Err(ServiceError::NoMethod),
    }
}

fn language(w: &World) -> String {
    w.recognition.language.clone().unwrap_or_else(|| w.options.language.clone())
}

fn listen(w: &mut World, cx: &mut ServiceCx<'_>) {
    let Context { words, spotting } = &w.recognition.now;
    let data = [
        ("words", Value::list(words.iter().map(|word| Value::from(word.as_str())))),
        ("spotting", (*spotting).into()),
        ("language", language(w).into()),
    ];
    cx.act("listen", words.join(", "), Value::map(data));
}
