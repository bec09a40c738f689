#!/usr/bin/env python3
# Raises an exception with a text of 20 MB.
# ends: 0 1 4
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        raise ValueError('x' * 20000000)
