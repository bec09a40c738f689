#!/usr/bin/env python3
# Prints 200 MB.
# ends: 0 4
import sys


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        line = 'x' * 1023 + '\n'
        for _ in range(200 * 1024):
            sys.stdout.write(line)
        self.onStopped()
