"""Boxstep's module `almath`: poses, positions, rotations and transforms, in metres and radians. See `boxstep.compat`."""
from boxstep import compat as _compat

if not _compat._give_way(__name__):
    from boxstep import client as _client
    from boxstep_runtime.almath import *  # noqa: F401,F403
