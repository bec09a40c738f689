#!/usr/bin/env python3
# Stimulates its output for ever.
# ends: 0 1 4
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        while True:
            self.onStopped()
