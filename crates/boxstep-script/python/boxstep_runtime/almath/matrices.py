"""Rotations and transforms as matrices, and quaternions."""
import math

from .vectors import Position3D, Vector


def _printed(rows):
    """Returns a matrix as NAOqi's library prints it, with a line for each row."""
    return "[%s]" % "\n ".join("[%s]" % ", ".join("%g" % number for number in row) for row in rows)


class Rotation(Vector):
    """A rotation as a matrix of 3 by 3."""

    fields = tuple("r%d_c%d" % (row, column) for row in (1, 2, 3) for column in (1, 2, 3))
    first = (1, 0, 0, 0, 1, 0, 0, 0, 1)

    def _rows(self):
        cells = self.toVector()
        return [cells[0:3], cells[3:6], cells[6:9]]

    def __repr__(self):
        return _printed(self._rows())

    def __mul__(self, other):
        if isinstance(other, Position3D):
            v = other.toVector()
            return Position3D(*[sum(a * b for a, b in zip(row, v)) for row in self._rows()])
        if not isinstance(other, Rotation):
            raise TypeError("a Rotation is multiplied by a Rotation or a Position3D")
        right = other._rows()
        return Rotation([sum(row[k] * right[k][column] for k in range(3)) for row in self._rows() for column in range(3)])

    __rmul__ = None

    def transpose(self):
        """Returns the inverse rotation."""
        rows = self._rows()
        return Rotation([rows[row][column] for column in range(3) for row in range(3)])

    inverse = transpose

    def determinant(self):
        a, b, c = self._rows()
        return (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))

    def isRotation(self, epsilon=0.0001):
        """Returns whether the matrix is orthonormal, and not mirrored."""
        return (self * self.transpose()).isNear(Rotation(), epsilon) and abs(self.determinant() - 1.0) <= epsilon

    def normalizeRotation(self):
        """Makes the matrix orthonormal: the first column keeps its direction, the second its plane."""
        rows = self._rows()
        x = Position3D(*[row[0] for row in rows]).normalize()
        z = x.crossProduct(Position3D(*[row[1] for row in rows])).normalize()
        y = z.crossProduct(x)
        self._set(Rotation(x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z))

    @staticmethod
    def fromRotX(angle):
        return _rotation(Transform.fromRotX(angle))

    @staticmethod
    def fromRotY(angle):
        return _rotation(Transform.fromRotY(angle))

    @staticmethod
    def fromRotZ(angle):
        return _rotation(Transform.fromRotZ(angle))

    @staticmethod
    def from3DRotation(wx, wy, wz):
        """Returns a rotation by wx about X, then by wy about Y, then by wz about Z."""
        return _rotation(Transform.from3DRotation(wx, wy, wz))

    @staticmethod
    def fromQuaternion(w, x, y, z):
        """Returns the rotation of a quaternion, which need not be normalized."""
        n = w * w + x * x + y * y + z * z
        if n == 0:
            raise RuntimeError("a quaternion of length zero is no rotation")
        s = 2.0 / n
        return Rotation(
            1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),
            s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x),
            s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y))

    @staticmethod
    def fromAngleDirection(angle, x, y, z):
        """Returns a rotation about an axis, which need not be normalized."""
        q = Quaternion.fromAngleAndAxisRotation(angle, x, y, z)
        return Rotation.fromQuaternion(q.w, q.x, q.y, q.z)


class Quaternion(Vector):
    """A rotation as a unit quaternion."""

    fields = ("w", "x", "y", "z")
    first = (1, 0, 0, 0)

    def __mul__(self, other):
        if not isinstance(other, Quaternion):
            return Vector.__mul__(self, other)
        a, b = self, other
        return Quaternion(
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w)

    def inverse(self):
        return Quaternion(self.w, -self.x, -self.y, -self.z)

    @staticmethod
    def fromAngleAndAxisRotation(angle, x, y, z):
        """Returns a rotation about an axis, which need not be normalized."""
        axis = Position3D(x, y, z).normalize() * math.sin(angle / 2.0)
        return Quaternion(math.cos(angle / 2.0), axis.x, axis.y, axis.z)


class Transform(Vector):
    """A rotation and a translation, as the three upper rows of a 4 by 4 matrix."""

    fields = tuple("r%d_c%d" % (row, column) for row in (1, 2, 3) for column in (1, 2, 3, 4))
    first = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0)

    def __init__(self, *values):
        if len(values) == 1 and not isinstance(values[0], Transform):
            values = tuple(values[0])
        if len(values) == 3:
            values = (1, 0, 0, values[0], 0, 1, 0, values[1], 0, 0, 1, values[2])
        elif len(values) == 16:
            values = values[:12]
        Vector.__init__(self, *values)

    def toVector(self):
        """Returns sixteen numbers, row by row; the last row is 0, 0, 0, 1."""
        return self._numbers() + [0.0, 0.0, 0.0, 1.0]

    def _rows(self):
        cells = self._numbers()
        return [cells[0:4], cells[4:8], cells[8:12]]

    def __repr__(self):
        return _printed(self._rows() + [[0, 0, 0, 1]])

    def __mul__(self, other):
        if not isinstance(other, Vector):
            return Vector.__mul__(self, other)
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
        return math.sqrt(self.distanceSquared(other))

    def distanceSquared(self, other):
        return sum((a[3] - b[3]) ** 2 for a, b in zip(self._rows(), other._rows()))

    def isTransform(self, epsilon=0.0001):
        """Returns whether the rotation is one: orthonormal, and not mirrored."""
        return _rotation(self).isRotation(epsilon)

    def normalizeTransform(self):
        """Makes the rotation orthonormal."""
        turned = _rotation(self)
        turned.normalizeRotation()
        for name in turned.fields:
            setattr(self, name, getattr(turned, name))

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


class TransformAndVelocity6D(object):
    """A transform `T` and a velocity `V`."""

    def __init__(self, T=None, V=None):
        from .vectors import Velocity6D
        if isinstance(T, TransformAndVelocity6D):
            T, V = Transform(T.T), Velocity6D(T.V)
        self.T = Transform() if T is None else T
        self.V = Velocity6D() if V is None else V

    def isNear(self, other, epsilon=0.0001):
        return self.T.isNear(other.T, epsilon) and self.V.isNear(other.V, epsilon)

    def __repr__(self):
        return "%r\n%r" % (self.T, self.V)


def _rotation(transform):
    """Returns the rotation of a transform."""
    return Rotation([n for row in transform._rows() for n in row[:3]])
