//! The action that plays behaviors, as another node of this process asks for it.

use boxstep_bodies::BodyKind;
use boxstep_ros2::messages::geometry_msgs::Twist;
use boxstep_ros2::messages::naoqi_bridge_msgs::JointAnglesWithSpeed;
use boxstep_ros2::node::{Actor, Node, NodeWish, Playing};
use futures::channel::oneshot;
use ros2_client::action::{ActionClientQosPolicies, GoalStatusEnum};
use ros2_client::dds::ServiceMapping;
use ros2_client::dds::rustdds::DomainParticipantBuilder;
use ros2_client::qos::{Durability, History, WhenFull};
use ros2_client::{ActionTypeName, Context, Message, Name, NodeName, NodeOptions, QosProfile};
use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;
use std::sync::Arc;

/// A domain for these tests alone.
const DOMAIN: u16 = 80;

/// Behaviors are over as soon as they begin; `failing` has an error.
struct Hasty;

impl Actor for Hasty {
    fn say(&self, _: &str) {}
    fn walk(&self, _: &Twist) {}
    fn angles(&self, _: &JointAnglesWithSpeed) {}
    fn play(&self, behavior: &str) -> Result<Playing, String> {
        let (over, end) = oneshot::channel();
        over.send(behavior != "failing").unwrap();
        Ok(Playing { end, stop: Box::new(|| {}) })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Goal {
    behavior: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Done {
    no_errors: bool,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Feedback {
    structure_needs_at_least_one_member: u8,
}

impl Message for Goal {}
impl Message for Done {}
impl Message for Feedback {}

/// Who plays several behaviors and asks for their results later, in any order, gets them all.
#[test]
fn results_of_several_goals_are_told() {
    let wish = NodeWish { name: "boxstep_test".to_owned(), domain: DOMAIN, network: false };
    let robot = Node::start(&wish, BodyKind::Nao.body(), Arc::new(Hasty)).unwrap();
    let quality =
        QosProfile::publisher_default().reliability_reliable(WhenFull::Fail).history(History::KeepLast { depth: 10 });
    let participant = DomainParticipantBuilder::new(DOMAIN).with_only_networks([Ipv4Addr::LOCALHOST]).build().unwrap();
    let context = Context::from_domain_participant(participant).unwrap();
    let name = NodeName::new("/", "client").unwrap();
    let mut node = context.new_node(name, NodeOptions::new().enable_rosout(false)).unwrap();
    let qualities = ActionClientQosPolicies {
        goal_service: quality.clone(),
        result_service: quality.clone(),
        cancel_service: quality.clone(),
        feedback_subscription: quality.clone(),
        status_subscription: quality.durability(Durability::TransientLocal),
    };
    let name = Name::new("/", "run_behavior").unwrap();
    let kind = ActionTypeName::new("naoqi_bridge_msgs", "RunBehavior");
    let client = node.create_action_client::<Goal, Done, Feedback>(ServiceMapping::Enhanced, &name, &kind, qualities);
    let client = client.unwrap();
    let spinner = node.spinner().unwrap();
    let ask = async {
        client.goal_client().wait_for_service(&node).await;
        client.result_client().wait_for_service(&node).await;
        let mut goals = Vec::new();
        for behavior in ["short", "failing", "short"] {
            let (id, answer) = client.async_send_goal(Goal { behavior: behavior.to_owned() }).await.unwrap();
            assert!(answer.accepted, "the one before is over");
            goals.push(id);
        }
        let (good, bad) = ((GoalStatusEnum::Succeeded, true), (GoalStatusEnum::Aborted, false));
        for (goal, (status, no_errors)) in [(1, bad), (0, good), (2, good)] {
            let result = client.async_request_result(goals[goal]).await.unwrap();
            assert_eq!(result, (status, Done { no_errors }), "goal {goal}");
        }
    };
    futures::executor::block_on(async {
        let spin = spinner.spin();
        futures::pin_mut!(ask, spin);
        let first = futures::future::select(ask, spin).await;
        assert!(matches!(first, futures::future::Either::Left(_)), "the spinner has ended");
    });
    drop(robot);
}
