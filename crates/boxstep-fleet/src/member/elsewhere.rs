//! What a member tells others for the character that its robot plays, and what it answers to those for whose characters it
//! acts.

use super::{LEASE, Member};
use crate::elsewhere::{GuestDesk, LeadDesk, Presence, TaskNews};
use crate::message::{Answers, Delegations, Message, shorten};
use crate::network::PeerId;
use crate::player::Player;
use crate::store::Store;
use boxstep_types::Time;
use std::collections::BTreeMap;
use std::time::Duration;

/// How often a robot is told what is wanted of it, and answers.
const TELL_EACH: Duration = Duration::from_millis(100);
/// After how long a robot that does not answer at all counts as lost.
const PATIENCE: Duration = Duration::from_millis(2_000);
/// How long after its loss a robot stands: it has not heard its lead for longer than [`LEASE`], and has had time to stop.
const STANDS: Duration = Duration::from_millis(2_000);

/// What this member does for characters of several robots.
#[derive(Default)]
pub(super) struct Others {
    /// The scene in which the robot leads, and what is known of each robot that it asks.
    leads: Option<(u64, usize)>,
    asks: BTreeMap<usize, Asking>,
    /// The scene in which the robot acts for another one.
    serves: Option<Serving>,
    serial: u64,
}

/// A robot that is asked.
struct Asking {
    peer: Option<PeerId>,
    /// When it was heard last; until then, since when it is looked for.
    heard: Time,
    answered: u64,
    serial: u64,
    told: Option<Time>,
    lost: Option<Time>,
}

/// The lead for which this robot acts.
struct Serving {
    key: (u64, usize),
    lead: Option<PeerId>,
    heard: Time,
    last: u64,
    told: Option<(Option<String>, Vec<TaskNews>)>,
}

impl<P: Player, S: Store> Member<P, S> {
    /// Tells other robots what the character here wants, and the lead what has become of what it wants.
    pub(super) fn delegate(&mut self, now: Time) {
        let Some(performance) = self.following.as_ref().map(|following| following.latest.performance) else {
            self.others = Others::default();
            return;
        };
        match self.player.lead() {
            Some((scene, desk)) => self.lead(now, (performance, scene), &desk),
            None => self.others.leads = None,
        }
        match self.player.guest() {
            Some((scene, desk)) => self.serve(now, (performance, scene), &desk),
            None => self.others.serves = None,
        }
    }

    fn lead(&mut self, now: Time, key: (u64, usize), desk: &LeadDesk) {
        if self.others.leads != Some(key) {
            (self.others.leads, self.others.asks) = (Some(key), BTreeMap::new());
        }
        for robot in desk.robots() {
            let asking = self.others.asks.entry(robot).or_insert_with(|| Asking::since(now));
            asking.look_after(now, robot, desk);
            let due = asking.told.is_none_or(|told| now.since(told) >= TELL_EACH);
            if !due && !desk.has_changed(robot) {
                continue;
            }
            (asking.told, asking.serial) = (Some(now), asking.serial + 1);
            let message = Delegations {
                performance: key.0,
                scene: key.1 as u32,
                robot: robot as u32,
                serial: asking.serial,
                peer: asking.peer,
                tasks: desk.tell(robot, asking.serial, asking.peer.is_some()),
                over: desk.is_over(),
            };
            self.out.push((asking.peer, Message::Delegations(Box::new(message))));
        }
    }

    fn serve(&mut self, now: Time, key: (u64, usize), desk: &GuestDesk) {
        let fresh = || Serving { key, lead: None, heard: now, last: 0, told: None };
        let serving = self.others.serves.get_or_insert_with(fresh);
        if serving.key != key {
            *serving = fresh();
        }
        if now.since(serving.heard) >= LEASE && !desk.is_alone() {
            desk.be_alone();
        }
        let (news, refused) = desk.news();
        if serving.told.as_ref().is_some_and(|told| *told != (refused, news)) {
            self.answer();
        }
    }

