//! The queries of a page's panels: lines of the log, changes of an item, calls, spans, behaviors. Calls and behaviors
//! are answered as of the time that the page shows; the other queries cover the whole run.

use crate::entry::StoreEntry;
use crate::index::{Call, Direction, Point};
use crate::severity::Severity;
use crate::snapshot::About;
use crate::spans::Span;
use crate::store::TraceStore;
use boxstep_types::Time;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

/// The maximum number of log lines in a reply.
const MOST_LINES: usize = 500;
/// The maximum number of log lines that one query searches, so that it does not block others for long.
const MOST_SEEN: usize = 20_000;
/// The maximum number of points of a series in a reply.
const MOST_POINTS: usize = 4096;
/// The maximum number of calls in a reply.
const MOST_CALLS: usize = 500;
/// The maximum number of lines of a conversation in a reply.
const MOST_TALK: usize = 500;

/// Identifies an item.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct ItemRef {
    pub(crate) about: String,
    #[serde(default)]
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) name: String,
}

impl ItemRef {
    pub(crate) fn find(&self, store: &TraceStore) -> Option<usize> {
        store.now.find(About::of(&self.about)?, &self.path, &self.name)
    }
}

/// A query.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum PanelQuery {
    /// Lines of the log.
    Log {
        /// The number of the first line, counted from 0; for a backward search, the number after it.
        from: usize,
        /// The maximum number of lines.
        most: usize,
        /// The minimum severity.
        #[serde(default)]
        least: Option<Severity>,
        /// The words that a line must contain, separated by blanks.
        #[serde(default)]
        words: String,
        #[serde(default)]
        way: Direction,
    },
    /// The changes of an item.
    Series {
        #[serde(flatten)]
        of: ItemRef,
        /// Nanoseconds.
        from: i64,
        to: i64,
        most: usize,
    },
    /// The next error, or the next change of an item.
    Find {
        /// `error`, or `change` of an item.
        what: SearchTarget,
        #[serde(flatten)]
        of: Option<ItemRef>,
        /// Nanoseconds.
        t: i64,
        #[serde(default)]
        way: Direction,
    },
    /// The times of errors, and of what came from outside.
    Errors {
        /// Nanoseconds.
        from: i64,
        to: i64,
        /// The number of errors that can be distinguished.
        most: usize,
    },
    /// Calls of services: those without a reply, and the latest of the others.
    Calls {
        /// The maximum number of calls with a reply.
        most: usize,
        /// The words that a call must contain, separated by blanks.
        #[serde(default)]
        words: String,
    },
    /// What the script of a box does: the methods that have not returned, and the calls without a reply.
    Doing {
        /// The path of the box.
        path: String,
    },
    /// Lines of the conversation with the robot, in the order of time.
    Talk {
        /// The number of the first line, counted from 0; for a backward search, the number after the last line.
        from: usize,
        /// The maximum number of lines.
        most: usize,
        #[serde(default)]
        way: Direction,
    },
    /// The spans of boxes and behaviors.
    Spans {
        /// Nanoseconds.
        from: i64,
        to: i64,
        /// The number of spans that can be distinguished.
        most: u32,
    },
    /// The behaviors of a character.
    Behaviors,
    /// Why a behavior runs or does not run.
    Why {
        /// Its name or path.
        name: String,
    },
}

/// What to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SearchTarget {
    Error,
    Change,
}

