//! `ALDialog`: an honest console. Topics are loaded, activated and told; QiChat is not interpreted.
//!
//! Page: ALDialog API of the NAOqi documentation.

use super::speech;
use super::table::{
    ANY, Call, Const, Method, Reply, Service, act, code, done, extractor, failed, get, ok, put, quiet, say,
};
use super::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;
use std::collections::BTreeMap;

/// Topics and settings of the dialog.
#[derive(Debug, Default)]
pub(crate) struct Dialog {
    language: Option<String>,
    /// Topic name → (language, active).
    topics: BTreeMap<String, (String, bool)>,
    concepts: BTreeMap<(String, String), Vec<String>>,
    focus: Option<String>,
}

const METHODS: &[Method] = &[
    code("activateTopic", 1, 1),
    code("deactivateTopic", 1, 1),
    code("forceInput", 1, 1),
    code("forceOutput", 0, 0),
    code("getActivatedTopics", 0, 0),
    code("getAllLoadedTopics", 0, 0),
    code("getFocus", 0, 0),
    code("getLanguage", 0, 0),
    code("getLoadedTopics", 1, 1),
    code("getTopicLanguage", 1, 1),
    code("gotoTag", 2, 2),
    code("gotoTopic", 1, 1),
    code("loadTopic", 1, 1),
    code("loadTopicContent", 1, 1),
    code("say", 2, 2),
    code("setConcept", 3, 4),
    code("setConceptKeepInCache", 3, 3),
    code("addToConcept", 3, 3),
    code("getConcept", 2, 2),
    code("setFocus", 1, 1),
    code("setLanguage", 1, 1),
    code("tell", 1, 1),
    code("unloadTopic", 1, 1),
    code("runDialog", 0, 0),
    code("stopDialog", 0, 0),
    code("_runMain", 0, ANY),
    code("_stopMain", 0, ANY),
    code("_addDialogFromTopicBox", 0, ANY),
    act("runTopics", 1, 1, "dialog", "topics run (topics are not interpreted)", Const::Null),
    act("stopTopics", 1, 1, "dialog", "topics stop", Const::Null),
    act("gotoTagFocus", 1, 2, "dialog", "go to tag (topics are not interpreted)", Const::Null),
    act("startPush", 0, 0, "dialog", "proposals begin (topics are not interpreted)", Const::Null),
    act("stopPush", 0, 0, "dialog", "proposals end", Const::Null),
    get("getASRConfidenceThreshold", "confidence", 0, Const::Float(0.5)),
    get("getConfidenceThreshold", "confidence", 2, Const::Float(0.5)),
    get("isListening", "listening", 0, Const::Bool(false)),
    put("setASRConfidenceThreshold", "confidence", 1),
    code("setConfidenceThreshold", 2, 3),
    put("setAnimatedSpeechConfiguration", "animatedSpeech", 1),
    put("setNumberOfScopes", "scopes", 1),
    put("setPushMode", "push", 1),
    put("setVariablePath", "variable", 3),
    quiet("addBlockingEvent", 1, 1),
    quiet("applyUserData", 1, 2),
    quiet("clearConcepts", 0, 0),
    quiet("closeSession", 0, 0),
    quiet("compileAll", 0, 0),
    quiet("compileBundle", 1, 1),
    quiet("connectionChanged", 1, 1),
    quiet("createContext", 0, 1),
    quiet("deleteUserData", 1, 1),
    quiet("enableCategory", 1, 1),
    quiet("enableSendingLogToCloud", 1, 1),
    quiet("enableTriggerSentences", 1, 1),
    quiet("fallback", 0, 2),
    quiet("generateSentences", 2, 3),
    put("insertUserData", "user", 3),
    put("setUserData", "user", 3),
    quiet("removeUserData", 1, 1),
    quiet("mute", 1, 1),
    quiet("noPick", 1, 1),
    quiet("activateTag", 2, 2),
    quiet("deactivateTag", 2, 2),
    quiet("deleteSerializationFiles", 0, 0),
    quiet("dialogAnswered", 1, 3),
    quiet("enableSimulatedApps", 1, 1),
    quiet("endTutorial", 0, 0),
    quiet("openSession", 1, 1),
    quiet("_preloadMain", 0, ANY),
    quiet("preloadMain", 0, 1),
    quiet("removeBlockingEvent", 1, 1),
    quiet("resetAll", 0, 0),
    quiet("resetLanguage", 0, 0),
    quiet("resumeDialog", 0, 0),
    quiet("pauseDialog", 0, 0),
    quiet("startUpdate", 1, 1),
    quiet("wordRecognized", 1, 3),
    code("getUserData", 1, 3),
    say("getAllConfidenceThresholds", 0, 0, Const::Empty),
    say("getUserDataList", 1, 1, Const::Empty),
    say("getUserList", 0, 0, Const::Empty),
    say("getQueryList", 0, 0, Const::Empty),
    say("getOpenSession", 0, 0, Const::Int(1)),
    say("isContentNeedsUpdate", 0, 0, Const::Bool(false)),
];

