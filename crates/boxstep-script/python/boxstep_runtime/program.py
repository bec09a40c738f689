"""A program as the script of a box: its text runs from the first line to the last when the box starts, as `python FILE`
runs it; then the box ends.

Its first line says which Python it is, or else `versions`; if that cannot tell, it is Python 3. (Ours: box scripts are
Python 2 unless told otherwise.)
"""
import os
import sys
import threading
import types

from . import frames, py2, state, versions


def dialect_of(text, folder):
    """Returns the Python version, 2 or 3, that a program in a folder is written in."""
    if state.options.get("dialect", 2) == 3:
        return py2.dialect_of(text, 3)

    def beside(name):
        return os.path.isfile(os.path.join(folder, name + ".py")) or os.path.isdir(os.path.join(folder, name))
    return versions.dialect_of(text, 0, beside) or 3


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
    main.__dict__.update(py2.script_globals() if script.dialect == 2 else py2.program_globals())
    path = os.path.join(box.info["behavior_path"], os.path.basename(script.file))
    main.__dict__.update({"__name__": "__main__", "__file__": path, frames.BOX: box})
    # New threads are daemons or not as the thread that makes them; this one stands for the main thread.
    threading.current_thread()._daemonic = False
    before, threads = sys.modules.get("__main__"), set(threading.enumerate())
    sys.modules["__main__"] = main
    args = state.options.get("args") or () if script.args is None else script.args
    sys.argv[:] = [script.file] + list(args)
    folder = os.path.realpath(box.info["behavior_path"])
    sys.path.insert(0, folder)
    try:
        _to_the_end(script, main, before, threads)
    finally:
        if folder in sys.path:
            sys.path.remove(folder)


def _to_the_end(script, main, before, threads):
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
