"""Services that scripts have registered, as those outside the scripts call them: the robot's dialog, by
`^call(MyService.method())`, and pages of its tablet.

The engine calls the function number NUMBER, which is `call`. The reply has the form of a robot's methods (own_robot.py),
or is ["no service", None].
"""
from . import frames, futures, raw, signals, state

# The number under which the engine knows this function.
NUMBER = 2**31 - 3


def setup():
    state.keep(NUMBER, call)


def call(service, method, args):
    """Calls a method, and waits for the value of a future."""
    local = state.services.get(service)
    if local is None:
        return ["no service", None]
    function = local.find(method)
    if function is None and method in signals.OF_PROPERTIES:
        return signals.call_property(local.target, method, args)
    if function is None or method.startswith("_") or isinstance(function, signals.Signal):
        return ["missing", None]
    try:
        value = function(*raw.for_function(function, args))
        return ["value", value.value() if isinstance(value, futures.Future) else value]
    except state.bridge.Stopped:
        raise
    except BaseException as error:
        return ["error", frames.text_of(error)]
