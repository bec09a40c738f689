"""Reads recordings for ROS 2 with two readers that know nothing of Boxstep, and compares them with each other and with the traces.

Arguments: the trace and the recording of each run.
"""

import io
import json
import sys
from pathlib import Path

import numpy
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader
from urdf_parser_py.urdf import URDF as Description
from yourdfpy import URDF


def plain(value):
    """A message of either reader as lists and dictionaries."""
    if isinstance(value, numpy.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    names = getattr(value, "__dataclass_fields__", None) or getattr(value, "__slots__", None)
    if names:
        return {name: plain(getattr(value, name)) for name in names if name != "__msgtype__" and not name.isupper()}
    return value


def by_rosbags(path):
    with AnyReader([path]) as reader:
        return [(c.topic, time, plain(reader.deserialize(raw, c.msgtype))) for c, time, raw in reader.messages()]


def by_mcap(path):
    with open(path, "rb") as file:
        reader = make_reader(file, decoder_factories=[DecoderFactory()])
        read = reader.iter_decoded_messages()
        return [(channel.topic, message.log_time, plain(decoded)) for _, channel, message, decoded in read]


def matrix(transform):
    x, y, z, w = (transform["rotation"][part] for part in "xyzw")
    pose = numpy.eye(4)
    pose[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    pose[:3, 3] = [transform["translation"][part] for part in "xyz"]
    return pose


def frames(message):
    found = message["transforms"]
    return {one["child_frame_id"]: (one["header"]["frame_id"], matrix(one["transform"])) for one in found}


def compare_frames(messages):
    """The largest difference of a transform from what the description gives for the same joint states."""
    [text] = [message["data"] for topic, _, message in messages if topic == "/robot_description"]
    robot = URDF.load(io.BytesIO(text.encode()), build_scene_graph=True, load_meshes=False)
    assert Description.from_xml_string(text).get_root() == robot.base_link
    still = {}
    for topic, _, message in messages:
        if topic == "/tf_static":
            still.update(frames(message))
    states = {time: message for topic, time, message in messages if topic == "/joint_states"}
    worst = 0.0
    for time, message in [(time, message) for topic, time, message in messages if topic == "/tf"][::10]:
        all_frames = {**still, **frames(message)}
        angles = dict(zip(states[time]["name"], states[time]["position"]))
        robot.update_cfg({name: angles[name] for name in robot.actuated_joint_names})
        for link in robot.link_map:
            pose, at = numpy.eye(4), link
            while at != robot.base_link:
                at, step = all_frames[at]
                pose = step @ pose
            worst = max(worst, numpy.abs(robot.get_transform(link, robot.base_link) - pose).max())
    return worst


def compare_trace(trace, messages):
    """The largest difference of a joint state from the trace, and how many were compared."""
    header, *events = [json.loads(line) for line in trace.read_text().splitlines()]
    begin = header["epoch"] * 10**9
    said = [(begin + event["t"], event["text"]) for event in events if event.get("act") == "say"]
    assert said == [(time, message["data"]) for topic, time, message in messages if topic == "/speech"]
    states = {time: message for topic, time, message in messages if topic == "/joint_states"}
    worst, count = 0.0, 0
    for event in events:
        if event.get("kind") == "joints":
            state = states[begin + event["t"]]
            angles = dict(zip(state["name"], state["position"]))
            worst = max([worst, *(abs(angles[name] - angle) for name, angle in event["angles"].items())])
            count += 1
    return worst, count


def main():
    paths = [Path(path) for path in sys.argv[1:]]
    for trace, bag in zip(paths[::2], paths[1::2]):
        messages = by_rosbags(bag)
        other = by_mcap(bag)
        assert sorted(messages, key=lambda one: (one[1], one[0])) == sorted(other, key=lambda one: (one[1], one[0])), bag
        apart, count = compare_trace(trace, messages)
        turned = compare_frames(messages)
        print(f"{bag.stem}: {len(messages)} messages; {count} postures, {apart:.1e} from the trace; frames {turned:.1e} from the description")
        assert apart < 1e-9 and turned < 1e-6 and count > 50, bag


main()
