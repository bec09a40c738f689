#!/usr/bin/env python3
# Kills the process group it is in.
# ends: 4
# hosts: process
import os
import signal


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        os.killpg(os.getpgrp(), signal.SIGKILL)
