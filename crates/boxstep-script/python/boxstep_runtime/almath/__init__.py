"""`almath`: the mathematics of poses, positions, rotations and transforms, in metres and radians.

The names, fields and conventions are those of NAOqi's library: frames are right-handed, X forward, Y to the left, Z up;
a rotation of three angles is about X, then Y, then Z of the fixed frame.
"""
import math as _math

from .vectors import (  # noqa: F401
    Pose2D, Position2D, Position3D, Position6D, PositionAndVelocity, Rotation3D, Velocity3D, Velocity6D)
from .matrices import Quaternion, Rotation, Transform, TransformAndVelocity6D  # noqa: F401
from .conversions import *  # noqa: F401,F403
from .operations import *  # noqa: F401,F403
from .dubins import getDubinsSolutions  # noqa: F401
from .flat import (  # noqa: F401
    static_names as _static_names, vectorFloat, vectorPose2D, vectorPosition2D, vectorPosition3D, vectorPosition6D)

globals().update(_static_names())

PI = _math.pi
PI_2 = _math.pi / 2
PI_4 = _math.pi / 4
_2_PI = _2_PI_ = 2 * _math.pi
TO_RAD = _math.pi / 180
TO_DEG = 180 / _math.pi

# The axes that ALMotion controls: positions, then rotations.
AXIS_MASK_X, AXIS_MASK_Y, AXIS_MASK_Z = 1, 2, 4
AXIS_MASK_WX, AXIS_MASK_WY, AXIS_MASK_WZ = 8, 16, 32
AXIS_MASK_XY = AXIS_MASK_X | AXIS_MASK_Y
AXIS_MASK_VEL = AXIS_MASK_XY | AXIS_MASK_Z
AXIS_MASK_ROT = AXIS_MASK_WX | AXIS_MASK_WY | AXIS_MASK_WZ
AXIS_MASK_ALL = AXIS_MASK_VEL | AXIS_MASK_ROT
AXIS_MASK_NONE = 0

__all__ = [
    _name for _name, _value in list(globals().items())
    if not _name.startswith("__") and not isinstance(_value, type(_math)) and (not _name.startswith("_") or _name.startswith("_2_PI"))]
