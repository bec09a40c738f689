#!/usr/bin/env python3
# Takes more memory than there is, in a process that may have 2 GB.
# ends: 0 1 4
import resource


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
        all = []
        while True:
            all.append(bytearray(64 << 20))
