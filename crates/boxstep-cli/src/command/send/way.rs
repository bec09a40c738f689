//! The way of joints that a timeline is for a trajectory controller.

use boxstep_dynamics::Model;
use boxstep_format::model::Timeline;
use boxstep_ros2::messages::builtin_interfaces::Duration;
use boxstep_ros2::messages::trajectory_msgs::{JointTrajectory, JointTrajectoryPoint};
use boxstep_types::Time;
use std::fmt;

/// A way has at most so many points: more than an hour at 25 frames a second.
const MOST: f64 = 100_000.0;

/// Why a timeline is no way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WayError {
    /// It moves nothing.
    Still,
    /// It has so many frames.
    Long(f64),
}

impl fmt::Display for WayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WayError::Still => f.write_str("no curve of this timeline moves a joint of the body: --box names another"),
            WayError::Long(frames) => {
                write!(f, "this timeline has {frames} frames, and {MOST} are the most that can be sent")
            }
        }
    }
}

/// Returns the way of the joints that the timeline has curves for: a point for each of its frames, from its first key to
/// its last one. Nobody knows where the joints are before, so the controller gets `lead_in` to bring them to the first
/// point.
pub(super) fn way(timeline: &Timeline, model: &Model, lead_in: Time) -> Result<JointTrajectory, WayError> {
    let trajectory = model.trajectory(timeline).filter(|_| timeline.enabled).ok_or(WayError::Still)?;
    let (first_key, last_key) = trajectory.span();
    let first = first_key.max(f64::from(timeline.start_frame.unwrap_or(1)));
    let last = last_key.min(timeline.end_frame.map_or(f64::INFINITY, f64::from));
    let frames = (last - first).ceil();
    match frames {
        _ if frames.is_nan() || frames < 0.0 => return Err(WayError::Still),
        _ if frames >= MOST => return Err(WayError::Long(frames + 1.0)),
        _ => {}
    }
    let joints = trajectory.joints();
    let points = (0..=frames as u32).map(|at| {
        let frame = (first + f64::from(at)).min(last);
        let angles = trajectory.at(frame);
        let time = lead_in.0.saturating_add(Time::from_secs_f64((frame - first) / trajectory.fps()).0);
        JointTrajectoryPoint {
            positions: joints.iter().filter_map(|joint| angles.get(*joint).copied()).collect(),
            time_from_start: Duration::from_nanos(time),
            ..JointTrajectoryPoint::default()
        }
    });
    let names = joints.iter().filter_map(|at| model.body().joints.get(*at)).map(|joint| joint.name.to_owned());
    Ok(JointTrajectory { points: points.collect(), joint_names: names.collect(), ..JointTrajectory::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_bodies::BodyKind;

    /// Returns a timeline of 25 frames a second with keys of `HeadYaw`: frames and degrees.
    fn timeline(keys: &[(i32, f64)], end: i32) -> Timeline {
        let keys: String =
            keys.iter().map(|(frame, value)| format!("<Key frame=\"{frame}\" value=\"{value}\"/>")).collect();
        let xml = format!(
            "<ChoregrapheProject xar_version=\"3\"><Box name=\"root\" id=\"-1\" localization=\"8\">\
             <Timeline enable=\"1\" fps=\"25\" start_frame=\"1\" end_frame=\"{end}\" size=\"9\">\
             <ActuatorList model=\"\"><ActuatorCurve name=\"value\" actuator=\"HeadYaw\" mute=\"0\" unit=\"0\">{keys}\
             </ActuatorCurve></ActuatorList></Timeline></Box></ChoregrapheProject>"
        );
        let file = boxstep_format::read_xar("way.xar", xml.as_bytes(), &Default::default()).unwrap();
        file.project.root.timeline.clone().unwrap()
    }

    fn way_of(keys: &[(i32, f64)], end: i32) -> Result<JointTrajectory, WayError> {
        way(&timeline(keys, end), &Model::new(BodyKind::Nao.body()), Time::from_secs_f64(3.0))
    }

    #[test]
    fn the_robot_has_time_to_go_to_the_first_keys() {
        let way = way_of(&[(6, 40.0), (31, 0.0)], -1).unwrap();
        assert_eq!(way.joint_names, ["HeadYaw"]);
        let first = &way.points[0];
        assert_eq!(first.time_from_start, Duration { sec: 3, nanosec: 0 });
        assert!((first.positions[0] - 40_f64.to_radians()).abs() < 1e-12, "{first:?}");
        assert_eq!(way.points[1].time_from_start, Duration { sec: 3, nanosec: 40_000_000 });
        let last = way.points.last().unwrap();
        assert_eq!((way.points.len(), last.time_from_start), (26, Duration { sec: 4, nanosec: 0 }));
        assert!(last.positions[0].abs() < 1e-12, "{last:?}");
    }

    #[test]
    fn each_frame_of_a_long_timeline_has_a_point_and_so_has_the_last_one() {
        let way = way_of(&[(1, 0.0), (10_001, 40.0)], -1).unwrap();
        let last = way.points.last().unwrap();
        assert_eq!((way.points.len(), last.time_from_start.sec), (10_001, 403));
        assert!((last.positions[0] - 40_f64.to_radians()).abs() < 1e-12);
        let cut = way_of(&[(1, 0.0), (10_001, 40.0)], 501).unwrap();
        assert_eq!(cut.points.len(), 501);
    }

    #[test]
    fn what_is_too_long_or_moves_nothing_is_refused() {
        assert_eq!(way_of(&[(1, 0.0), (i32::MAX, 40.0)], -1), Err(WayError::Long(f64::from(i32::MAX))));
        assert_eq!(way_of(&[(1, 0.0), (99_999, 40.0)], -1).unwrap().points.len(), 99_999);
        assert_eq!(way_of(&[], -1), Err(WayError::Still));
        assert_eq!(way_of(&[(100, 0.0), (200, 40.0)], 50), Err(WayError::Still));
    }
}
