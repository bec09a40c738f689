//! The law book: what holds in every run, whatever its boxes do. It knows the files and reads events, nothing else of
//! the engine.

use boxstep_engine::trace::{Claimed, EndReason, Event, Footer, Header, Kind, Paths, Sink};
use boxstep_format::model::{BoxDef, InputNature, Project, Timeline};
use boxstep_format::paths::{diagrams, segments};
use boxstep_types::{BoxPath, Segment, Time};
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
    /// The diagram it sits in: the path of the box or keyframe around it.
    home: Option<BoxPath>,
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
}

#[derive(Default)]
struct Book {
    boxes: HashMap<BoxPath, Member>,
    diagrams: HashMap<BoxPath, Diagram>,
    behaviors: BTreeMap<Arc<str>, &'static str>,
    roots: BTreeMap<Arc<str>, BoxPath>,
    last: u64,
    time: Time,
    /// Events of control from outside.
    controls: BTreeSet<u64>,
    /// A box that has a part of its group: its next event must be about the rest.
    torn: Option<BoxPath>,
    raised: u64,
    dropped: u64,
    unsupported: u64,
    warnings: u64,
    wrong: Option<String>,
    footer: Option<Footer>,
}

/// A sink that looks whether the laws hold.
#[derive(Clone, Default)]
pub struct Law(Arc<Mutex<Book>>);

type Verdict = Result<(), String>;

fn must(holds: bool, law: &str) -> Verdict {
    if holds { Ok(()) } else { Err(law.to_owned()) }
}

impl Law {
    /// Laws for a run of these behaviors, by name.
    pub fn of<'a>(behaviors: impl IntoIterator<Item = (&'a str, &'a Project)>) -> Self {
        let mut book = Book::default();
        for (name, project) in behaviors {
            let path = BoxPath::root(project.root.name.clone());
            book.roots.insert(name.into(), path.clone());
            book.know(&project.root, path, None);
        }
        Self(Arc::new(Mutex::new(book)))
    }

    /// What is wrong, after the run: the first event that broke a law, or how it ended.
    pub fn verdict(&self) -> Verdict {
        let book = self.0.lock().unwrap();
        match &book.wrong {
            Some(wrong) => Err(wrong.clone()),
            None => book.end(),
        }
    }
}

impl Sink for Law {
    fn begin(&mut self, _: &Header) {}

