"""Boxstep's module `naoqi`: ALProxy, ALBroker and ALModule of NAOqi's Python SDK, over a client of Boxstep's own. See
`boxstep.compat`."""
from boxstep import compat as _compat

if not _compat._give_way(__name__):
    from boxstep.proxies import ALBroker, ALModule, ALProxy, createModule

    __all__ = ["ALBroker", "ALModule", "ALProxy", "createModule"]
