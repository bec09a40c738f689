"""What the whole runtime shares: the bridge to the engine, the script objects, and functions kept for later."""
import itertools

# The engine's side; set by host.setup, replaced only by tests.
bridge = None
options = {}

# object id -> script object; class id -> box.Script
objects = {}
scripts = {}

_callbacks = {}
_numbers = itertools.count(1)


def reset(new_bridge, new_options):
    """Begins a run."""
    global bridge, options, _numbers
    bridge = new_bridge
    options = dict(new_options)
    for table in (objects, scripts, _callbacks, services, subscriptions, posts, drops):
        table.clear()
    _numbers = itertools.count(1)


class _Callback(object):
    __slots__ = ("function", "once")

    def __init__(self, function, once):
        self.function = function
        self.once = once


def new_callback(function, once=True):
    """Keeps a function for the engine and returns its number; one that is called once is forgotten by itself."""
    number = next(_numbers)
    _callbacks[number] = _Callback(function, once)
    return number


def keep(number, function):
    """Keeps a function under a number that the engine knows, for the whole run."""
    _callbacks[number] = _Callback(function, False)


def callback(number):
    """The function kept under a number. A call that was on its way when the function was forgotten does nothing."""
    kept = _callbacks.get(number)
    if kept is None:
        return _nothing
    if kept.once:
        _callbacks.pop(number, None)
    return kept.function


def forget(number):
    """Keeps a function no longer."""
    _callbacks.pop(number, None)


def _nothing(*args):
    return None


# Services that scripts have registered: name -> proxies.Local
services = {}

# What scripts are connected to: topic -> [(subscription, callback, object id)], in order
subscriptions = {}

# Calls of scripts' own services that go on: task -> future. Their numbers are negative, the engine's are not.
posts = {}

# object id -> functions to call when the object is dropped: subscriptions to end, timers to stop, services to take back.
drops = {}


def on_drop(object_id, key, function):
    """Calls `function` when the object is dropped, unless not_on_drop(object_id, key) comes first."""
    if object_id in objects:
        drops.setdefault(object_id, {})[key] = function


def not_on_drop(object_id, key):
    """Takes on_drop back."""
    drops.get(object_id, {}).pop(key, None)
