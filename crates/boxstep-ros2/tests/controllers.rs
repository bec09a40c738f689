//! Trajectory controllers, as another node of this process has one.

use boxstep_ros2::messages::builtin_interfaces::Duration;
use boxstep_ros2::messages::control_msgs::{
    FollowJointTrajectoryFeedback as Feedback, FollowJointTrajectoryGoal as Goal, FollowJointTrajectoryResult as Done,
};
use boxstep_ros2::messages::trajectory_msgs::{JointTrajectory, JointTrajectoryPoint};
use boxstep_ros2::node::{FollowError, Followed, NodeError, NodeWish, PATIENCE, follow};
use futures::channel::oneshot;
use ros2_client::action::{ActionServerQosPolicies, AsyncActionServer, GoalEndStatus};
use ros2_client::dds::ServiceMapping;
use ros2_client::dds::rustdds::DomainParticipantBuilder;
use ros2_client::qos::{Durability, History, WhenFull};
use ros2_client::{ActionTypeName, Context, Name, NodeName, NodeOptions, QosProfile};
use std::net::Ipv4Addr;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration as Patience;

/// A domain for these tests alone.
const DOMAIN: u16 = 79;

fn wish(domain: u16) -> NodeWish {
    NodeWish { name: "boxstep_test".to_owned(), domain, network: false }
}

fn goal(joint: &str) -> Goal {
    let point = |sec: i32, position: f64| JointTrajectoryPoint {
        positions: vec![position],
        time_from_start: Duration { sec, nanosec: 0 },
        ..JointTrajectoryPoint::default()
    };
    let trajectory = JointTrajectory {
        joint_names: vec![joint.to_owned()],
        points: vec![point(0, 0.0), point(1, 0.5)],
        ..JointTrajectory::default()
    };
    Goal { trajectory, ..Goal::default() }
}

/// Serves goals until all are served: `Elbow` is reached, `Wrist` violates its tolerance, `Finger` aborts without a reason,
/// `Chest` is stopped by another client, `Neck` is refused, `Hip` and `Knee` move until they are cancelled, and `Toe` is not
/// answered. `Knee` is accepted after its client was told to stop.
async fn serve(count: usize, got: Sender<Goal>, stop: oneshot::Sender<()>) {
    let mut stop = Some(stop);
    let quality =
        QosProfile::publisher_default().reliability_reliable(WhenFull::Fail).history(History::KeepLast { depth: 10 });
    let participant = DomainParticipantBuilder::new(DOMAIN).with_only_networks([Ipv4Addr::LOCALHOST]).build().unwrap();
    let context = Context::from_domain_participant(participant).unwrap();
    let name = NodeName::new("/", "arm").unwrap();
    let mut node = context.new_node(name, NodeOptions::new().enable_rosout(false)).unwrap();
    let qualities = ActionServerQosPolicies {
        goal_service: quality.clone(),
        result_service: quality.clone(),
        cancel_service: quality.clone(),
        feedback_publisher: quality.clone(),
        status_publisher: quality.durability(Durability::TransientLocal),
    };
    let name = Name::new("/arm_controller", "follow_joint_trajectory").unwrap();
    let kind = ActionTypeName::new("control_msgs", "FollowJointTrajectory");
    let server = node.create_action_server::<Goal, Done, Feedback>(ServiceMapping::Enhanced, &name, &kind, qualities);
    let server = AsyncActionServer::new(server.unwrap());
    let spinner = node.spinner().unwrap();
    let serve = async {
        for _ in 0..count {
            let handle = server.receive_new_goal().await.unwrap();
            let goal = server.get_new_goal(handle.clone()).unwrap();
            got.send(goal.clone()).unwrap();
            let joint = goal.trajectory.joint_names[0].clone();
            if joint == "Neck" {
                server.reject_goal(handle).await.unwrap();
                continue;
            }
            if joint == "Toe" {
                let cancel = server.receive_cancel_request().await.unwrap();
                server.respond_to_cancel_requests(&cancel, std::iter::empty()).await.unwrap();
                continue;
            }
            if joint == "Knee" {
                drop(stop.take());
            }
            let accepted = server.accept_goal(handle).await.unwrap();
            let executing = server.start_executing_goal(accepted).await.unwrap();
            let told = Feedback { joint_names: vec![joint.clone()], ..Feedback::default() };
            server.publish_feedback(executing.clone(), told).await.unwrap();
            let (status, error_code) = match &*joint {
                "Wrist" => (GoalEndStatus::Aborted, -4),
                "Finger" => (GoalEndStatus::Aborted, 0),
                "Chest" => (GoalEndStatus::Canceled, -1),
                "Hip" | "Knee" => {
                    let cancel = server.receive_cancel_request().await.unwrap();
                    let goals = cancel.goals().collect::<Vec<_>>();
                    server.respond_to_cancel_requests(&cancel, goals.into_iter()).await.unwrap();
                    (GoalEndStatus::Canceled, 0)
                }
                _ => (GoalEndStatus::Succeeded, 0),
            };
            let done = Done { error_code, error_string: joint };
            server.send_result_response(executing, status, done).await.unwrap();
        }
    };
    let spin = spinner.spin();
    futures::pin_mut!(serve, spin);
    futures::future::select(serve, spin).await;
}

