#!/usr/bin/env python3
# Prints one line of 50 MB.
# ends: 0 4
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        print('x' * 50000000)
        self.onStopped()
