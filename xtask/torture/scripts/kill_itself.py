#!/usr/bin/env python3
# Kills the process it is in.
# ends: 4 137
import os


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        os.kill(os.getpid(), 9)
