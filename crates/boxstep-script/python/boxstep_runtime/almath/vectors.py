"""Positions, velocities and poses: named numbers in metres, radians and seconds."""
import math


class Vector(object):
    """A tuple of named numbers."""

    fields = ()
    # The numbers without arguments, if they are not zeros.
    first = None

    def __init__(self, *values):
        if len(values) == 1 and isinstance(values[0], (int, float)):
            values = values * len(self.fields)
        elif len(values) == 1 and len(self.fields) > 1:
            values = values[0]._numbers() if isinstance(values[0], Vector) else values[0]
        if not values:
            values = self.first or (0.0,) * len(self.fields)
        if len(values) != len(self.fields):
            raise RuntimeError("%s takes %d numbers, not %d" % (type(self).__name__, len(self.fields), len(values)))
        for name, value in zip(self.fields, values):
            setattr(self, name, float(value))

    def _numbers(self):
        return [getattr(self, name) for name in self.fields]

    toVector = _numbers

    def _set(self, other):
        """Takes the numbers of another one, for functions that change their argument."""
        for name in self.fields:
            setattr(self, name, getattr(other, name))

    def _each(self, function, *others):
        return type(self)(*[function(*numbers) for numbers in zip(self.toVector(), *[o.toVector() for o in others])])

    def __add__(self, other):
        return self._each(lambda a, b: a + b, other)

    def __sub__(self, other):
        return self._each(lambda a, b: a - b, other)

    def __neg__(self):
        return self._each(lambda a: -a)

    def __pos__(self):
        return self._each(lambda a: a)

    def __mul__(self, factor):
        return self._each(lambda a: a * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        if divisor == 0:
            raise RuntimeError("division of a %s by zero" % type(self).__name__)
        return self._each(lambda a: a / divisor)

    __div__ = __truediv__

    def __eq__(self, other):
        return type(self) is type(other) and self.toVector() == other.toVector()

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __len__(self):
        return len(self.fields)

    def __getitem__(self, at):
        return self.toVector()[at]

    def isNear(self, other, epsilon=0.0001):
        return all(abs(a - b) <= epsilon for a, b in zip(self.toVector(), other.toVector()))

    def norm(self):
        return math.sqrt(sum(a * a for a in self.toVector()))

    def distanceSquared(self, other):
        return sum((a - b) ** 2 for a, b in zip(self.toVector(), other.toVector()))

    def squaredDistance(self, other):
        return self.distanceSquared(other)

    def distance(self, other):
        return math.sqrt(self.distanceSquared(other))

    def normalize(self):
        length = self.norm()
        if length == 0:
            raise RuntimeError("a %s of length zero has no direction" % type(self).__name__)
        return self / length

    def dotProduct(self, other):
        return sum(a * b for a, b in zip(self.toVector(), other.toVector()))

    def __repr__(self):
        return "%s(%s)" % (type(self).__name__, ", ".join("%s=%g" % (n, getattr(self, n)) for n in self.fields))


class Position2D(Vector):
    fields = ("x", "y")

    def crossProduct(self, other):
        return self.x * other.y - self.y * other.x

    def getAngle(self):
        """Returns the direction of the position, seen from the origin."""
        return math.atan2(self.y, self.x)

    @staticmethod
    def fromPolarCoordinates(radius, angle):
        return Position2D(radius * math.cos(angle), radius * math.sin(angle))


class Position3D(Vector):
    fields = ("x", "y", "z")

    def crossProduct(self, other):
        return Position3D(
            self.y * other.z - self.z * other.y, self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x)


class Rotation3D(Vector):
    fields = ("wx", "wy", "wz")


class Position6D(Vector):
    fields = ("x", "y", "z", "wx", "wy", "wz")


class Velocity3D(Vector):
    fields = ("xd", "yd", "zd")


class Velocity6D(Vector):
    fields = ("xd", "yd", "zd", "wxd", "wyd", "wzd")


class PositionAndVelocity(Vector):
    """A position in one dimension, and its velocity."""

    fields = ("q", "dq")


class Pose2D(Vector):
    """A position and a direction in the plane. If b is given in the frame of a, `a * b` is b in the world frame."""

    fields = ("x", "y", "theta")

    def __mul__(self, other):
        if not isinstance(other, Pose2D):
            return Vector.__mul__(self, other)
        c, s = math.cos(self.theta), math.sin(self.theta)
        return Pose2D(
            self.x + c * other.x - s * other.y, self.y + s * other.x + c * other.y, self.theta + other.theta)

    def inverse(self):
        """Returns the pose of the world frame in this pose's frame."""
        c, s = math.cos(self.theta), math.sin(self.theta)
        return Pose2D(-(self.x * c + self.y * s), self.x * s - self.y * c, -self.theta)

    def diff(self, other):
        """Returns the other pose in this pose's frame."""
        return self.inverse() * other

    def getAngle(self):
        """Returns the direction of the position, seen from the origin."""
        return math.atan2(self.y, self.x)

    def norm(self):
        return math.hypot(self.x, self.y)

    def distanceSquared(self, other):
        return (self.x - other.x) ** 2 + (self.y - other.y) ** 2

    @staticmethod
    def fromPolarCoordinates(radius, angle):
        return Pose2D(radius * math.cos(angle), radius * math.sin(angle), angle)
