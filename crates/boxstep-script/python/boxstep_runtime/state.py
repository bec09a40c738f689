"""The state that the runtime's modules share: the bridge to the engine, the script objects, and registered functions."""
import itertools

# The interface to the engine; set by host.setup, and otherwise only by tests.
bridge = None
options = {}

# object id -> script object; class id -> box.Script
objects = {}
scripts = {}

_callbacks = {}
_numbers = itertools.count(1)


def reset(new_bridge, new_options):
    """Resets the state for a new run."""
    global bridge, options, _numbers
    bridge = new_bridge
    options = dict(new_options)
    for table in (objects, scripts, _callbacks, services, subscriptions, posts, drops):
        table.clear()
    _numbers = itertools.count(1)


def is_program():
    """Whether the run is that of a program (program.py), which names the robot itself."""
    return any(script.is_program for script in scripts.values())


class _Callback(object):
    __slots__ = ("function", "once")

    def __init__(self, function, once):
        self.function = function
        self.once = once


def new_callback(function, once=True):
    """Registers a function for the engine and returns its number. A function that is called `once` is removed by its
    call."""
    number = next(_numbers)
    _callbacks[number] = _Callback(function, once)
    return number


def keep(number, function):
    """Registers a function under a number that the engine knows, for the whole run."""
    _callbacks[number] = _Callback(function, False)


def callback(number):
    """Returns the function with a number. A call that arrives after the function was removed does nothing."""
    kept = _callbacks.get(number)
    if kept is None:
        return _nothing
    if kept.once:
        _callbacks.pop(number, None)
    return kept.function


def forget(number):
    """Removes a function."""
    _callbacks.pop(number, None)


def _nothing(*args):
    return None


# Services that scripts have registered: name -> proxies.Local
services = {}

# Connections of scripts: topic -> [(subscription, callback, object id)], in order
subscriptions = {}

# Running calls of scripts' own services: task -> future. Their numbers are negative, the engine's are not.
posts = {}

# object id -> functions to call when the object is dropped: they end subscriptions, stop timers and unregister
# services.
drops = {}


def on_drop(object_id, key, function):
    """Calls `function` when the object is dropped, unless not_on_drop(object_id, key) is called first."""
    if object_id in objects:
        drops.setdefault(object_id, {})[key] = function


def not_on_drop(object_id, key):
    """Cancels on_drop."""
    drops.get(object_id, {}).pop(key, None)
