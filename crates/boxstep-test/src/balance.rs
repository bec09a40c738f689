//! Whether the robot stays on its feet in a whole run, by the joint angles in its trace.
//!
//! The rules are those of `boxstep-dynamics`, which `boxstep check` applies to single timelines. The angles are those
//! of [`Kind::Joints`]; the caller has them sampled ([`HZ`]).

use boxstep_dynamics::{Balance, Fall, Instant, Model, Sampled, Side, Summary};
use boxstep_trace::{Event, Kind, Recording};
use boxstep_types::Time;
use std::sync::Arc;

/// How often the angles are sampled at least, in samples a second.
pub const HZ: f64 = 25.0;

/// The calls during which balance is the robot's own business: it changes its posture on a way that it knows, and the
/// simulation on another one.
const OWN_WAYS: [&str; 4] =
    ["ALRobotPosture.goToPosture", "ALRobotPosture.applyPosture", "ALMotion.wakeUp", "ALMotion.rest"];

/// The balance of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunBalance {
    /// Where the robot tips over, in order.
    pub falls: Vec<RunFall>,
    /// The smallest margin in metres, and when; `None` if the robot never stands, so that it is not judged.
    pub least: Option<(f64, Time)>,
}

/// The robot tips over.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFall {
    /// When it begins.
    pub at: Time,
    /// To which side.
    pub side: Side,
    /// How far outside of its feet the point is that would have to be inside, in metres.
    pub out: f64,
    /// Whether it would tip over even if it stood still there.
    pub still: bool,
    /// The box that moves the robot then; empty if none does.
    pub path: String,
}

impl RunBalance {
    /// Judges a run. `None` if the trace has no joint angles, or if the body's masses or feet are not known.
    pub fn of(model: &Model, run: &Recording) -> Option<Self> {
        let balance = Balance::new(model)?;
        let samples = run.events.iter().filter_map(|event| match &event.kind {
            Kind::Joints { angles, .. } => Some((event.t.as_secs_f64(), &**angles)),
            _ => None,
        });
        let sampled = model.sampled::<Arc<str>>(samples)?;
        let instants = judged(&balance, &sampled, &own_ways(run));
        let summary = Summary::of(&instants, sampled.step());
        let time = |at: usize| Time::from_secs_f64(sampled.seconds(at));
        let margin = |at: usize| instants.get(at).and_then(|instant| instant.margin);
        Some(Self {
            falls: summary.falls.iter().map(|fall| fall_of(run, fall, &instants, &sampled)).collect(),
            least: summary.worst.and_then(|at| Some((margin(at)?, time(at)))),
        })
    }
}

/// Returns the balance at each posture, which is not judged during the robot's own ways. Between them it is that of a
/// motion of its own, which may begin on a chair.
fn judged(balance: &Balance<'_>, sampled: &Sampled, own_ways: &[(f64, f64)]) -> Vec<Instant> {
    let is_own = |at: usize| own_ways.iter().any(|(from, to)| (*from..=*to).contains(&sampled.seconds(at)));
    let mut instants: Vec<Instant> = Vec::with_capacity(sampled.angles.len());
    while let Some(rest) = sampled.angles.get(instants.len()..).filter(|rest| !rest.is_empty()) {
        let from = instants.len();
        let own = is_own(from);
        let end = (from..from + rest.len()).position(|at| is_own(at) != own).unwrap_or(rest.len());
        let mut part = balance.over(rest.get(..end).unwrap_or(rest), sampled.step());
        if own {
            part.iter_mut().for_each(|instant| (instant.margin, instant.still) = (None, None));
        }
        instants.append(&mut part);
    }
    instants
}

fn fall_of(run: &Recording, fall: &Fall, instants: &[Instant], sampled: &Sampled) -> RunFall {
    let at = Time::from_secs_f64(sampled.seconds(fall.postures.start));
    let deepest = instants.get(fall.deepest);
    let margin = deepest.and_then(|instant| if fall.still { instant.still } else { instant.margin });
    RunFall {
        at,
        side: deepest.map_or(Side::Forward, |instant| instant.side),
        out: margin.unwrap_or(0.0).abs(),
        still: fall.still,
        path: moves(run, at).map(|event| run.path(event)).unwrap_or_default(),
    }
}

/// Returns the event of the box that last moved joints by a time: the first of those that led to the motion that has a
/// box.
fn moves(run: &Recording, by: Time) -> Option<&Event> {
    let is_motion = |event: &&Event| match &event.kind {
        Kind::Act(act) => act.kind == "joints" && act.data.get("stopped").is_none(),
        _ => false,
    };
    let motion = run.events.iter().rev().filter(|event| event.t <= by).find(is_motion)?;
    run.chain(motion).events.into_iter().find(|event| !run.path(event).is_empty())
}

/// Returns from when to when the robot changes its posture by itself, in seconds.
fn own_ways(run: &Recording) -> Vec<(f64, f64)> {
    let begun = run.events.iter().filter(|event| match &event.kind {
        Kind::Service(call) => OWN_WAYS.contains(&format!("{}.{}", call.service, call.method).as_str()),
        _ => false,
    });
    let over = |call: &Event| {
        let is_end = |event: &&Event| event.cause == call.n && matches!(event.kind, Kind::ServiceDone(_));
        run.events.iter().find(is_end).map_or(f64::INFINITY, |end| end.t.as_secs_f64())
    };
    begun.map(|call| (call.t.as_secs_f64(), over(call))).collect()
}
