"""The shortest way of something that only goes ahead and turns no tighter than a circle (L. E. Dubins, 1957)."""
import math

from .vectors import Pose2D

_TURN = 2 * math.pi


def getDubinsSolutions(target, radius):
    """Returns the control points of the shortest way to a target, two arcs and a straight line between them: the poses
    at the end of the first arc, at the end of the line, and the target, all in the frame of the start.

    Raises RuntimeError if the target is not farther than four radii, or the radius is not positive.
    """
    if radius <= 0:
        raise RuntimeError("the radius is %g, and has to be positive" % radius)
    if math.hypot(target.x, target.y) <= 4 * radius:
        raise RuntimeError("the target has to be farther than four radii, %g" % (4 * radius))
    ways = [_way(target, radius, first, last) for first in (1, -1) for last in (1, -1)]
    return min((way for way in ways if way is not None), key=lambda way: way[0])[1]


def _way(target, radius, first, last):
    """Returns (length, control points); a turn is 1 to the left and -1 to the right."""
    begin = 0.0, first * radius
    end = (target.x - last * radius * math.sin(target.theta), target.y + last * radius * math.cos(target.theta))
    x, y = end[0] - begin[0], end[1] - begin[1]
    between, heading = math.hypot(x, y), math.atan2(y, x)
    if first != last:
        if between < 2 * radius:
            return None
        heading += first * math.asin(2 * radius / between)
        line = math.sqrt(between * between - 4 * radius * radius)
    else:
        line = between
    leaves = Pose2D(begin[0] + first * radius * math.sin(heading), begin[1] - first * radius * math.cos(heading), heading)
    arrives = Pose2D(leaves.x + line * math.cos(heading), leaves.y + line * math.sin(heading), heading)
    arcs = (first * heading) % _TURN + (last * (target.theta - heading)) % _TURN
    return line + radius * arcs, [leaves, arrives, Pose2D(target)]
