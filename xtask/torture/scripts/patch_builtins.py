#!/usr/bin/env python3
# Takes away Python's own names.
# ends: 0 1 4
import builtins


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        names = vars(builtins)
        for key in list(names):
            if not key.startswith('__'):
                del names[key]
        self.onStopped()
