//! Trial runs: a page looks at any frame of a timeline as it is edited, with all that scripts, layers and the robot do
//! until then. The run is one in virtual time, beside the run of the page.

use crate::entry::StoreEntry;
use crate::fold::{self, FoldState};
use crate::shared::SharedStore;
use crate::snapshot::About;
use crate::store::TraceStore;
use boxstep_engine::trace::Kind;
use serde::Deserialize;

/// What a page wants to see of a trial run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(crate) struct TrialWish {
    /// The number of the behavior.
    pub(crate) model: usize,
    /// The box of a timeline, as its path in the run.
    pub(crate) path: String,
    /// The frame at which it is wanted.
    pub(crate) frame: f64,
    /// The frames per second of its file.
    pub(crate) fps: f64,
}

/// Whether a page sees what it wanted of a trial run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// The run has not come so far.
    Seeks,
    /// It sees it.
    Shows,
    /// The run is over, and was never there.
    Never,
}

impl Sight {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Sight::Seeks => "seeks",
            Sight::Shows => "shows",
            Sight::Never => "never",
        }
    }
}

/// The trial run that a page looks at.
pub(crate) struct Trial {
    pub(crate) store: SharedStore,
    /// What it wants to see, until it has chosen a time itself.
    pub(crate) wish: Option<TrialWish>,
    pub(crate) sight: Sight,
}

impl Trial {
    pub(crate) fn new(store: SharedStore, wish: TrialWish) -> Self {
        Self { store, wish: Some(wish), sight: Sight::Seeks }
    }

    /// Looks whether the run has come to what is wanted, and returns the time to be shown if that is another one: as long
    /// as the moment is not there, the latest.
    pub(crate) fn look(&mut self, at: Option<i64>) -> Option<i64> {
        if self.sight != Sight::Seeks {
            return None;
        }
        let store = self.store.lock();
        let found = self.wish.as_ref().and_then(|wish| moment(&store, wish));
        self.sight = match found {
            Some(_) => Sight::Shows,
            None if store.footer().is_some() => Sight::Never,
            None => Sight::Seeks,
        };
        let to = found.unwrap_or_else(|| store.end());
        (Some(to) != at).then_some(to)
    }
}

/// Returns when a timeline was at a frame for the first time.
fn moment(store: &TraceStore, wish: &TrialWish) -> Option<i64> {
    let item = store.now.find(About::Timeline, &wish.path, "")?;
    let mut state: Option<FoldState> = None;
    for at in store.index.lines(item) {
        let Some(StoreEntry::Event(event)) = store.entry(at) else { continue };
        let Kind::Timeline { command, frame } = &event.kind else { continue };
        let next = fold::timeline(state.as_ref(), *command, *frame, event.t.0);
        let reached = state.as_ref().and_then(|state| state.reaches(wish.frame, wish.fps));
        if reached.is_some_and(|t| t <= event.t.0) {
            return reached;
        }
        state = next.or(state);
    }
    state?.reaches(wish.frame, wish.fps).filter(|t| *t <= store.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(lines: &[(i64, &str, i64)]) -> TraceStore {
        let mut store = TraceStore::new();
        store.push(r#"{"schema":1,"product":"test"}"#).unwrap();
        for (n, (t, command, frame)) in lines.iter().enumerate() {
            let line = format!(
                r#"{{"n":{},"t":{t},"cause":0,"path":"root/T","kind":"timeline","command":"{command}","frame":{frame}}}"#,
                n + 1
            );
            store.push(&line).unwrap();
        }
        store
    }

    fn wish(frame: f64) -> TrialWish {
        TrialWish { model: 0, path: "root/T".into(), frame, fps: 10.0 }
    }

    const SECOND: i64 = 1_000_000_000;

    #[test]
    fn a_frame_is_found_where_the_timeline_first_was_at_it() {
        let store = store(&[
            (0, "load", 1),
            (2 * SECOND, "play", 1),
            (3 * SECOND, "pause", 11),
            (5 * SECOND, "play", 11),
            (6 * SECOND, "goto", 2),
            (9 * SECOND, "end", 32),
        ]);
        assert_eq!(moment(&store, &wish(1.0)), Some(2 * SECOND));
        assert_eq!(moment(&store, &wish(6.0)), Some(2 * SECOND + SECOND / 2));
        assert_eq!(moment(&store, &wish(16.0)), Some(5 * SECOND + SECOND / 2));
        assert_eq!(moment(&store, &wish(31.0)), Some(6 * SECOND + 29 * SECOND / 10));
        assert_eq!(moment(&store, &wish(60.0)), None);
        assert_eq!(moment(&store, &TrialWish { path: "root/U".into(), ..wish(1.0) }), None);
    }

    #[test]
    fn a_frame_that_has_not_come_is_waited_for_until_the_run_is_over() {
        let shared = SharedStore::new(store(&[(0, "play", 1)]));
        let mut trial = Trial::new(shared.clone(), wish(5.0));
        assert_eq!((trial.look(None), trial.sight), (Some(0), Sight::Seeks));
        shared.update(0, |store| {
            let line = r#"{"n":2,"t":100000000,"cause":0,"path":"root/T","kind":"timeline","command":"end","frame":2}"#;
            store.push(line).unwrap();
        });
        assert_eq!((trial.look(Some(0)), trial.sight), (Some(100_000_000), Sight::Seeks));
        shared.update(0, |store| store.push(r#"{"reason":"ended","t":100000000,"events":2}"#).unwrap());
        assert_eq!((trial.look(Some(100_000_000)), trial.sight), (None, Sight::Never));
    }
}
