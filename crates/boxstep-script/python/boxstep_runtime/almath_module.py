"""The part of `almath` that behaviors use: poses in the plane, positions, and transforms, in metres and radians."""
import math

PI = math.pi
PI_2 = math.pi / 2
PI_4 = math.pi / 4
_2_PI = 2 * math.pi
TO_RAD = math.pi / 180
TO_DEG = 180 / math.pi


def modulo2PI(angle):
    """Returns the equivalent angle between -pi and pi (pi included)."""
    angle = math.fmod(angle, _2_PI)
    if angle <= -PI:
        return angle + _2_PI
    return angle - _2_PI if angle > PI else angle


def clipData(least, most, value):
    """Returns (whether the value was clipped, the value within the limits)."""
    clipped = min(max(value, least), most)
    return clipped != value, clipped


class Vector(object):
    """A tuple of named numbers."""

    fields = ()

    def __init__(self, *values):
        if len(values) == 1 and len(self.fields) > 1:
            values = values[0].toVector() if isinstance(values[0], Vector) else values[0]
        if not values:
            values = (0.0,) * len(self.fields)
        if len(values) != len(self.fields):
            raise RuntimeError("%s takes %d numbers, not %d" % (type(self).__name__, len(self.fields), len(values)))
        for name, value in zip(self.fields, values):
            setattr(self, name, float(value))

    def toVector(self):
        return [getattr(self, name) for name in self.fields]

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

    def isNear(self, other, epsilon=0.0001):
        return all(abs(a - b) <= epsilon for a, b in zip(self.toVector(), other.toVector()))

    def norm(self):
        return math.sqrt(sum(a * a for a in self.toVector()))

    def distanceSquared(self, other):
        return sum((a - b) ** 2 for a, b in zip(self.toVector(), other.toVector()))

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


_CELLS = tuple("r%d_c%d" % (row, column) for row in (1, 2, 3) for column in (1, 2, 3, 4))
_IDENTITY = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)


class Transform(Vector):
    """A rotation and a translation, as the three upper rows of a 4 by 4 matrix."""

    fields = _CELLS

    def __init__(self, *values):
        if len(values) == 1 and not isinstance(values[0], Transform):
            values = tuple(values[0])
        if not values:
            values = _IDENTITY
        elif len(values) == 3:
            values = (1, 0, 0, values[0], 0, 1, 0, values[1], 0, 0, 1, values[2])
        elif len(values) == 16:
            values = values[:12]
        Vector.__init__(self, *values)

    def toVector(self):
        """Returns sixteen numbers, row by row; the last row is 0, 0, 0, 1."""
        return [getattr(self, name) for name in _CELLS] + [0.0, 0.0, 0.0, 1.0]

    def _rows(self):
        cells = [getattr(self, name) for name in _CELLS]
        return [cells[0:4], cells[4:8], cells[8:12]]

    def __mul__(self, other):
        rows = self._rows()
        if isinstance(other, Position3D):
            v = other.toVector() + [1.0]
            return Position3D(*[sum(a * b for a, b in zip(row, v)) for row in rows])
        if not isinstance(other, Transform):
            raise TypeError("a Transform is multiplied by a Transform or a Position3D")
        right = other._rows() + [[0.0, 0.0, 0.0, 1.0]]
        return Transform([sum(row[k] * right[k][column] for k in range(4)) for row in rows for column in range(4)])

    __rmul__ = None

    def inverse(self):
        r = self._rows()
        turned = [[r[column][row] for column in range(3)] for row in range(3)]
        moved = [-sum(turned[row][k] * r[k][3] for k in range(3)) for row in range(3)]
        return Transform([n for row in range(3) for n in turned[row] + [moved[row]]])

    def diff(self, other):
        """Returns the other transform in this transform's frame."""
        return self.inverse() * other

    def determinant(self):
        a, b, c = self._rows()
        return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))

    def norm(self):
        """Returns the length of the translation."""
        return math.sqrt(sum(row[3] ** 2 for row in self._rows()))

    def distance(self, other):
        """Returns the distance between the two translations."""
        return position3DFromTransform(self).distance(position3DFromTransform(other))

    @staticmethod
    def fromRotX(angle):
        c, s = math.cos(angle), math.sin(angle)
        return Transform([1, 0, 0, 0, 0, c, -s, 0, 0, s, c, 0])

    @staticmethod
    def fromRotY(angle):
        c, s = math.cos(angle), math.sin(angle)
        return Transform([c, 0, s, 0, 0, 1, 0, 0, -s, 0, c, 0])

    @staticmethod
    def fromRotZ(angle):
        c, s = math.cos(angle), math.sin(angle)
        return Transform([c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0])

    @staticmethod
    def from3DRotation(wx, wy, wz):
        """Returns a rotation by wx about X, then by wy about Y, then by wz about Z."""
        return Transform.fromRotZ(wz) * Transform.fromRotY(wy) * Transform.fromRotX(wx)

    @staticmethod
    def fromPosition(x, y, z, wx=0.0, wy=0.0, wz=0.0):
        turned = Transform.from3DRotation(wx, wy, wz)
        turned.r1_c4, turned.r2_c4, turned.r3_c4 = float(x), float(y), float(z)
        return turned


def transformFromPose2D(pose):
    return Transform.fromPosition(pose.x, pose.y, 0.0, 0.0, 0.0, pose.theta)


def transformFromPosition3D(position):
    return Transform.fromPosition(position.x, position.y, position.z)


def transformFromPosition6D(position):
    return Transform.fromPosition(*position.toVector())


def transformFromRotation3D(rotation):
    return Transform.from3DRotation(*rotation.toVector())


def transformFromRotX(angle):
    return Transform.fromRotX(angle)


def transformFromRotY(angle):
    return Transform.fromRotY(angle)


def transformFromRotZ(angle):
    return Transform.fromRotZ(angle)


def transformInverse(transform):
    return transform.inverse()


def position3DFromTransform(transform):
    return Position3D(transform.r1_c4, transform.r2_c4, transform.r3_c4)


def rotation3DFromTransform(transform):
    t = transform
    wz = math.atan2(t.r2_c1, t.r1_c1)
    c, s = math.cos(wz), math.sin(wz)
    wy = math.atan2(-t.r3_c1, t.r1_c1 * c + t.r2_c1 * s)
    wx = math.atan2(t.r1_c3 * s - t.r2_c3 * c, t.r2_c2 * c - t.r1_c2 * s)
    return Rotation3D(wx, wy, wz)


def position6DFromTransform(transform):
    return Position6D(position3DFromTransform(transform).toVector() + rotation3DFromTransform(transform).toVector())


def pose2DFromTransform(transform):
    return Pose2D(transform.r1_c4, transform.r2_c4, math.atan2(transform.r2_c1, transform.r1_c1))


def pose2DInverse(pose):
    return pose.inverse()


def position6DFromPose2D(pose):
    return Position6D(pose.x, pose.y, 0.0, 0.0, 0.0, pose.theta)


def pose2dFromPosition6D(position):
    return Pose2D(position.x, position.y, position.wz)


def norm(vector):
    return vector.norm()


def distance(a, b):
    return a.distance(b)
