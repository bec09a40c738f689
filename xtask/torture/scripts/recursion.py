#!/usr/bin/env python3
# Recurses without end.
# ends: 1 4
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.onInput_onStart()
