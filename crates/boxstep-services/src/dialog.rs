//! `ALDialog`: the robot talks by topics. `boxstep-dialog` reads and answers; this is its surroundings.
//!
//! Source: the page ALDialog API of the NAOqi documentation.

mod talk;

pub(crate) use talk::{Talk, answered, deliver, forget, hear, input, open, start_collaborative, stop, tick};

use super::speech;
use super::world::World;
use crate::extractors;
use crate::table::{
    Call, Const, Reply, Service, accepts, answers, described, done, failed, gets, nao6, ok, robot, runs, service, sets,
    unknown,
};
use boxstep_dialog::LoadError;
use boxstep_engine::services::{Effect, ServiceCx, ServiceError};
use boxstep_types::Value;
use boxstep_types::languages::{language_name, topic_code};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

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
        runs("gotoTopic", "Focus to a topic, and its next proposal", robot("(s)v"), goto_topic),
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
        runs("getConfidenceThreshold", "How sure it must be, by strategy", nao6("(ss)f"), get_confidence_threshold),
        runs("getAllConfidenceThresholds", "Every threshold that was set", nao6("(){s{sf}}"), all_thresholds),
        runs("removeAllLanguageThresholds", "Forgets thresholds by language", nao6("()v"), remove_language_thresholds),
        sets("setNumberOfScopes", "How far back it understands", robot("(i)v"), "scopes"),
        runs("setVariablePath", "Memory key of a variable: topic, variable, key", robot("(sss)v"), set_variable_path),
        sets("setAnimatedSpeechConfiguration", "Gestures", robot("(m)v"), "animatedSpeech"),
        gets("getAnimatedSpeechConfiguration", "Gestures", nao6("()m"), "animatedSpeech", Const::NoEntries),
        runs("startPush", "Says a proposal after each answer", robot("()v"), start_push),
        runs("stopPush", "Ends it", robot("()v"), stop_push),
        runs("runDialog", "Starts the dialog of all topics", robot("()v"), run_dialog),
        runs("stopDialog", "Ends it", robot("()v"), stop_dialog),
        runs("stopTopics", "Deactivates topics", nao6("([s])v"), stop_topics),
        runs("runTopics", "Loads and activates topic files; their names", nao6("([s])[s]"), run_topics),
        runs("openSession", "Talks with a user", robot("(i)v"), open_session),
        runs("closeSession", "Ends that", robot("()v"), close_session),
        runs("getUserData", "What is known of a user", robot("(si)s (m)s (mmm)s"), get_user_data),
        runs("setUserData", "Remembers something of a user", unknown("(mmm)m"), set_user_data),
        runs("getUserDataList", "What is known of a user", robot("(i)[s]"), get_user_data_list),
        runs("getUserList", "Users", robot("()[i]"), get_user_list),
        runs("removeUserData", "Forgets a user", robot("(i)v"), remove_user_data),
        runs("insertUserData", "Remembers something of a user", robot("(ssi)v"), set_user_data),
        runs("clearConcepts", "Empties dynamic concepts", robot("()v"), clear_concepts),
        runs("resetAll", "Makes proposals sayable again", robot("()v"), reset_all),
        runs("resetLanguage", "Language of the robot", nao6("()v"), reset_language),
        runs("deactivateTag", "Rules of a tag are off", robot("(ss)v"), deactivate_tag),
        runs("activateTag", "Rules of a tag are on", robot("(ss)v"), activate_tag),
        runs("addFallback", "Service that answers what no rule does: language, service", robot("(ss)v"), add_fallback),
        runs("removeFallback", "No longer asks it", robot("(ss)v"), remove_fallback),
        runs("setDelay", "How long an event waits, ms", nao6("(si)v"), set_delay),
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
        runs("gotoTagFocus", "Goes to a tag, with the focus", unknown("(mm)m"), goto_tag),
        gets("isListening", "Whether it listens", unknown("()m"), "listening", Const::Bool(false)),
        sets("setPushMode", "When it speaks first", unknown("(m)m"), "push"),
        runs("addBlockingEvent", "Event that cuts the speech", unknown("(m)m"), add_blocking_event),
        accepts("applyUserData", "Uses what is known of a user", unknown("(m)m (mm)m")),
        accepts("compileBundle", "Compiles the topics of a group", unknown("(m)m")),
        accepts("connectionChanged", "Internal", unknown("(m)m")),
        runs("deleteUserData", "Forgets a user", unknown("(m)m"), remove_user_data),
        accepts("enableSendingLogToCloud", "Sends what is said, or not", unknown("(m)m")),
        accepts("preloadMain", "Loads the topics of all applications", unknown("()m (m)m")),
        runs("removeBlockingEvent", "Event that no longer cuts it", unknown("(m)m"), remove_blocking_event),
        accepts("resumeDialog", "Continues the dialog", unknown("()m")),
        accepts("pauseDialog", "Pauses the dialog", unknown("()m")),
        accepts("startUpdate", "Loads topics that have changed", unknown("(m)m")),
        answers("getQueryList", "Sentences it understood", unknown("()m"), Const::Empty),
        runs("getOpenSession", "User it talks with", unknown("()m"), get_open_session),
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

