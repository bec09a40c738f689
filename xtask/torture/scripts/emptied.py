#!/usr/bin/env python3
# Starts programs that know nothing of the run: their environment is empty, and their parents are gone.
# ends: 0 1 4
import os
import subprocess


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        subprocess.Popen(['sleep', '600'], env={}, start_new_session=True)
        os.system('env -i setsid nohup sh -c "sleep 600 &"')
        self.onStopped()
