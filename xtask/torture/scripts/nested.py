#!/usr/bin/env python3
# Puts out a list that contains itself.
# ends: 0 1 4
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        a = []
        a.append(a)
        self.onStopped(a)
