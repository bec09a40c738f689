//! The spans of time in which boxes ran, and in which behaviors of a character were in scope, waited or ran.

use boxstep_engine::trace::{BoxPhase, DelegationEnd, DelegationEvent, Event, Kind};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;

/// What a box or behavior does during a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Activity {
    /// A behavior is in scope.
    Scope,
    /// A behavior comes into scope or leaves it.
    Loads,
    /// A behavior has been given control, and waits until others have wound down.
    Waits,
    /// A behavior has control; a box has been started.
    Runs,
    /// A behavior has lost control and winds down; a box stops.
    Stops,
}

/// A span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    pub(crate) does: Activity,
    /// The start in nanoseconds.
    pub(crate) from: i64,
    /// The end in nanoseconds; `None` if the span has not ended.
    pub(crate) to: Option<i64>,
    /// Whether it ended with a failure.
    pub(crate) failed: bool,
    /// The number of spans that are merged in this one because they were too short to be distinguished.
    pub(crate) count: u32,
}

impl Serialize for Span {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        (self.does, self.from, self.to, self.failed, self.count).serialize(s)
    }
}

/// The spans of one box or behavior.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) path: Arc<str>,
    /// Whether it is a behavior of a character.
    pub(crate) delegates: bool,
    spans: Vec<Span>,
    /// The index of the open span of each activity.
    open: [Option<usize>; 5],
}

/// The spans of a run.
#[derive(Default)]
pub(crate) struct Spans {
    rows: Vec<Row>,
    known: HashMap<Arc<str>, usize>,
}

impl Spans {
    /// Adds an event; `path` is the path of its box.
    pub(crate) fn push(&mut self, event: &Event, path: &str) {
        let t = event.t.0;
        match &event.kind {
            Kind::Box { phase } => self.push_box(*phase, path, t),
            Kind::Delegation(delegation) if !path.is_empty() => self.push_behavior(&delegation.event, path, t),
            _ => {}
        }
    }

    fn push_box(&mut self, phase: BoxPhase, path: &str, t: i64) {
        match phase {
            BoxPhase::Starting | BoxPhase::Started => self.row(path, false).begin(Activity::Runs, t),
            BoxPhase::Stopping => self.row(path, false).turn(Activity::Runs, Activity::Stops, t),
            BoxPhase::Stopped | BoxPhase::Unloading | BoxPhase::Unloaded | BoxPhase::Destroyed => {
                let row = self.row(path, false);
                row.end(Activity::Runs, t, false);
                row.end(Activity::Stops, t, false);
            }
            BoxPhase::Constructed | BoxPhase::Loading | BoxPhase::Loaded => {}
        }
    }

    fn push_behavior(&mut self, event: &DelegationEvent, path: &str, t: i64) {
        let ends = |row: &mut Row, all: &[Activity], failed| all.iter().for_each(|does| row.end(*does, t, failed));
        match event {
            DelegationEvent::Entering | DelegationEvent::Leaving => self.row(path, true).begin(Activity::Loads, t),
            DelegationEvent::Entered => {
                let row = self.row(path, true);
                row.end(Activity::Loads, t, false);
                row.begin(Activity::Scope, t);
            }
            DelegationEvent::Left => ends(self.row(path, true), &[Activity::Loads, Activity::Scope], false),
            DelegationEvent::Waits { .. } => self.row(path, true).begin(Activity::Waits, t),
            DelegationEvent::Activated { .. } => {
                let row = self.row(path, true);
                row.end(Activity::Waits, t, false);
                row.begin(Activity::Runs, t);
            }
            DelegationEvent::Ended { end, .. } => {
                let failed = matches!(end, DelegationEnd::Failed { .. });
                ends(self.row(path, true), &[Activity::Waits, Activity::Runs], failed);
            }
            DelegationEvent::Restarts { .. } => ends(self.row(path, true), &[Activity::Waits, Activity::Runs], false),
            DelegationEvent::Stopping => self.row(path, true).begin(Activity::Stops, t),
            DelegationEvent::Deactivated => self.row(path, true).end(Activity::Stops, t, false),
            DelegationEvent::Forced => self.row(path, true).end(Activity::Stops, t, true),
            _ => {}
        }
    }

    /// Drops the spans that have ended by a time.
    pub(crate) fn forget(&mut self, t: i64) {
        for row in &mut self.rows {
            row.spans.retain(|span| span.to.is_none_or(|end| end > t));
            row.open = [None; 5];
            for (at, span) in row.spans.iter().enumerate().filter(|(_, span)| span.to.is_none()) {
                row.open[span.does as usize] = Some(at);
            }
        }
    }

    fn row(&mut self, path: &str, delegates: bool) -> &mut Row {
        let at = match self.known.get(path) {
            Some(at) => *at,
            None => {
                let path: Arc<str> = path.into();
                self.known.insert(path.clone(), self.rows.len());
                self.rows.push(Row { path, delegates, spans: Vec::new(), open: [None; 5] });
                self.rows.len() - 1
            }
        };
        let row = &mut self.rows[at];
        // A behavior that plays a box counts as a behavior.
        row.delegates |= delegates;
        row
    }

    /// Returns the rows that have spans in a time range, with these spans. Spans of one activity that together are
    /// shorter than `least` are merged.
    pub(crate) fn between(&self, from: i64, to: i64, least: i64) -> impl Iterator<Item = (&Row, Vec<Span>)> {
        let some = move |row| (row, Row::between(row, from, to, least));
        self.rows.iter().map(some).filter(|(_, spans): &(&Row, Vec<Span>)| !spans.is_empty())
    }
}

