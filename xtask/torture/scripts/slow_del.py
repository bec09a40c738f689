#!/usr/bin/env python3
# Holds everybody up when it is destroyed.
# ends: 0 4
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.onStopped()

    def __del__(self):
        while True:
            pass