/// The reply to a query.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Answer<'a> {
    Log {
        from: usize,
        /// Where to continue. If that is neither the end nor the beginning of the log, there may be more.
        next: usize,
        way: Direction,
        /// The number of each line in the log.
        at: Vec<usize>,
        levels: Vec<Severity>,
        lines: Vec<Box<RawValue>>,
        /// What each line says, if it is one of a dialog or a sentence said to the robot.
        words: Vec<Option<String>>,
    },
    Series {
        #[serde(flatten)]
        of: &'a ItemRef,
        from: i64,
        to: i64,
        points: Vec<Point>,
    },
    Found {
        what: SearchTarget,
        way: Direction,
        /// Nanoseconds; null if nothing was found.
        t: Option<i64>,
        line: Option<Box<RawValue>>,
    },
    Errors {
        /// Nanoseconds.
        times: Vec<i64>,
        /// The times of what came from outside.
        events: Vec<i64>,
    },
    Calls {
        /// The total number of calls.
        count: usize,
        calls: Vec<CallShown>,
    },
    Doing {
        path: &'a str,
        /// The events that began these methods, the earliest first.
        methods: Vec<Box<RawValue>>,
        calls: Vec<Box<RawValue>>,
    },
    Talk {
        /// The number of the first line of the reply.
        from: usize,
        /// The number of the first line that is kept, and the number after the last one.
        begin: usize,
        end: usize,
        /// The number of lines up to the time that the page shows.
        told: usize,
        lines: Vec<Box<RawValue>>,
    },
    Spans {
        from: i64,
        to: i64,
        rows: Vec<RowShown>,
    },
    Behaviors {
        behaviors: serde_json::Value,
    },
    Why {
        name: &'a str,
        /// The same as the output of `boxstep why --format json`.
        why: Option<serde_json::Value>,
        /// Why there is no answer.
        #[serde(skip_serializing_if = "Option::is_none")]
        not: Option<String>,
    },
}

#[derive(Serialize)]
struct CallShown {
    asked: Box<RawValue>,
    answered: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct RowShown {
    path: Arc<str>,
    delegates: bool,
    spans: Vec<Span>,
}

fn raw(line: impl Into<String>) -> Option<Box<RawValue>> {
    RawValue::from_string(line.into()).ok()
}

fn lowercase_words(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_lowercase).collect()
}

impl PanelQuery {
    /// Returns the reply as JSON, as of the time `at`.
    pub(crate) fn answer(&self, store: &TraceStore, at: i64) -> String {
        let lines = store.count(at);
        let answer = match self {
            PanelQuery::Log { from, most, least, words, way } => {
                log(store, (*from, *most, *way), *least, &lowercase_words(words))
            }
            PanelQuery::Series { of, from, to, most } => {
                let most = (*most).min(MOST_POINTS);
                let points = of.find(store).map(|item| store.index.series(item, (*from, *to), most));
                Answer::Series { of, from: *from, to: *to, points: points.unwrap_or_default() }
            }
            PanelQuery::Find { what, of, t, way } => {
                let line = match what {
                    SearchTarget::Error => store.index.error(*t, *way),
                    SearchTarget::Change => {
                        of.as_ref().and_then(|of| of.find(store)).and_then(|item| store.index.change(item, *t, *way))
                    }
                };
                let found = line.map(|line| store.index.time(line));
                Answer::Found { what: *what, way: *way, t: found, line: line.and_then(|line| raw(store.line(line)?)) }
            }
            PanelQuery::Errors { from, to, most } => {
                let most = (*most).min(MOST_POINTS);
                let (times, events) = (store.index.errors((*from, *to), most), store.index.outside((*from, *to), most));
                Answer::Errors { times, events }
            }
            PanelQuery::Calls { most, words } => calls(store, lines, (*most).min(MOST_CALLS), &lowercase_words(words)),
            PanelQuery::Doing { path } => doing(store, lines, path),
            PanelQuery::Talk { from, most, way } => talk(store, lines, (*from, (*most).min(MOST_TALK), *way)),
            PanelQuery::Spans { from, to, most } => {
                let (from, to) = (*from, *to);
                let least = (to.saturating_sub(from)) / i64::from((*most).clamp(1, 8192));
                let shown = |(row, spans): (&crate::spans::Row, _)| RowShown {
                    path: row.path.clone(),
                    delegates: row.delegates,
                    spans,
                };
                Answer::Spans { from, to, rows: store.spans.between(from, to, least).map(shown).collect() }
            }
            PanelQuery::Behaviors => Answer::Behaviors { behaviors: store.account_at(at).behaviors() },
            PanelQuery::Why { name } => {
                let why = store.account_at(at).why(name, Time(at));
                let (why, not) = match why {
                    Ok(why) => (Some(why.json()), None),
                    Err(why) => (None, Some(why.to_string())),
                };
                Answer::Why { name, why, not }
            }
        };
        store.texts.json(&answer)
    }
}

