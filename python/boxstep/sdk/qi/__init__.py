"""Boxstep's module `qi`: the names of PyPI's `qi`, over a client of Boxstep's own. See `boxstep.compat`."""
from boxstep import compat as _compat
from boxstep import runtime as _runtime

if not _compat._give_way(__name__, __file__):
    if _runtime.in_a_run():
        raise ImportError("a run has its own %s, and no other one is installed" % __name__)
    from boxstep import client as _client
    from boxstep import application as _application
    from boxstep_runtime import qi_module as _own

    _boxstep = True
    __version__ = "3.1.5"
    globals().update(_own.NAMES)
    Session = _client.Session
    Application = _application.Application
    ApplicationSession = _application.ApplicationSession
    from . import logging, path
