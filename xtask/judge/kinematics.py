"""Compares Boxstep's kinematics and dynamics with Pinocchio's: python kinematics.py FOLDER

The folder has a robot description, what moves in each posture, and Boxstep's results, as arrays of f64.
"""

import json
import sys
from pathlib import Path

import numpy
import pinocchio


def main(folder):
    about = json.loads((folder / "about.json").read_text())
    count, links, joints = about["postures"], about["links"], about["joints"]

    def read(name, *shape):
        return numpy.fromfile(folder / name).reshape(count, *shape)

    model = pinocchio.buildModelFromUrdf(str(folder / "robot.urdf"), pinocchio.JointModelFreeFlyer())
    data = model.createData()
    moving = [at for at, link in enumerate(links) if link["joint"] >= 0]
    place = {at: model.joints[model.getJointId(links[at]["name"])] for at in moving}
    frame = [model.getFrameId(link["name"], pinocchio.FrameType.BODY) for link in links]
    values = read("values.f64", 3, len(links))
    poses, centers, torques = read("poses.f64", len(links), 12), read("centers.f64", 3), read("torques.f64", joints)
    worst = dict.fromkeys(("pose", "center", "torque"), 0.0)
    for at in range(count):
        q, v, a = pinocchio.neutral(model), numpy.zeros(model.nv), numpy.zeros(model.nv)
        for link in moving:
            q[place[link].idx_q], v[place[link].idx_v], a[place[link].idx_v] = values[at][:, link]
        pinocchio.forwardKinematics(model, data, q)
        pinocchio.updateFramePlacements(model, data)
        for link, own in zip(frame, poses[at]):
            found = data.oMf[link]
            peer = numpy.hstack((found.rotation, found.translation.reshape(3, 1))).ravel()
            worst["pose"] = max(worst["pose"], abs(peer - own).max())
        center = pinocchio.centerOfMass(model, data, q)
        worst["center"] = max(worst["center"], abs(center - centers[at]).max())
        found = pinocchio.rnea(model, data, q, v, a)
        peer = numpy.zeros(joints)
        for link in moving:
            peer[links[link]["joint"]] += links[link]["scale"] * found[place[link].idx_v]
        worst["torque"] = max(worst["torque"], abs(peer - torques[at]).max())
    print(f"{about['body']}: {count} postures beside Pinocchio {pinocchio.__version__}: largest difference of "
          + ", ".join(f"{what} {off:.1e}" for what, off in worst.items()))
    if max(worst.values()) > 1e-9:
        sys.exit(f"{about['body']}: more than 1e-9 beside Pinocchio")


main(Path(sys.argv[1]))