#[test]
fn a_controller_follows_refuses_fails_and_is_cancelled() {
    let (got, goals) = channel();
    let (stop_knee, knee_stopped) = oneshot::channel::<()>();
    let arm = std::thread::spawn(move || futures::executor::block_on(serve(8, got, stop_knee)));
    let sent = |joint: &str, stop| follow(&wish(DOMAIN), "arm_controller", goal(joint), PATIENCE, stop, |_| {});
    let endless = || {
        let (stop, stopped) = oneshot::channel::<()>();
        std::mem::forget(stop);
        stopped
    };
    let done = |error_code, joint: &str| Done { error_code, error_string: joint.to_owned() };
    assert_eq!(sent("Elbow", endless()), Ok(Followed::Completed));
    assert_eq!(goals.recv().unwrap(), goal("Elbow"), "all of it arrives");
    assert_eq!(sent("Wrist", endless()), Err(FollowError::Failed(done(-4, "Wrist"))));
    assert_eq!(sent("Finger", endless()), Err(FollowError::Failed(done(0, "Finger"))));
    assert_eq!(sent("Chest", endless()), Err(FollowError::Preempted(done(-1, "Chest"))));
    assert_eq!(sent("Neck", endless()), Err(FollowError::Refused));
    // It is stopped as soon as the controller tells that it moves.
    let (stop, stopped) = oneshot::channel::<()>();
    let mut stop = Some(stop);
    let told = |told: &Feedback| {
        assert_eq!(told.joint_names, ["Hip"]);
        drop(stop.take());
    };
    let hip = follow(&wish(DOMAIN), "/arm_controller/", goal("Hip"), PATIENCE, stopped, told);
    assert_eq!(hip, Ok(Followed::Cancelled));
    assert_eq!(sent("Knee", knee_stopped), Ok(Followed::Cancelled));
    // Nobody has patience here. The controller waits for the cancel.
    let toe = follow(&wish(DOMAIN), "arm_controller", goal("Toe"), Patience::ZERO, endless(), |_| {});
    assert_eq!(toe, Err(FollowError::Unanswered));
    arm.join().unwrap();
}

#[test]
fn who_stops_before_there_is_a_controller_sends_nothing() {
    let (stop, stopped) = oneshot::channel::<()>();
    drop(stop);
    let nobody = follow(&wish(DOMAIN), "no_controller", goal("Elbow"), PATIENCE, stopped, |_| {});
    assert_eq!(nobody, Ok(Followed::Cancelled));
}

#[test]
fn names_and_domains_that_do_not_exist_are_errors() {
    let (_stop, stopped) = oneshot::channel::<()>();
    let why = follow(&wish(DOMAIN), "no name", goal("Elbow"), PATIENCE, stopped, |_| {});
    assert!(matches!(why, Err(FollowError::Name(_))), "{why:?}");
    let (_stop, stopped) = oneshot::channel::<()>();
    let why = follow(&wish(233), "arm", goal("Elbow"), PATIENCE, stopped, |_| {});
    assert_eq!(why, Err(FollowError::Node(NodeError::Domain(233))));
}
