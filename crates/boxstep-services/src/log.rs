//! The log: `ALLogger` and `LogManager` write lines, and listeners get the lines that pass their filters.
//!
//! Sources: the reference of `qi::LogManager` and `qi::LogProvider` (docs.ros.org, package `naoqi_libqicore`), and the
//! page `qi.logging` of the qi documentation for the levels. What a filter's `*` stands for, and that the last filter
//! that fits decides, is our reading.

use crate::objects::{Held, handle};
use crate::table::{
    Call, Const, Reply, Service, described, done, failed, gets, known, nao6, ok, robot, runs, service, sets, signal,
    unknown,
};
use crate::world::World;
use boxstep_engine::services::{LogLevel, ServiceCx, ServiceError};
use boxstep_types::Value;

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALLogger",
        "Log of the robot",
        &[
            runs("debug", "Writes a line", robot("(ss)v"), write_line),
            runs("info", "Writes a line", robot("(ss)v"), write_line),
            runs("warn", "Writes a line", robot("(ss)v"), write_line),
            runs("error", "Writes a line", robot("(ss)v"), write_line),
            runs("fatal", "Writes a line", robot("(ss)v"), write_line),
            runs("verbose", "Writes a line", unknown("(mm)m"), write_line),
            sets("setVerbosity", "Least level that is written", unknown("(m)m"), "verbosity"),
            gets("verbosity", "Least level that is written", unknown("()m"), "verbosity", Const::Int(INFO)),
        ],
    ),
    service(
        "LogManager",
        "Log of the robot",
        &[
            runs("createListener", "Object that gets the lines of the log", nao6("()o"), create_listener),
            runs("getListener", "Object that gets the lines of the log", robot("()o"), create_listener),
            runs("log", "Writes lines", robot("((si(ll)sss))v"), write_message),
            known("addProvider", "Adds a source", robot("(o)i")),
            known("removeProvider", "Removes a source", robot("(i)v")),
        ],
    ),
];

/// What a listener of the log offers.
pub(crate) static LISTENER: Service = service(
    "LogListener",
    "Gets the lines of the log that pass its filters",
    &[
        runs("setLevel", "Least important level that it gets, 0 (silent) to 6 (debug)", described("(i)v"), set_level),
        runs("setVerbosity", "Older name of setLevel", described("(i)v"), set_level),
        runs(
            "addFilter",
            "Level for categories of this name, in which * stands for any text",
            described("(si)v"),
            add_filter,
        ),
        runs("setCategory", "Older name of addFilter", described("(si)v"), add_filter),
        runs("clearFilters", "Forgets its filters", described("()v"), clear_filters),
    ],
)
.signals(&[signal("onLogMessage", "m")])
.object();

/// Levels, as `qi.logging` numbers them: SILENT, FATAL, ERROR, WARNING, INFO, VERBOSE, DEBUG.
const INFO: i64 = 4;
const DEBUG: i64 = 6;

/// The most filters of a listener.
const MOST: usize = 1000;

/// A listener of the log.
#[derive(Debug)]
pub(crate) struct Listener {
    level: i64,
    filters: Vec<(String, i64)>,
}

impl Listener {
    /// Returns whether it gets lines of this category and level.
    fn takes(&self, category: &str, level: i64) -> bool {
        let filter = self.filters.iter().rev().find(|(pattern, _)| fits(pattern, category));
        level <= filter.map_or(self.level, |(_, level)| *level)
    }
}

/// Returns whether a text fits a pattern in which `*` stands for any text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn create_listener(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(handle(w.objects.hold(Held::Listener(Listener { level: INFO, filters: Vec::new() }))))
}

fn level_argument(call: &Call<'_>, i: usize) -> Result<i64, ServiceError> {
    let level = call.args.int(i, "level")?;
    if (0..=DEBUG).contains(&level) { Ok(level) } else { failed(format!("a level is 0 to {DEBUG}, not {level}")) }
}

