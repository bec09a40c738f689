//! What each event may tell, after those before it.

use super::names::*;
use super::{Activity, Book, Broken, Diagram, Member, Place, Verdict, must, must_as};
use boxstep_engine::trace::{BoxPhase, ResourceEvent, ResourcePhase};
use boxstep_types::{BoxPath, Segment};
use std::sync::Arc;

impl Book {
    pub(super) fn member(&mut self, path: &BoxPath) -> Result<&mut Member, Broken> {
        self.boxes.get_mut(path).ok_or_else(|| Broken { law: KNOWN_BOX, how: String::new() })
    }

    pub(super) fn behavior(&mut self, what: &'static str, name: &Arc<str>) -> Verdict {
        let before = self.behaviors.insert(name.clone(), what).unwrap_or("unloaded");
        let fine = match what {
            "loading" => before == "unloaded",
            "loaded" => before == "loading",
            "started" => before == "loaded",
            "stopping" => matches!(before, "loading" | "started"),
            "unloaded" => before == "stopping",
            _ => false,
        };
        must_as(fine, BEHAVIOR_ORDER, || format!("after {before}"))?;
        let Some(root) = self.roots.get(name).filter(|_| what == "unloaded") else { return Ok(()) };
        let left = self.boxes.iter().find(|(p, m)| p.starts_with(root) && (m.made || m.place != Place::Out));
        must_as(left.is_none(), OUTLIVES, || left.map(|(path, _)| path.to_string()).unwrap_or_default())
    }

    /// The places of the diagrams that a box sits in.
    fn homes(&self, path: &BoxPath) -> Vec<Place> {
        let homes = self.boxes.get(path).into_iter().flat_map(|m| &m.homes);
        homes.map(|home| self.diagrams[home].place).collect()
    }

    pub(super) fn step(&mut self, phase: BoxPhase, path: &BoxPath) -> Verdict {
        use Activity::{Rests, Started, Starting, Stopping};
        use Place::{Entering, In, Leaving, Out};
        let homes = self.homes(path);
        let open = self.diagrams_of(path).any(|d| d.place != Out);
        let m = self.member(path)?;
        match phase {
            BoxPhase::Constructed => must(!std::mem::replace(&mut m.made, true), CONSTRUCTED_ONCE),
            BoxPhase::Destroyed => {
                must(m.place == Out, DESTROYED_UNLOADED)?;
                must(m.made || m.unmade, DESTROYED_MADE)?;
                (m.made, m.unmade) = (false, false);
                Ok(())
            }
            BoxPhase::Loading => {
                must(m.made || m.unmade, LOADED_MADE)?;
                must(m.is_root || homes.contains(&Entering), LOADED_WITH_DIAGRAM)?;
                (m.loads, m.unloads) = (0, 0);
                must(std::mem::replace(&mut m.place, Entering) == Out, LOADS_ALTERNATE)
            }
            BoxPhase::Loaded => must(std::mem::replace(&mut m.place, In) == Entering, LOADS_ALTERNATE),
            BoxPhase::Unloading => {
                must(m.is_root || homes.contains(&Leaving), UNLOADED_WITH_DIAGRAM)?;
                must(!homes.contains(&In), SHARED_STAYS)?;
                m.activity = Rests;
                must(matches!(std::mem::replace(&mut m.place, Leaving), Entering | In), LOADS_ALTERNATE)
            }
            BoxPhase::Unloaded => {
                must(!open, UNLOADED_EMPTY)?;
                must(m.held.is_empty(), UNLOADED_HOLDS_NOTHING)?;
                must(std::mem::replace(&mut m.place, Out) == Leaving, LOADS_ALTERNATE)
            }
            BoxPhase::Starting => {
                must(m.place == In, STARTED_LOADED)?;
                must(std::mem::replace(&mut m.activity, Starting) == Rests, STARTS_ALTERNATE)
            }
            BoxPhase::Started => must(std::mem::replace(&mut m.activity, Started) == Starting, STARTS_ALTERNATE),
            BoxPhase::Stopping => {
                must(matches!(std::mem::replace(&mut m.activity, Stopping), Starting | Started), STARTS_ALTERNATE)
            }
            BoxPhase::Stopped => must(std::mem::replace(&mut m.activity, Rests) != Rests, STARTS_ALTERNATE),
        }
    }

    fn diagrams_of<'a>(&'a self, of: &'a BoxPath) -> impl Iterator<Item = &'a Diagram> {
        let inside = move |path: &BoxPath| match path.segments().last() {
            Some(Segment::Keyframe { .. }) => path.parent().as_ref() == Some(of),
            _ => path == of,
        };
        self.diagrams.iter().filter(move |(path, _)| inside(path)).map(|(_, d)| d)
    }

