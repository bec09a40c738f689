//! `ALSpeechRecognition`: the vocabulary is stored and recorded in the trace; recognized words come from outside.
//!
//! A word is recognized by raising `WordRecognized` with `[word, confidence, …]`. Source: the page ALSpeechRecognition
//! API of the NAOqi documentation.

use super::speech;
use super::world::World;
use crate::table::{
    Call, Const, Reply, Service, accepts, answers, described, done, failed, gets, ok, runs, service, sets, unknown,
};
use boxstep_dialog::words::words;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALSpeechRecognition",
    "Understands words",
    &[
        runs("setVocabulary", "Words and whether to spot them in sentences", described("([s]b)v"), set_vocabulary),
        runs("setWordListAsVocabulary", "Words", unknown("(m)m (mm)m"), set_vocabulary),
        runs("setLanguage", "Language", described("(s)v"), set_language),
        runs("getLanguage", "Language", described("()s"), get_language),
        runs("getAvailableLanguages", "Languages", described("()[s]"), get_available_languages),
        sets("setVisualExpression", "Shows with LEDs that it listens", described("(b)v"), "visualExpression"),
        sets("setVisualExpressionMode", "Which LEDs", unknown("(m)m"), "visualExpressionMode"),
        sets("setAudioExpression", "Beeps when it listens", described("(b)v"), "audioExpression"),
        gets("getAudioExpression", "Whether it beeps", unknown("()m"), "audioExpression", Const::Bool(true)),
        sets("setParameter", "Sensitivity, NbHypotheses", described("(sf)v"), "parameter"),
        gets("getParameter", "Value of a parameter", unknown("(m)m"), "parameter", Const::Null),
        runs("pause", "Pauses", described("(b)v ()v"), pause),
        runs("pushContexts", "Keeps the words aside", unknown("()m"), push_contexts),
        runs("popContexts", "Takes them back", unknown("()m"), pop_contexts),
        runs("removeAllContext", "Forgets every context", described("()v"), remove_all_context),
        accepts("addContext", "Adds a context", unknown("(mm)m")),
        accepts("removeContext", "Removes a context", unknown("(m)m")),
        accepts("activateRule", "Uses a rule", unknown("(mm)m")),
        accepts("deactivateRule", "No longer uses it", unknown("(mm)m")),
        accepts("activateAllRules", "Uses every rule", unknown("(m)m")),
        accepts("deactivateAllRules", "Uses no rule", unknown("(m)m")),
        accepts("addWordListToSlot", "Fills a slot", unknown("(mmm)m")),
        accepts("removeWordListFromSlot", "Empties a slot", unknown("(mm)m")),
        answers("getRules", "Rules of a context", unknown("(mm)m"), Const::Empty),
        answers("compile", "Compiles a grammar", unknown("(mmm)m"), Const::Bool(true)),
        accepts("loadVocabulary", "Words from a file", unknown("(m)m")),
        accepts("saveContextSet", "Keeps the contexts", unknown("(m)m")),
        accepts("loadContextSet", "Takes the contexts", unknown("(m)m")),
        runs("eraseContextSet", "Forgets the contexts", unknown("()m (m)m"), remove_all_context),
        accepts("enableVoiceActivityDetection", "Hears when somebody speaks", unknown("()m (m)m")),
        accepts("_enableFreeSpeechToText", "Undocumented", unknown("()m")),
        runs("addWordListToVocabulary", "Adds words: name, words", unknown("(mm)m"), add_word_list_to_vocabulary),
        runs(
            "subscribe",
            "Starts to listen for a subscriber: name, period, precision",
            unknown("(m)m (mm)m (mmm)m"),
            subscribe,
        ),
        gets(
            "getVisualExpression",
            "Whether the eyes show that it listens",
            unknown("()m"),
            "visualExpression",
            Const::Bool(true),
        ),
        sets("setLanguageModel", "Language model", unknown("(m)m"), "languageModel"),
    ],
)
.events(&[
    "ALSpeechRecognition/ActiveListening",
    "ALSpeechRecognition/IsRunning",
    "ALSpeechRecognition/Status",
    "LastWordRecognized",
    "SpeechDetected",
    "WordRecognized",
    "WordRecognizedAndGrammar",
])
.extractor()];