/// Says why something cannot be done with a topic.
fn refused<T>(result: Result<T, LoadError>) -> Result<T, ServiceError> {
    result.or_else(|why| failed(why.to_string()))
}

/// The path of a file of the behavior.
fn path_of(w: &World, file: &str) -> PathBuf {
    match &w.options.folder {
        Some(folder) => folder.join(file),
        None => PathBuf::from(file),
    }
}

/// Loads the topic of a file: a `.top`, or a `.dlg` with one in each language.
fn load_topic(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let path = path_of(w, call.args.text(0, "topic file")?);
    match talk::load_file(w, cx, &path) {
        Ok(name) => ok(&*name),
        Err(why) => failed(why),
    }
}

/// Undocumented: the box around a topic calls this. A .dlg file names the topic file of each language.
fn add_dialog_from_topic_box(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    load_topic(w, cx, call)
}

fn load_topic_content(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    match talk::load_text(w, cx, call.args.text(0, "topic")?) {
        Ok(name) => ok(&*name),
        Err(why) => failed(why),
    }
}

fn unload_topic(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "topic")?;
    refused(talk::with(w, cx, |dialog, world| dialog.unload(world, name)))?;
    w.talk.forget(name);
    done()
}

fn activate_topic(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "topic")?;
    refused(talk::with(w, cx, |dialog, world| dialog.activate(world, name)))?;
    done()
}

fn deactivate_topic(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "topic")?;
    refused(talk::with(w, cx, |dialog, world| dialog.deactivate(world, name)))?;
    done()
}

fn run_topics(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let mut names = Vec::new();
    for file in call.args.texts(0, "topic files")? {
        let path = path_of(w, file);
        let name = talk::load_file(w, cx, &path).or_else(failed)?;
        refused(talk::with(w, cx, |dialog, world| dialog.activate(world, &name)))?;
        names.push(Value::Str(name));
    }
    ok(Value::list(names))
}

fn stop_topics(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    for name in call.args.texts(0, "topics")? {
        refused(talk::with(w, cx, |dialog, world| dialog.deactivate(world, name)))?;
    }
    done()
}

fn set_focus(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "topic")?;
    refused(talk::with(w, cx, |dialog, world| dialog.set_focus(world, name)))?;
    done()
}

fn goto_topic(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "topic")?;
    refused(talk::with(w, cx, |dialog, world| dialog.goto_topic(world, name)))?;
    done()
}

fn goto_tag(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (tag, topic) = (call.args.text(0, "tag")?, call.args.text(1, "topic")?);
    refused(talk::with(w, cx, |dialog, world| dialog.goto_tag(world, tag, topic)))?;
    done()
}

/// `say(topic, tag)`: the topic is named, or its file is.
fn say_tagged(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (topic, tag) = (call.args.text(0, "topic")?, call.args.text(1, "tag")?);
    let name: Arc<str> = if topic.ends_with(".top") {
        let path = path_of(w, topic);
        talk::load_file(w, cx, &path).or_else(failed)?
    } else {
        topic.into()
    };
    refused(talk::with(w, cx, |dialog, world| dialog.say_tag(world, &name, tag)))?;
    done()
}

fn run_dialog(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.notice(cx, "Dialog/IsStarted", 1);
    done()
}

