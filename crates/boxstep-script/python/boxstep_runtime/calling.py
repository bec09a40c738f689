"""Determines how many arguments a function takes, and calls it with no more than that."""
import functools

from . import raw

_VARARGS = 0x04


def _code(function):
    """Returns the code behind a callable and the number of its arguments that are already bound; None if that is
    unknown."""
    taken = 0
    for _ in range(16):
        # A method of the runtime without code of its own has that of a similar method.
        function = getattr(type(getattr(function, "__self__", None)), "_boxstep_like", function)
        if isinstance(function, functools.partial):
            taken += len(function.args)
            function = function.func
            continue
        code = getattr(function, "__code__", None)
        bound = getattr(function, "__func__", None)
        if bound is not None:
            if getattr(function, "__self__", None) is not None:
                taken += 1
            function = bound
        elif code is not None:
            return code, taken
        else:
            kind = function if isinstance(function, type) else type(function)
            method = getattr(kind, "__init__" if kind is function else "__call__", None)
            if getattr(method, "__code__", None) is None:
                return None
            taken += 1
            function = getattr(method, "__func__", method)
    return None


def takes(function):
    """Returns how many positional arguments a callable takes; None for any number, or if that is unknown."""
    found = _code(function)
    if found is None or found[0].co_flags & _VARARGS:
        return None
    code, taken = found
    return max(code.co_argcount - taken, 0)


def hook_takes(function):
    """Like takes, but a function with exactly one named argument counts as taking one, even if `*args` follows."""
    found = _code(function)
    if found is None:
        return None
    code, taken = found
    count = max(code.co_argcount - taken, 0)
    return None if code.co_flags & _VARARGS and count != 1 else count


def up_to(function, args):
    """Calls a function with as many of the arguments as it takes."""
    args = raw.for_function(function, args)
    count = takes(function)
    return function(*args) if count is None else function(*args[:count])
