"""Scripts in topics of a dialog (`%script ... %script`): what they print is what the robot says.

The engine calls the function number NUMBER, which is `call`. The reply has the form of a robot's methods (own_robot.py).
"""
from . import frames, modules, output, state

# The number under which the engine knows this function.
NUMBER = 2**31 - 2


def setup():
    state.keep(NUMBER, call)


def call(service, method, args):
    """Runs a script, and returns what it has printed."""
    text = args[0].replace("\r\n", "\n")
    try:
        code = modules.compile_script(text + "\n", "topic")
        space = modules.script_globals(modules.dialect_of(text))
        with output.Captured() as printed:
            exec(code, space)
    except state.bridge.Stopped:
        raise
    except BaseException as error:
        return ["error", frames.text_of(error)]
    return ["value", printed.text()]
