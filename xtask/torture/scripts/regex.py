#!/usr/bin/env python3
# Keeps Python to itself inside C code.
# ends: 4
import re


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        re.match('(a+)+$', 'a' * 40 + 'b')
