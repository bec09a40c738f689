//! What has changed since the last report, and what changes from week to week.

use super::day::Day;
use boxstep_robot::naoqi::health::Severity;
use std::collections::BTreeMap;

/// How much warmer a motor is than in the week before, in °C, to be news. All of these are ours.
const WARMER: f64 = 5.0;
/// How much less charge there is than in the week before, in percent.
const LESS: f64 = 15.0;
/// How much fuller a disk is than a week ago, in percent.
const FULLER: f64 = 5.0;
/// How many reports a week must have to be compared.
const REPORTS: usize = 3;
/// How many days ahead a full disk is told.
const AHEAD: f64 = 60.0;

/// Returns what has changed, in words.
pub(super) fn changes(before: &[Day], now: &Day) -> Vec<String> {
    let Some(last) = before.iter().rfind(|day| day.off.is_none()) else {
        return Vec::new();
    };
    if now.off.is_some() {
        return vec![format!("it was there last on {}", last.day)];
    }
    let mut news = Vec::new();
    if before.last().is_some_and(|day| day.off.is_some()) {
        news.push(format!("it is back; it was there last on {}", last.day));
    }
    if let (Some(was), Some(is)) = (before.iter().rev().find_map(|day| day.naoqi.as_ref()), &now.naoqi)
        && was != is
    {
        news.push(format!("NAOqi was {was} and is {is}"));
    }
    // Of each subject the last report that has it counts: a robot does not answer everything every day.
    let with = |has: fn(&Day) -> bool| before.iter().rfind(|day| has(day));
    with(|day| day.packages.is_some()).inspect(|last| packages(last, now, &mut news));
    with(|day| day.languages.is_some()).inspect(|last| languages(last, now, &mut news));
    health(before, now, &mut news);
    disk(before, now, &mut news);
    weeks(before, now, &mut news);
    news
}

fn packages(last: &Day, now: &Day, news: &mut Vec<String>) {
    let (Some(was), Some(is)) = (&last.packages, &now.packages) else { return };
    let missing = |of: &BTreeMap<String, String>, from: &BTreeMap<String, String>| {
        of.keys().filter(|name| !from.contains_key(*name)).cloned().collect::<Vec<_>>()
    };
    told("packages came", missing(is, was), news);
    told("packages went", missing(was, is), news);
    let other = is.iter().filter_map(|(name, version)| {
        let before = was.get(name).filter(|before| *before != version)?;
        Some(format!("{name} {before} → {version}"))
    });
    told("packages have another version", other.collect(), news);
}

fn languages(last: &Day, now: &Day, news: &mut Vec<String>) {
    let (Some(was), Some(is)) = (&last.languages, &now.languages) else { return };
    let missing = |of: &[String], from: &[String]| of.iter().filter(|name| !from.contains(name)).cloned().collect();
    told("it speaks now", missing(is, was), news);
    told("it does not speak any more", missing(was, is), news);
}

fn told(what: &str, names: Vec<String>, news: &mut Vec<String>) {
    const FEW: usize = 8;
    if names.is_empty() {
        return;
    }
    let more = match names.len().saturating_sub(FEW) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    news.push(format!("{what}: {}{more}", names[..names.len().min(FEW)].join(", ")));
}

/// Tells subjects that are better or worse than before.
fn health(before: &[Day], now: &Day, news: &mut Vec<String>) {
    let of = |day: &Day| {
        let mut worst: BTreeMap<String, (Severity, String)> = BTreeMap::new();
        for line in day.health.iter().filter(|line| line.severity() != Severity::Unknown) {
            let of = worst.entry(line.about.clone()).or_insert((Severity::Good, line.value.clone()));
            if line.severity() > of.0 {
                *of = (line.severity(), line.value.clone());
            }
        }
        worst
    };
    let mut was = BTreeMap::new();
    before.iter().for_each(|day| was.extend(of(day)));
    for (about, (severity, value)) in of(now) {
        match was.get(&about) {
            Some((before, _)) if *before == severity => {}
            None if severity == Severity::Good => {}
            _ if severity == Severity::Good => news.push(format!("{about}: good again")),
            Some((before, _)) if *before > severity => news.push(format!("{about}: better, {value}")),
            _ => news.push(format!("{about}: {} now, {value}", severity.id())),
        }
    }
}

fn disk(before: &[Day], now: &Day, news: &mut Vec<String>) {
    let (Some(today), Some(full)) = (now.number(), now.full()) else { return };
    // Not much longer ago than a week; the oldest report of that time.
    let ago = |day: &Day| day.number().map(|number| today.saturating_sub(number)).filter(|days| (1..=8).contains(days));
    let then = before.iter().filter_map(|day| Some((ago(day)?, day.full()?))).max_by_key(|(days, _)| *days);
    let Some((days, was)) = then.filter(|(_, was)| full - was >= FULLER) else { return };
    #[allow(clippy::cast_precision_loss, reason = "a few days")]
    let left = (100.0 - full) * days as f64 / (full - was);
    let until = match left.round() {
        ..=1.0 => "; full tomorrow if it goes on".to_owned(),
        left if left <= AHEAD => format!("; full in about {left:.0} days if it goes on"),
        _ => String::new(),
    };
    let ago = if days == 1 { "yesterday".to_owned() } else { format!("{days} days ago") };
    news.push(format!("the disk fills up: {:.0} % now, {:.0} % {ago}{until}", full.floor(), was.floor()));
}

/// Compares the last seven days with the seven days before.
fn weeks(before: &[Day], now: &Day, news: &mut Vec<String>) {
    let Some(today) = now.number() else { return };
    let all = || before.iter().chain([now]);
    let mean = |from: i64, of: &dyn Fn(&Day) -> Option<f64>| {
        let in_week =
            |day: &&Day| day.number().is_some_and(|number| (from..from + 7).contains(&today.saturating_sub(number)));
        let values: Vec<f64> = all().filter(in_week).filter_map(of).collect();
        #[allow(clippy::cast_precision_loss, reason = "a few reports")]
        (values.len() >= REPORTS).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let both = |of: &dyn Fn(&Day) -> Option<f64>| mean(7, of).zip(mean(0, of));
    for name in now.temperatures.keys() {
        if let Some((was, is)) = both(&|day| day.temperatures.get(name).copied())
            && is - was >= WARMER
        {
            news.push(format!("{name} gets warmer: {is:.0} °C this week, {was:.0} °C the week before"));
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "percent")]
    let charge = |day: &Day| day.charge.filter(|_| day.plugged != Some(true)).map(|charge| charge as f64);
    if let Some((was, is)) = both(&charge)
        && was - is >= LESS
    {
        let why = "the battery gets weaker, or the robot works more";
        news.push(format!(
            "less charge at the time of the report: {is:.0} % this week, {was:.0} % the week before; {why}"
        ));
    }
}
