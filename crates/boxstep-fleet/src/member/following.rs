//! What a member knows of the performance in which it takes part.

use super::EXCHANGES;
use crate::clock::FleetTime;
use crate::fetch::Fetch;
use crate::leader::SIGNALS_FOR;
use crate::message::{Fired, MOST_VALUE, MOST_VALUES, MemberState, PerformanceState, size};
use crate::network::PeerId;
use crate::show::Show;
use boxstep_types::{Time, Value};
use std::collections::BTreeSet;
use std::time::Duration;

/// How long a robot that was lost is left alone before it is connected again: twice as long each time that it fails.
const AGAIN: Duration = Duration::from_secs(2);
/// How often that is doubled: to two minutes.
const MOST_DOUBLED: u32 = 6;

/// How many signals wait for the leader at most.
const MOST_FIRED: usize = 64;

/// The performance in which a member takes part.
pub(super) struct Following {
    pub(super) leader: PeerId,
    /// When the leader was heard last.
    pub(super) heard: Time,
    pub(super) latest: PerformanceState,
    pub(super) fetch: Fetch,
    /// The show, and which of its robots this is.
    pub(super) show: Option<(Show, usize)>,
    pub(super) prepared: bool,
    /// When the robot is to be connected, for the first time or again, and how often it has been lost since it last loaded
    /// something.
    pub(super) again: Option<Time>,
    pub(super) tries: u32,
    pub(super) loading: Option<usize>,
    pub(super) loaded: Option<usize>,
    /// The scene that has begun last.
    pub(super) playing: Option<Playing>,
    /// The scene that the player will start at its time. What happens until then belongs to the one before it.
    pub(super) next: Option<Playing>,
    pub(super) done: Option<usize>,
    /// Nanoseconds by which the run's clock is to be ahead of the leader's.
    pub(super) ahead: Option<i64>,
    pub(super) fired: Vec<Fired>,
    pub(super) seen: BTreeSet<(PeerId, u64)>,
    pub(super) holding: Option<String>,
    pub(super) stopped: Option<String>,
    pub(super) refused: Vec<String>,
    /// What failed last.
    pub(super) trouble: Option<String>,
}

/// A scene that was started.
#[derive(Clone, Copy)]
pub(super) struct Playing {
    pub(super) scene: usize,
    /// When it begins, by the run's clock.
    pub(super) since: Time,
    pub(super) ended: bool,
    /// It is being ended before its time.
    pub(super) ending: bool,
}

impl Following {
    pub(super) fn new(leader: PeerId, now: Time, latest: PerformanceState, fetch: Fetch) -> Self {
        Self {
            leader,
            heard: now,
            latest,
            fetch,
            show: None,
            prepared: false,
            again: None,
            tries: 0,
            loading: None,
            loaded: None,
            playing: None,
            next: None,
            done: None,
            ahead: None,
            fired: Vec::new(),
            seen: BTreeSet::new(),
            holding: None,
            stopped: None,
            refused: Vec::new(),
            trouble: None,
        }
    }

    /// Returns whether a scene plays, or is about to.
    pub(super) fn plays(&self) -> bool {
        let plays = self.playing.is_some_and(|playing| !playing.ended);
        self.stopped.is_none() && (plays || self.next.is_some())
    }

    /// Lets the next scene be the one that plays, once its time has come.
    pub(super) fn begin_next(&mut self, run: Time) {
        if self.stopped.is_none()
            && let Some(next) = self.next.take_if(|next| run >= next.since)
        {
            self.playing = Some(next);
        }
    }

    /// Returns the last scene that the player was told to start.
    pub(super) fn latest_started(&self) -> Option<usize> {
        self.next.or(self.playing).map(|playing| playing.scene)
    }

    /// Returns whether this robot takes no further part.
    pub(super) fn is_over(&self) -> bool {
        self.latest.phase.is_over() || self.stopped.is_some() || !self.refused.is_empty()
    }

    pub(super) fn state(&self, exchanges: u32) -> MemberState {
        if let Some(by) = &self.stopped {
            return MemberState::Stopped { by: by.clone() };
        }
        if !self.refused.is_empty() {
            return MemberState::Refused { reasons: self.refused.clone() };
        }
        if let Some(why) = &self.holding {
            return MemberState::Holding { why: why.clone() };
        }
        if let Some((have, of)) = self.fetch.progress() {
            return MemberState::Fetching { have, of };
        }
        match (self.playing, self.next) {
            (Some(playing), _) if !playing.ended => MemberState::Playing,
            // It is about to start.
            (_, Some(_)) if self.done.is_none() => MemberState::Armed,
            (Some(_), _) | (_, Some(_)) => MemberState::Waiting,
            (None, None) if self.loaded.is_some() && exchanges >= EXCHANGES => MemberState::Armed,
            (None, None) => MemberState::Preparing,
        }
    }

    /// Returns whether the leader can be told of a signal with this value, and why not.
    pub(super) fn room_for(&self, value: &Value) -> Result<(), String> {
        let bytes = size(value);
        if bytes > MOST_VALUE {
            return Err(format!("a signal is lost: its value has {bytes} bytes, and {MOST_VALUE} is the most"));
        }
        let waiting: usize = self.fired.iter().map(|fired| size(&fired.value)).sum();
        if self.fired.len() >= MOST_FIRED || waiting + bytes > MOST_VALUES {
            return Err("a signal is lost: more come than the leader can be told".to_owned());
        }
        Ok(())
    }

    /// Forgets signals of this robot that the leader has passed on, or will not any more, and signals of others that
    /// the leader does not tell any more.
    pub(super) fn forget_signals(&mut self, me: PeerId, now: Option<FleetTime>) {
        let told: BTreeSet<_> = self.latest.signals.iter().map(|signal| (signal.by, signal.fired.number)).collect();
        self.seen.retain(|signal| told.contains(signal));
        let cues = self.show.as_ref().map_or(&[][..], |(show, _)| &show.cues);
        let is_late = |fired: &Fired| {
            let after = cues.get(fired.cue as usize).map_or(0.0, |cue| cue.after);
            now.is_some_and(|now| now.seconds_since(fired.at) > after + SIGNALS_FOR)
        };
        self.fired.retain(|fired| !told.contains(&(me, fired.number)) && !is_late(fired));
    }

    /// The robot is gone: it is connected again after a while, and takes part from the next scene.
    pub(super) fn lose(&mut self, now: Time) {
        self.prepared = false;
        let pause = AGAIN * 2u32.pow(self.tries.min(MOST_DOUBLED));
        self.tries = self.tries.saturating_add(1);
        self.again = Some(Time(now.0.saturating_add(pause.as_nanos() as i64)));
        (self.loading, self.loaded, self.next) = (None, None, None);
        if let Some(playing) = &mut self.playing {
            playing.ended = true;
            self.done = Some(playing.scene);
        }
    }
}
