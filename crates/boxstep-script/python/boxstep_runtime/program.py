"""A program as the script of a box: its text runs from the first line to the last when the box starts, as `python FILE`
runs it; then the box ends.

A program is Python 2 if its first line says so, if it imports `naoqi`, which there was for Python 2 only, or if Python 3
cannot compile it; otherwise it is Python 3. (Ours: box scripts are Python 2 unless told otherwise.)
"""
import os
import re
import sys
import threading
import types

from . import frames, py2, state

_NAOQI = re.compile(u"^[ \t]*(?:from|import)[ \t]+naoqi\\b", re.MULTILINE)


def dialect_of(text, filename):
    """Returns the Python version, 2 or 3, that a program is written in."""
    given = state.options.get("dialect", 2)
    named = py2.dialect_of(text, 0) or (3 if given == 3 else 2 if py2.PYTHON2 or _NAOQI.search(text) else 0)
    if named:
        return named
    try:
        py2.compile_python3(text, filename)
    except (SyntaxError, ValueError):
        return 2
    return 3


def box_class(box, generated):
    """Returns the class of a box whose script is a program."""
    class Program(generated):
        def onInput_onStart(self):
            _run(box)
            self.onStopped()
    return Program


def _run(box):
    script = box.script
    if isinstance(script.code, SyntaxError):
        raise script.code
    main = types.ModuleType("__main__")
    main.__dict__.update(py2.script_globals() if script.dialect == 2 else {"__builtins__": __builtins__})
    path = os.path.join(box.info["behavior_path"], os.path.basename(script.file))
    main.__dict__.update({"__name__": "__main__", "__file__": path, frames.BOX: box})
    # New threads are daemons or not as the thread that makes them; this one stands for the main thread.
    threading.current_thread()._daemonic = False
    before, threads = sys.modules.get("__main__"), set(threading.enumerate())
    sys.modules["__main__"] = main
    args = state.options.get("args") or () if script.args is None else script.args
    sys.argv[:] = [script.file] + list(args)
    try:
        exec(script.code_of_box(), main.__dict__)
    except SystemExit as leaves:
        if leaves.code not in (None, 0):
            raise
    finally:
        sys.modules["__main__"] = before
    while True:
        left = [thread for thread in threading.enumerate()
                if thread not in threads and not thread.daemon and not isinstance(thread, threading._DummyThread)]
        if not left:
            return
        left[0].join()
