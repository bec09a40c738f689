//! The law book: what holds in every run, whatever its boxes do. It knows the files and reads events, nothing else of
//! the engine. `names.rs` has the laws, this what the events tell, `steps.rs` what each may tell.

pub mod names;
mod steps;

use boxstep_engine::config::SCRIPT_CALL;
use boxstep_engine::trace::{EndReason, Event, Footer, Header, Kind, Paths, ResourcePhase, Sink, TimelinePhase};
use boxstep_format::model::{BoxDef, InputNature, Project, Timeline, Transition};
use boxstep_format::paths::{diagrams, segments};
use boxstep_types::{BoxPath, Time};
use names::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

/// What the file says of a box.
#[derive(Default)]
struct Facts {
    /// What it takes when it starts.
    group: BTreeSet<Arc<str>>,
    /// Inputs that only the inside sees.
    inner: BTreeSet<Arc<str>>,
    /// First and last frame, if a clock moves its cursor; a last one of 0 is none.
    bounds: Option<(i64, i64)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Place {
    #[default]
    Out,
    Entering,
    In,
    Leaving,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Activity {
    #[default]
    Rests,
    Starting,
    Started,
    Stopping,
}

/// A box as the events tell of it.
#[derive(Default)]
struct Member {
    facts: Facts,
    is_root: bool,
    /// The diagrams it sits in, as the paths of the box, keyframe or state around it: several only if states share it.
    homes: Vec<BoxPath>,
    made: bool,
    /// Its constructor raised or was given up: it may live without having been constructed.
    unmade: bool,
    place: Place,
    activity: Activity,
    /// Calls of `onLoad` and `onUnload` since it last was out.
    loads: u32,
    unloads: u32,
    held: BTreeSet<Arc<str>>,
}

/// A diagram: the boxes in it, and where it is in its life (`In`: its links are active).
#[derive(Default)]
struct Diagram {
    boxes: Vec<BoxPath>,
    place: Place,
    /// The other keyframes of its layer, or the other states.
    beside: Vec<BoxPath>,
    is_state: bool,
}

#[derive(Default)]
struct Book {
    boxes: HashMap<BoxPath, Member>,
    diagrams: HashMap<BoxPath, Diagram>,
    behaviors: BTreeMap<Arc<str>, &'static str>,
    roots: BTreeMap<Arc<str>, BoxPath>,
    /// Resource → what it is a part of.
    parents: BTreeMap<Arc<str>, Arc<str>>,
    livelock_bound: u64,
    /// A state that is entered from itself in no time, again and again, is no event.
    silent: bool,
    last: u64,
    time: Time,
    /// Events at this time, and the most there were at any.
    now: u64,
    busiest: u64,
    /// Events of control from outside.
    controls: BTreeSet<u64>,
    /// A box that has a part of its group: its next event must be about the rest.
    torn: Option<BoxPath>,
    raised: u64,
    dropped: u64,
    /// Dropped together, as a warning says.
    cut: u64,
    unsupported: u64,
    warnings: u64,
    broken: Option<Broken>,
    footer: Option<Footer>,
}

/// A law that does not hold.
#[derive(Clone, Debug)]
pub struct Broken {
    pub law: &'static str,
    pub how: String,
}

/// A sink that looks whether the laws hold.
#[derive(Clone, Default)]
pub struct Law(Arc<Mutex<Book>>);

type Verdict = Result<(), Broken>;

fn must(holds: bool, law: &'static str) -> Verdict {
    must_as(holds, law, String::new)
}

fn must_as(holds: bool, law: &'static str, how: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Broken { law, how: how() }) }
}

impl Law {
    /// Laws for a run of these behaviors, by name.
    pub fn of<'a>(
        behaviors: impl IntoIterator<Item = (&'a str, &'a Project)>,
        parents: &[(&str, &str)],
        livelock_bound: u64,
    ) -> Self {
        let parents = parents.iter().map(|(part, parent)| ((*part).into(), (*parent).into())).collect();
        let mut book = Book { parents, livelock_bound, ..Book::default() };
        for (name, project) in behaviors {
            let path = BoxPath::root(project.root.name.clone());
            book.roots.insert(name.into(), path.clone());
            book.know(&project.root, path, Vec::new());
        }
        Self(Arc::new(Mutex::new(book)))
    }

    /// What is wrong, after the run: the first event that broke a law, or how it ended.
    pub fn verdict(&self) -> Verdict {
        let book = self.0.lock().unwrap();
        match &book.broken {
            Some(broken) => Err(broken.clone()),
            None => book.end(),
        }
    }

    /// Was every signal that was dropped an event, so that their number is known?
    pub fn knows_dropped(&self) -> bool {
        self.0.lock().unwrap().knows_dropped()
    }
}

impl Sink for Law {
    fn begin(&mut self, _: &Header) {}

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut book = self.0.lock().unwrap();
        for event in events {
            if book.broken.is_some() {
                return;
            }
            if let Err(Broken { law, how }) = book.see(event, paths) {
                let path = paths.text(event.path);
                let how = format!("event {} at {}, {path} {:?} {how}", event.n, event.t, event.kind);
                book.broken = Some(Broken { law, how });
            }
        }
    }