/// The state of speech recognition.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recognition {
    language: Option<String>,
    now: Context,
    pushed: Vec<Context>,
}

/// The most contexts that can be pushed: scripts that never pop must not fill the memory.
const MOST_CONTEXTS: usize = 1000;

#[derive(Clone, Debug, Default)]
struct Context {
    words: Vec<String>,
    spotting: bool,
}

fn set_vocabulary(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let words = args.texts(0, "vocabulary")?;
    let spotting = args.flag_or(1, "word spotting", false)?;
    if words.iter().all(|word| word.trim().is_empty()) {
        return failed("the vocabulary is empty");
    }
    w.recognition.now = Context { words: words.into_iter().map(str::to_owned).collect(), spotting };
    listen(w, cx);
    done()
}

fn add_word_list_to_vocabulary(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let words = call.args.texts(1, "words")?;
    w.recognition.now.words.extend(words.into_iter().map(str::to_owned));
    listen(w, cx);
    done()
}

fn push_contexts(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    if w.recognition.pushed.len() >= MOST_CONTEXTS {
        return failed(format!("{MOST_CONTEXTS} contexts were pushed and none popped"));
    }
    let context = std::mem::take(&mut w.recognition.now);
    w.recognition.pushed.push(context);
    done()
}

fn pop_contexts(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.recognition.now = w.recognition.pushed.pop().unwrap_or_default();
    done()
}

fn pause(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let paused = call.args.flag_or(0, "pause", true)?;
    w.settings.insert("ALSpeechRecognition/pause".into(), paused.into());
    done()
}

fn remove_all_context(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.recognition.now = Context::default();
    w.recognition.pushed.clear();
    done()
}

fn subscribe(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let answer = super::extractors::subscribe(w, cx, call)?;
    if !w.recognition.now.words.is_empty() {
        listen(w, cx);
    }
    Ok(answer)
}

/// Recognizes what somebody says: the longest word of the vocabulary that is the sentence, or stands in it if words are
/// spotted. Decision: typed sentences are certain. Returns whether anybody listens for words.
pub(crate) fn hear(w: &mut World, cx: &mut ServiceCx<'_>, text: &str) -> bool {
    if !w.extractors.has_subscribers("ALSpeechRecognition") {
        return false;
    }
    if w.setting("ALSpeechRecognition", "pause").is_some_and(Value::truthy) {
        return true;
    }
    let words = |text: &str| words(text).into_iter().map(|heard| heard.word.into()).collect::<Vec<String>>();
    let heard = words(text);
    let Context { words: vocabulary, spotting } = &w.recognition.now;
    let fits = |known: &[String]| {
        known == heard || (*spotting && !known.is_empty() && heard.windows(known.len()).any(|part| part == known))
    };
    let known = vocabulary.iter().map(|word| (words(word), word)).filter(|(known, _)| fits(known));
    let Some((_, word)) = known.max_by_key(|(known, _)| known.len()) else { return true };
    // A word that is spotted is told with what stands around it.
    let told = if *spotting { format!("<...> {word} <...>") } else { word.clone() };
    let result = Value::list([told.into(), Value::Float(1.0)]);
    w.notice(cx, "SpeechDetected", true);
    w.notice(cx, "LastWordRecognized", result.clone());
    w.raise(cx, "WordRecognized", result);
    true
}

fn get_language(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(language(w))
}

fn set_language(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.recognition.language = Some(speech::language_argument(w, call.args)?);
    done()
}

fn get_available_languages(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(speech::languages(w))
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
