# -*- coding: utf-8 -*-
"""Python 2: a module whose method is called when the head is touched, until Ctrl-C."""
import sys
import time
from optparse import OptionParser

from naoqi import ALBroker, ALModule, ALProxy

Touched = None
memory = None


class TouchedModule(ALModule):
    """Counts touches. The name of the module and of its variable must be the same."""

    def __init__(self, name):
        ALModule.__init__(self, name)
        self.count = 0
        self.tts = ALProxy("ALTextToSpeech")
        global memory
        memory = ALProxy("ALMemory")
        memory.subscribeToEvent("FrontTactilTouched", "Touched", "onTouched")

    def onTouched(self, *_args):
        """Called for each touch, and for its end."""
        # While it speaks, it shall not hear of more touches.
        memory.unsubscribeToEvent("FrontTactilTouched", "Touched")
        if memory.getData("FrontTactilTouched"):
            self.count += 1
            self.tts.say("%d" % self.count)
        memory.subscribeToEvent("FrontTactilTouched", "Touched", "onTouched")


def main():
    parser = OptionParser()
    parser.add_option("--pip", dest="pip", default="nao.local")
    parser.add_option("--pport", dest="pport", type="int", default=9559)
    (opts, _) = parser.parse_args()
    myBroker = ALBroker("myBroker", "0.0.0.0", 0, opts.pip, opts.pport)
    global Touched
    Touched = TouchedModule("Touched")
    try:
        while True:
            time.sleep(1)
    except KeyboardInterrupt:
        print "Interrupted by user, shutting down"
        myBroker.shutdown()
        sys.exit(0)


if __name__ == "__main__":
    main()