    fn end(&mut self, footer: &Footer) {
        self.0.lock().unwrap().footer = Some(footer.clone());
    }
}

fn bounds(timeline: &Timeline) -> Option<(i64, i64)> {
    if !timeline.enabled || timeline.fps == Some(0) {
        return None;
    }
    let curves = timeline.actuators.iter().flat_map(|a| &a.curves).filter(|c| !c.mute);
    let last = curves.filter_map(|c| c.keys.last()).map(|k| k.frame as i64).max().unwrap_or(0);
    Some((timeline.start_frame.unwrap_or(1).into(), timeline.end_frame.map_or(last, i64::from)))
}

impl Book {
    /// Learns what the file says of a box and of all boxes in it.
    fn know(&mut self, def: &BoxDef, path: BoxPath, homes: Vec<BoxPath>) {
        let machine = def.timeline.as_ref().and_then(|t| t.machine.as_ref());
        let round = |t: &Transition| t.from == t.to && t.timeout.is_none_or(|ms| ms <= 0);
        self.silent |= machine.is_some_and(|m| m.transitions.iter().any(round));
        let mut layers: BTreeMap<usize, Vec<BoxPath>> = BTreeMap::new();
        for at in diagrams(&path, def) {
            let inside: Vec<BoxPath> = segments(at.diagram).into_iter().map(|s| at.path.join(s)).collect();
            let layer = def.timeline.iter().flat_map(|t| &t.layers).nth(at.layer);
            let of_state = |name: &Arc<str>| path.keyframe(layer.map_or("".into(), |l| l.name.clone()), name.clone());
            let states = machine.iter().flat_map(|m| &m.states);
            for (index, (path, def)) in inside.iter().zip(&at.diagram.boxes).enumerate() {
                let held = states.clone().filter(|s| s.boxes.contains(&index)).map(|s| of_state(&s.name));
                let homes = if machine.is_some() { held.collect() } else { vec![at.path.clone()] };
                self.know(def, path.clone(), homes);
            }
            let diagrams = layers.entry(at.layer).or_default();
            if machine.is_none() {
                diagrams.push(at.path.clone());
                self.diagrams.insert(at.path, Diagram { boxes: inside, ..Diagram::default() });
                continue;
            }
            for state in states {
                let boxes = state.boxes.iter().map(|i| inside[*i].clone()).collect();
                diagrams.push(of_state(&state.name));
                let diagram = Diagram { boxes, is_state: true, ..Diagram::default() };
                self.diagrams.insert(of_state(&state.name), diagram);
            }
        }
        for beside in layers.values() {
            for path in beside {
                let others = beside.iter().filter(|b| *b != path).cloned().collect();
                self.diagrams.entry(path.clone()).and_modify(|d| d.beside = others);
            }
        }
        let inner = |n: &InputNature| matches!(n, InputNature::Memory | InputNature::OnLoad);
        let facts = Facts {
            group: def.resources.iter().map(|r| r.name.clone()).collect(),
            inner: def.inputs.iter().filter(|i| inner(&i.nature)).map(|i| i.name.clone()).collect(),
            bounds: def.timeline.as_ref().and_then(bounds),
        };
        let is_root = self.roots.values().any(|root| *root == path);
        self.boxes.insert(path, Member { facts, is_root, homes, ..Member::default() });
    }

