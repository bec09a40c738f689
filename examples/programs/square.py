# Python 2 with almath: walks a square, and looks how exactly.
import argparse
import almath
import motion as constants
from naoqi import ALProxy


def walk(ip, port, side):
    motion = ALProxy("ALMotion", ip, port)
    motion.wakeUp()
    motion.moveInit()
    start = almath.Pose2D(motion.getRobotPosition(True))
    step = almath.Pose2D(side, 0.0, 90 * almath.TO_RAD)
    for corner in range(4):
        target = almath.Pose2D(motion.getRobotPosition(True)) * step
        motion.moveTo(*step.toVector())
        found = almath.Pose2D(motion.getRobotPosition(True))
        print "corner", corner, found.isNear(target, 0.05)
    back = start.diff(almath.Pose2D(motion.getRobotPosition(True)))
    print "away from the start by %.2f m and %.0f degrees" % (
        back.norm(), almath.modulo2PI(back.theta) * almath.TO_DEG)
    motion.setStiffnesses("Body", 0.0)
    return constants.FRAME_ROBOT


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ip", type=str, default="127.0.0.1", help="Robot ip address")
    parser.add_argument("--port", type=int, default=9559, help="Robot port number")
    parser.add_argument("--side", type=float, default=0.4)
    args = parser.parse_args()
    walk(args.ip, args.port, args.side)
