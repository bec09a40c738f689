"""Boxstep plays the robot behaviors that people drew in Choregraphe.

The same text is in the program `boxstep`, so that box scripts can import it wherever they run. There, in a process of
its own, is no native module; so it is imported where it is used and not here.
"""
import sys

__all__ = ["__version__", "launch"]

#: That of the command; a test compares them.
__version__ = "0.1.0"


def launch(arguments):
    """Becomes the command `boxstep` with these arguments, and does not return: the process ends with its exit code.

    `launch(["play", "examples/hello"])` is what `boxstep play examples/hello` is in a shell. Box scripts run in this
    Python (`sys.executable`), started anew, unless an option or `BOXSTEP_PYTHON` names another one.
    """
    from boxstep import boxstep_native

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    boxstep_native.launch(["boxstep"] + list(arguments))
