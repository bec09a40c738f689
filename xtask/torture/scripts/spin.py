#!/usr/bin/env python3
# Computes for ever.
# ends: 0 4
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        while True:
            pass
