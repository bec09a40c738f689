"""Boxstep's module `qi`: the names of PyPI's `qi`, over a client of Boxstep's own. See `boxstep.compat`."""
from boxstep import compat as _compat

if not _compat._give_way(__name__):
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
