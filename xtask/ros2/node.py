"""Talks to a node of Boxstep with another implementation of DDS, in both directions: python node.py PROGRAM [ARGUMENT …]

The program is `examples/node.rs` of `boxstep-ros2`: it tells what it is told.
"""

import os
import queue
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import dataclass

DOMAIN = 77
os.environ["CYCLONEDDS_URI"] = """<CycloneDDS><Domain><General>
<Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces><AllowMulticast>false</AllowMulticast></General>
<Discovery><ParticipantIndex>auto</ParticipantIndex><Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>"""

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, float32, float64, int8, int32, sequence, uint8, uint32
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration


@dataclass
class Time(IdlStruct, typename="builtin_interfaces::msg::dds_::Time_"):
    sec: int32
    nanosec: uint32


@dataclass
class Header(IdlStruct, typename="std_msgs::msg::dds_::Header_"):
    stamp: Time
    frame_id: str


@dataclass
class Text(IdlStruct, typename="std_msgs::msg::dds_::String_"):
    data: str


@dataclass
class JointState(IdlStruct, typename="sensor_msgs::msg::dds_::JointState_"):
    header: Header
    name: sequence[str]
    position: sequence[float64]
    velocity: sequence[float64]
    effort: sequence[float64]


@dataclass
class Vector3(IdlStruct, typename="geometry_msgs::msg::dds_::Vector3_"):
    x: float64
    y: float64
    z: float64


@dataclass
class Quaternion(IdlStruct, typename="geometry_msgs::msg::dds_::Quaternion_"):
    x: float64
    y: float64
    z: float64
    w: float64


@dataclass
class Transform(IdlStruct, typename="geometry_msgs::msg::dds_::Transform_"):
    translation: Vector3
    rotation: Quaternion


@dataclass
class TransformStamped(IdlStruct, typename="geometry_msgs::msg::dds_::TransformStamped_"):
    header: Header
    child_frame_id: str
    transform: Transform


@dataclass
class TFMessage(IdlStruct, typename="tf2_msgs::msg::dds_::TFMessage_"):
    transforms: sequence[TransformStamped]


@dataclass
class Twist(IdlStruct, typename="geometry_msgs::msg::dds_::Twist_"):
    linear: Vector3
    angular: Vector3


@dataclass
class Bumper(IdlStruct, typename="naoqi_bridge_msgs::msg::dds_::Bumper_"):
    bumper: uint8
    state: uint8


@dataclass
class JointAnglesWithSpeed(IdlStruct, typename="naoqi_bridge_msgs::msg::dds_::JointAnglesWithSpeed_"):
    header: Header
    joint_names: sequence[str]
    joint_angles: sequence[float32]
    speed: float32
    relative: uint8


# An action is services and topics.
@dataclass
class SendGoalRequest(IdlStruct, typename="naoqi_bridge_msgs::action::dds_::RunBehavior_SendGoal_Request_"):
    goal_id: array[uint8, 16]
    behavior: str


@dataclass
class SendGoalResponse(IdlStruct, typename="naoqi_bridge_msgs::action::dds_::RunBehavior_SendGoal_Response_"):
    accepted: bool
    stamp: Time


@dataclass
class GetResultRequest(IdlStruct, typename="naoqi_bridge_msgs::action::dds_::RunBehavior_GetResult_Request_"):
    goal_id: array[uint8, 16]


@dataclass
class GetResultResponse(IdlStruct, typename="naoqi_bridge_msgs::action::dds_::RunBehavior_GetResult_Response_"):
    status: int8
    no_errors: bool


@dataclass
class GoalInfo(IdlStruct, typename="action_msgs::msg::dds_::GoalInfo_"):
    goal_id: array[uint8, 16]
    stamp: Time


@dataclass
class CancelRequest(IdlStruct, typename="action_msgs::srv::dds_::CancelGoal_Request_"):
    goal_info: GoalInfo


