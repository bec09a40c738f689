//! `ALDialog`: topics are loaded, activated and recorded in the trace; QiChat is not interpreted.
//!
//! Source: the page ALDialog API of the NAOqi documentation.

use super::speech;
use super::world::World;
use crate::args::Args;
use crate::extractors;
use crate::table::{
    Call, Const, Reply, Service, accepts, acts, answers, described, done, failed, gets, nao6, ok, robot, runs, service,
    sets, unknown,
};
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;
use std::collections::BTreeMap;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALDialog",
    "Talks by QiChat topics",
    &[
        runs("loadTopic", "Loads a topic file; its name", robot("(s)s"), load_topic),
        runs("loadTopicContent", "Loads a topic from text; its name", described("(s)s"), load_topic_content),
        runs("unloadTopic", "Unloads a topic", robot("(s)v"), unload_topic),
        runs("activateTopic", "Uses a topic", robot("(s)v"), activate_topic),
        runs("deactivateTopic", "No longer uses it", robot("(s)v"), deactivate_topic),
        runs("subscribe", "Starts the dialog", robot("(s)v"), extractors::subscribe),
        runs("unsubscribe", "Ends it", robot("(s)v"), extractors::unsubscribe),
        runs("setLanguage", "Language", robot("(s)v"), set_language),
        runs("getLanguage", "Language", nao6("()s"), get_language),
        runs("getActivatedTopics", "Topics in use", robot("()[s]"), get_activated_topics),
        runs("getLoadedTopics", "Topics of a language", robot("(s)[s]"), get_loaded_topics),
        runs("getAllLoadedTopics", "Every topic", robot("()[s]"), get_all_loaded_topics),
        runs("setFocus", "Topic to begin with", robot("(s)v"), set_focus),
        runs("getFocus", "Topic in focus", robot("()s"), get_focus),
        runs("forceOutput", "Says a proposal", robot("()v"), force_output),
        runs("forceInput", "Takes a text as heard", robot("(s)v"), force_input),
        runs("tell", "Takes a text as heard", robot("(s)v"), force_input),
        runs("say", "Says a text of a topic", nao6("(ss)v"), say_tagged),
        runs("gotoTag", "Goes to a tag of a topic", robot("(ss)v"), goto_tag),
        runs("gotoTopic", "Goes to a topic", robot("(s)v"), set_focus),
        runs("setConcept", "Words of a dynamic concept", robot("(ss[s])v (ss[s]b)v"), set_concept),
        runs("addToConcept", "Adds words", nao6("(ss[s])v"), add_to_concept),
        runs("getConcept", "Words of a concept", nao6("(ss)[s]"), get_concept),
        runs("setConceptKeepInCache", "Words of a concept, kept", robot("(ss[s])v"), set_concept),
        sets("setASRConfidenceThreshold", "How sure it must be", robot("(f)v"), "confidence"),
        gets("getASRConfidenceThreshold", "How sure it must be", robot("()f"), "confidence", Const::Float(0.5)),
        runs(
            "setConfidenceThreshold",
            "How sure it must be, by strategy",
            nao6("(sf)v (sfs)v"),
            set_confidence_threshold,
        ),
        gets(
            "getConfidenceThreshold",
            "How sure it must be, by strategy",
            nao6("(ss)f"),
            "confidence",
            Const::Float(0.5),
        ),
        answers("getAllConfidenceThresholds", "Every threshold", nao6("(){s{sf}}"), Const::NoEntries),
        sets("setNumberOfScopes", "How far back it understands", robot("(i)v"), "scopes"),
        sets("setVariablePath", "Memory key of a variable", robot("(sss)v"), "variable"),
        sets("setAnimatedSpeechConfiguration", "Gestures", robot("(m)v"), "animatedSpeech"),
        acts(
            "startPush",
            "Starts to speak first",
            robot("()v"),
            "dialog",
            "proposals begin (topics are not interpreted)",
            Const::Null,
        ),
        acts("stopPush", "Ends it", robot("()v"), "dialog", "proposals end", Const::Null),
        runs("runDialog", "Starts the dialog of all topics", robot("()v"), run_dialog),
        runs("stopDialog", "Ends it", robot("()v"), stop_dialog),
        acts("stopTopics", "Stops topics", nao6("([s])v"), "dialog", "topics stop", Const::Null),
        acts(
            "runTopics",
            "Runs topics",
            nao6("([s])[s]"),
            "dialog",
            "topics run (topics are not interpreted)",
            Const::Empty,
        ),
        accepts("openSession", "Remembers a user", robot("(i)v")),
        accepts("closeSession", "Ends that", robot("()v")),
        gets("getUserData", "What is known of a user", robot("(si)s (m)s (mmm)s"), "user", Const::Str("")),
        sets("setUserData", "Remembers something of a user", unknown("(mmm)m"), "user"),
        answers("getUserDataList", "What is known of a user", robot("(i)[s]"), Const::Empty),
        answers("getUserList", "Users", robot("()[i]"), Const::Empty),
        accepts("removeUserData", "Forgets a user", robot("(i)v")),
        sets("insertUserData", "Remembers something of a user", robot("(ssi)v"), "user"),
        accepts("clearConcepts", "Forgets dynamic concepts", robot("()v")),
        accepts("resetAll", "Forgets everything", robot("()v")),
        accepts("resetLanguage", "Usual language", nao6("()v")),
        accepts("deactivateTag", "Rules of a tag are off", robot("(ss)v")),
        accepts("activateTag", "Rules of a tag are on", robot("(ss)v")),
        accepts("noPick", "Does not pick a topic", robot("(s)v")),
        accepts("fallback", "What to say when nothing matches", unknown("()m (m)m (mm)m")),
        accepts("compileAll", "Compiles every topic", robot("()v")),
        accepts("createContext", "Makes the speech context", unknown("()m (m)m")),
        accepts("deleteSerializationFiles", "Deletes compiled topics", robot("()v")),
        accepts("mute", "Says nothing", nao6("(b)v")),
        accepts("generateSentences", "Sentences a topic understands", robot("(sss)v")),
        accepts("enableTriggerSentences", "Starts behaviors by sentences", robot("(b)v")),
        accepts("enableCategory", "Uses a category", robot("(b)v")),
        accepts("enableSimulatedApps", "Pretends to start behaviors", nao6("(b)v")),
        accepts("endTutorial", "Ends the tutorial", unknown("()m")),
        accepts("wordRecognized", "Internal", robot("(sms)v (m)v (mm)v")),
        accepts("dialogAnswered", "Internal", nao6("(sms)v (m)v (mm)v")),
        accepts("_preloadMain", "Undocumented", robot("()v")),
        runs("_runMain", "Undocumented", robot("()v"), run_main),
        runs("_stopMain", "Undocumented", robot("()v"), stop_main),
        runs("_addDialogFromTopicBox", "Undocumented", robot("(ss)s"), add_dialog_from_topic_box),
        runs("getTopicLanguage", "Language of a topic", unknown("(m)m"), get_topic_language),
        acts(
            "gotoTagFocus",
            "Goes to a tag, with the focus",
            unknown("(m)m (mm)m"),
            "dialog",
            "go to tag (topics are not interpreted)",
            Const::Null,
        ),
        gets("isListening", "Whether it listens", unknown("()m"), "listening", Const::Bool(false)),
        sets("setPushMode", "When it speaks first", unknown("(m)m"), "push"),
        accepts("addBlockingEvent", "Event that a rule waits for", unknown("(m)m")),
        accepts("applyUserData", "Uses what is known of a user", unknown("(m)m (mm)m")),
        accepts("compileBundle", "Compiles the topics of a group", unknown("(m)m")),
        accepts("connectionChanged", "Internal", unknown("(m)m")),
        accepts("deleteUserData", "Forgets a user", unknown("(m)m")),
        accepts("enableSendingLogToCloud", "Sends what is said, or not", unknown("(m)m")),
        accepts("preloadMain", "Loads the topics of all applications", unknown("()m (m)m")),
        accepts("removeBlockingEvent", "Takes back an event that a rule waits for", unknown("(m)m")),
        accepts("resumeDialog", "Continues the dialog", unknown("()m")),
        accepts("pauseDialog", "Pauses the dialog", unknown("()m")),
        accepts("startUpdate", "Loads topics that have changed", unknown("(m)m")),
        answers("getQueryList", "Sentences it understood", unknown("()m"), Const::Empty),
        answers("getOpenSession", "User it talks with", unknown("()m"), Const::Int(1)),
        answers("isContentNeedsUpdate", "Whether topics have changed", unknown("()m"), Const::Bool(false)),
    ],
)
.events(&[
    "Dialog/ActivateTopic",
    "Dialog/Answered",
    "Dialog/CannotMakeIt",
    "Dialog/DeactivateTopic",
    "Dialog/Failure",
    "Dialog/Fallback",
    "Dialog/Focused",
    "Dialog/IsStarted",
    "Dialog/LastInput",
    "Dialog/NotSpeaking5",
    "Dialog/NotSpeaking10",
    "Dialog/NotUnderstood",
    "Dialog/NotUnderstood2",
    "Dialog/NotUnderstood3",
    "Dialog/OpenSession",
    "Dialog/CloseSession",
    "Dialog/CurrentString",
    "Dialog/SaidString",
    "Dialog/LanguageIsSet",
    "Dialog/TryTopic",
])];

