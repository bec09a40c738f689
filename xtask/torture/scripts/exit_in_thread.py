#!/usr/bin/env python3
# Asks for an exit in a thread, then in the call.
# ends: 0 1 4
import sys
import threading


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        thread = threading.Thread(target=sys.exit)
        thread.start()
        thread.join()
        sys.exit(3)
