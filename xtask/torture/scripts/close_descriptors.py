#!/usr/bin/env python3
# Closes all descriptors that it did not open.
# ends: 0 1 2 4
# hosts: process
import os


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        for number in range(256):
            try:
                os.close(number)
            except OSError:
                pass
        self.onStopped()