/// The topics and settings of the dialog.
#[derive(Debug, Default)]
pub(crate) struct Dialog {
    language: Option<String>,
    /// The language of each topic, and whether it is active, by topic name.
    topics: BTreeMap<String, (String, bool)>,
    concepts: BTreeMap<(String, String), Vec<String>>,
    focus: Option<String>,
}

/// The longest topic text that is read, in bytes.
const LONGEST_TOPIC: u64 = 4 << 20;

fn record_act(cx: &mut ServiceCx<'_>, text: String, topic: &str) {
    cx.act("dialog", text, Value::map([("topic", topic)].map(|(k, v)| (k, Value::from(v)))));
}

fn load_topic(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let content = read(call.args.text(0, "topic file")?)?;
    load(w, cx, &content)
}

/// Undocumented: the box around a topic calls this. A .dlg file names the topic file of each language.
fn add_dialog_from_topic_box(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let file = call.args.text(0, "dialog file")?;
    let language = w.dialog.language.as_deref().unwrap_or(&w.options.language);
    let topic = topic_of_dialog(file, &read(file)?, language)?;
    let content = read(&topic)?;
    load(w, cx, &content)
}

fn run_dialog(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    run(w, cx, "dialog", true)
}

fn stop_dialog(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    run(w, cx, "dialog", false)
}

