#!/usr/bin/env python3
# Ends the process it is in.
# ends: 0 3 4
import os


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        os._exit(3)