    fn see(&mut self, event: &Event, paths: &Paths) -> Verdict {
        must(event.n == self.last + 1, NUMBERS)?;
        must(event.cause < event.n, CAUSES)?;
        must(event.t >= self.time, TIME)?;
        self.now = if event.t == self.time { self.now + 1 } else { 1 };
        self.busiest = self.busiest.max(self.now);
        (self.last, self.time) = (event.n, event.t);
        match &event.kind {
            Kind::Control { .. } => drop(self.controls.insert(event.n)),
            Kind::Raised { .. } => self.raised += 1,
            Kind::Dropped { .. } => self.dropped += 1,
            Kind::Unsupported { .. } => self.unsupported += 1,
            Kind::Warning { text } => {
                self.warnings += 1;
                let cut = text.strip_suffix(" are dropped").and_then(|text| text.rsplit(' ').next()?.parse().ok());
                self.cut += cut.unwrap_or(0);
            }
            Kind::Mismatch { .. } => self.warnings += 1,
            _ => {}
        }
        let path = paths.get(event.path);
        let path = path.as_ref();
        let claim = match &event.kind {
            Kind::Resource(claim) if matches!(claim.what, ResourcePhase::Taken | ResourcePhase::Released) => {
                Some(&**claim)
            }
            _ => None,
        };
        if let Some(torn) = self.torn.take() {
            must(claim.is_some() && path == Some(&torn), GROUP_WHOLE)?;
        }
        let Some(path) = path else { return Ok(()) };
        match &event.kind {
            Kind::Behavior { phase: what, name } => self.behavior(what.name(), name),
            Kind::Box { phase: what } => self.step(*what, path),
            Kind::Diagram { phase: what, place } => {
                let path = match place {
                    Some(at) => path.keyframe(at.layer.clone(), at.keyframe.clone()),
                    None => path.clone(),
                };
                self.diagram(what.name(), &path)
            }
            Kind::Input { port, .. } => self.input(path, port, self.controls.contains(&event.cause)),
            Kind::Output { .. } => {
                let m = self.member(path)?;
                // The inside of a root is loaded with it, and may end the behavior at once.
                let loads = m.place == Place::Entering && m.is_root;
                must(m.place == Place::In || loads, OUTPUT_LOADED)
            }
            Kind::Call { method } => self.call(path, method),
            Kind::Raised { method, .. } | Kind::Abandoned { method } => {
                let unmade = &**method == "__init__";
                self.member(path)?.unmade |= unmade;
                Ok(())
            }
            // A command came too late, whatever the timeline does meanwhile.
            Kind::Timeline { command: TimelinePhase::Dropped, .. } => Ok(()),
            Kind::Timeline { command: what, frame } => self.timeline(what.name(), *frame, path),
            Kind::Resource(_) => claim.map_or(Ok(()), |claim| self.claim(claim, path)),
            _ => Ok(()),
        }
    }

    /// Signals that go round in no time are cut and counted, and from then on dropped without an event. It takes many of
    /// them at one time: every one is an event, and a call counts for several.
    fn knows_dropped(&self) -> bool {
        !self.silent && self.cut == 0 && self.busiest * SCRIPT_CALL < self.livelock_bound
    }

    fn end(&self) -> Verdict {
        let footer = self.footer.as_ref();
        let footer = footer.ok_or_else(|| Broken { law: HAS_END, how: String::new() })?;
        let counts =
            |law, told: u64, seen: u64| must_as(told == seen, law, || format!("the end says {told}, not {seen}"));
        counts(COUNTS_EVENTS, footer.events, self.last)?;
        counts(COUNTS_ERRORS, footer.errors, self.raised)?;
        counts(COUNTS_UNSUPPORTED, footer.unsupported, self.unsupported)?;
        counts(COUNTS_WARNINGS, footer.warnings, self.warnings)?;
        let dropped = self.dropped + self.cut;
        counts(
            COUNTS_DROPPED,
            footer.dropped,
            if self.knows_dropped() { dropped } else { footer.dropped.max(dropped) },
        )?;
        // A run that was interrupted may be left; every other one cleans up.
        if footer.reason != EndReason::Interrupted {
            let open = self.behaviors.iter().find(|(_, what)| **what != "unloaded");
            must_as(open.is_none(), BEHAVIORS_END, || format!("{open:?}"))?;
            let left = self.boxes.iter().find(|(_, m)| m.made || m.place != Place::Out || !m.held.is_empty());
            must_as(left.is_none(), BOXES_END, || left.map(|(path, _)| path.to_string()).unwrap_or_default())?;
        }
        Ok(())
    }
}
