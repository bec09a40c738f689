//! Sends the way of joints to a trajectory controller: the action `FollowJointTrajectory` of `ros2_control`.

use super::{NodeError, NodeWish, latched, network, participant, usual};
use crate::messages::control_msgs::{
    FollowJointTrajectoryFeedback as Feedback, FollowJointTrajectoryGoal as Goal, FollowJointTrajectoryResult as Done,
};
use futures::channel::oneshot;
use futures::future::{self, Either};
use futures::{StreamExt as _, pin_mut};
use ros2_client::action::{ActionClientQosPolicies, GoalStatusEnum};
use ros2_client::dds::ServiceMapping;
use ros2_client::{ActionTypeName, Context, Name, NodeName, NodeOptions};
use std::fmt;
use std::time::Duration;

impl ros2_client::Message for Goal {}
impl ros2_client::Message for Done {}
impl ros2_client::Message for Feedback {}

/// How long a controller may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// The controller says how.
    Ended(Done),
    /// It was stopped, and the controller has stopped.
    Cancelled,
}

/// Why a controller does not follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FollowError {
    /// There is no node.
    Node(NodeError),
    /// The name of the controller is none.
    Name(String),
    /// No such controller answers.
    Absent,
    /// It refuses the way.
    Refused,
    /// The connection failed: how.
    Lost(String),
}

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FollowError::Node(why) => why.fmt(f),
            FollowError::Name(why) => write!(f, "no name of a controller: {why}"),
            FollowError::Absent => f.write_str("no such controller answers in this domain"),
            FollowError::Refused => f.write_str("the controller refuses the goal: it says why in its log"),
            FollowError::Lost(why) => write!(f, "the controller was lost: {why}"),
        }
    }
}

impl std::error::Error for FollowError {}

/// Sends a goal to a controller (`/arm_controller`) and waits for its end. `stop` cancels it, also by being dropped;
/// `on_feedback` gets what the controller tells.
///
/// # Errors
/// [`FollowError`].
pub fn follow(
    wish: &NodeWish,
    controller: &str,
    goal: Goal,
    stop: oneshot::Receiver<()>,
    mut on_feedback: impl FnMut(&Feedback),
) -> Result<Followed, FollowError> {
    let lost = |why: &dyn fmt::Debug| FollowError::Lost(format!("{why:?}"));
    let made = |why: &dyn fmt::Debug| FollowError::Node(network(why));
    let context =
        Context::from_domain_participant(participant(wish).map_err(FollowError::Node)?).map_err(|e| made(&e))?;
    let name = NodeName::new("/", &wish.name).map_err(|e| made(&e))?;
    let mut node = context.new_node(name, NodeOptions::new().enable_rosout(false)).map_err(|e| made(&e))?;
    let action = format!("{}/follow_joint_trajectory", controller.trim_end_matches('/'));
    let action = if action.starts_with('/') { action } else { format!("/{action}") };
    let action = Name::parse(&action).map_err(|why| FollowError::Name(why.to_string()))?;
    let quality = ActionClientQosPolicies {
        goal_service: usual(10),
        result_service: usual(10),
        cancel_service: usual(10),
        feedback_subscription: usual(10),
        status_subscription: latched(1),
    };
    let kind = ActionTypeName::new("control_msgs", "FollowJointTrajectory");
    let client = node.create_action_client::<Goal, Done, Feedback>(ServiceMapping::Enhanced, &action, &kind, quality);
    let client = client.map_err(|e| made(&e))?;
    let spinner = node.spinner().map_err(|e| made(&e))?;
    let dialog = async {
        let there = async {
            client.goal_client().wait_for_service(&node).await;
            client.result_client().wait_for_service(&node).await;
            client.cancel_client().wait_for_service(&node).await;
        };
        within(there).await.ok_or(FollowError::Absent)?;
        let sent = within(client.async_send_goal(goal)).await.ok_or(FollowError::Absent)?;
        let (id, answer) = sent.map_err(|e| lost(&e))?;
        if !answer.accepted {
            return Err(FollowError::Refused);
        }
        let feedback = client.feedback_stream(id).for_each(|told| {
            if let Ok(told) = told {
                on_feedback(&told);
            }
            future::ready(())
        });
        let result = client.async_request_result(id);
        pin_mut!(feedback, result);
        let ended = future::select(result, feedback);
        match future::select(ended, stop).await {
            Either::Left((Either::Left((result, _)), _)) => {
                let (status, done) = result.map_err(|e| lost(&e))?;
                let cancelled = status == GoalStatusEnum::Canceled;
                Ok(if cancelled { Followed::Cancelled } else { Followed::Ended(done) })
            }
            Either::Left((Either::Right(_), _)) => Err(lost(&"its feedback has ended")),
            Either::Right((_, ended)) => {
                let answer = within(client.async_cancel_goal(id, ros2_client::builtin_interfaces::Time::ZERO)).await;
                answer.ok_or_else(|| lost(&"it does not answer"))?.map_err(|e| lost(&e))?;
                match within(ended).await {
                    Some(Either::Left((result, _))) => {
                        result.map_err(|e| lost(&e))?;
                        Ok(Followed::Cancelled)
                    }
                    _ => Err(lost(&"it does not say that it has stopped")),
                }
            }
        }
    };
    let ended = futures::executor::block_on(async {
        pin_mut!(dialog);
        let spin = spinner.spin();
        pin_mut!(spin);
        match future::select(dialog, spin).await {
            Either::Left((ended, _)) => ended,
            Either::Right((spun, _)) => Err(lost(&spun)),
        }
    });
    node.stop_spinner();
    ended
}

/// Waits for something, but not longer than anybody has patience.
async fn within<T>(what: impl Future<Output = T>) -> Option<T> {
    let (over, timeout) = oneshot::channel::<()>();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let timer = std::thread::Builder::new().name("patience".to_owned()).spawn(move || {
        let _ = stopped.recv_timeout(PATIENCE);
        drop(over);
    });
    pin_mut!(what);
    let got = match future::select(what, timeout).await {
        Either::Left((got, _)) => Some(got),
        Either::Right(_) => None,
    };
    drop((stop, timer));
    got
}
