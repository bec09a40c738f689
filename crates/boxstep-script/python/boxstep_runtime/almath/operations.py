"""Angles, limits, and what is calculated with poses and transforms."""
import math

from .conversions import (
    _axis_angle, changeReferencePose2D, pose2DFromTransform, position3DFromTransform, position6DFromTransform,
    rotationFromAngleDirection, transformFromPose2D, transformFromRotation, transformFromRotationPosition3D)
from .matrices import Rotation, Transform, _rotation
from .vectors import Pose2D, Position3D, Position6D, Velocity6D

# -- numbers ---------------------------------------------------------------------------------------------------------


def modulo2PI(angle):
    """Returns the equivalent angle between -pi and pi (pi included)."""
    angle = math.fmod(angle, 2 * math.pi)
    if angle <= -math.pi:
        return angle + 2 * math.pi
    return angle - 2 * math.pi if angle > math.pi else angle


def meanAngle(angles):
    """Returns the direction of the sum of the unit vectors; raises RuntimeError if that is zero."""
    return weightedMeanAngle(angles, [1.0] * len(angles))


def weightedMeanAngle(angles, weights):
    if not angles or len(angles) != len(weights) or min(weights) < 0:
        raise RuntimeError("there must be angles, and for each a weight that is not negative")
    x = sum(weight * math.cos(angle) for angle, weight in zip(angles, weights))
    y = sum(weight * math.sin(angle) for angle, weight in zip(angles, weights))
    if math.hypot(x, y) < 1e-9:
        raise RuntimeError("these angles have no mean: they point in opposite directions")
    return math.atan2(y, x)


def clipData(least, most, value):
    """Returns (whether the value was clipped, the value within the limits)."""
    clipped = min(max(value, least), most)
    return clipped != value, clipped


def norm(vector):
    return vector.norm()


def normalize(vector):
    return vector.normalize()


def distance(a, b):
    return a.distance(b)


def distanceSquared(a, b):
    return a.distanceSquared(b)


def dotProduct(a, b):
    return a.dotProduct(b)


def crossProduct(a, b):
    return a.crossProduct(b)


def determinant(matrix):
    """Takes a rotation or a transform."""
    return matrix.determinant()


# -- poses and transforms --------------------------------------------------------------------------------------------


def pose2DInverse(pose, result=None):
    """Returns the inverse; with a second pose, stores it there."""
    return _into(result, pose.inverse())


def pinv(pose):
    return pose.inverse()


def pose2DDiff(a, b):
    """Returns b in the frame of a."""
    return a.diff(b)


pose2dDiff = pose2DDiff


def transformInverse(transform, result=None):
    """Returns the inverse; with a second transform, stores it there."""
    return _into(result, transform.inverse())


def transformDiff(a, b):
    """Returns b in the frame of a."""
    return a.diff(b)


def transformLogarithm(transform):
    """Returns the velocity that leads to the transform in one second: the inverse of velocityExponential."""
    axis, angle = _axis_angle(_rotation(transform))
    turn = axis * angle
    p = position3DFromTransform(transform)
    across = turn.crossProduct(p)
    # The first terms of the series, where the difference of nearly equal numbers would be noise.
    factor = (1.0 / 12.0 + angle ** 2 / 720.0 if angle < 0.01
              else (1.0 - angle * math.sin(angle) / (2.0 * (1.0 - math.cos(angle)))) / angle ** 2)
    v = p - across * 0.5 + turn.crossProduct(across) * factor
    return Velocity6D(v.toVector() + turn.toVector())


def velocityExponential(velocity):
    """Returns where a constant velocity leads in one second."""
    numbers = velocity.toVector()
    v, turn = Position3D(numbers[:3]), Position3D(numbers[3:])
    angle = turn.norm()
    if angle == 0:
        return Transform(*v.toVector())
    across = turn.crossProduct(v)
    if angle < 0.01:
        first, second = 0.5 - angle ** 2 / 24.0, 1.0 / 6.0 - angle ** 2 / 120.0
    else:
        first, second = (1.0 - math.cos(angle)) / angle ** 2, (angle - math.sin(angle)) / angle ** 3
    p = v + across * first + turn.crossProduct(across) * second
    return transformFromRotationPosition3D(rotationFromAngleDirection(angle, turn), p)


def transformMean(a, b, share=0.5):
    """Returns the transform between two, at a share of the way."""
    return a * velocityExponential(transformLogarithm(a.diff(b)) * share)


