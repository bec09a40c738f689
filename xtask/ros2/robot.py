"""Moves a simulated robot by ROS 2, with another implementation of DDS: python robot.py BOXSTEP REPOSITORY FOLDER"""

import os
import shutil
import subprocess
import sys
import time
import uuid
from pathlib import Path

import node
from node import CancelRequest, GetResultRequest, GetResultResponse, GoalInfo, Header, JointAnglesWithSpeed, JointState
from node import Peer, SendGoalRequest, SendGoalResponse, Service, TFMessage, Text, Time, Twist, Vector3, matched, take
from node import CancelResponse


BEHAVIORS = {
    "idle": "crates/boxstep/tests/fixtures/endless.xar",
    "hello": "examples/hello/behavior.xar",
    "wait": "examples/say-and-wait/behavior.xar",
}


def project(repository, folder):
    """A project with behaviors of the repository."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, file in BEHAVIORS.items():
        (folder / name).mkdir(parents=True)
        shutil.copy(repository / file, folder / name / "behavior.xar")
    rows = "".join(f'<BehaviorDescription name="behavior" src="{name}" xar="behavior.xar" />' for name in BEHAVIORS)
    file = folder / "app.pml"
    file.write_text(f'<Package name="app" format_version="4"><BehaviorDescriptions>{rows}</BehaviorDescriptions></Package>')
    return file


def stops(trace):
    """Whether the robot was told to walk, and then to stop."""
    calls = [line for line in trace.read_text().splitlines() if '"service":"ALMotion"' in line and '"what":"call"' in line]
    walks = [at for at, line in enumerate(calls) if '"method":"move"' in line]
    return bool(walks) and any('"method":"stopMove"' in line for line in calls[walks[-1] :])


def move(boxstep, repository, folder, more):
    """Plays a behavior that only waits, and moves the robot beside it."""
    behaviors = project(repository, folder)
    environment = {**os.environ, "ROS_DOMAIN_ID": str(node.DOMAIN)}
    trace = folder / "run.jsonl"
    command = [boxstep, "play", str(behaviors), "--behavior", "idle", "--ros2", "--ends-with-input", "--trace", str(trace), *more]
    robot = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        peer = Peer()
        joints, said = peer.reader("rt/joint_states", JointState), peer.reader("rt/said", Text)
        say, walk = peer.writer("rt/speech", Text), peer.writer("rt/cmd_vel", Twist)
        angles = peer.writer("rt/joint_angles", JointAnglesWithSpeed)
        matched(joints, said, say, walk, angles)

        def angle(name):
            return lambda sample: sample.position[sample.name.index(name)]

        angles.write(JointAnglesWithSpeed(Header(Time(0, 0), ""), ["HeadYaw"], [0.5], 0.3, 0))
        take(joints, lambda sample: abs(angle("HeadYaw")(sample) - 0.5) < 1e-3)
        angles.write(JointAnglesWithSpeed(Header(Time(0, 0), ""), ["HeadYaw"], [-0.25], 0.3, 1))
        take(joints, lambda sample: abs(angle("HeadYaw")(sample) - 0.25) < 1e-3)
        say.write(Text("Grüß Gott"))
        assert take(said).data == "Grüß Gott"

        base = "run_behavior/_action"
        goal = Service(peer, f"{base}/send_goal", (SendGoalRequest, SendGoalResponse))
        result = Service(peer, f"{base}/get_result", (GetResultRequest, GetResultResponse))
        cancel = Service(peer, f"{base}/cancel_goal", (CancelRequest, CancelResponse))

        def plays(name, cancels):
            number = list(uuid.uuid4().bytes)
            assert goal.ask(SendGoalRequest(number, name)).accepted
            if cancels:
                take(said)
                assert cancel.ask(CancelRequest(GoalInfo(number, Time(0, 0)))).return_code == 0
            return result.ask(GetResultRequest(number))

        assert plays("app/hello", False).status == 4
        assert take(said).data == "Hello, I am a robot."
        assert plays("app/wait", True).status == 5
        # A real robot is asked whether it has the behavior itself.
        number = list(uuid.uuid4().bytes)
        if goal.ask(SendGoalRequest(number, "none")).accepted:
            assert more and result.ask(GetResultRequest(number)).status == 6
        # Who lets it walk says nothing more, and it stands still.
        walk.write(Twist(Vector3(0.05, 0.0, 0.0), Vector3(0.0, 0.0, 0.0)))
        until = time.monotonic() + 20
        while not stops(trace):
            assert time.monotonic() < until, "it walks on"
            time.sleep(0.1)
        # It walks when the run ends.
        walk.write(Twist(Vector3(0.05, 0.0, 0.0), Vector3(0.0, 0.0, 0.0)))
        robot.stdin.close()
        assert robot.wait(10) in (0, 130), robot.returncode
    finally:
        robot.kill()


def main():
    boxstep, repository, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    move(boxstep, repository, folder, [])
    print("a run on the simulated robot is moved by another program")
    # What is a real robot to one run is a simulated one that is served by another.
    address = "127.0.0.1:9797"
    served = subprocess.Popen([boxstep, "robot", "--listen", address, "--quiet"], stdin=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 20
        while subprocess.run([boxstep, "qi", "info", address], capture_output=True).returncode != 0:
            assert time.monotonic() < until, "no robot is served"
            time.sleep(0.2)
        move(boxstep, repository, folder, ["--robot", address])
        # It completes its step.
        until = time.monotonic() + 5
        ask = [boxstep, "qi", "call", address, "ALMotion.moveIsActive", "--json"]
        while subprocess.run(ask, capture_output=True, text=True).stdout.strip() != "false":
            assert time.monotonic() < until, "it walks on"
            time.sleep(0.2)
        print("a run on a robot over qi is moved by another program, and the robot stands when it has ended")
    finally:
        served.kill()


main()