fn log<'a>(
    store: &'a TraceStore,
    (from, most, way): (usize, usize, Direction),
    least: Option<Severity>,
    words: &[String],
) -> Answer<'a> {
    // Lines that have been dropped are not searched.
    let (most, begin, end) = (most.clamp(1, MOST_LINES), store.log_dropped(), store.log_len());
    let (mut at, mut levels, mut lines, mut described) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut next = from.clamp(begin, end);
    for _ in 0..MOST_SEEN {
        let here = match way {
            Direction::On if next < end => next,
            Direction::Back if next > begin => next - 1,
            _ => break,
        };
        next = if way == Direction::On { here + 1 } else { here };
        let Some(entry) = store.log(here) else { break };
        // Poses are not part of the log.
        let StoreEntry::Event(event) = entry else { continue };
        let level = Severity::of(&event.kind);
        if least.is_some_and(|least| level < least) {
            continue;
        }
        if !store.texts.has_words(event, store.path(entry), words) {
            continue;
        }
        let Some(line) = raw(store.texts.line(entry, store.path(entry))) else { continue };
        at.push(here);
        levels.push(level);
        lines.push(line);
        described.push(store.texts.description(event));
        if lines.len() == most {
            break;
        }
    }
    if way == Direction::Back && next == begin {
        next = 0;
    }
    Answer::Log { from, next, way, at, levels, lines, words: described }
}

fn talk<'a>(store: &'a TraceStore, shown: usize, (from, most, way): (usize, usize, Direction)) -> Answer<'a> {
    let (known, told) = (store.index.talk_range(), store.index.talk_len(shown));
    let from = from.clamp(known.start, known.end);
    let numbers = match way {
        Direction::On => from..from.saturating_add(most).min(known.end),
        Direction::Back => from.saturating_sub(most).max(known.start)..from,
    };
    let lines = store.index.talk(numbers.clone()).iter().filter_map(|line| raw(store.line(*line)?)).collect();
    Answer::Talk { from: numbers.start, begin: known.start, end: known.end, told, lines }
}

fn calls<'a>(store: &'a TraceStore, lines: usize, most: usize, words: &[String]) -> Answer<'a> {
    let count = store.index.calls(lines).count();
    let mut left = most;
    let mut calls = Vec::new();
    // The search is limited, because the store is locked during the search.
    let seen = if words.is_empty() { count } else { count.min(MOST_SEEN) };
    for call in store.index.calls(lines).rev().take(seen) {
        if call.answered.is_some() && left == 0 {
            continue;
        }
        let Some(entry @ StoreEntry::Event(event)) = store.entry(call.asked) else { continue };
        if !store.texts.has_words(event, store.path(entry), words) {
            continue;
        }
        let Some(asked) = raw(store.texts.line(entry, store.path(entry))) else { continue };
        left -= usize::from(call.answered.is_some());
        calls.push(CallShown { asked, answered: call.answered.and_then(|line| raw(store.line(line)?)) });
    }
    Answer::Calls { count, calls }
}

