#!/usr/bin/env python3
# Waits for itself.
# ends: 0 4
import threading


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()
