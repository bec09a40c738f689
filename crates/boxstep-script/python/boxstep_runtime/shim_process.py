"""Prevents scripts from ending the process that runs all scripts, and captures output that bypasses `print`.

`docs/reference/isolation.md` describes the effect of each call with each host.
"""
import os
import signal
import sys

# The recursion depth for which the stack of a script's thread suffices, even in the Python and on the path that need
# the most stack.
MOST_RECURSION = 10000

_state = {"bridge": None, "pid": None}
_done = []


def install(bridge, options):
    """If `options["shared"]` is set, the engine is in this process, so that scripts must not end it."""
    _state.update(bridge=bridge, pid=os.getpid())
    if _done:
        return
    _done.append(True)
    _limit_recursion()
    _tell_what_is_written()
    _accept_handlers()
    if options.get("shared"):
        _keep_the_process()


class ExitRefused(BaseException):
    """A script tried to end the process. This is no `Exception`: code that calls `os._exit` does not expect to
    continue."""


ExitRefused.__module__ = "boxstep_native"


def _keep_the_process():
    for name in ("_exit", "abort", "execv", "execve"):
        _refuse(name, "os.%s" % name, lambda *_: True)
    _refuse("kill", "os.kill", lambda pid, number, *_: pid in (0, _state["pid"]) and _is_end(number))
    _refuse("killpg", "os.killpg", lambda group, number, *_: group in (0, os.getpgrp()) and _is_end(number))
    _refuse("raise_signal", "signal.raise_signal", _is_end, signal)
    if hasattr(signal, "SIGALRM"):
        # Only the main thread could handle the signal, and no script runs there.
        _refuse("alarm", "signal.alarm", lambda *_: _is_end(signal.SIGALRM), signal)
        _refuse("setitimer", "signal.setitimer", lambda *_: _is_end(signal.SIGALRM), signal)


def _is_end(number, *_):
    """Whether this signal ends or stops the process. The two that end a run in an orderly way are allowed."""
    if number in (0, signal.SIGINT, signal.SIGTERM):
        return False
    harmless = [getattr(signal, name, None) for name in ("SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH")]
    if number in harmless:
        return False
    try:
        return signal.getsignal(number) in (signal.SIG_DFL, None)
    except ValueError:
        return False  # There is no such signal; the sender gets the error.


def _refuse(name, what, is_end, owner=os):
    plain = getattr(owner, name, None)
    if plain is None:
        return

    def function(*args, **kwargs):
        # A fork is a process of its own, and may end in any way.
        if os.getpid() == _state["pid"] and is_end(*(args + tuple(kwargs.values()))):
            raise ExitRefused("%s would end Boxstep itself, and every other box with it. With --scripts process, scripts "
                              "have a process of their own to end." % what)
        return plain(*args, **kwargs)

    _put(owner, name, function, plain)


def _put(owner, name, function, plain):
    function.__name__ = name
    function.__doc__ = plain.__doc__
    # The functions of `os` are also in an internal module.
    for module in [owner] + [sys.modules[n] for n in ("posix", "nt", "_signal") if n in sys.modules]:
        if getattr(module, name, None) is plain:
            setattr(module, name, function)


def _limit_recursion():
    plain = sys.setrecursionlimit

    def setrecursionlimit(limit):
        if isinstance(limit, int) and limit > MOST_RECURSION:
            from boxstep_runtime import frames
            number, line = frames.caller()
            _state["bridge"].log(number, line, "warning", "sys.setrecursionlimit(%d): the limit is %d now. Deeper than that "
                               "the stack may end before the limit is reached." % (limit, MOST_RECURSION))
            limit = MOST_RECURSION
        plain(limit)

    _put(sys, "setrecursionlimit", setrecursionlimit, plain)


def _accept_handlers():
    """Accepts handlers of signals, which Python has on the main thread alone, where no script runs. They are not called."""
    plain, asked, handlers = signal.signal, signal.getsignal, {}

    def set_handler(number, handler):
        if not _state["bridge"].in_task():
            return plain(number, handler)
        before = get_handler(number)  # raises the error of a number that is no signal
        if not callable(handler) and handler not in (signal.SIG_DFL, signal.SIG_IGN):
            raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
        handlers[int(number)] = handler
        if callable(handler) and handler is not signal.default_int_handler:
            from boxstep_runtime import frames
            place, line = frames.caller()
            _state["bridge"].log(place, line, "warning", "signal.signal(%d): the handler is not called, signals are Boxstep's. "
                                 "A stop ends what the script waits for." % number)
        return before

    def get_handler(number):
        found = asked(number)
        return handlers.get(int(number), found) if _state["bridge"].in_task() else found

    _put(signal, "signal", set_handler, plain)
    _put(signal, "getsignal", get_handler, asked)


def _tell_what_is_written():
    """Sends `os.write` to standard output or standard error to the engine like a `print`, with the box and the line."""
    plain = os.write

    def write(fd, data):
        stream = {1: sys.stdout, 2: sys.stderr}.get(fd)
        if type(stream).__name__ != "Output" or os.getpid() != _state["pid"]:
            return plain(fd, data)
        return stream.buffer.write(data)

    _put(os, "write", write, plain)