fn run_main(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    run(w, cx, "main dialog", true)
}

fn stop_main(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    run(w, cx, "main dialog", false)
}

fn run(w: &mut World, cx: &mut ServiceCx<'_>, what: &str, runs: bool) -> Reply {
    let text = if runs { "runs (topics are not interpreted)" } else { "stops" };
    cx.act("dialog", format!("{what} {text}"), Value::map::<&str>([]));
    w.notice(cx, "Dialog/IsStarted", i64::from(runs));
    done()
}

fn load_topic_content(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    load(w, cx, call.args.text(0, "topic")?)
}

fn unload_topic(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "topic")?;
    match w.dialog.topics.remove(name) {
        Some(_) => done(),
        None => no_topic(name),
    }
}

fn activate_topic(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_active(w, cx, call, true)
}

fn deactivate_topic(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_active(w, cx, call, false)
}

fn set_active(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, on: bool) -> Reply {
    let name = call.args.text(0, "topic")?;
    match w.dialog.topics.get_mut(name) {
        Some(topic) => topic.1 = on,
        None => return no_topic(name),
    }
    let text = if on { "active, but topics are not interpreted" } else { "inactive" };
    record_act(cx, format!("topic {name} is {text}"), name);
    w.notice(cx, if on { "Dialog/ActivateTopic" } else { "Dialog/DeactivateTopic" }, name);
    done()
}

fn set_focus(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "topic")?;
    if !w.dialog.topics.contains_key(name) {
        return no_topic(name);
    }
    w.dialog.focus = Some(name.to_owned());
    record_act(cx, format!("topic {name} has the focus, but topics are not interpreted"), name);
    w.notice(cx, "Dialog/Focused", name);
    done()
}

fn goto_tag(_: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (tag, topic) = (args.text(0, "tag")?, args.text(1, "topic")?);
    record_act(cx, format!("go to tag {tag} of topic {topic}, but topics are not interpreted"), topic);
    done()
}

/// Fails: this would require interpreting the topic.
fn say_tagged(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    failed(format!("topics are not interpreted: `{}` cannot be said", call.args.text(1, "name")?))
}

fn set_confidence_threshold(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let key = format!("ALDialog/confidence/{}", args.text(0, "strategy")?);
    let last = args.len() - 1;
    let language = if last > 1 { format!("/{}", args.text(last, "language")?) } else { String::new() };
    w.settings.insert(key + &language, args.number(1, "threshold")?.into());
    done()
}

fn get_focus(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.dialog.focus.clone().unwrap_or_default())
}

fn force_input(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let input = call.args.text(0, "input")?;
    let text = format!("the robot is told `{input}`, but topics are not interpreted");
    cx.act("dialog", text, Value::map([("input", Value::from(input))]));
    w.notice(cx, "Dialog/LastInput", input);
    done()
}

fn force_output(_: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    cx.act("dialog", "the next proposal is asked for, but topics are not interpreted", Value::map::<&str>([]));
    done()
}

fn get_all_loaded_topics(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.dialog.topics.keys().cloned().collect::<Vec<_>>())
}

fn get_loaded_topics(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let language = call.args.text(0, "language")?;
    ok(w.dialog.topics.iter().filter(|t| t.1.0 == language).map(|t| t.0.clone()).collect::<Vec<_>>())
}

fn get_activated_topics(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.dialog.topics.iter().filter(|t| t.1.1).map(|t| t.0.clone()).collect::<Vec<_>>())
}

