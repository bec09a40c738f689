//! Who is at work, and who could never be written down.

use super::{AtWork, SnapshotError};
use crate::Engine;
use crate::calls::Subscriber;
use crate::graph::{Body, BoxId};
use crate::objects::Undriven;
use crate::procedures::WorksOn;
use crate::work::Work;
use boxstep_types::Time;

impl Engine {
    /// Goes on, on a virtual clock, to the next quiet point, at most up to a time; there is none to go on to if this one is
    /// quiet. Gives the time.
    ///
    /// # Errors
    /// [`Undriven::Never`] if no point up to then is quiet; else as [`Engine::run_until`].
    pub fn run_until_quiet(&mut self, latest: Time) -> Result<Time, Undriven> {
        self.run_while(latest, |engine| !engine.is_quiet())?;
        if self.is_quiet() { Ok(self.clock.now()) } else { Err(Undriven::Never) }
    }

    /// Is nothing being done, so that a snapshot can be taken?
    pub fn is_quiet(&self) -> bool {
        self.work.is_empty()
            && self.effects.is_empty()
            && self.tasks.is_empty()
            && self.calls.sizes().1 == 0
            && self.procs.under_way().next().is_none()
    }

    /// Everything that forbids a snapshot, the lasting reasons first.
    pub(super) fn may_save(&self) -> Result<(), SnapshotError> {
        if self.ending.is_some() || self.outcome.is_some() {
            return Err(SnapshotError::Over);
        }
        let refuse = |paths: Vec<String>, why: fn(Vec<String>) -> SnapshotError| {
            if paths.is_empty() { Ok(()) } else { Err(why(paths)) }
        };
        refuse(self.scripted(), SnapshotError::Scripted)?;
        refuse(self.made_in_code(), SnapshotError::MadeInCode)?;
        let busy = self.at_work();
        if busy.is_empty() { Ok(()) } else { Err(SnapshotError::NotQuiet(busy)) }
    }

    pub(super) fn shown(&self, id: BoxId) -> String {
        self.graph.paths.get(self.path_of(id)).map(|p| p.to_string()).unwrap_or_default()
    }

    /// Boxes of behaviors that are open and have a script, or are native and cannot be saved; and functions of scripts
    /// that outlive theirs. All boxes of an open behavior are constructed, and a script knows something from then on.
    fn scripted(&self) -> Vec<String> {
        let open = |id: &BoxId| !self.behaviors[self.graph.boxes[id.index()].behavior.index()].closed();
        let lost = |id: &BoxId| match self.graph.boxes[id.index()].body {
            Body::Empty | Body::Dialog(_) => false,
            Body::Script(_) => true,
            Body::Native => self.fast.look_at(*id).is_none_or(|body| body.save().is_none()),
        };
        let all = (0..self.graph.boxes.len()).map(|i| BoxId(i as u32));
        let mut paths: Vec<String> = all.filter(|id| open(id) && lost(id)).map(|id| self.shown(id)).collect();
        let function = |what: &str, place: Option<BoxId>| match place {
            Some(id) => format!("{what} of {}", self.shown(id)),
            None => what.to_owned(),
        };
        paths.extend(self.scripts.timed().map(|place| function("a function that waits for its time,", place)));
        paths.extend(self.calls.modules.keys().map(|name| format!("the module {name}")));
        paths.extend(self.calls.topics.values().flatten().filter_map(|s| match s {
            // A real robot's, and that cannot be saved anyway.
            Subscriber::Input { .. } | Subscriber::Dialog { .. } | Subscriber::Runner { .. } => None,
            Subscriber::Outside { .. } => Some("a program outside that has subscribed".to_owned()),
            Subscriber::Callback { place, .. } => Some(function("a function that has subscribed,", *place)),
            Subscriber::Method { module, .. } | Subscriber::Module { module, .. } => {
                Some(format!("the module {module}"))
            }
        }));
        let runs = self.runners.iter().filter(|hosted| !hosted.is_over());
        paths.extend(runs.map(|_| "a runner of behaviors".to_owned()));
        paths.dedup();
        paths
    }

    fn made_in_code(&self) -> Vec<String> {
        let roots = self.behaviors.iter().filter(|b| b.object).map(|b| self.shown(b.root));
        let grown = self.graph.boxes.iter().enumerate().filter_map(|(index, node)| {
            let inside = node.inside.as_ref()?;
            // A timeline that had been given a state machine, and lost it to another, has no states any more.
            let bare = inside.machine.is_none() && inside.drives.is_none() && inside.states.states().is_empty();
            let emptied = bare && inside.layers.iter().any(|l| !l.keyframes.is_empty());
            let grown = inside.machine.as_ref().is_some_and(|m| m.grown) || emptied;
            grown.then(|| self.shown(BoxId(index as u32)))
        });
        roots.chain(grown).collect()
    }

    /// Who is at work, and at what.
    fn at_work(&self) -> Vec<AtWork> {
        let at = |id: BoxId, what: &str| AtWork { path: self.shown(id), what: what.to_owned() };
        let run = |what: &str| AtWork { path: String::new(), what: what.to_owned() };
        let mut busy: Vec<AtWork> = Vec::new();
        busy.extend(self.procs.under_way().map(|on| match on {
            WorksOn::Box(id) => at(id, "being loaded, started, stopped or unloaded"),
            WorksOn::Diagram(id) => at(self.graph.diagrams[id.index()].owner, "its inside is loaded or unloaded"),
            WorksOn::Behavior(id) => at(self.behaviors[id.index()].root, "the behavior is loaded or unloaded"),
        }));
        busy.extend(self.calls.in_flight().map(|(path, what)| AtWork {
            path: self.graph.paths.get(path).map(|p| p.to_string()).unwrap_or_default(),
            what: format!("{what} is under way"),
        }));
        busy.extend(self.tasks.iter().map(|(_, t)| match t.place {
            Some(id) => at(id, &format!("its {} runs", t.what)),
            None => run(&format!("{} runs", t.what)),
        }));
        busy.extend(self.work.iter().map(|work| match work {
            Work::Signal { target, .. } => at(target.to, "a signal is under way to it"),
            Work::Input { to, .. } => at(*to, "its input is about to be stimulated"),
            Work::Output { of, .. } => at(*of, "its output is about to be stimulated"),
            Work::StateDone(id, _) => at(*id, "its state may be done"),
            Work::Timeline { of, .. } => at(*of, "a command to a timeline is under way from it"),
            Work::StopBehavior(id, ..) => at(self.behaviors[id.index()].root, "the behavior is about to stop"),
            Work::Event(event, _) => run(&format!("the event {} is about to be told", event.0)),
            Work::Happened(_) => run("functions are about to be told"),
            Work::Task(_) | Work::Resume(_) => run("a script is about to run"),
            Work::Tick(_) => run("a runner is about to tick"),
            Work::TurnOver => run("the run is about to look what else there is"),
            Work::Proc(_) => run("a procedure is about to go on"),
        }));
        if !self.effects.is_empty() {
            busy.push(run("the robot has something to tell"));
        }
        busy
    }
}
