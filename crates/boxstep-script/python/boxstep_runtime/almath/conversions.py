"""Conversions between poses, positions, rotations and transforms, and the change of a reference frame."""
import math

from .matrices import Quaternion, Rotation, Transform, _rotation
from .vectors import Pose2D, Position2D, Position3D, Position6D, Rotation3D, Velocity3D, Velocity6D

# -- to transforms ---------------------------------------------------------------------------------------------------


def transformFromPose2D(pose):
    return Transform.fromPosition(pose.x, pose.y, 0.0, 0.0, 0.0, pose.theta)


def transformFromPosition2D(position):
    return Transform.fromPosition(position.x, position.y, 0.0)


def transformFromPosition3D(position):
    return Transform.fromPosition(position.x, position.y, position.z)


def transformFromPosition6D(position):
    return Transform.fromPosition(*position.toVector())


def transformFromPosition(*numbers):
    """x, y, z, and rotations about X, Y and Z."""
    return Transform.fromPosition(*numbers)


def transformFromRotation(rotation):
    return transformFromRotationPosition3D(rotation, Position3D())


def transformFromRotationPosition3D(rotation, *position):
    """Takes a rotation, and a position or its three numbers."""
    place = position[0].toVector() if len(position) == 1 else position
    return Transform([n for row, at in zip(rotation._rows(), place) for n in row + [at]])


def transformFromRotation3D(rotation):
    return Transform.from3DRotation(*rotation.toVector())


def transformFrom3DRotation(wx, wy, wz):
    return Transform.from3DRotation(wx, wy, wz)


def transformFromQuaternion(quaternion):
    return transformFromRotation(rotationFromQuaternion(quaternion))


def transformFromRotX(angle):
    return Transform.fromRotX(angle)


def transformFromRotY(angle):
    return Transform.fromRotY(angle)


def transformFromRotZ(angle):
    return Transform.fromRotZ(angle)


def transformFromRotVec(*args):
    """Takes an axis (1 X, 2 Y, 3 Z), an angle and optionally a position; or a position alone; or nothing."""
    place = args[-1] if args and isinstance(args[-1], Position3D) else Position3D()
    turned = Transform()
    if len(args) > 1:
        about = {1: Transform.fromRotX, 2: Transform.fromRotY, 3: Transform.fromRotZ}
        if args[0] not in about:
            raise RuntimeError("the axis is 1 (X), 2 (Y) or 3 (Z), not %s" % args[0])
        turned = about[args[0]](args[1])
    turned.r1_c4, turned.r2_c4, turned.r3_c4 = place.toVector()
    return turned


# -- from transforms -------------------------------------------------------------------------------------------------


def position2DFromTransform(transform):
    return Position2D(transform.r1_c4, transform.r2_c4)


def position3DFromTransform(transform):
    return Position3D(transform.r1_c4, transform.r2_c4, transform.r3_c4)


def position6DFromTransform(transform):
    return Position6D(position3DFromTransform(transform).toVector() + rotation3DFromTransform(transform).toVector())


def pose2DFromTransform(transform):
    return Pose2D(transform.r1_c4, transform.r2_c4, math.atan2(transform.r2_c1, transform.r1_c1))


def rotationFromTransform(transform):
    return _rotation(transform)


def rotation3DFromTransform(transform):
    return rotation3DFromRotation(transform)


def quaternionFromTransform(transform):
    return quaternionFromRotation(_rotation(transform))


# -- rotations -------------------------------------------------------------------------------------------------------


def rotation3DFromRotation(r):
    """Returns the angles about X, Y and Z, in this order of application."""
    wz = math.atan2(r.r2_c1, r.r1_c1)
    c, s = math.cos(wz), math.sin(wz)
    wy = math.atan2(-r.r3_c1, r.r1_c1 * c + r.r2_c1 * s)
    wx = math.atan2(r.r1_c3 * s - r.r2_c3 * c, r.r2_c2 * c - r.r1_c2 * s)
    return Rotation3D(wx, wy, wz)


def rotationFrom3DRotation(wx, wy, wz):
    return Rotation.from3DRotation(wx, wy, wz)


def rotationFromRotation3D(rotation):
    return Rotation.from3DRotation(*rotation.toVector())


def rotationFromRotX(angle):
    return Rotation.fromRotX(angle)


def rotationFromRotY(angle):
    return Rotation.fromRotY(angle)


def rotationFromRotZ(angle):
    return Rotation.fromRotZ(angle)


def rotationFromQuaternion(quaternion):
    return Rotation.fromQuaternion(*quaternion.toVector())


def rotationFromAngleDirection(angle, direction):
    return Rotation.fromAngleDirection(angle, *direction.toVector())


def applyRotation(rotation, position):
    """Turns a position, which is changed."""
    position._set(rotation * position)


