"""Plays this folder on Boxstep's simulated robot: python3 main.py [options of `boxstep play`]"""

import os
import shutil
import subprocess
import sys


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    play = ["play", here] + sys.argv[1:]
    program = shutil.which("boxstep")
    if program:
        return subprocess.call([program] + play)
    try:
        import boxstep_native
    except ImportError:
        sys.stderr.write(
            "main.py: Boxstep is not installed: there is no program `boxstep` on the PATH and\n"
            "no module `boxstep_native` for " + sys.executable + "\n"
        )
        return 2
    return boxstep_native.main(["boxstep"] + play)


if __name__ == "__main__":
    sys.exit(main())
