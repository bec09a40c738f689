"""What the wrapper of NAOqi's library has besides its functions: its lists, and static methods under flat names."""
from . import matrices, vectors


class _List(list):
    """A list with the methods of C++ vectors."""

    def size(self):
        return len(self)

    def empty(self):
        return not self

    def push_back(self, value):
        self.append(value)

    def clear(self):
        del self[:]


class vectorFloat(_List):
    """Numbers."""


class vectorPose2D(_List):
    """Objects of Pose2D."""


class vectorPosition2D(_List):
    """Objects of Position2D."""


class vectorPosition3D(_List):
    """Objects of Position3D."""


class vectorPosition6D(_List):
    """Objects of Position6D."""


def static_names():
    """Returns the static methods of all classes as functions: `Transform_fromRotX` and so on."""
    found = {}
    for module in (vectors, matrices):
        for kind, made in list(vars(module).items()):
            for name, value in list(vars(made).items()) if isinstance(made, type) else ():
                if isinstance(value, staticmethod):
                    found["%s_%s" % (kind, name)] = getattr(made, name)
    return found
