#!/usr/bin/env python3
# Computes for ever when it is unloaded, and swallows what would end it.
# ends: 0 4
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.onStopped()

    def onUnload(self):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
