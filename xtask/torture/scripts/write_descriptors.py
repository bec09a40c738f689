#!/usr/bin/env python3
# Writes into all descriptors that it did not open.
# ends: 0 1 4
# hosts: process
import os


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        for number in range(3, 256):
            try:
                os.set_blocking(number, False)
                os.write(number, b'\0\xff[[[' * 1000)
            except OSError:
                pass
        self.onStopped()
