"""What this package asks of the engine: the one object that each host makes, the bridge.

`boxstep_native` has it in Rust, `remote_bridge` over a connection to the engine's process. A test holds both against this
table (`both_hosts_have_the_whole_bridge`).
"""

# The exception that ends a script when the run ends, and the classes of locks that scripts wait on.
CLASSES = ("Lock", "RLock", "Stopped")

# Name -> what it takes, as `inspect` would write it. An `object` below zero is no box; times are in nanoseconds.
METHODS = {
    # Boxes. What `output_method` makes is a method of the box's class, with the value as its argument; it and `stimulate` return
    # before anything has run.
    "output_method": "(object, name, is_bang)",
    "stimulate": "(object, name, value)",
    "get_parameter": "(object, name)",
    "set_parameter": "(object, name, value)",
    # exists, play, pause, stop, goto, size, fps, set_fps, frame
    "timeline": "(object, parent, command, arg=None)",
    # Objects: one of the operations of a run, box, timeline, machine, state or transition, which has these numbers. Objects
    # among the arguments, and in what comes back, are lists of their numbers; functions are those of callbacks.
    "object": "(kind, handle, operation, args)",
    # Services. `post` and `call_then` return the number of the call; `callback(ok, value)` runs at its end.
    "find_service": "(object, line, name)",
    "call": "(object, line, name, method, args)",
    "post": "(object, line, name, method, args)",
    "call_then": "(object, line, name, method, args, callback)",
    # True if the time was up first; True if it was running; True if it is running.
    "wait_call": "(call, timeout=None)",
    "stop_call": "(call)",
    "is_running": "(call)",
    # kind: `memory` (a is the key) or `signal` (a service and its signal).
    "subscribe": "(object, line, kind, a, b, callback)",
    "unsubscribe": "(subscription)",
    # Time and tasks.
    "after": "(callback, delay, period=None)",
    "cancel_timer": "(timer)",
    "spawn": "(callback)",
    "now": "()",
    "sleep": "(ns)",
    # Words. They are heard to the very end of a run.
    "log": "(object, line, level, text)",
    "print": "(object, line, text, error)",
    "uncaught": "(object, line, kind, message, error_line, traceback)",
    "not_deterministic": "(why)",
    # Python 2 as Python 3, line by line.
    "rewrite": "(text)",
    # Does the calling thread run a task? And its number, small and in a repeatable order if it does.
    "in_task": "()",
    "ident": "()",
}
