"""The functions that the engine's side calls. Everything else in this package serves these functions."""
import gc
import os
import sys
import weakref

from . import box as boxes
from . import behaviors, calling, frames, modules, output, own_robot, program, reloading, script_services
from . import session, state, topic_script

caller = frames.caller
explain = frames.explain
callback = state.callback
forget = state.forget
forget_modules = reloading.forget_modules
new_callback = state.new_callback
report = frames.report
up_to = calling.up_to


def setup(bridge, options):
    """Called once at the beginning of a run, after the shims have been installed.

    options: epoch (seconds), virtual, seed, network, dialect (2 or 3, for scripts whose first line names neither),
    language, installed_qi, robot (the user's robot file, or empty).
    """
    state.reset(bridge, options)
    session.reset()
    sys.stdout = output.Output(False)
    sys.stderr = output.Output(True)
    _report_what_nobody_catches()
    modules.install()
    behaviors.setup()
    topic_script.setup()
    script_services.setup()
    if state.options.get("robot"):
        own_robot.setup(state.options["robot"])


def load(class_id, text, file, is_program, path_text, args=None):
    """Compiles a script. Raises SyntaxError with the line of the text, from 1."""
    filename = file if is_program else "%s: %s" % (file, path_text) if file else path_text
    # Registered before it compiles, so that its SyntaxError can be distinguished from that of a module.
    script = state.scripts[class_id] = boxes.Script(None, text, file, filename)
    script.is_program = is_program
    script.args = args
    boxes_have = state.options.get("dialect", 2)
    if is_program:
        # Modules that could be either are of its version.
        state.options["dialect"] = program.dialect_of(text, os.path.dirname(os.path.abspath(file)))
    script.dialect = modules.dialect_of(text)
    try:
        script.code = modules.compile_script(text, filename)
    except SyntaxError as error:
        if not script.is_program:
            raise
        # A box is loaded without such a script. A program is nothing else, and fails when it starts.
        script.code = error
    finally:
        if args is not None:
            # The program of a service runs beside boxes.
            state.options["dialect"] = boxes_have


def construct(object_id, class_id, info):
    """Creates the script object of a box; returns the names of the methods that its author wrote."""
    script = state.scripts[class_id]
    box = boxes.Box(object_id, script, info)
    modules.import_from(info["behavior_path"], info["behavior_relative_path"])
    generated = boxes.generated_class(box)
    if script.is_program:
        kind = program.box_class(box, generated)
    else:
        space = modules.script_globals(script.dialect)
        space[frames.BOX] = box
        space["GeneratedClass"] = generated
        exec(script.code_of_box(), space)
        kind = _script_class(space, generated)
    made = kind.__new__(kind)
    state.objects[object_id] = made
    made.__init__()
    return _own_methods(made, generated)


def _script_class(space, generated):
    """Returns the class that is the box: `MyClass`, or else the last one that derives from GeneratedClass."""
    classes = [value for value in space.values() if isinstance(value, type) and value is not generated]
    named = space.get("MyClass")
    if isinstance(named, type):
        if issubclass(named, generated):
            return named
        return type("MyClass", (named, generated), {"__module__": named.__module__})
    derived = [kind for kind in classes if issubclass(kind, generated)]
    if derived:
        return derived[-1]
    # ALBehavior under its own name, or under a converter's name for it.
    derived = [kind for kind in classes if issubclass(kind, boxes.BoxBase) and kind is not boxes.BoxBase]
    if derived:
        return type(derived[-1].__name__, (derived[-1], generated), {"__module__": derived[-1].__module__})
    return type("MyClass", (generated,), {"__module__": "__main__"})


def _own_methods(made, generated):
    """Returns the callable names of the object that do not come from GeneratedClass, sorted."""
    names = set()
    # Reading `__dict__` would make Python give up its fast storage of the object's attributes.
    if any(callable(value) or isinstance(value, dict) for value in gc.get_referents(made) if value is not type(made)):
        names.update(name for name, value in made.__dict__.items() if callable(value))
    for kind in type(made).__mro__:
        if kind is not object and kind not in generated.__mro__:
            names.update(name for name, value in kind.__dict__.items() if callable(value) or _is_method(value))
    return sorted(name for name in names if not name.startswith("__") or name == "__del__")


def _is_method(value):
    return isinstance(value, (staticmethod, classmethod))


def hook(object_id, method):
    """Returns (the method, the number of its positional arguments or None for any number)."""
    made = state.objects.get(object_id)
    if made is None:
        # The call was abandoned before its turn, and the object was dropped.
        raise state.bridge.Stopped()
    bound = getattr(made, method)
    return bound, calling.hook_takes(bound)


def drop(object_id):
    """Drops a script object, with its subscriptions, periodic tasks and registrations."""
    try:
        for key in list(state.drops.get(object_id, ())):
            release = state.drops[object_id].pop(key, None)
            if release is not None:
                release()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, output.Output):
                stream.end(object_id)
    finally:
        state.drops.pop(object_id, None)
        # Taken here and not in another function: a caller would still hold the argument.
        made = state.objects.pop(object_id, None)
        alive = weakref.ref(made) if hasattr(type(made), "__del__") else None
        del made
        if alive is not None and alive() is not None:
            # The object is part of a reference cycle. Its `__del__` has to run now, and not at Python's next garbage
            # collection.
            gc.collect()


def _report_what_nobody_catches():
    """Reports exceptions in `__del__`, in threads of `threading`, and in weak reference callbacks."""
    def unraisable(args):
        error = args.exc_value
        if error is not None and not isinstance(error, state.bridge.Stopped):
            frames.report(error)

    def in_thread(args):
        error = args.exc_value
        if error is not None and not isinstance(error, (SystemExit, state.bridge.Stopped)):
            frames.report(error)

    if hasattr(sys, "unraisablehook"):
        sys.unraisablehook = unraisable
        import threading
        threading.excepthook = in_thread
