#!/usr/bin/env python3
# Twenty threads that look for something in a loop.
# ends: 0 4
import threading


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        for _ in range(20):
            threading.Thread(target=self.look).start()

    def look(self):
        while not getattr(self, 'found', False):
            pass