def quaternionFromRotation(rotation):
    axis, angle = _axis_angle(rotation)
    return Quaternion.fromAngleAndAxisRotation(angle, *axis.toVector())


def quaternionFromRotation3D(rotation):
    return quaternionFromRotation(rotationFromRotation3D(rotation))


def quaternionFromAngleAndAxisRotation(angle, x, y, z):
    return Quaternion.fromAngleAndAxisRotation(angle, x, y, z)


def angleAndAxisRotationFromQuaternion(quaternion):
    """Returns (angle, x, y, z); the axis of no rotation is X."""
    v = Position3D(quaternion.x, quaternion.y, quaternion.z)
    length = v.norm()
    axis = v / length if length > 0 else Position3D(1, 0, 0)
    return (2.0 * math.atan2(length, quaternion.w), axis.x, axis.y, axis.z)


def quaternionInverse(quaternion):
    return quaternion.inverse()


def rotation3DFromQuaternion(quaternion):
    return rotation3DFromRotation(rotationFromQuaternion(quaternion))


def _axis_angle(rotation):
    """Returns the axis and the angle, from 0 to pi, of a rotation."""
    r = rotation
    v = Position3D(r.r3_c2 - r.r2_c3, r.r1_c3 - r.r3_c1, r.r2_c1 - r.r1_c2)
    trace = r.r1_c1 + r.r2_c2 + r.r3_c3
    angle = math.atan2(v.norm(), trace - 1.0)
    if v.norm() > 1e-9:
        return v.normalize(), angle
    if trace > 0:
        return Position3D(1, 0, 0), 0.0
    # Half a turn: the columns of R + 1 are multiples of the axis.
    columns = [Position3D(r.r1_c1 + 1, r.r2_c1, r.r3_c1), Position3D(r.r1_c2, r.r2_c2 + 1, r.r3_c2),
               Position3D(r.r1_c3, r.r2_c3, r.r3_c3 + 1)]
    return max(columns, key=lambda column: column.norm()).normalize(), math.pi


# -- poses, positions and velocities ---------------------------------------------------------------------------------


def position2DFromPose2D(pose):
    return Position2D(pose.x, pose.y)


def position3DFromPosition6D(position):
    return Position3D(position.x, position.y, position.z)


def position6DFromPose2D(pose):
    return Position6D(pose.x, pose.y, 0.0, 0.0, 0.0, pose.theta)


def position6DFromPosition3D(position):
    return Position6D(position.x, position.y, position.z, 0.0, 0.0, 0.0)


def position6DFromVelocity6D(velocity):
    return Position6D(velocity.toVector())


def velocity6DFromPosition6D(position):
    return Velocity6D(position.toVector())


def pose2DFromPosition6D(position):
    return Pose2D(position.x, position.y, position.wz)


def pose2DFromPosition3D(position):
    return Pose2D(position.x, position.y, 0.0)


def pose2DFromPosition2D(position, theta=0.0):
    return Pose2D(position.x, position.y, theta)


pose2dFromPosition6D = pose2DFromPosition6D
pose2dFromPosition3D = pose2DFromPosition3D
pose2dFromPosition2D = pose2DFromPosition2D


# -- the same quantity in another frame ------------------------------------------------------------------------------


def _turned(rotation, value):
    """Turns each triple of a value."""
    numbers = value.toVector()
    parts = [numbers[at:at + 3] for at in range(0, len(numbers), 3)]
    return type(value)([n for part in parts for n in (rotation * Position3D(part)).toVector()])


def _of(transform):
    return transform if isinstance(transform, Rotation) else _rotation(transform)


def changeReferencePosition3D(transform, position):
    return _turned(_of(transform), position)


def changeReferenceTransposePosition3D(transform, position):
    return _turned(_of(transform).transpose(), position)


changeReferencePosition6D = changeReferenceVelocity3D = changeReferenceVelocity6D = changeReferencePosition3D
changeReferenceTransposePosition6D = changeReferenceTransposePosition3D
changeReferenceTransposeVelocity3D = changeReferenceTransposeVelocity6D = changeReferenceTransposePosition3D


def changeReferenceTransform(transform, other):
    """Turns a transform: its rotation and its position."""
    turned = _of(transform)
    return transformFromRotationPosition3D(turned * _rotation(other), turned * position3DFromTransform(other))


def changeReferenceTransposeTransform(transform, other):
    return changeReferenceTransform(_of(transform).transpose(), other)


def changeReferencePose2D(theta, pose):
    """Turns a pose by an angle; its direction stays."""
    c, s = math.cos(theta), math.sin(theta)
    return Pose2D(c * pose.x - s * pose.y, s * pose.x + c * pose.y, pose.theta)