impl Row {
    fn begin(&mut self, does: Activity, t: i64) {
        if self.open[does as usize].is_none() {
            self.open[does as usize] = Some(self.spans.len());
            self.spans.push(Span { does, from: t, to: None, failed: false, count: 1 });
        }
    }

    fn end(&mut self, does: Activity, t: i64, failed: bool) {
        if let Some(at) = self.open[does as usize].take() {
            (self.spans[at].to, self.spans[at].failed) = (Some(t), failed);
        }
    }

    fn turn(&mut self, from: Activity, to: Activity, t: i64) {
        if self.open[from as usize].is_some() {
            self.end(from, t, false);
            self.begin(to, t);
        }
    }

    fn between(&self, from: i64, to: i64, least: i64) -> Vec<Span> {
        let mut all: Vec<Span> = Vec::new();
        // The index of the span added last, for each activity.
        let mut last = [None::<usize>; 5];
        for span in self.spans.iter().filter(|span| span.from <= to && span.to.is_none_or(|end| end >= from)) {
            // A span that ends after the range is shown as open.
            let span = Span { to: span.to.filter(|end| *end <= to), ..*span };
            let place = &mut last[span.does as usize];
            let near = place
                .map(|at| &mut all[at])
                .filter(|near| near.to.is_some_and(|end| span.from.saturating_sub(end) < least));
            match near {
                Some(near) if span.to.is_none_or(|end| end.saturating_sub(near.from) < least) && span.to.is_some() => {
                    (near.to, near.failed) = (span.to, near.failed || span.failed);
                    near.count += 1;
                }
                _ => {
                    *place = Some(all.len());
                    all.push(span);
                }
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_engine::trace::PathId;
    use boxstep_types::Time;

    fn push(all: &mut Spans, t: i64, line: &str) {
        let kind = serde_json::from_str(&format!("{{{line}}}")).unwrap();
        all.push(&Event { n: 1, t: Time(t), cause: 0, path: PathId(1), kind }, "a");
    }

    fn of(lines: &[(i64, &str)]) -> Spans {
        let mut all = Spans::default();
        lines.iter().for_each(|(t, line)| push(&mut all, *t, line));
        all
    }

    fn shown(all: &Spans, from: i64, to: i64, least: i64) -> String {
        let spans: Vec<_> = all.between(from, to, least).map(|(_, spans)| spans).collect();
        serde_json::to_string(&spans).unwrap()
    }

    #[test]
    fn a_box_runs_from_its_start_to_its_stop() {
        let all = of(&[
            (5, r#""kind":"box","phase":"starting""#),
            (6, r#""kind":"box","phase":"started""#),
            (9, r#""kind":"box","phase":"stopping""#),
            (12, r#""kind":"box","phase":"stopped""#),
        ]);
        assert_eq!(shown(&all, 0, 20, 0), r#"[[["runs",5,9,false,1],["stops",9,12,false,1]]]"#);
        assert_eq!(shown(&all, 0, 7, 0), r#"[[["runs",5,null,false,1]]]"#, "what comes later is not known yet");
        assert_eq!(shown(&all, 13, 20, 0), "[]");
    }

    #[test]
    fn a_behavior_waits_runs_and_winds_down_in_its_scope() {
        let says = |what: &str| format!(r#""kind":"delegation","what":"{what}""#);
        let failed = format!(r#"{},"how":"failed""#, says("ended"));
        let all = ["entering", "entered", "waits", "activated"].map(says);
        let mut lines: Vec<(i64, &str)> = all.iter().enumerate().map(|(t, line)| (t as i64, line.as_str())).collect();
        let (stopping, deactivated, left) = (says("stopping"), says("deactivated"), says("left"));
        lines.extend([(4, &*failed), (4, &*stopping), (6, &*deactivated), (7, &*left)]);
        let wanted = concat!(
            r#"[[["loads",0,1,false,1],["scope",1,7,false,1],["waits",2,3,false,1],["runs",3,4,true,1],"#,
            r#"["stops",4,6,false,1]]]"#
        );
        assert_eq!(shown(&of(&lines), 0, 9, 0), wanted);
    }

    #[test]
    fn what_had_not_ended_is_not_forgotten() {
        let lines = [
            (0, r#""kind":"box","phase":"started""#),
            (4, r#""kind":"box","phase":"stopped""#),
            (5, r#""kind":"box","phase":"started""#),
            (9, r#""kind":"box","phase":"stopped""#),
        ];
        let mut open = of(&lines[..3]);
        open.forget(7);
        assert_eq!(shown(&open, 0, 20, 0), r#"[[["runs",5,null,false,1]]]"#);
        push(&mut open, 9, r#""kind":"box","phase":"stopped""#);
        assert_eq!(shown(&open, 0, 20, 0), r#"[[["runs",5,9,false,1]]]"#);
        let mut rest = of(&lines);
        rest.forget(4);
        assert_eq!(shown(&rest, 0, 20, 0), r#"[[["runs",5,9,false,1]]]"#, "what came later is still there");
    }

    #[test]
    fn what_is_too_narrow_is_drawn_together() {
        let mut lines = Vec::new();
        for i in 0..1000 {
            lines.push((i * 10, r#""kind":"box","phase":"started""#));
            lines.push((i * 10 + 5, r#""kind":"box","phase":"stopped""#));
        }
        let all = of(&lines);
        let spans: Vec<Span> = all.between(0, 10_000, 100).flat_map(|(_, spans)| spans).collect();
        assert!(spans.len() <= 110, "{}", spans.len());
        assert_eq!(spans.iter().map(|span| span.count).sum::<u32>(), 1000);
    }
}