fn stop_dialog(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    talk::with(w, cx, |dialog, world| dialog.stop(world));
    w.notice(cx, "Dialog/IsStarted", 0);
    done()
}

fn run_main(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.notice(cx, "Dialog/MainDialogStarted", 1);
    w.notice(cx, "Dialog/IsStarted", 1);
    done()
}

fn stop_main(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.notice(cx, "Dialog/MainDialogStarted", 0);
    w.notice(cx, "Dialog/IsStarted", 0);
    done()
}

fn start_push(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.talk.dialog().set_push(true);
    done()
}

fn stop_push(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.talk.dialog().set_push(false);
    done()
}

fn force_input(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let input = call.args.text(0, "input")?;
    talk::with(w, cx, |dialog, world| dialog.hear(world, input));
    done()
}

fn force_output(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    talk::with(w, cx, |dialog, world| dialog.force_output(world));
    done()
}

/// The prefix of the settings of thresholds: strategy, and perhaps language, follow.
const THRESHOLD: &str = "ALDialog/confidence/";

fn set_confidence_threshold(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let key = format!("{THRESHOLD}{}", args.text(0, "strategy")?);
    let last = args.len() - 1;
    let language = if last > 1 { format!("/{}", args.text(last, "language")?) } else { String::new() };
    w.settings.insert(key + &language, args.number(1, "threshold")?.into());
    done()
}

/// The threshold of a strategy in a language, else in every language.
fn get_confidence_threshold(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let key = format!("{THRESHOLD}{}", call.args.text(0, "strategy")?);
    let of_language = w.settings.get(&format!("{key}/{}", call.args.text(1, "language")?));
    ok(of_language.or(w.settings.get(&key)).cloned().unwrap_or(Value::Float(0.5)))
}

/// The thresholds that were set: by language, then by strategy. Those of every language are under "".
fn all_thresholds(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let mut found: BTreeMap<&str, BTreeMap<&str, Value>> = BTreeMap::new();
    for (key, value) in &w.settings {
        let Some(rest) = key.strip_prefix(THRESHOLD) else { continue };
        let (strategy, language) = rest.split_once('/').unwrap_or((rest, ""));
        found.entry(language).or_default().insert(strategy, value.clone());
    }
    ok(Value::map(found.into_iter().map(|(language, of)| (language, Value::map(of)))))
}

fn remove_language_thresholds(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.settings.retain(|key, _| !key.strip_prefix(THRESHOLD).is_some_and(|rest| rest.contains('/')));
    done()
}

fn get_focus(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.talk.dialog().focus().unwrap_or_default())
}

fn names(names: Vec<Arc<str>>) -> Reply {
    ok(Value::list(names.into_iter().map(Value::Str)))
}

fn get_all_loaded_topics(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    names(w.talk.dialog().loaded_topics(None))
}

fn get_loaded_topics(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    names(w.talk.dialog().loaded_topics(Some(call.args.text(0, "language")?)))
}

fn get_activated_topics(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    names(w.talk.dialog().active_topics())
}

fn get_topic_language(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let language = refused(w.talk.dialog().topic_language(call.args.text(0, "topic")?))?;
    ok(language.unwrap_or_default())
}

/// The name of a concept and its language, which must be one that robots have.
fn concept_of<'a>(call: &Call<'a>) -> Result<(&'a str, &'a str), ServiceError> {
    let (name, language) = (call.args.text(0, "concept")?, call.args.text(1, "language")?);
    if topic_code(language).is_none() {
        return failed(format!("`{language}` is no language that robots have"));
    }
    Ok((name, language))
}

fn concept_words(call: &Call<'_>) -> Result<Vec<Arc<str>>, ServiceError> {
    Ok(call.args.texts(2, "words")?.into_iter().map(Arc::from).collect())
}

fn set_concept(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, language) = concept_of(call)?;
    let mut words = concept_words(call)?;
    // With a fourth argument that is true, the words are added to those that are there.
    if call.args.flag_or(3, "store", false).unwrap_or(false) {
        let mut all = w.talk.dialog().concept(name, language);
        all.append(&mut words);
        words = all;
    }
    w.talk.dialog().set_concept(name, language, words);
    done()
}

