"""Creates the methods of a box that stimulate its outputs, for a bridge that is written in Python."""
import sys


def method(stimulate, number, name, is_bang):
    """Creates a method that takes a value, which is optional for a bang."""
    if is_bang:
        def output(self, p=None):
            stimulate(number, name, p)
    else:
        def output(self, p):
            stimulate(number, name, p)
    output.__name__ = str(name)
    output.__qualname__ = "GeneratedClass." + str(name)
    if (3, 8) <= sys.version_info < (3, 10):
        # Python's messages about missing arguments take the name from here.
        output.__code__ = output.__code__.replace(co_name=str(name))
    return output
