#!/usr/bin/env python3
# A thousand timers that begin themselves again.
# ends: 0 4
import threading


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        for _ in range(1000):
            self.again()

    def again(self):
        threading.Timer(0, self.again).start()