def position6DFromTransformDiff(now, wanted):
    """Returns the way from one transform to another: positions, and half the sum of the columns' cross products."""
    columns = list(zip(*_rotation(now)._rows())), list(zip(*_rotation(wanted)._rows()))
    turn = Position3D()
    for a, b in zip(*columns):
        turn = turn + Position3D(*a).crossProduct(Position3D(*b))
    way = position3DFromTransform(wanted) - position3DFromTransform(now)
    return Position6D(way.toVector() + (turn * 0.5).toVector())


def axisRotationProjection(axis, rotation):
    """Returns the rotation about an axis that is nearest to a rotation, or to that of a transform; it is of the same
    type."""
    r = rotation if isinstance(rotation, Rotation) else _rotation(rotation)
    a = axis.normalize()
    v = Position3D(r.r3_c2 - r.r2_c3, r.r1_c3 - r.r3_c1, r.r2_c1 - r.r1_c2)
    trace = r.r1_c1 + r.r2_c2 + r.r3_c3
    angle = math.atan2(a.dotProduct(v), trace - a.dotProduct(r * a))
    found = rotationFromAngleDirection(angle, a)
    if isinstance(rotation, Rotation):
        return found
    return transformFromRotationPosition3D(found, position3DFromTransform(rotation))


def orthogonalSpace(axis):
    """Returns a rotation whose X axis points along a direction. (Ours: its Y axis is horizontal, unless X is vertical.)"""
    x = axis.normalize()
    y = Position3D(0, 0, 1).crossProduct(x)
    y = Position3D(0, 1, 0) if y.norm() < 1e-6 else y.normalize()
    z = x.crossProduct(y)
    return transformFromRotation(Rotation(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z))


# -- steps -----------------------------------------------------------------------------------------------------------


def clipFootWithEllipse(mostX, mostY, move):
    """Shortens a step, which is changed, to an ellipse; returns whether it was longer."""
    size = math.hypot(move.x / mostX, move.y / mostY)
    if size <= 1.0:
        return False
    move.x, move.y = move.x / size, move.y / size
    return True


def avoidFootCollision(leftBox, rightBox, isLeftSupport, move):
    """Turns a step, which is changed, less far until the feet do not touch; returns whether that was needed.

    The boxes are the corners of the feet in their own frames. (Ours: a step that touches without a turn stays so.)
    """
    support, swinging = (leftBox, rightBox) if isLeftSupport else (rightBox, leftBox)

    def touch(theta):
        at = Pose2D(move.x, move.y, theta)
        moved = []
        for corner in swinging:
            turned = changeReferencePose2D(theta, Pose2D(corner.x, corner.y, 0.0))
            moved.append((turned.x + at.x, turned.y + at.y))
        return _overlap([(corner.x, corner.y) for corner in support], moved)
    if not touch(move.theta):
        return False
    free, touching = 0.0, move.theta
    for _ in range(30):
        middle = (free + touching) / 2.0
        if touch(middle):
            touching = middle
        else:
            free = middle
    move.theta = free
    return True


def _overlap(a, b):
    """Returns whether two convex shapes overlap: no side of either separates them."""
    for shape, other in ((a, b), (b, a)):
        for (x0, y0), (x1, y1) in zip(shape, shape[1:] + shape[:1]):
            side = [(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for x, y in shape]
            beyond = [(x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) for x, y in other]
            if (max(side) > 1e-12 and max(beyond) <= 0) or (min(side) < -1e-12 and min(beyond) >= 0):
                return False
    return True


# -- functions that change an argument -------------------------------------------------------------------------------


def _into(result, value):
    if result is None:
        return value
    result._set(value)
    return None


def transformInvertInPlace(transform):
    transform._set(transform.inverse())


def transformPreMultiply(transform, result):
    """Puts a transform before another one, which is changed."""
    result._set(transform * result)


def changeReferencePose2DInPlace(theta, pose):
    pose._set(changeReferencePose2D(theta, pose))


def axisRotationProjectionInPlace(axis, rotation):
    rotation._set(axisRotationProjection(axis, rotation))


def position3DFromTransformInPlace(transform, result):
    result._set(position3DFromTransform(transform))


def position6DFromTransformInPlace(transform, result):
    result._set(position6DFromTransform(transform))


def position6DFromTransformDiffInPlace(now, wanted, result):
    result._set(position6DFromTransformDiff(now, wanted))


def transformDiffInPlace(a, b, result):
    result._set(transformDiff(a, b))


def transformLogarithmInPlace(transform, result):
    result._set(transformLogarithm(transform))


def transformFromPose2DInPlace(pose, result):
    result._set(transformFromPose2D(pose))


def pose2DFromTransformInPlace(transform, result):
    result._set(pose2DFromTransform(transform))
