//! `boxstep send FILE --controller NAME`: sends the timeline of a behavior to a trajectory controller of ROS 2.

use crate::args::SendArgs;
use crate::command::show::{body_of, level};
use crate::failure::Failure;
use crate::run::ros_domain;
use crate::signals::Signals;
use crate::{exit, open, output};
use boxstep_api::play::fit_curves;
use boxstep_dynamics::{FrameBudget, Model};
use boxstep_ros2::messages::builtin_interfaces::Duration;
use boxstep_ros2::messages::control_msgs::FollowJointTrajectoryGoal;
use boxstep_ros2::messages::trajectory_msgs::{JointTrajectory, JointTrajectoryPoint};
use boxstep_ros2::node::{FollowError, Followed, NodeWish, PATIENCE, follow};
use boxstep_types::Time;
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
    writeln!(output::stdout(), "{controller} follows {joints} for about {last} s")?;
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

/// Returns the way of the joints that the timeline has curves for, a point for each of its frames.
fn trajectory(args: &SendArgs) -> Result<JointTrajectory, Failure> {
    let mut chosen = open::behavior(&args.file, args.behavior.as_deref())?;
    let body = body_of(&chosen, &args.file, args.body.as_deref())?;
    fit_curves(&mut chosen.file.project, body);
    let level = level(&chosen, args.timeline.as_deref())?;
    let none = |why: &str| Failure::File(args.file.clone(), why.to_owned());
    let timeline = level.at.def.timeline.as_ref();
    let timeline = timeline.ok_or_else(|| none("this box has no timeline: --box names one"))?;
    let model = Model::new(body);
    let postures = model
        .postures(timeline, &mut FrameBudget::default())
        .ok_or_else(|| none("no curve of this timeline moves a joint of the body: --box names another"))?;
    let curves = || timeline.actuators.iter().flat_map(|list| &list.curves).filter(|curve| !curve.mute);
    let moved = |name: &str| curves().any(|curve| &*curve.actuator == name);
    let joints: Vec<usize> = (0..body.joints.len()).filter(|at| moved(body.joints[*at].name)).collect();
    let points = postures.angles.iter().enumerate().map(|(at, angles)| {
        let time = Time::from_secs_f64(at as f64 * postures.step());
        let time_from_start =
            Duration { sec: (time.0 / 1_000_000_000) as i32, nanosec: (time.0 % 1_000_000_000) as u32 };
        let positions = joints.iter().filter_map(|joint| angles.get(*joint).copied()).collect();
        JointTrajectoryPoint { positions, time_from_start, ..JointTrajectoryPoint::default() }
    });
    let joint_names = joints.iter().filter_map(|at| body.joints.get(*at)).map(|joint| joint.name.to_owned()).collect();
    Ok(JointTrajectory { points: points.collect(), joint_names, ..JointTrajectory::default() })
}
