#!/usr/bin/env python3
# Forks, and leaves the child sleeping.
# ends: 0 4
import os
import signal


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        if os.fork() == 0:
            while True:
                signal.pause()
        self.onStopped()
