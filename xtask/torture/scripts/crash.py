#!/usr/bin/env python3
# Reads where there is nothing.
# ends: 4
import ctypes


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        ctypes.string_at(0)
