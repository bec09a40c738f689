#!/usr/bin/env python3
# Aborts the process it is in.
# ends: 4
import os


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        os.abort()