    pub(super) fn diagram(&mut self, what: &str, path: &BoxPath) -> Verdict {
        use Place::{Entering, In, Leaving, Out};
        let Some(diagram) = self.diagrams.get_mut(path) else { return must(false, KNOWN_DIAGRAM) };
        let (before, all) = match what {
            "loading" => (std::mem::replace(&mut diagram.place, Entering) == Out, Out),
            "loaded" => (std::mem::replace(&mut diagram.place, In) == Entering, In),
            "unloading" => (matches!(std::mem::replace(&mut diagram.place, Leaving), Entering | In), Leaving),
            _ => (std::mem::replace(&mut diagram.place, Out) == Leaving, Out),
        };
        must(before, DIAGRAMS_ALTERNATE)?;
        let diagram = &self.diagrams[path];
        if what == "loading" {
            let others = diagram.beside.iter().filter(|b| self.diagrams[*b].place != Out).count();
            must(diagram.is_state || others == 0, KEYFRAME_ORDER)?;
            must(others <= 1, ONE_STATE)?;
        }
        if what == "unloading" {
            return Ok(());
        }
        // What another state holds stays, whatever becomes of this one.
        let stays = |b: &BoxPath| {
            let held = |home: &BoxPath| home != path && self.diagrams[home].place != Out;
            self.boxes[b].homes.iter().any(held)
        };
        let odd = diagram.boxes.iter().find(|b| self.boxes[*b].place != all && !(all == Out && stays(b)));
        must_as(odd.is_none(), DIAGRAM_WHOLE, || odd.map(|b| format!("{b} is not {all:?}")).unwrap_or_default())
    }

    pub(super) fn input(&mut self, path: &BoxPath, port: &str, from_outside: bool) -> Verdict {
        let homes = self.homes(path);
        let member = self.member(path)?;
        if member.facts.inner.contains(port) && !from_outside {
            let any = self.diagrams_of(path).any(|d| d.place == Place::In);
            return must(any, INSIDE_HEARS);
        }
        must(member.place == Place::In, INPUT_LOADED)?;
        must(member.is_root || from_outside || homes.contains(&Place::In), LINKS_ACTIVE)
    }

    pub(super) fn call(&mut self, path: &BoxPath, method: &str) -> Verdict {
        let m = self.member(path)?;
        match method {
            "onLoad" => {
                m.loads += 1;
                must(m.place == Place::Entering && m.loads == 1, ON_LOAD_ONCE)
            }
            "onUnload" => {
                m.unloads += 1;
                must(m.place == Place::Leaving && m.unloads == 1, ON_UNLOAD_ONCE)
            }
            // What a script has asked for itself.
            "heard" => must(m.made, CALLED_MADE),
            _ => must(m.place == Place::In, CALLED_LOADED),
        }
    }

    pub(super) fn timeline(&mut self, what: &str, frame: i64, path: &BoxPath) -> Verdict {
        // What a flow diagram's script sets has no effect.
        let Some((start, end)) = self.member(path)?.facts.bounds else { return must(what == "fps", NO_CURSOR) };
        let within = frame >= start && (end == 0 || frame <= end.max(start));
        match what {
            "load" => must(frame == start, CURSOR_FIRST),
            "unload" => must(frame == -1, CURSOR_GONE),
            "fps" | "goto" => Ok(()),
            _ => must(within, CURSOR_WITHIN),
        }
    }

    /// Is one the other, or a part of it?
    fn overlap(&self, a: &Arc<str>, b: &Arc<str>) -> bool {
        let within = |part: &Arc<str>, whole: &Arc<str>| {
            std::iter::successors(Some(part), |name| self.parents.get(*name)).any(|name| name == whole)
        };
        within(a, b) || within(b, a)
    }

    pub(super) fn claim(&mut self, claim: &ResourceEvent, path: &BoxPath) -> Verdict {
        let related = |p: &BoxPath| p.starts_with(path) || path.starts_with(p);
        let wanted = |m: &Member| m.held.iter().any(|held| self.overlap(held, &claim.name));
        if claim.what == ResourcePhase::Taken {
            must(!self.boxes.iter().any(|(p, m)| !related(p) && wanted(m)), TAKEN_FREE)?;
            must(self.member(path)?.place == Place::In, TAKEN_LOADED)?;
            must(self.member(path)?.held.insert(claim.name.clone()), TAKEN_ONCE)?;
        } else {
            must(self.member(path)?.held.remove(&claim.name), RELEASED_HELD)?;
        }
        let m = self.member(path)?;
        must(m.held.is_subset(&m.facts.group), GROUP_ONLY)?;
        if !m.held.is_empty() && m.held != m.facts.group {
            self.torn = Some(path.clone());
        }
        Ok(())
    }
}