fn add_to_concept(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, language) = concept_of(call)?;
    let mut words = w.talk.dialog().concept(name, language);
    words.extend(concept_words(call)?);
    w.talk.dialog().set_concept(name, language, words);
    done()
}

fn get_concept(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, language) = concept_of(call)?;
    names(w.talk.dialog().concept(name, language))
}

fn clear_concepts(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    w.talk.dialog().clear_concepts();
    done()
}

fn reset_all(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    talk::with(w, cx, |dialog, world| dialog.reset(world));
    done()
}

fn get_language(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.talk.dialog().language())
}

fn set_language(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    // Topics have codes; the method takes them, too.
    let language = match call.args.text(0, "language").ok().and_then(language_name) {
        Some(name) if speech::is_installed(w, name) => name.to_owned(),
        _ => speech::language_argument(w, call.args)?,
    };
    w.notice(cx, "Dialog/LanguageIsSet", language.as_str());
    w.talk.dialog().set_language(&language);
    done()
}

fn reset_language(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let language = w.options.language.clone();
    w.talk.dialog().set_language(&language);
    done()
}

fn set_tag(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, on: bool) -> Reply {
    let (tag, topic) = (call.args.text(0, "tag")?, call.args.text(1, "topic")?);
    refused(w.talk.dialog().set_tag(tag, topic, on))?;
    if !w.talk.dialog().has_tag(tag, topic) {
        cx.effect(Effect::Warn(LoadError::NoTag(tag.to_owned(), topic.to_owned()).to_string()));
    }
    done()
}

fn activate_tag(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_tag(w, cx, call, true)
}

fn deactivate_tag(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    set_tag(w, cx, call, false)
}

fn set_delay(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (event, delay) = (call.args.text(0, "event")?, call.args.int(1, "milliseconds")?);
    w.talk.dialog().set_delay(event, delay);
    done()
}

fn add_fallback(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.talk.dialog().add_fallback(call.args.text(0, "language")?, call.args.text(1, "service")?);
    done()
}

fn remove_fallback(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.talk.dialog().remove_fallback(call.args.text(0, "language")?, call.args.text(1, "service")?);
    done()
}

fn add_blocking_event(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.talk.dialog().set_blocking(call.args.text(0, "event")?, true);
    done()
}

fn remove_blocking_event(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.talk.dialog().set_blocking(call.args.text(0, "event")?, false);
    done()
}

fn set_variable_path(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let (topic, variable, key) = (args.text(0, "topic")?, args.text(1, "variable")?, args.text(2, "key")?);
    w.talk.set_path(topic, variable, key);
    done()
}

fn open_session(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let user = call.args.int(0, "user")?;
    w.talk.dialog().set_user(Some(user));
    w.notice(cx, "Dialog/OpenSession", user);
    done()
}

fn close_session(w: &mut World, cx: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    if let Some(user) = w.talk.dialog().user() {
        w.talk.dialog().set_user(None);
        w.notice(cx, "Dialog/CloseSession", user);
    }
    done()
}

fn get_open_session(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.talk.dialog().user().unwrap_or(-1))
}

/// `getUserData(variable, user)`
fn get_user_data(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let key = call.args.text(0, "variable")?;
    let user = if call.args.len() > 1 { call.args.int(1, "user")? } else { w.talk.dialog().user().unwrap_or(0) };
    let found = w.talk.dialog().data_of(user).find(|(name, _)| **name == *key).map(|(_, value)| value.clone());
    ok(found.map_or_else(String::new, |value| match value {
        Value::Str(text) => text.to_string(),
        other => other.to_string(),
    }))
}

/// `insertUserData(variable, value, user)`
fn set_user_data(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let key = call.args.text(0, "variable")?;
    let value = call.args.value(1, "value")?.clone();
    let user = call.args.int(2, "user")?;
    w.talk.dialog().set_data_of(user, key, value);
    done()
}

fn get_user_data_list(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let user = call.args.int(0, "user")?;
    names(w.talk.dialog().data_of(user).map(|(name, _)| name.into()).collect())
}

fn get_user_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list(w.talk.dialog().users().into_iter().map(Value::from)))
}

fn remove_user_data(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.talk.dialog().forget_user(call.args.int(0, "user")?);
    done()
}
