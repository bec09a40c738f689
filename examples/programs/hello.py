# -*- coding: utf-8 -*-
# Python 2, as most programs for NAO are: proxies, and a motion that runs while the robot speaks.
import sys
from naoqi import ALProxy


def main(ip, port=9559):
    try:
        tts = ALProxy("ALTextToSpeech", ip, port)
        motion = ALProxy("ALMotion", ip, port)
        posture = ALProxy("ALRobotPosture", ip, port)
    except Exception, e:
        print "Could not connect to", ip
        print "Error was:", e
        sys.exit(1)
    motion.wakeUp()
    posture.goToPosture("StandInit", 0.5)
    task = motion.post.angleInterpolation(["HeadYaw", "HeadPitch"], [[0.5, 0.0], [0.2]], [[1.0, 2.0], [1.5]], True)
    tts.say("Hello, I am %s" % "NAO")
    motion.wait(task, 0)
    print "head at", [round(angle, 2) for angle in motion.getAngles("Head", True)]
    motion.rest()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "nao.local")
