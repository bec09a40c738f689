#!/usr/bin/env python3
# Recurses as far as it may, with no bound of Python's.
# ends: 1 4
import sys


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        sys.setrecursionlimit(2 ** 31 - 1)

        def down():
            down()
        down()
