#!/usr/bin/env python3
# Starts threads until it cannot.
# ends: 0 4
import threading


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        lock = threading.Lock()
        lock.acquire()
        for _ in range(3000):
            threading.Thread(target=lock.acquire).start()
        self.onStopped()
