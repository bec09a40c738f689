#!/usr/bin/env python3
# Ignores every signal that can be ignored.
# ends: 0 4
import signal
import time


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGCHLD):
            try:
                signal.signal(number, signal.SIG_IGN)
            except ValueError:
                pass
        time.sleep(1000)