fn set_level(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let level = level_argument(call, 0)?;
    w.objects.listener(call)?.level = level;
    done()
}

fn add_filter(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (category, level) = (call.args.text(0, "category")?, level_argument(call, 1)?);
    let listener = w.objects.listener(call)?;
    listener.filters.retain(|(pattern, _)| pattern != category);
    if listener.filters.len() >= MOST {
        return failed(format!("a listener has at most {MOST} filters"));
    }
    listener.filters.push((category.into(), level));
    done()
}

fn clear_filters(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    w.objects.listener(call)?.filters.clear();
    done()
}

/// The level of a line that a script writes through its own logger.
pub(crate) fn level_of(level: LogLevel) -> i64 {
    match level {
        LogLevel::Fatal => 1,
        LogLevel::Error => 2,
        LogLevel::Warning => 3,
        LogLevel::Info => INFO,
        LogLevel::Debug => DEBUG,
    }
}

/// Gives a line to the listeners whose filters it passes.
pub(crate) fn written(w: &mut World, cx: &mut ServiceCx<'_>, level: i64, category: &str, text: &str) {
    let takes = |(number, listener): (u64, &Listener)| listener.takes(category, level).then_some(number);
    let listeners: Vec<u64> = w.objects.listeners().filter_map(takes).collect();
    w.lines_written += 1;
    let now = cx.now().0;
    for number in listeners {
        let message = Value::map([
            ("source", "".into()),
            ("level", level.into()),
            ("category", category.into()),
            ("location", "".into()),
            ("message", text.into()),
            ("id", w.lines_written.into()),
            ("date", now.into()),
            ("systemDate", w.options.epoch.saturating_mul(1_000_000_000).saturating_add(now).into()),
        ]);
        w.emit(cx, number, "onLogMessage", message);
    }
}

/// Writes a log message; each log level is a separate method.
fn write_line(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (module, text) = (call.args.text(0, "module")?, call.args.text(1, "message")?);
    let data = [("level", Value::from(call.method.name)), ("module", module.into())];
    cx.act("log", format!("{module}: {text}"), Value::map(data));
    let levels = ["fatal", "error", "warn", "info", "verbose", "debug"];
    let level = levels.iter().zip(1..).find(|(name, _)| **name == call.method.name).map_or(INFO, |(_, level)| level);
    written(w, cx, level, module, text);
    done()
}

/// Writes a message of qi: source, level, date, category, location, text; or a map of these.
fn write_message(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let message = call.args.value(0, "message")?;
    let member = |i: usize, key: &str| {
        message.as_list().and_then(|members| members.get(i)).or_else(|| message.get(key)).cloned().unwrap_or_default()
    };
    let (level, category, text) = (member(1, "level"), member(3, "category"), member(5, "message"));
    let number = level.as_i64().unwrap_or(INFO);
    let (module, text) = (category.as_str().unwrap_or_default(), text.as_str().unwrap_or_default());
    cx.act("log", format!("{module}: {text}"), Value::map([("level", level), ("module", module.into())]));
    written(w, cx, number, module, text);
    done()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        assert!(fits("*", "") && fits("*", "core.naoqi") && fits("core.*", "core.naoqi") && fits("a*c*e", "abcde"));
        assert!(fits("core.naoqi", "core.naoqi") && fits("**", "x"));
        assert!(!fits("core.*", "score.x") && !fits("core", "core.naoqi") && !fits("a*b", "a") && !fits("ab*b", "ab"));
    }

    #[test]
    fn the_last_filter_that_fits_decides() {
        let filters = vec![("*".into(), DEBUG), ("stats.*".into(), 0)];
        let listener = Listener { level: INFO, filters };
        assert!(listener.takes("core", DEBUG) && !listener.takes("stats.cpu", 1));
        let plain = Listener { level: INFO, filters: Vec::new() };
        assert!(plain.takes("core", INFO) && !plain.takes("core", DEBUG));
    }
}
