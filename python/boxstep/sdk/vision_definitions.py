"""Boxstep's module `vision_definitions`: constants of ALVideoDevice. See `boxstep.compat`."""
from boxstep import compat as _compat

if not _compat._give_way(__name__, __file__):
    from boxstep import runtime as _runtime

    _runtime.load()
    from boxstep_runtime.vision_constants import *  # noqa: F401,F403