fn get_topic_language(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "topic")?;
    match w.dialog.topics.get(name) {
        Some((language, _)) => ok(language.as_str()),
        None => no_topic(name),
    }
}

fn set_concept(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    add_words(w, call.args, true)
}

fn add_to_concept(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    add_words(w, call.args, false)
}

fn add_words(w: &mut World, args: Args<'_>, replace: bool) -> Reply {
    let key = (args.text(0, "concept")?.to_owned(), args.text(1, "language")?.to_owned());
    let words = args.texts(2, "words")?.into_iter().map(str::to_owned);
    let concept = w.dialog.concepts.entry(key).or_default();
    if replace && !args.flag_or(3, "store", false).unwrap_or(false) {
        concept.clear();
    }
    concept.extend(words);
    done()
}

fn get_concept(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let key = (args.text(0, "concept")?.to_owned(), args.text(1, "language")?.to_owned());
    ok(w.dialog.concepts.get(&key).cloned().unwrap_or_default())
}

fn get_language(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.dialog.language.clone().unwrap_or_else(|| w.options.language.clone()))
}

fn set_language(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let language = speech::language_argument(w, call.args)?;
    w.notice(cx, "Dialog/LanguageIsSet", language.as_str());
    w.dialog.language = Some(language);
    done()
}

/// Reads the text of a topic or dialog file.
fn read(file: &str) -> Result<String, ServiceError> {
    let content = match std::fs::metadata(file) {
        Ok(meta) if meta.len() <= LONGEST_TOPIC => std::fs::read_to_string(file).map_err(|e| e.to_string()),
        Ok(_) => Err("it is too large".to_owned()),
        Err(e) => Err(e.to_string()),
    };
    content.or_else(|why| failed(format!("cannot read the topic file `{file}`: {why}")))
}

/// Returns the topic file for a language in a `.dlg`, whose lines are `code: file`; the first topic if there is none
/// for the language.
fn topic_of_dialog(file: &str, content: &str, language: &str) -> Result<String, ServiceError> {
    let code = language_code(language);
    let lines = || content.lines().filter_map(|line| line.trim().split_once(':')).map(|(c, f)| (c.trim(), f.trim()));
    let topics = || lines().filter(|(_, topic)| topic.ends_with(".top"));
    let topic = topics().find(|(c, _)| Some(*c) == code).or_else(|| topics().next());
    let Some((_, topic)) = topic else { return failed(format!("`{file}` names no topic file")) };
    let folder = std::path::Path::new(file).parent().unwrap_or(std::path::Path::new("."));
    Ok(folder.join(topic).to_string_lossy().into_owned())
}

/// Returns the code of a speech language in topics, such as `enu` for `English`.
pub fn language_code(language: &str) -> Option<&'static str> {
    LANGUAGES.iter().find(|l| l.0.eq_ignore_ascii_case(language)).map(|l| l.1)
}

/// Languages and their codes in topics ("QiChat - Syntax").
const LANGUAGES: &[(&str, &str)] = &[
    ("Arabic", "arw"),
    ("Brazilian", "ptb"),
    ("Chinese", "mnc"),
    ("Czech", "czc"),
    ("Danish", "dad"),
    ("Dutch", "dun"),
    ("English", "enu"),
    ("Finnish", "fif"),
    ("French", "frf"),
    ("German", "ged"),
    ("Greek", "grg"),
    ("Italian", "iti"),
    ("Japanese", "jpj"),
    ("Korean", "kok"),
    ("MandarinTaiwan", "mnt"),
    ("Norwegian", "non"),
    ("Polish", "plp"),
    ("Portuguese", "ptp"),
    ("Russian", "rur"),
    ("Spanish", "spe"),
    ("Swedish", "sws"),
    ("Turkish", "trt"),
];

fn no_topic(name: &str) -> Reply {
    failed(format!("no topic `{name}` was loaded"))
}

/// Loads a topic: only its name and language are read.
fn load(w: &mut World, cx: &mut ServiceCx<'_>, content: &str) -> Reply {
    let header = |key: &str| {
        content.lines().find_map(|line| {
            let value = line.trim().trim_start_matches('\u{feff}').strip_prefix(key)?.trim_start().strip_prefix(':')?;
            Some(value.trim().trim_end_matches("()").to_owned())
        })
    };
    let Some(name) = header("topic").map(|t| t.trim_start_matches('~').to_owned()).filter(|t| !t.is_empty()) else {
        return failed("this is not a topic: it has no line `topic: ~name()`");
    };
    let language = header("language").unwrap_or_else(|| "enu".into());
    record_act(cx, format!("topic {name} loaded; topics are not interpreted"), &name);
    w.dialog.topics.insert(name.clone(), (language, false));
    ok(name)
}
