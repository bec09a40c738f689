#!/usr/bin/env python3
# Starts programs that try to outlive the run.
# ends: 0 1 4
import os
import subprocess


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        subprocess.Popen(['sleep', '600'])
        subprocess.Popen(['sleep', '600'], start_new_session=True)
        os.system('sleep 600 &')
        os.system('setsid nohup sh -c "trap : TERM HUP; sleep 600; sleep 600" &')
        self.onStopped()
