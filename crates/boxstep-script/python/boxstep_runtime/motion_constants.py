"""The constants of `motion`: axis masks, frames and spaces, as the documentation of ALMotion numbers them."""
import math

AXIS_MASK_NONE = 0
AXIS_MASK_X = 1
AXIS_MASK_Y = 2
AXIS_MASK_Z = 4
AXIS_MASK_WX = 8
AXIS_MASK_WY = 16
AXIS_MASK_WZ = 32
AXIS_MASK_VEL = 7
AXIS_MASK_ROT = 56
AXIS_MASK_ALL = 63
AXIS_MASK_XY = 3
AXIS_MASK_WYWZ = 48

FRAME_TORSO = 0
FRAME_WORLD = 1
FRAME_ROBOT = 2
SPACE_TORSO = FRAME_TORSO
SPACE_WORLD = FRAME_WORLD
SPACE_NAO = FRAME_ROBOT

PI = math.pi
PI_2 = math.pi / 2
PI_4 = math.pi / 4
TO_RAD = math.pi / 180
TO_DEG = 180 / math.pi
