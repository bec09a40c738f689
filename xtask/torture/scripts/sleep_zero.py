#!/usr/bin/env python3
# Twenty threads that sleep for nothing, for ever.
# ends: 0 4
import threading
import time


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        for _ in range(20):
            threading.Thread(target=self.look).start()

    def look(self):
        while True:
            time.sleep(0)
