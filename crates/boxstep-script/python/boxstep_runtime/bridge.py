"""The interface between this package and the engine: the bridge, an object that each host provides.

`boxstep_native` implements it in Rust, `remote_bridge` over a connection to the engine's process. A test compares
both with this table (`both_hosts_have_the_whole_bridge`).
"""

# The exception that ends a script when the run ends, and the classes of locks that scripts wait on.
CLASSES = ("Lock", "RLock", "Stopped")

# Name -> parameters, as `inspect` would write them. A negative `object` means no box; times are in nanoseconds.
METHODS = {
    # Boxes. `output_method` returns a method for the box's class, with the value as its argument; that method and
    # `stimulate` return before anything has run.
    "output_method": "(object, name, is_bang)",
    "stimulate": "(object, name, value)",
    "get_parameter": "(object, name)",
    "set_parameter": "(object, name, value)",
    # exists, play, pause, stop, goto, size, fps, set_fps, frame
    "timeline": "(object, parent, command, arg=None)",
    # Objects: an operation of the run, box, timeline, machine, state or transition with these numbers. Objects in
    # arguments and results are lists of their numbers; functions are numbers of callbacks.
    "object": "(kind, handle, operation, args)",
    # Services. `post` and `call_then` return the number of the call; `callback(ok, value)` runs when the call ends.
    "find_service": "(object, line, name)",
    "call": "(object, line, name, method, args)",
    "post": "(object, line, name, method, args)",
    "call_then": "(object, line, name, method, args, callback)",
    # wait_call: True on a timeout. stop_call: True if the call was running. is_running: True if it is running.
    "wait_call": "(call, timeout=None)",
    "stop_call": "(call)",
    "is_running": "(call)",
    # kind: `memory` (a is the key) or `signal` (a is a service, b its signal).
    "subscribe": "(object, line, kind, a, b, callback)",
    "unsubscribe": "(subscription)",
    # Time and tasks.
    "after": "(callback, delay, period=None)",
    "cancel_timer": "(timer)",
    "spawn": "(callback)",
    "now": "()",
    "sleep": "(ns)",
    # Notices, which are accepted until the very end of a run.
    "log": "(object, line, level, text)",
    "print": "(object, line, text, error)",
    "uncaught": "(object, line, kind, message, error_line, traceback)",
    "not_deterministic": "(why)",
    # Converts Python 2 to Python 3, line by line.
    "rewrite": "(text)",
    # Whether the calling thread runs a task; and the thread's number, which in a task is small and repeatable.
    "in_task": "()",
    "ident": "()",
}