fn doing<'a>(store: &TraceStore, lines: usize, path: &'a str) -> Answer<'a> {
    let open = |calls: &mut dyn Iterator<Item = Call>| -> Vec<Box<RawValue>> {
        let of_box = calls.filter(|call| call.answered.is_none()).filter_map(|call| {
            let entry = store.entry(call.asked).filter(|entry| store.path(entry) == Some(path))?;
            raw(store.texts.line(entry, Some(path)))
        });
        of_box.take(MOST_CALLS).collect()
    };
    let methods = open(&mut store.index.methods(lines));
    Answer::Doing { path, methods, calls: open(&mut store.index.calls(lines)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    fn store(lines: &[&str]) -> TraceStore {
        let mut store = TraceStore::new();
        store.push(r#"{"schema":1}"#).unwrap();
        for line in lines {
            store.push(line).unwrap();
        }
        store
    }

    fn asked(store: &TraceStore, wish: &Json, at: i64) -> Json {
        let ask: PanelQuery = serde_json::from_value(wish.clone()).unwrap();
        serde_json::from_str(&ask.answer(store, at)).unwrap()
    }

    #[test]
    fn the_log_is_read_both_ways_and_only_what_counts() {
        let lines: Vec<String> = (0..1000)
            .map(|n| {
                let kind = if n % 100 == 99 { r#""kind":"warning""# } else { r#""kind":"print""# };
                format!(r#"{{"n":{n},"t":{n},{kind},"text":"line {n}"}}"#)
            })
            .collect();
        let store = store(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let at = |wish: Json| asked(&store, &wish, i64::MAX);
        let first = at(json!({"do": "log", "from": 0, "most": 3}));
        assert_eq!((&first["at"], &first["next"], &first["levels"][0]), (&json!([0, 1, 2]), &json!(3), &json!("info")));
        let last = at(json!({"do": "log", "from": 1000, "most": 2, "way": "back"}));
        assert_eq!((&last["at"], &last["next"]), (&json!([999, 998]), &json!(998)));
        let bad = at(json!({"do": "log", "from": 1000, "most": 2, "way": "back", "least": "warning"}));
        assert_eq!((&bad["at"], &bad["levels"]), (&json!([999, 899]), &json!(["warning", "warning"])));
        let found = at(json!({"do": "log", "from": 0, "most": 9, "words": "LINE 77"}));
        assert_eq!(found["at"], json!([77, 177, 277, 377, 477, 577, 677, 770, 771]));
        assert_eq!(at(json!({"do": "log", "from": 7, "most": 9, "words": "nobody"}))["next"], json!(1000));
        assert_eq!(at(json!({"do": "log", "from": 9999, "most": 9}))["lines"], json!([]));
    }

    #[test]
    fn what_has_been_let_go_of_the_log_is_not_looked_for() {
        let lines: Vec<String> =
            (0..3000).map(|n| format!(r#"{{"n":{n},"t":{n},"kind":"print","text":"{n}"}}"#)).collect();
        let mut half = store(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        half.shorten();
        let log = |wish: Json| asked(&half, &wish, i64::MAX);
        let first = log(json!({"do": "log", "from": 0, "most": 2}));
        assert_eq!((&first["at"], &first["next"]), (&json!([2048, 2049]), &json!(2050)));
        let back = log(json!({"do": "log", "from": 2050, "most": 9, "way": "back"}));
        assert_eq!((&back["at"], &back["next"]), (&json!([2049, 2048]), &json!(0)), "there is nothing before");
        assert_eq!(log(json!({"do": "log", "from": 7, "most": 9, "way": "back"}))["next"], 0);
    }

    #[test]
    fn only_what_was_known_at_a_time_is_told_of_it() {
        let store = store(&[
            r#"{"n":1,"t":10,"kind":"service","path":"a","service":"S","method":"m","args":[1],"line":3}"#,
            r#"{"n":2,"t":20,"cause":1,"kind":"service_done","path":"a","service":"S","method":"m","value":7}"#,
            r#"{"n":3,"t":30,"kind":"event","key":"k","value":1}"#,
            r#"{"n":4,"t":40,"kind":"event","key":"k","value":2}"#,
        ]);
        let calls = |at| asked(&store, &json!({"do": "calls", "most": 9}), at);
        assert_eq!((&calls(5)["calls"], &calls(5)["count"]), (&json!([]), &json!(0)));
        assert_eq!(calls(15)["calls"][0]["answered"], Json::Null);
        assert_eq!(calls(25)["calls"][0]["answered"]["value"], 7);
        assert_eq!(asked(&store, &json!({"do": "calls", "most": 9, "words": "nothing"}), 25)["calls"], json!([]));
        let series = json!({"do": "series", "about": "memory", "name": "k", "from": 0, "to": 35, "most": 9});
        assert_eq!(asked(&store, &series, 5)["points"], json!([[30, 1, 1.0, 1.0, 1.0]]), "also of what comes");
        let find = json!({"do": "find", "what": "change", "about": "memory", "name": "k", "t": 30});
        assert_eq!((&asked(&store, &find, 0)["t"], &asked(&store, &find, 0)["line"]["n"]), (&json!(40), &json!(4)));
        let errors = json!({"do": "errors", "from": 0, "to": 99, "most": 9});
        assert_eq!(asked(&store, &errors, 99)["times"], json!([]));
        let find = json!({"do": "find", "what": "error", "t": 30, "way": "back"});
        assert_eq!(asked(&store, &find, 0)["t"], Json::Null);
    }

    const RULE: &str = r#""rule":{"topic":"greet","file":"greet.top","line":4,"head":"u:(hello)"}"#;

    #[test]
    fn a_script_is_in_the_methods_that_have_not_returned_and_waits_in_calls_without_a_reply() {
        let mut store = store(&[
            r#"{"n":1,"t":10,"path":"a","kind":"call","method":"onInput_onStart"}"#,
            r#"{"n":2,"t":20,"cause":1,"kind":"service","path":"a","service":"S","method":"m","args":[],"line":3}"#,
            r#"{"n":3,"t":30,"path":"b","kind":"call","method":"onLoad"}"#,
            r#"{"n":4,"t":40,"cause":2,"kind":"service_done","path":"a","service":"S","method":"m","value":7}"#,
            r#"{"n":5,"t":50,"cause":1,"path":"a","kind":"returned","method":"onInput_onStart"}"#,
        ]);
        let doing = |store: &TraceStore, at| {
            let answer = asked(store, &json!({"do": "doing", "path": "a"}), at);
            let names =
                |all: &str| answer[all].as_array().unwrap().iter().map(|one| one["n"].clone()).collect::<Json>();
            (names("methods"), names("calls"))
        };
        assert_eq!(doing(&store, 5), (json!([]), json!([])));
        assert_eq!(doing(&store, 35), (json!([1]), json!([2])));
        assert_eq!(doing(&store, 45), (json!([1]), json!([])));
        assert_eq!(doing(&store, 50), (json!([]), json!([])));
        let raised = r#"{"n":6,"t":60,"cause":3,"path":"b","kind":"raised","method":"onLoad","error":{"kind":"E","message":"no","line":null,"traceback":""}}"#;
        assert_eq!(asked(&store, &json!({"do": "doing", "path": "b"}), 55)["methods"][0]["method"], "onLoad");
        store.push(raised).unwrap();
        assert_eq!(asked(&store, &json!({"do": "doing", "path": "b"}), 65)["methods"], json!([]));
    }

    fn talk() -> TraceStore {
        let matched = format!(r#"{{"n":4,"t":20,"kind":"dialog","path":"root/D","what":"matched",{RULE}}}"#);
        store(&[
            r#"{"n":1,"t":10,"kind":"control","what":"hear","details":{"text":"hello"}}"#,
            r#"{"n":2,"t":10,"kind":"print","text":"hello"}"#,
            r#"{"n":3,"t":20,"kind":"dialog","path":"root/D","what":"heard","text":"hello"}"#,
            &matched,
            r#"{"n":5,"t":20,"kind":"dialog","path":"root/D","what":"answer","text":"Hi"}"#,
            r#"{"n":6,"t":20,"kind":"act","act":"say","path":"root/D","text":"Hi"}"#,
            r#"{"n":7,"t":30,"kind":"act","act":"leds","text":"red"}"#,
            r#"{"n":8,"t":30,"kind":"event","key":"WordRecognized","value":["hello",1.0]}"#,
            r#"{"n":9,"t":40,"kind":"dialog","path":"root/D","what":"not_understood","text":"bye"}"#,
        ])
    }

    #[test]
    fn a_conversation_is_what_is_said_from_both_sides_and_what_the_dialog_makes_of_it() {
        let store = talk();
        let talk = |wish: Json, at| asked(&store, &wish, at);
        let numbers = |answer: &Json| -> Vec<u64> {
            answer["lines"].as_array().unwrap().iter().map(|line| line["n"].as_u64().unwrap()).collect()
        };
        let all = talk(json!({"do": "talk", "from": 0, "most": 99}), 20);
        assert_eq!(numbers(&all), [1, 3, 4, 5, 6, 8, 9]);
        assert_eq!((&all["begin"], &all["end"], &all["told"]), (&json!(0), &json!(7), &json!(5)));
        let back = talk(json!({"do": "talk", "from": 5, "most": 2, "way": "back"}), 0);
        assert_eq!((numbers(&back), &back["from"], &back["told"]), (vec![5, 6], &json!(3), &json!(0)));
        assert_eq!(numbers(&talk(json!({"do": "talk", "from": 3, "most": 1}), 0)), [5]);
        let after = talk(json!({"do": "talk", "from": 99, "most": 9}), 99);
        assert_eq!((numbers(&after), &after["from"]), (vec![], &json!(7)));
    }

    #[test]
    fn the_log_describes_events_of_dialogs_and_finds_them_by_these_words() {
        let store = talk();
        let log = |wish: Json| asked(&store, &wish, i64::MAX);
        let found = log(json!({"do": "log", "from": 0, "most": 9, "words": "answers by GREET.top:4"}));
        assert_eq!(found["words"], json!(["answers by greet.top:4, u:(hello)"]));
        let found = log(json!({"do": "log", "from": 0, "most": 9, "words": "no rule"}));
        assert_eq!((&found["words"], &found["levels"]), (&json!(["no rule answers “bye”"]), &json!(["warning"])));
        let said = log(json!({"do": "log", "from": 0, "most": 2}))["words"].clone();
        assert_eq!(said, json!(["somebody says “hello”", null]));
    }

    #[test]
    fn lines_of_a_long_conversation_keep_their_numbers() {
        let lines: Vec<String> =
            (0..3000).map(|n| format!(r#"{{"n":{n},"t":{n},"kind":"dialog","what":"heard","text":"{n}"}}"#)).collect();
        let mut half = store(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        half.shorten();
        let first = asked(&half, &json!({"do": "talk", "from": 0, "most": 2}), 2100);
        assert_eq!((&first["from"], &first["begin"], &first["told"]), (&json!(2048), &json!(2048), &json!(2101)));
        assert_eq!(first["lines"][1]["text"], "2049");
        let back = asked(&half, &json!({"do": "talk", "from": 2050, "most": 9, "way": "back"}), 0);
        assert_eq!((&back["from"], back["lines"].as_array().unwrap().len()), (&json!(2048), 2));
    }

    #[test]
    fn why_is_answered_at_any_time() {
        let store = store(&[
            r#"{"n":1,"t":0,"kind":"delegation","path":"main","what":"activated","ticket":1}"#,
            r#"{"n":2,"t":10,"kind":"delegation","path":"main/idle","what":"entered"}"#,
            r#"{"n":3,"t":20,"kind":"delegation","path":"main","what":"delegated","to":["idle"],"ticket":2}"#,
            r#"{"n":4,"t":20,"kind":"delegation","path":"main/idle","what":"activated","ticket":2}"#,
        ]);
        let why = |at| asked(&store, &json!({"do": "why", "name": "idle"}), at)["why"]["runs"].clone();
        assert_eq!((why(15), why(20)), (json!(false), json!(true)));
        let unknown = asked(&store, &json!({"do": "why", "name": "idle"}), 5);
        assert_eq!(unknown["not"], "it has no behavior `idle`");
        let spans = asked(&store, &json!({"do": "spans", "from": 0, "to": 99, "most": 100}), 99);
        assert_eq!(spans["rows"][1]["spans"], json!([["scope", 10, null, false, 1], ["runs", 20, null, false, 1]]));
        assert_eq!(asked(&store, &json!({"do": "behaviors"}), 5)["behaviors"].as_array().unwrap().len(), 1);
    }
}
