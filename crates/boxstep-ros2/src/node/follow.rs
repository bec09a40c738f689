//! Sends the way of joints to a trajectory controller: the action `FollowJointTrajectory` of `ros2_control`.

use super::{NodeError, NodeWish, latched, network, participant, usual};
use crate::messages::control_msgs::{
    FollowJointTrajectoryFeedback as Feedback, FollowJointTrajectoryGoal as Goal, FollowJointTrajectoryResult as Done,
};
use futures::channel::oneshot;
use futures::future::{self, Either};
use futures::{StreamExt as _, pin_mut};
use ros2_client::action::{ActionClientQosPolicies, GoalStatusEnum};
use ros2_client::builtin_interfaces::Time;
use ros2_client::dds::ServiceMapping;
use ros2_client::{ActionTypeName, Context, Name, NodeName, NodeOptions};
use std::convert::Infallible;
use std::fmt;
use std::time::Duration;

impl ros2_client::Message for Goal {}
impl ros2_client::Message for Done {}
impl ros2_client::Message for Feedback {}

/// How long a controller may usually take to answer.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// The controller has followed it to its end.
    Completed,
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
    /// It does not say whether it takes the way. It was told to cancel it.
    Unanswered,
    /// It refuses the way.
    Refused,
    /// It has given up: what it says.
    Failed(Done),
    /// Another client has stopped it, or sent another way: what the controller says.
    Preempted(Done),
    /// The connection failed: how. If the controller had taken the way, it was told to cancel it.
    Lost(String),
}

impl fmt::Display for FollowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FollowError::Node(why) => why.fmt(f),
            FollowError::Name(why) => write!(f, "no name of a controller: {why}"),
            FollowError::Absent => f.write_str("no such controller answers in this domain"),
            FollowError::Unanswered => {
                f.write_str("the controller does not say whether it takes the goal, and was told to cancel it")
            }
            FollowError::Refused => f.write_str("the controller refuses the goal: it says why in its log"),
            FollowError::Failed(Done { error_code: 0, error_string }) => {
                write!(f, "the controller has given up: {error_string}")
            }
            FollowError::Failed(done) => write!(f, "{}: {}", done.meaning(), done.error_string),
            FollowError::Preempted(done) => {
                write!(f, "another client has stopped it or sent another goal: {}", done.error_string)
            }
            FollowError::Lost(why) => write!(f, "the controller was lost: {why}"),
        }
    }
}

impl std::error::Error for FollowError {}

/// Sends a goal to a controller (`/arm_controller`) and waits for its end. The controller may take as long as `patience`
/// ([`PATIENCE`]) to say whether it takes the goal. `stop` cancels it, also by being dropped: a goal that the controller
/// has not answered yet, as soon as it does, because it could take it later. `on_feedback` gets what the controller tells.
///
/// The goal is also cancelled if this fails for a reason that is not the controller's result.
///
/// # Errors
/// [`FollowError`].
pub fn follow(
    wish: &NodeWish,
    controller: &str,
    goal: Goal,
    patience: Duration,
    mut stop: oneshot::Receiver<()>,
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
        let there = within(PATIENCE, there);
        pin_mut!(there);
        match future::select(there, &mut stop).await {
            Either::Left((found, _)) => found.ok_or(FollowError::Absent)?,
            Either::Right(_) => return Ok(Followed::Cancelled),
        }
        let (request, id) = client.send_goal(goal).map_err(|e| lost(&e))?;
        let cancel = || within(PATIENCE, client.async_cancel_goal(id, Time::ZERO));
        let accepted = match within(patience, client.goal_client().async_receive_response(request)).await {
            Some(Ok(answer)) => answer.accepted,
            failed => {
                // It may have taken the goal, or take it later.
                let _ = cancel().await;
                return Err(match failed {
                    Some(Err(why)) => lost(&why),
                    _ => FollowError::Unanswered,
                });
            }
        };
        if !accepted {
            return Err(FollowError::Refused);
        }
        let feedback = client.feedback_stream(id).for_each(|told| {
            if let Ok(told) = told {
                on_feedback(&told);
            }
            future::ready(())
        });
        let result = client.async_request_result(id);
        let ended = async {
            pin_mut!(feedback, result);
            match future::select(result, feedback).await {
                Either::Left((result, _)) => result.map_err(|e| lost(&e)),
                Either::Right(_) => Err(lost(&"its feedback has ended")),
            }
        };
        pin_mut!(ended);
        match future::select(ended, stop).await {
            Either::Left((Ok((status, done)), _)) => outcome(status, done, false),
            Either::Left((Err(why), _)) => {
                let _ = cancel().await;
                Err(why)
            }
            Either::Right((_, ended)) => {
                let answer = cancel().await.ok_or_else(|| lost(&"it does not answer"))?;
                answer.map_err(|e| lost(&e))?;
                let ended = within(PATIENCE, ended).await;
                let (status, done) = ended.ok_or_else(|| lost(&"it does not say that it has stopped"))??;
                outcome(status, done, true)
            }
        }
    };
    let ended = futures::executor::block_on(async {
        // A spinner that has ended finds no more nodes; with those that it has found one can still talk.
        let spin = async {
            let _ = spinner.spin().await;
            future::pending::<Infallible>().await
        };
        pin_mut!(dialog, spin);
        match future::select(dialog, spin).await {
            Either::Left((ended, _)) => ended,
            Either::Right((never, _)) => match never {},
        }
    });
    node.stop_spinner();
    ended
}

/// Returns what the end of a goal means, which we have stopped or not.
fn outcome(status: GoalStatusEnum, done: Done, is_stopped: bool) -> Result<Followed, FollowError> {
    match status {
        GoalStatusEnum::Succeeded if done.error_code == 0 => Ok(Followed::Completed),
        GoalStatusEnum::Canceled if is_stopped => Ok(Followed::Cancelled),
        GoalStatusEnum::Canceled => Err(FollowError::Preempted(done)),
        _ => Err(FollowError::Failed(done)),
    }
}

/// Waits for something, but not longer than this.
async fn within<T>(most: Duration, what: impl Future<Output = T>) -> Option<T> {
    let (over, timeout) = oneshot::channel::<()>();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let timer = std::thread::Builder::new().name("patience".to_owned()).spawn(move || {
        let _ = stopped.recv_timeout(most);
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
