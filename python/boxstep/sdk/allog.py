"""Boxstep's module `allog`: log lines with a category, on standard error. See `boxstep.compat`."""
from boxstep import compat as _compat

if not _compat._give_way(__name__, __file__):
    from boxstep import runtime as _runtime

    if not _runtime.in_a_run():
        from boxstep import client as _client
    from boxstep_runtime.qi_logging import *  # noqa: F401,F403