    fn events(&mut self, events: &[Event], paths: &Paths) {
        let mut book = self.0.lock().unwrap();
        for event in events {
            if book.wrong.is_some() {
                return;
            }
            if let Err(law) = book.see(event, paths) {
                let path = paths.text(event.path);
                book.wrong = Some(format!("event {} at {}, {path} {:?}: {law}", event.n, event.t, event.kind));
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
    fn know(&mut self, def: &BoxDef, path: BoxPath, home: Option<BoxPath>) {
        for at in diagrams(&path, def) {
            let inside: Vec<BoxPath> = segments(at.diagram).into_iter().map(|s| at.path.join(s)).collect();
            for (path, def) in inside.iter().zip(&at.diagram.boxes) {
                self.know(def, path.clone(), Some(at.path.clone()));
            }
            self.diagrams.insert(at.path, Diagram { boxes: inside, place: Place::Out });
        }
        let inner = |n: &InputNature| matches!(n, InputNature::Memory | InputNature::OnLoad);
        let facts = Facts {
            group: def.resources.iter().map(|r| r.name.clone()).collect(),
            inner: def.inputs.iter().filter(|i| inner(&i.nature)).map(|i| i.name.clone()).collect(),
            bounds: def.timeline.as_ref().and_then(bounds),
        };
        self.boxes.insert(path, Member { facts, home, ..Member::default() });
    }

    fn see(&mut self, event: &Event, paths: &Paths) -> Verdict {
        must(event.n == self.last + 1, "events are numbered one by one")?;
        must(event.cause < event.n, "a cause comes before what it causes")?;
        must(event.t >= self.time, "time does not go back")?;
        (self.last, self.time) = (event.n, event.t);
        match &event.kind {
            Kind::Control(..) => drop(self.controls.insert(event.n)),
            Kind::Raised(..) => self.raised += 1,
            Kind::Dropped(..) => self.dropped += 1,
            Kind::Unsupported(..) => self.unsupported += 1,
            Kind::Warning(..) | Kind::Mismatch(..) => self.warnings += 1,
            _ => {}
        }
        let path = paths.get(event.path);
        let path = path.as_ref();
        let claim = match &event.kind {
            Kind::Resource(claim) if matches!(claim.what, "taken" | "released") => Some(&**claim),
            _ => None,
        };
        if let Some(torn) = self.torn.take() {
            must(claim.is_some() && path == Some(&torn), "a group is taken and given back as a whole")?;
        }
        let Some(path) = path else { return Ok(()) };
        match &event.kind {
            Kind::Behavior(what, name) => self.behavior(what, name),
            Kind::Box(what) => self.step(what, path),
            Kind::Diagram(what, place) => {
                let path = match place {
                    Some(at) => path.keyframe(at.layer.clone(), at.keyframe.clone()),
                    None => path.clone(),
                };
                self.diagram(what, &path)
            }
            Kind::Input(port, _) => self.input(path, paths.port(*port), self.controls.contains(&event.cause)),
            Kind::Output(..) => {
                let m = self.member(path)?;
                // The inside of a root is loaded with it, and may end the behavior at once.
                let loads = m.place == Place::Entering && m.home.is_none();
                must(m.place == Place::In || loads, "only a loaded box puts out")
            }
            Kind::Call(method) => self.call(path, method),
            Kind::Raised(method, _) | Kind::Abandoned(method) => {
                let unmade = &**method == "__init__";
                self.member(path)?.unmade |= unmade;
                Ok(())
            }
            Kind::Timeline(what, frame) => self.timeline(what, *frame, path),
            Kind::Resource(_) => claim.map_or(Ok(()), |claim| self.claim(claim, path)),
            _ => Ok(()),
        }
    }

    fn member(&mut self, path: &BoxPath) -> Result<&mut Member, String> {
        self.boxes.get_mut(path).ok_or_else(|| "the file has no such box".to_owned())
    }

    fn behavior(&mut self, what: &'static str, name: &Arc<str>) -> Verdict {
        let before = self.behaviors.insert(name.clone(), what).unwrap_or("unloaded");
        let fine = match what {
            "loading" => before == "unloaded",
            "loaded" => before == "loading",
            "started" => before == "loaded",
            "stopping" => matches!(before, "loading" | "started"),
            "unloaded" => before == "stopping",
            _ => false,
        };
        must(fine, &format!("a behavior is not {what} after {before}"))?;
        let Some(root) = self.roots.get(name).filter(|_| what == "unloaded") else { return Ok(()) };
        let left = self.boxes.iter().find(|(p, m)| p.starts_with(root) && (m.made || m.place != Place::Out));
        left.map_or(Ok(()), |(path, _)| Err(format!("{path} outlives its behavior")))
    }

    fn step(&mut self, what: &str, path: &BoxPath) -> Verdict {
        use Activity::{Rests, Started, Starting, Stopping};
        use Place::{Entering, In, Leaving, Out};
        let home = self.member(path)?.home.clone();
        let around = home.map(|h| self.diagrams[&h].place);
        let open = self.diagrams_of(path).any(|d| d.place != Out);
        let m = self.member(path)?;
        match what {
            "constructed" => must(!std::mem::replace(&mut m.made, true), "a box is constructed once"),
            "destroyed" => {
                must(m.place == Out, "a box that is destroyed is unloaded")?;
                must(m.made || m.unmade, "what is destroyed has been constructed")?;
                (m.made, m.unmade) = (false, false);
                Ok(())
            }
            "loading" => {
                must(m.made || m.unmade, "a box that is loaded has been constructed")?;
                must(around.is_none_or(|d| d == Entering), "a box is loaded with its diagram")?;
                (m.loads, m.unloads) = (0, 0);
                must(std::mem::replace(&mut m.place, Entering) == Out, "loads and unloads alternate")
            }
            "loaded" => must(std::mem::replace(&mut m.place, In) == Entering, "loads and unloads alternate"),
            "unloading" => {
                must(around.is_none_or(|d| d == Leaving), "a box is unloaded with its diagram")?;
                m.activity = Rests;
                must(matches!(std::mem::replace(&mut m.place, Leaving), Entering | In), "loads and unloads alternate")
            }
            "unloaded" => {
                must(!open, "a box that is unloaded has nothing loaded in it")?;
                must(m.held.is_empty(), "a box that is unloaded holds nothing")?;
                must(std::mem::replace(&mut m.place, Out) == Leaving, "loads and unloads alternate")
            }
            "starting" => {
                must(m.place == In, "only a loaded box is started")?;
                must(std::mem::replace(&mut m.activity, Starting) == Rests, "starts and stops alternate")
            }
            "started" => must(std::mem::replace(&mut m.activity, Started) == Starting, "starts and stops alternate"),
            "stopping" => must(
                matches!(std::mem::replace(&mut m.activity, Stopping), Starting | Started),
                "starts and stops alternate",
            ),
            "stopped" => must(std::mem::replace(&mut m.activity, Rests) != Rests, "starts and stops alternate"),
            _ => Err("no box does that".to_owned()),
        }
    }

    fn diagrams_of<'a>(&'a self, of: &'a BoxPath) -> impl Iterator<Item = &'a Diagram> {
        let inside = move |path: &BoxPath| match path.segments().last() {
            Some(Segment::Keyframe { .. }) => path.parent().as_ref() == Some(of),
            _ => path == of,
        };
        self.diagrams.iter().filter(move |(path, _)| inside(path)).map(|(_, d)| d)
    }

    fn diagram(&mut self, what: &str, path: &BoxPath) -> Verdict {
        use Place::{Entering, In, Leaving, Out};
        let diagram = self.diagrams.get_mut(path).ok_or_else(|| "the file has no such diagram".to_owned())?;
        let (before, all) = match what {
            "loading" => (std::mem::replace(&mut diagram.place, Entering) == Out, Out),
            "loaded" => (std::mem::replace(&mut diagram.place, In) == Entering, In),
            "unloading" => (matches!(std::mem::replace(&mut diagram.place, Leaving), Entering | In), Leaving),
            _ => (std::mem::replace(&mut diagram.place, Out) == Leaving, Out),
        };
        must(before, "loads and unloads of a diagram alternate")?;
        if what == "unloading" {
            return Ok(());
        }
        let odd = diagram.boxes.iter().find(|b| self.boxes[*b].place != all);
        odd.map_or(Ok(()), |b| Err(format!("when a diagram is {what}, {b} is {all:?}")))
    }

    fn input(&mut self, path: &BoxPath, port: &str, from_outside: bool) -> Verdict {
        let member = self.member(path)?;
        if member.facts.inner.contains(port) && !from_outside {
            let any = self.diagrams_of(path).any(|d| d.place == Place::In);
            return must(any, "an inside hears only while it is loaded");
        }
        must(member.place == Place::In, "only a loaded box is stimulated")?;
        let home = member.home.clone().filter(|_| !from_outside);
        must(home.is_none_or(|h| self.diagrams[&h].place == Place::In), "links are active only while their diagram is")
    }

    fn call(&mut self, path: &BoxPath, method: &str) -> Verdict {
        let m = self.member(path)?;
        match method {
            "onLoad" => {
                m.loads += 1;
                must(m.place == Place::Entering && m.loads == 1, "onLoad is called once, while the box is loaded")
            }
            "onUnload" => {
                m.unloads += 1;
                must(m.place == Place::Leaving && m.unloads == 1, "onUnload is called once, while the box is unloaded")
            }
            // What a script has asked for itself.
            "heard" => must(m.made, "nothing is called after the box was destroyed"),
            _ => must(m.place == Place::In, "only a loaded box is called"),
        }
    }

    fn timeline(&mut self, what: &str, frame: i64, path: &BoxPath) -> Verdict {
        let Some((start, end)) = self.member(path)?.facts.bounds else {
            // What a flow diagram's script sets has no effect.
            if what == "fps" {
                return Ok(());
            }
            return Err("a flow diagram has no cursor".to_owned());
        };
        let within = frame >= start && (end == 0 || frame <= end.max(start));
        match what {
            "load" => must(frame == start, "the cursor is put on the first frame"),
            "unload" => must(frame == -1, "without an inside there is no frame"),
            "fps" | "goto" => Ok(()),
            _ => must(within, "the cursor stays within first and last frame"),
        }
    }

    fn claim(&mut self, claim: &Claimed, path: &BoxPath) -> Verdict {
        let related = |p: &BoxPath| p.starts_with(path) || path.starts_with(p);
        let other = |(p, m): (&BoxPath, &Member)| !related(p) && m.held.contains(&claim.name);
        if claim.what == "taken" {
            must(!self.boxes.iter().any(other), "nobody takes what another holds")?;
            must(self.member(path)?.place == Place::In, "only a loaded box takes anything")?;
            must(self.member(path)?.held.insert(claim.name.clone()), "nothing is taken twice")?;
        } else {
            must(self.member(path)?.held.remove(&claim.name), "what is given back was held")?;
        }
        let m = self.member(path)?;
        must(m.held.is_subset(&m.facts.group), "a box takes its group and nothing else")?;
        if !m.held.is_empty() && m.held != m.facts.group {
            self.torn = Some(path.clone());
        }
        Ok(())
    }

    fn end(&self) -> Verdict {
        let footer = self.footer.as_ref().ok_or("the run has no end")?;
        must(footer.events == self.last, "every event is counted")?;
        must(footer.errors == self.raised, "every error is counted")?;
        must(footer.unsupported == self.unsupported, "every unsupported call is counted")?;
        must(footer.warnings == self.warnings, "every warning is counted")?;
        // Signals that are cut because they go round in no time are counted and not told one by one.
        must(footer.dropped >= self.dropped, "everything that is dropped is counted")?;
        // A run that was interrupted may be left; every other one cleans up.
        if footer.reason != EndReason::Interrupted {
            let open = self.behaviors.iter().find(|(_, what)| **what != "unloaded");
            open.map_or(Ok(()), |(name, what)| Err(format!("{name} is {what} at the end")))?;
            let left = self.boxes.iter().find(|(_, m)| m.made || m.place != Place::Out || !m.held.is_empty());
            left.map_or(Ok(()), |(path, _)| Err(format!("{path} is left at the end")))?;
        }
        Ok(())
    }
}
