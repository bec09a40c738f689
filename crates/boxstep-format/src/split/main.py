"""Plays this folder on the robot at an address, or on a simulated one.

usage: python3 main.py [IP PORT] [options of `boxstep play`]
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def options(arguments):
    """Those of `boxstep play`."""
    robot = []
    if arguments and not arguments[0].startswith("-"):
        ip, port = (arguments + [""])[:2]
        arguments = arguments[2:]
        if not re.match(r"[\w.:%-]+\Z", ip) or not re.match(r"[0-9]{1,5}\Z", port) or not 0 < int(port) < 65536:
            raise ValueError("no address")
        robot = ["--robot", "tcp://%s:%s" % ("[%s]" % ip if ":" in ip else ip, port)]
        if arguments and not arguments[0].startswith("-"):
            raise ValueError("more than an address")
    return robot + arguments


def main(arguments):
    if "-h" in arguments or "--help" in arguments:
        sys.stdout.write(__doc__)
        return 0
    try:
        play = ["play", HERE] + options(arguments)
    except ValueError:
        sys.stderr.write(__doc__.splitlines()[2] + "\n")
        return 2
    try:
        from boxstep import launch
    except (ImportError, SyntaxError):
        pass  # not there, or this Python is too old for it
    else:
        launch(play)
    try:
        # Not a package, but a program that does the same.
        os.execvp("boxstep", ["boxstep"] + play)
    except OSError:
        sys.stderr.write(
            "main.py: %s has no package `boxstep`: get it with `%s -m pip install boxstep` "
            "(or the path of a wheel or of its sources)\n" % (sys.executable, sys.executable)
        )
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