const EVENTS: &[&str] = &[
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
];

pub(crate) static SERVICE: Service = Service { code: call, ..extractor("ALDialog", EVENTS, METHODS) };

/// Longest topic text that is looked at, in bytes.
const LONGEST_TOPIC: u64 = 4 << 20;

fn tell(cx: &mut ServiceCx<'_>, text: String, topic: &str) {
    cx.act("dialog", text, Value::map([("topic", topic)].map(|(k, v)| (k, Value::from(v)))));
}

fn call(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    match call.method {
        "loadTopic" => {
            let content = read(args.text(0, "topic file")?)?;
            load(w, cx, &content)
        }
        // Undocumented: what the box around a topic calls. A .dlg names the topic file of each language.
        "_addDialogFromTopicBox" => {
            let file = args.text(0, "dialog file")?;
            let language = w.dialog.language.as_deref().unwrap_or(&w.options.language);
            let topic = topic_of_dialog(file, &read(file)?, language)?;
            let content = read(&topic)?;
            load(w, cx, &content)
        }
        "runDialog" | "stopDialog" | "_runMain" | "_stopMain" => {
            let main = if call.method.starts_with('_') { "main " } else { "" };
            let runs = call.method.contains("run");
            let text = if runs { "runs (topics are not interpreted)" } else { "stops" };
            cx.act("dialog", format!("{main}dialog {text}"), Value::map::<&str>([]));
            w.notice(cx, "Dialog/IsStarted", i64::from(runs));
            done()
        }
        "loadTopicContent" => load(w, cx, args.text(0, "topic")?),
        "unloadTopic" => {
            let name = args.text(0, "topic")?;
            match w.dialog.topics.remove(name) {
                Some(_) => done(),
                None => no_topic(name),
            }
        }
        "activateTopic" | "deactivateTopic" => {
            let name = args.text(0, "topic")?;
            let on = call.method == "activateTopic";
            match w.dialog.topics.get_mut(name) {
                Some(topic) => topic.1 = on,
                None => return no_topic(name),
            }
            let text = if on { "active, but topics are not interpreted" } else { "inactive" };
            tell(cx, format!("topic {name} is {text}"), name);
            w.notice(cx, if on { "Dialog/ActivateTopic" } else { "Dialog/DeactivateTopic" }, name);
            done()
        }
        "setFocus" | "gotoTopic" => {
            let name = args.text(0, "topic")?;
            if !w.dialog.topics.contains_key(name) {
                return no_topic(name);
            }
            w.dialog.focus = Some(name.to_owned());
            tell(cx, format!("topic {name} has the focus, but topics are not interpreted"), name);
            w.notice(cx, "Dialog/Focused", name);
            done()
        }
        "gotoTag" => {
            let (tag, topic) = (args.text(0, "tag")?, args.text(1, "topic")?);
            tell(cx, format!("go to tag {tag} of topic {topic}, but topics are not interpreted"), topic);
            done()
        }
        // What a topic says under a name would need the topic to be interpreted.
        "say" => failed(format!("topics are not interpreted: `{}` cannot be said", args.text(1, "name")?)),
        "setConfidenceThreshold" => {
            let key = format!("ALDialog/confidence/{}", args.text(0, "strategy")?);
            let last = args.len() - 1;
            let language = if last > 1 { format!("/{}", args.text(last, "language")?) } else { String::new() };
            w.settings.insert(key + &language, args.number(1, "threshold")?.into());
            done()
        }
        "getUserData" => {
            let names: Vec<&str> = (0..args.len()).map(|i| args.text(i, "name")).collect::<Result<_, _>>()?;
            ok(w.setting("ALDialog", &format!("user/{}", names.join("/"))).cloned().unwrap_or_else(|| "".into()))
        }
        "getFocus" => ok(w.dialog.focus.clone().unwrap_or_default()),
        "forceInput" | "tell" => {
            let input = args.text(0, "input")?;
            let text = format!("the robot is told `{input}`, but topics are not interpreted");
            cx.act("dialog", text, Value::map([("input", Value::from(input))]));
            w.notice(cx, "Dialog/LastInput", input);
            done()
        }
        "forceOutput" => {
            cx.act("dialog", "the next proposal is asked for, but topics are not interpreted", Value::map::<&str>([]));
            done()
        }
        "getAllLoadedTopics" => ok(w.dialog.topics.keys().cloned().collect::<Vec<_>>()),
        "getLoadedTopics" => {
            let language = args.text(0, "language")?;
            ok(w.dialog.topics.iter().filter(|t| t.1.0 == language).map(|t| t.0.clone()).collect::<Vec<_>>())
        }
        "getActivatedTopics" => ok(w.dialog.topics.iter().filter(|t| t.1.1).map(|t| t.0.clone()).collect::<Vec<_>>()),
        "getTopicLanguage" => {
            let name = args.text(0, "topic")?;
            match w.dialog.topics.get(name) {
                Some((language, _)) => ok(language.as_str()),
                None => no_topic(name),
            }
        }
        "setConcept" | "setConceptKeepInCache" | "addToConcept" => {
            let key = (args.text(0, "concept")?.to_owned(), args.text(1, "language")?.to_owned());
            let words = args.texts(2, "words")?.into_iter().map(str::to_owned);
            let concept = w.dialog.concepts.entry(key).or_default();
            if call.method != "addToConcept" && !args.flag_or(3, "store", false).unwrap_or(false) {
                concept.clear();
            }
            concept.extend(words);
            done()
        }
        "getConcept" => {
            let key = (args.text(0, "concept")?.to_owned(), args.text(1, "language")?.to_owned());
            ok(w.dialog.concepts.get(&key).cloned().unwrap_or_default())
        }
        "getLanguage" => ok(w.dialog.language.clone().unwrap_or_else(|| w.options.language.clone())),
        "setLanguage" => {
            let language = speech::language_argument(w, args)?;
            w.notice(cx, "Dialog/LanguageIsSet", language.as_str());
            w.dialog.language = Some(language);
            done()
        }
        _ => Err(ServiceError::NoMethod),
    }
}