    /// Handles what the character of another robot wants of this one.
    pub(super) fn delegated(&mut self, now: Time, from: PeerId, wanted: &Delegations) {
        let Some(following) = &self.following else { return };
        let me = following.show.as_ref().map(|(_, me)| *me as u32);
        if following.latest.performance != wanted.performance || me != Some(wanted.robot) {
            return;
        }
        let key = (wanted.performance, wanted.scene as usize);
        let desk = self.player.guest().filter(|(scene, _)| *scene == key.1).map(|(_, desk)| desk);
        let Some(desk) = desk else {
            // It may begin the scene later than the lead, and answers then.
            if let Some(why) = self.why_not() {
                self.send_answer(from, key, wanted.serial, Some(why), Vec::new());
            }
            return;
        };
        self.serve(now, key, &desk);
        let Some(serving) = &mut self.others.serves else { return };
        match serving.lead {
            Some(lead) if lead == from && serving.last >= wanted.serial => return,
            Some(lead) if lead != from && now.since(serving.heard) < LEASE => return,
            _ => {}
        }
        (serving.lead, serving.heard, serving.last) = (Some(from), now, wanted.serial);
        let mine = wanted.peer == Some(self.id);
        desk.want(if mine { &wanted.tasks } else { &[] }, wanted.over);
        self.answer();
    }

    /// Tells the lead the state of what it wants.
    fn answer(&mut self) {
        let Some((_, desk)) = self.player.guest() else { return };
        let why = self.why_not();
        let Some(serving) = &mut self.others.serves else { return };
        let Some(lead) = serving.lead else { return };
        let (news, closed) = desk.news();
        serving.told = Some((closed.clone(), news.clone()));
        let (key, heard) = (serving.key, serving.last);
        self.send_answer(lead, key, heard, why.or(closed), news);
    }

    fn send_answer(
        &mut self,
        to: PeerId,
        (performance, scene): (u64, usize),
        heard: u64,
        refused: Option<String>,
        news: Vec<TaskNews>,
    ) {
        let show = self.following.as_ref().and_then(|following| following.show.as_ref());
        let Some((_, me)) = show else { return };
        self.others.serial += 1;
        let (scene, robot, serial) = (scene as u32, *me as u32, self.others.serial);
        let answers = Answers { performance, scene, robot, serial, heard, refused, news };
        self.out.push((Some(to), Message::Answers(Box::new(answers))));
    }

    /// Returns why this robot does nothing for a character, if anything is in the way of it.
    fn why_not(&self) -> Option<String> {
        let following = self.following.as_ref()?;
        let mut why = match (&following.stopped, &following.holding, following.refused.first(), &following.trouble) {
            (Some(by), ..) => format!("it was stopped by {by}"),
            (_, Some(why), ..) => format!("it waits: {why}"),
            (_, _, Some(why), _) => why.clone(),
            (.., Some(why)) if !following.prepared => format!("its run has failed: {why}"),
            _ => return None,
        };
        shorten(&mut why);
        Some(why)
    }

    /// Handles the answer of a robot that was asked.
    pub(super) fn answered(&mut self, now: Time, from: PeerId, answers: &Answers) {
        let Some((scene, desk)) = self.player.lead() else { return };
        let key = (answers.performance, answers.scene as usize);
        if self.others.leads != Some(key) || key.1 != scene {
            return;
        }
        let robot = answers.robot as usize;
        let Some(asking) = self.others.asks.get_mut(&robot) else { return };
        let ours = asking.peer.is_none_or(|peer| peer == from);
        if !ours || asking.peer.is_some() && answers.serial <= asking.answered || answers.heard > asking.serial {
            return;
        }
        if asking.peer.replace(from).is_none() {
            // It says by itself what it still does.
            asking.lost = None;
        }
        (asking.heard, asking.answered) = (now, answers.serial);
        desk.answered(robot, answers.heard, &answers.news, answers.refused.as_deref());
    }
}

impl Asking {
    fn since(now: Time) -> Self {
        Self { peer: None, heard: now, answered: 0, serial: 0, told: None, lost: None }
    }

    /// Notices that the robot is lost, and that it must have stopped since.
    fn look_after(&mut self, now: Time, robot: usize, desk: &LeadDesk) {
        let silent = now.since(self.heard);
        if self.peer.is_some() && silent >= LEASE {
            desk.lost(robot, "it is not heard any more");
            (self.peer, self.lost) = (None, Some(now));
        } else if self.peer.is_none() && silent >= PATIENCE && desk.presence(robot) == Presence::Awaited {
            desk.lost(robot, "it does not answer");
        }
        if self.lost.is_some_and(|lost| now.since(lost) >= STANDS) {
            self.lost = None;
            desk.stands(robot);
        }
    }
}
