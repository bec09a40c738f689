//! The action that plays behaviors: `run_behavior`, of the type `naoqi_bridge_msgs/action/RunBehavior`.

use super::{Actor, NodeError, Playing, latched, network, usual};
use futures::stream::FuturesUnordered;
use futures::{FutureExt as _, StreamExt as _, future, pin_mut, select};
use ros2_client::action::{ActionServerQosPolicies, AsyncActionServer, ExecutingGoalHandle, GoalEndStatus, GoalError};
use ros2_client::{ActionTypeName, Name, dds::ServiceMapping};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::pin;
use std::task::Poll;

/// How many results are kept for who has not asked for them yet.
const MOST_RESULTS: usize = 32;

/// The goal: which behavior.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Goal {
    behavior: String,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Done {
    no_errors: bool,
}

/// The feedback, which has no field. A message without fields has this one on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Feedback {
    structure_needs_at_least_one_member: u8,
}

impl ros2_client::Message for Goal {}
impl ros2_client::Message for Done {}
impl ros2_client::Message for Feedback {}

type Server = AsyncActionServer<Goal, Done, Feedback>;

/// A goal whose behavior is over.
struct Ended {
    goal: ExecutingGoalHandle<Goal>,
    status: GoalEndStatus,
    no_errors: bool,
}

/// Plays the behaviors of goals, one at a time.
pub(super) struct BehaviorServer(Server);

impl BehaviorServer {
    pub(super) fn new(node: &mut ros2_client::Node) -> Result<Self, NodeError> {
        let quality = ActionServerQosPolicies {
            goal_service: usual(10),
            result_service: usual(10),
            cancel_service: usual(10),
            feedback_publisher: usual(10),
            status_publisher: latched(1),
        };
        let name = Name::new("/", "run_behavior").map_err(network)?;
        let kind = ActionTypeName::new("naoqi_bridge_msgs", "RunBehavior");
        let server = node.create_action_server::<Goal, Done, Feedback>(ServiceMapping::Enhanced, &name, &kind, quality);
        Ok(Self(AsyncActionServer::new(server.map_err(network)?)))
    }

    /// Serves goals without end.
    pub(super) async fn serve(&self, actor: &dyn Actor) {
        let server = &self.0;
        let now = RefCell::new(None);
        // The behavior that plays, and what is known of its end.
        let mut work = FuturesUnordered::new();
        // Results that wait for who asks for them.
        let ended = RefCell::new(VecDeque::new());
        loop {
            let goal = server.receive_new_goal().fuse();
            let cancel = server.receive_cancel_request().fuse();
            let results = answer(server, &ended).fuse();
            pin_mut!(goal, cancel, results);
            select! {
                goal = goal => {
                    let Ok(handle) = goal else { continue };
                    let wanted = server.get_new_goal(handle.clone());
                    let is_busy = now.borrow().is_some();
                    let begun = wanted.filter(|_| !is_busy).and_then(|goal| actor.play(&goal.behavior).ok());
                    let Some(Playing { end, stop }) = begun else {
                        // Who has left needs no answer.
                        let _ = server.reject_goal(handle).await;
                        continue;
                    };
                    let id = handle.goal_id();
                    *now.borrow_mut() = Some((id, stop, false));
                    let now = &now;
                    work.push(async move {
                        let executing = match server.accept_goal(handle).await {
                            Ok(accepted) => server.start_executing_goal(accepted).await,
                            Err(why) => Err(why),
                        };
                        let Ok(executing) = executing else {
                            // Nobody knows of it, so nobody could cancel it.
                            if let Some((_, stop, _)) = now.borrow_mut().as_mut() {
                                stop();
                            }
                            let _ = end.await;
                            now.borrow_mut().take();
                            return None;
                        };
                        let _ = server.publish_feedback(executing.clone(), Feedback { structure_needs_at_least_one_member: 0 }).await;
                        let no_errors = end.await.unwrap_or(false);
                        let cancelled = now.borrow_mut().take().is_some_and(|(_, _, cancelled)| cancelled);
                        let status = match (cancelled, no_errors) {
                            (true, _) => GoalEndStatus::Canceled,
                            (false, true) => GoalEndStatus::Succeeded,
                            (false, false) => GoalEndStatus::Aborted,
                        };
                        Some(Ended { goal: executing, status, no_errors })
                    });
                }
                cancel = cancel => {
                    let Ok(cancel) = cancel else { continue };
                    let id = now.borrow().as_ref().map(|(id, ..)| *id).filter(|id| cancel.contains_goal(id));
                    // The answer comes first: the behavior may need time to stop.
                    let _ = server.respond_to_cancel_requests(&cancel, id.into_iter()).await;
                    if let (Some(_), Some((_, stop, cancelled))) = (id, now.borrow_mut().as_mut()) {
                        *cancelled = true;
                        stop();
                    }
                }
                end = work.select_next_some() => {
                    let mut ended = ended.borrow_mut();
                    ended.extend(end);
                    if ended.len() > MOST_RESULTS {
                        ended.pop_front();
                    }
                }
                never = results => match never {},
            }
        }
    }
}

/// Answers who asks for the results of goals that have ended.
///
/// The server has one queue of such questions. It wakes only the last one who waits, and who waits puts questions about
/// other goals aside. So one task asks for all goals, and anew each time, because it then finds what was put aside.
async fn answer(server: &Server, ended: &RefCell<VecDeque<Ended>>) -> Infallible {
    future::poll_fn(|cx| {
        ended.borrow_mut().retain(|Ended { goal, status, no_errors }| {
            let sent = pin!(server.send_result_response(goal.clone(), *status, Done { no_errors: *no_errors }));
            match sent.poll(cx) {
                Poll::Pending => true,
                Poll::Ready(Err(GoalError::DDSReadError(_))) => {
                    // A question that cannot be read is none; there may be others behind it.
                    cx.waker().wake_by_ref();
                    true
                }
                Poll::Ready(_) => false,
            }
        });
        Poll::Pending
    })
    .await
}