/// The text of a topic or dialog file.
fn read(file: &str) -> Result<String, ServiceError> {
    let content = match std::fs::metadata(file) {
        Ok(meta) if meta.len() <= LONGEST_TOPIC => std::fs::read_to_string(file).map_err(|e| e.to_string()),
        Ok(_) => Err("it is too large".to_owned()),
        Err(e) => Err(e.to_string()),
    };
    content.or_else(|why| failed(format!("cannot read the topic file `{file}`: {why}")))
}

/// The topic file for a language in a `.dlg`, whose lines are `code: file`; the first if there is none for it.
fn topic_of_dialog(file: &str, content: &str, language: &str) -> Result<String, ServiceError> {
    let code = language_code(language);
    let lines = || content.lines().filter_map(|line| line.trim().split_once(':')).map(|(c, f)| (c.trim(), f.trim()));
    let topics = || lines().filter(|(_, topic)| topic.ends_with(".top"));
    let topic = topics().find(|(c, _)| Some(*c) == code).or_else(|| topics().next());
    let Some((_, topic)) = topic else { return failed(format!("`{file}` names no topic file")) };
    let folder = std::path::Path::new(file).parent().unwrap_or(std::path::Path::new("."));
    Ok(folder.join(topic).to_string_lossy().into_owned())
}

/// How topics name a language.
pub(super) fn language_code(language: &str) -> Option<&'static str> {
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
    tell(cx, format!("topic {name} loaded; topics are not interpreted"), &name);
    w.dialog.topics.insert(name.clone(), (language, false));
    ok(name)
}
