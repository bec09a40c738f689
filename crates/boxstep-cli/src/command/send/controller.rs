//! `boxstep send FILE --controller NAME`: sends the timeline of a behavior to a trajectory controller of ROS 2.

use super::way::way;
use crate::args::SendArgs;
use crate::command::show::{body_of, level};
use crate::failure::Failure;
use crate::run::ros_domain;
use crate::signals::Signals;
use crate::{exit, open, output};
use boxstep_api::play::fit_curves;
use boxstep_dynamics::Model;
use boxstep_ros2::messages::control_msgs::FollowJointTrajectoryGoal;
use boxstep_ros2::messages::trajectory_msgs::JointTrajectory;
use boxstep_ros2::node::{FollowError, Followed, NodeWish, PATIENCE, follow};
use futures::channel::oneshot;
use std::io::Write as _;

/// Sends the timeline and waits until the controller has followed it. Ctrl-C cancels the goal, so that the controller
/// holds the joints where they are.
pub(super) fn run(args: &SendArgs, controller: &str) -> Result<i32, Failure> {
    let trajectory = trajectory(args)?;
    let last = trajectory.points.last().map_or(0, |point| point.time_from_start.sec);
    let joints = trajectory.joint_names.join(", ");
    let goal = FollowJointTrajectoryGoal { trajectory, ..FollowJointTrajectoryGoal::default() };
    let wish = NodeWish { name: "boxstep_send".to_owned(), domain: ros_domain()?, network: args.network };
    let (stop, stopped) = oneshot::channel();
    let mut signals = Signals::new()?;
    let watch = signals.watch();
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        signals.next();
        drop(stop);
    })?;
    let lead_in = args.lead_in.as_secs_f64();
    writeln!(
        output::stdout(),
        "{controller} goes to the first keys in {lead_in} s and follows {joints} until {last} s"
    )?;
    let ended = follow(&wish, controller, goal, PATIENCE, stopped, |_| {});
    drop(watch);
    match ended {
        Ok(Followed::Completed) => {
            writeln!(output::stdout(), "{controller} has followed it")?;
            Ok(exit::OK)
        }
        Ok(Followed::Cancelled) => {
            writeln!(output::stdout(), "{controller} has stopped")?;
            Ok(exit::INTERRUPTED)
        }
        Err(why @ FollowError::Name(_)) => Err(Failure::Usage(format!("--controller: {why}"))),
        Err(why) => Err(Failure::Run(format!("{controller}: {why}"))),
    }
}

/// Returns the way that the timeline is.
fn trajectory(args: &SendArgs) -> Result<JointTrajectory, Failure> {
    let mut chosen = open::behavior(&args.file, args.behavior.as_deref())?;
    let body = body_of(&chosen, &args.file, args.body.as_deref())?;
    fit_curves(&mut chosen.file.project, body);
    let level = level(&chosen, args.timeline.as_deref())?;
    let none = |why: String| Failure::File(args.file.clone(), why);
    let timeline = level.at.def.timeline.as_ref();
    let timeline = timeline.ok_or_else(|| none("this box has no timeline: --box names one".to_owned()))?;
    way(timeline, &Model::new(body), args.lead_in).map_err(|why| none(why.to_string()))
}
