"""Boxstep's module `naoqi`: ALProxy, ALBroker and ALModule of NAOqi's Python SDK, over a client of Boxstep's own. See
`boxstep.compat`."""
from boxstep import compat as _compat
from boxstep import runtime as _runtime

if not _compat._give_way(__name__, __file__):
    if _runtime.in_a_run():
        raise ImportError("a run has its own %s, and no other one is installed" % __name__)
    from boxstep.proxies import ALBroker, ALModule, ALProxy, createModule

    __all__ = ["ALBroker", "ALModule", "ALProxy", "createModule"]
