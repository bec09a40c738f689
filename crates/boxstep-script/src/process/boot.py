# The first code in the helper process. Standard input is a socket (Windows: a pipe); see `boxstep_runtime.remote`. Every Python can
# parse this, so that an unsupported version gets a message.
import sys
# `-c` puts the current folder first: a json.py there must not shadow the standard library's.
if sys.path and sys.path[0] == "":
    del sys.path[0]
if sys.version_info < (2, 7) or (3,) <= sys.version_info < (3, 9):
    sys.stderr.write("%s is Python %d.%d; box scripts need CPython 2.7, or 3.9 or newer" % (
        (sys.executable,) + tuple(sys.version_info[:2])))
    sys.exit(2)
try:
    # The name of the process on Linux, which `ps` and `top` show. Its children have it, too.
    with open("/proc/self/comm", "w") as comm:
        comm.write("boxstep")
except (IOError, OSError):
    pass
import signal
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
if hasattr(signal, "SIGBREAK"):
    # Windows: it comes with that of the engine, which decides what happens.
    signal.signal(signal.SIGBREAK, signal.SIG_IGN)
import json
import os
try:
    # Python 2
    import importlib.machinery
except ImportError:
    pass  # Python 2

if sys.platform == "win32":
    import msvcrt
    msvcrt.setmode(0, os.O_BINARY)


def read_exactly(count):
    parts = []
    while count:
        part = os.read(0, min(count, 1 << 20))
        if not part:
            sys.exit(2)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


hello = json.loads(read_exactly(int(sys.argv[1])).decode("utf-8"))
del sys.argv[0:2]
sources = hello["sources"]
if sys.version_info[0] == 2:
    for name in list(sources):
        sources[str(name)] = sources.pop(name).encode("utf-8")
if hasattr(os, "fork"):
    space = {"__name__": "keeper"}
    exec(compile(sources["boxstep_runtime.keeper"], "<boxstep_runtime.keeper>", "exec"), space)
    # This forks: the child continues here, and the parent stays in the call as the keeper.
    space["keep"]()
space = {"__name__": "boxstep_runtime.bootstrap"}
exec(compile(sources["boxstep_runtime.bootstrap"], "<boxstep_runtime.bootstrap>", "exec"), space)
sys.meta_path.insert(0, space["MemoryImporter"](sources))
from boxstep_runtime import remote, remote_wire
sockets = remote.sockets()
remote.main(sockets, remote_wire.Wire(sockets.next()), hello, space["start"])