@dataclass
class CancelResponse(IdlStruct, typename="action_msgs::srv::dds_::CancelGoal_Response_"):
    return_code: int8
    goals_canceling: sequence[GoalInfo]


@dataclass
class FeedbackMessage(IdlStruct, typename="naoqi_bridge_msgs::action::dds_::RunBehavior_FeedbackMessage_"):
    goal_id: array[uint8, 16]
    structure_needs_at_least_one_member: uint8


@dataclass
class GoalStatus(IdlStruct, typename="action_msgs::msg::dds_::GoalStatus_"):
    goal_info: GoalInfo
    status: int8


@dataclass
class GoalStatusArray(IdlStruct, typename="action_msgs::msg::dds_::GoalStatusArray_"):
    status_list: sequence[GoalStatus]


RELIABLE = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.History.KeepLast(50))
LATCHED = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.Durability.TransientLocal, Policy.History.KeepLast(50))


class Robot:
    """The program, and the lines that it tells."""

    def __init__(self, command):
        self.process = subprocess.Popen([*command, str(DOMAIN)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line.strip()) for line in self.process.stdout], daemon=True).start()

    def tells(self, begin, within=20):
        until = time.monotonic() + within
        while time.monotonic() < until:
            try:
                line = self.lines.get(timeout=0.2)
            except queue.Empty:
                continue
            if line.startswith(begin):
                return line
        raise AssertionError(f"the robot does not tell `{begin}`")

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(10) == 0


class Peer:
    """A participant of another implementation of DDS."""

    def __init__(self):
        self.participant = DomainParticipant(DOMAIN)

    def reader(self, name, kind, qos=RELIABLE):
        return DataReader(self.participant, Topic(self.participant, name, kind), qos=qos)

    def writer(self, name, kind, qos=RELIABLE):
        return DataWriter(self.participant, Topic(self.participant, name, kind), qos=qos)


