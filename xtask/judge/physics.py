"""Holds the physics of robots against MuJoCo. The argument is the file of scenarios that Boxstep has played."""

import json
import math
import sys
import time

import mujoco
import numpy as np

FRICTION, CORNER = 0.8, 0.003
# The servos of boxstep-physics/src/servo.rs.
SAG, LAG, ROTOR, DRY = 0.03, 0.02, 0.001, 0.1


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def model_of(body):
    """Returns the body as a model of MuJoCo."""
    children = {}
    for at, link in enumerate(body["links"]):
        children.setdefault(link["parent"], []).append(at)
    actuators = []

    def body_text(at):
        link = body["links"][at]
        where = f'pos="{numbers(link["origin"][:3])}" quat="{numbers(link["origin"][3:])}"'
        text = f'<body name="{link["name"]}" {where}>'
        joint = link["joint"]
        if link["parent"] is None:
            text += "<freejoint/>"
        elif joint:
            low, high = sorted([joint["min"] * link["scale"], joint["max"] * link["scale"]])
            torque = joint["torque"]
            drag = torque / joint["speed"]
            text += (
                f'<joint name="{link["name"]}" axis="{numbers(link["axis"])}" range="{low} {high}" limited="true" '
                f'armature="{torque * ROTOR}" damping="{drag}" frictionloss="{DRY * torque}"/>'
            )
            actuators.append((link["name"], torque))
        if link["mass"] > 0:
            text += (
                f'<inertial pos="{numbers(link["center"])}" mass="{link["mass"]}" '
                f'fullinertia="{numbers(link["inertia"])}"/>'
            )
        geoms = []
        if link["sole"]:
            geoms += [f'type="sphere" size="{CORNER}" pos="{x} {y} {z + CORNER}"' for x, y, z in link["sole"]]
        else:
            for solid in link["solids"]:
                if "radius" in solid:
                    if solid["from"] == solid["to"]:
                        geoms.append(f'type="sphere" size="{solid["radius"]}" pos="{numbers(solid["from"])}"')
                    else:
                        ends = numbers(solid["from"] + solid["to"])
                        geoms.append(f'type="capsule" size="{solid["radius"]}" fromto="{ends}"')
                else:
                    half = numbers(size / 2 for size in solid["size"])
                    geoms.append(f'type="box" size="{half}" pos="{numbers(solid["middle"])}"')
        geoms += [f'type="sphere" size="{CORNER}" pos="{numbers(at)}"' for at in link["bumpers"]]
        for geom in geoms:
            text += f'<geom {geom} mass="0" contype="1" conaffinity="0"/>'
        for child in children.get(at, []):
            text += body_text(child)
        return text + "</body>"

    bodies = body_text(0)
    motors = "".join(
        f'<general joint="{name}" gainprm="{torque / SAG}" biastype="affine" '
        f'biasprm="0 {-torque / SAG} {-torque / SAG * LAG}" forcelimited="true" forcerange="{-torque} {torque}"/>'
        for name, torque in actuators
    )
    # Stiff contacts, as those of a floor.
    text = f"""<mujoco><compiler angle="radian" boundmass="1e-9" boundinertia="1e-12" balanceinertia="true" inertiafromgeom="false"/>
    <option timestep="0.0005" gravity="0 0 -9.81" integrator="implicitfast" cone="elliptic"/>
    <default><geom friction="{FRICTION} 0.005 0.0001" solref="0.004 1"/></default>
    <worldbody><geom type="plane" size="10 10 1" contype="0" conaffinity="1"/>{bodies}</worldbody>
    <actuator>{motors}</actuator></mujoco>"""
    return mujoco.MjModel.from_xml_string(text)


def play(model, body, scenario, step):
    """Plays a scenario; returns the poses of the torso at the times of Boxstep's steps."""
    data = mujoco.MjData(model)
    data.qpos[:7] = scenario["torso"][0]
    numbered = {link["name"]: link for link in body["links"]}
    for joint in range(1, model.njnt):
        link = numbered[model.joint(joint).name]
        data.qpos[model.jnt_qposadr[joint]] = link["scale"] * scenario["angles"][link["number"]]
    for actuator in range(model.nu):
        link = numbered[model.joint(model.actuator_trnid[actuator, 0]).name]
        data.ctrl[actuator] = link["scale"] * scenario["angles"][link["number"]]
        for values in (model.actuator_gainprm, model.actuator_biasprm):
            values[actuator] *= scenario["stiffness"]
        model.actuator_forcerange[actuator] *= scenario["stiffness"]
    each = round(step / model.opt.timestep)
    poses = [data.qpos[:7].copy()]
    for _ in range(len(scenario["torso"]) - 1):
        for _ in range(each):
            mujoco.mj_step(model, data)
        poses.append(data.qpos[:7].copy())
    return np.array(poses)


def speed(model, body, scenario, step, seconds=20):
    """Returns how many times as fast as real time MuJoCo is, in the same steps."""
    model.opt.timestep = step
    play(model, body, scenario | {"torso": scenario["torso"][:1]}, step)
    begun = time.perf_counter()
    play(model, body, scenario | {"torso": scenario["torso"][:1] * round(seconds / step)}, step)
    return seconds / (time.perf_counter() - begun)


def tilt(poses):
    """Returns the angle between the torso's z and the vertical."""
    x, y = poses[:, 4], poses[:, 5]
    return np.arccos(np.clip(1 - 2 * (x * x + y * y), -1, 1))


def when(angles, limit, step):
    over = np.nonzero(angles > limit)[0]
    return over[0] * step if len(over) else math.inf


def main():
    with open(sys.argv[1]) as file:
        judged = json.load(file)
    step, wrong = judged["step"], []

    def told(text, off, bar):
        print(f"{text}: {off} (at most {bar})")
        if not off <= bar:
            wrong.append(text)

    nao = judged["robots"][0]
    theirs = speed(model_of(nao["body"]), nao["body"], nao["scenarios"][1], step)
    print(f"NAO in steps of {step * 1e3:.0f} ms: {judged['speed']:.0f} times as fast as real time, MuJoCo {theirs:.0f}")
    for robot in judged["robots"]:
        body = robot["body"]
        for scenario in robot["scenarios"]:
            theirs = play(model_of(body), body, scenario, step)
            ours = np.array(scenario["torso"])
            name = f"{body['name']}, {scenario['name']}"
            if scenario["name"] == "free fall":
                fallen = abs(theirs[-1, 2] - theirs[0, 2])
                off = np.linalg.norm(ours[-1, :3] - theirs[-1, :3]) / fallen
                told(f"{name}, off as a part of the way", round(off, 5), 0.01)
            elif scenario["name"].startswith("tip"):
                begin = max(tilt(ours)[0], tilt(theirs)[0])
                times = [when(tilt(of), begin + 0.8, step) for of in (ours, theirs)]
                off = abs(times[0] / times[1] - 1)
                told(f"{name}, {times[0]:.3f} s and {times[1]:.3f} s, off as a part of the time", round(off, 4), 0.05)
            else:
                off = abs(ours[-1, 2] - theirs[-1, 2])
                told(f"{name}, height of the torso, off in metres", round(off, 5), 0.002)
    if wrong:
        sys.exit(f"{len(wrong)} of the figures are not within their bars")


main()