def take(reader, wanted=lambda sample: True, within=20):
    """The first sample that is wanted."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        for sample in reader.take(N=50):
            if sample.sample_info.valid_data and wanted(sample):
                return sample
        time.sleep(0.02)
    raise AssertionError("nothing of that kind comes")


def matched(*endpoints, within=20):
    """Waits until somebody reads what is written here, or writes what is read here."""
    until = time.monotonic() + within
    for endpoint in endpoints:
        others = endpoint.get_matched_subscriptions if isinstance(endpoint, DataWriter) else endpoint.get_matched_publications
        while not others():
            assert time.monotonic() < until, "nobody is found"
            time.sleep(0.02)


def topics(peer, robot):
    begun = time.monotonic()
    joints = peer.reader("rt/joint_states", JointState)
    state = take(joints)
    print(f"the first joint state came after {time.monotonic() - begun:.2f} s")
    assert len(state.name) == len(state.position) == 26 and state.name[0] == "HeadYaw", state
    assert abs(state.header.stamp.sec - time.time()) < 5
    times, until = [], time.monotonic() + 2
    while time.monotonic() < until:
        times += [s.header.stamp.sec + s.header.stamp.nanosec / 1e9 for s in joints.take(N=50) if s.sample_info.valid_data]
        time.sleep(0.02)
    print(f"{len(times) / 2:.0f} joint states a second")
    assert len(times) > 60 and times == sorted(times)
    frames = take(peer.reader("rt/tf", TFMessage)).transforms
    assert frames[0].header.frame_id == "odom" and 0.3 < frames[0].transform.translation.z < 0.34, frames[0]
    # Who comes late gets what was published once.
    text = take(peer.reader("rt/robot_description", Text, LATCHED)).data
    assert text.startswith("<?xml") and 'joint name="HeadYaw"' in text
    fixed = take(peer.reader("rt/tf_static", TFMessage, LATCHED)).transforms
    assert [frame.child_frame_id for frame in fixed][0] == "torso"
    assert take(peer.reader("rt/said", Text)).data.startswith("Grüße ")
    touch = take(peer.reader("rt/bumper", Bumper))
    assert (touch.bumper, touch.state) == (1, 1)

    say, walk = peer.writer("rt/speech", Text), peer.writer("rt/cmd_vel", Twist)
    angles = peer.writer("rt/joint_angles", JointAnglesWithSpeed)
    matched(say, walk, angles)
    say.write(Text("Guten Tag, 世界"))
    assert robot.tells("say") == "say Guten Tag, 世界"
    walk.write(Twist(Vector3(0.1, -0.2, 9.0), Vector3(9.0, 9.0, 0.3)))
    assert robot.tells("walk") == "walk 0.1 -0.2 0.3"
    walk.write(Twist(Vector3(float("nan"), 0.0, 0.0), Vector3(0.0, 0.0, 0.0)))
    angles.write(JointAnglesWithSpeed(Header(Time(1, 2), ""), ["HeadYaw", "HeadPitch"], [0.5, -0.25], 0.1, 1))
    assert robot.tells("") == "angles HeadYaw,HeadPitch [0.5, -0.25] 0.1 1", "and no walk at a speed that is no number"
    print("topics in both directions")


class Service:
    """The only client of a service: every reply is to its last request."""

    def __init__(self, peer, name, kinds):
        self.requests = peer.writer(f"rq/{name}Request", kinds[0])
        self.replies = peer.reader(f"rr/{name}Reply", kinds[1])
        matched(self.requests, self.replies)

    def ask(self, request):
        self.requests.write(request)
        return take(self.replies)


def action(peer, robot):
    base = "run_behavior/_action"
    goal = Service(peer, f"{base}/send_goal", (SendGoalRequest, SendGoalResponse))
    result = Service(peer, f"{base}/get_result", (GetResultRequest, GetResultResponse))
    cancel = Service(peer, f"{base}/cancel_goal", (CancelRequest, CancelResponse))
    feedback = peer.reader(f"rt/{base}/feedback", FeedbackMessage)
    status = peer.reader(f"rt/{base}/status", GoalStatusArray, LATCHED)
    matched(feedback, status)

    def new_id():
        return list(uuid.uuid4().bytes)

    def ends(name, expected, cancels=False):
        number = new_id()
        assert goal.ask(SendGoalRequest(number, name)).accepted
        assert robot.tells("play") == f"play {name}"
        assert list(take(feedback).goal_id) == number
        if cancels:
            answer = cancel.ask(CancelRequest(GoalInfo(number, Time(0, 0))))
            assert answer.return_code == 0 and list(answer.goals_canceling[0].goal_id) == number, answer
            assert robot.tells("stopped")
        answer = result.ask(GetResultRequest(number))
        assert (answer.status, answer.no_errors) == expected, (name, answer)
        last = take(status, lambda s: any(list(one.goal_info.goal_id) == number and one.status == expected[0] for one in s.status_list))
        assert last

    ends("short", (4, True))
    ends("failing", (6, False))
    ends("long", (5, False), cancels=True)
    assert not goal.ask(SendGoalRequest(new_id(), "none")).accepted
    # One at a time.
    number = new_id()
    assert goal.ask(SendGoalRequest(number, "long")).accepted
    assert not goal.ask(SendGoalRequest(new_id(), "short")).accepted
    assert cancel.ask(CancelRequest(GoalInfo([0] * 16, Time(0, 0)))).return_code == 0, "all of them"
    assert result.ask(GetResultRequest(number)).status == 5
    print("the action: goals, feedback, status, results, cancelling")


def main():
    robot = Robot(sys.argv[1:])
    try:
        robot.tells("ready")
        peer = Peer()
        topics(peer, robot)
        action(peer, robot)
        robot.end()
    finally:
        robot.process.kill()


if __name__ == "__main__":
    main()
