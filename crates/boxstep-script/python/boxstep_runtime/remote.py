"""The helper process of `--scripts process`, from its first connection to its end.

The engine's process passes one socket as standard input. Connections are sent over it, with one byte each (Windows:
requested over a pipe and opened from here): first that for the set-up and for threads without an order, then the control connection, then one for each thread that runs
scripts.
"""
import _socket
import os
import sys

from boxstep_runtime import remote_worker, remote_values
from boxstep_runtime.remote_wire import Connection, Descriptor, Native, Wire

_runtime = {}


class Sockets(object):
    """The socket that passes connections."""

    def __init__(self):
        self._fd = _take_standard_input()
        if sys.version_info[0] == 2:
            from _multiprocessing import recvfd
            self._next = lambda: recvfd(self._fd)
        else:
            self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM, 0, self._fd)
            space = _socket.CMSG_SPACE(4)
            self._next = lambda: _descriptor(self._socket.recvmsg(1, space))

    def next(self):
        """Returns the next connection; None at the end."""
        try:
            fd = self._next()
        except (OSError, IOError, IndexError, RuntimeError):
            return None
        _not_inherited(fd)
        return Descriptor(fd)


class Calls(object):
    """Windows, which cannot pass sockets: opens a connection for each byte at standard input. The first line there has
    the port, and the secret that every connection begins with; the id of this process follows it."""

    def __init__(self):
        self._fd = _take_standard_input()
        line = b""
        while not line.endswith(b"\n"):
            byte = Native.read(self._fd, 1)
            if not byte:
                sys.exit(2)
            line += byte
        port, self._secret = line.split()
        self._address = ("127.0.0.1", int(port))

    def next(self):
        """Returns the next connection; None at the end."""
        try:
            if not Native.read(self._fd, 1):
                return None
            connection = _Socket(_socket.AF_INET, _socket.SOCK_STREAM)
            connection.connect(self._address)
            connection.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
            connection.sendall(self._secret + (" %d\n" % Native.pid).encode("ascii"))
        except (OSError, IOError):
            return None
        return Connection(connection)


# Kept, because the shims replace names in modules.
_Socket = _socket.socket


def sockets():
    """Returns what the connections come from."""
    return Calls() if sys.platform == "win32" else Sockets()


def _take_standard_input():
    """Moves standard input away, so that scripts and the programs that they start do not use it."""
    fd = os.dup(0)
    _not_inherited(fd)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return fd


def _descriptor(message):
    return int.from_bytes(message[1][0][2][:4], sys.byteorder)


def _not_inherited(fd):
    if sys.platform != "win32":
        import fcntl
        fcntl.fcntl(fd, fcntl.F_SETFD, fcntl.FD_CLOEXEC)


def main(sockets, wire, hello, start):
    """Sets the runtime up as the engine's process requests, then accepts worker connections until the engine closes the
    socket."""
    _die_with_parent()
    _show_crashes()
    if hasattr(sys, "setswitchinterval"):
        # How long a script may keep the interpreter while another one waits for it.
        sys.setswitchinterval(0.0005)
    remote_worker.set_outside(wire)
    try:
        from boxstep_runtime.remote_bridge import RemoteBridge
        options = remote_values.from_wire(hello["options"])
        options["seed"] = int(options["seed"])
        _runtime["host"] = start(RemoteBridge(), options, hello["sources"], str(hello["module"]))
    except BaseException as error:
        wire.send(["raised"] + remote_worker.explain(error))
        Native.exit(1)
    control = Wire(sockets.next())
    Native.start_thread(_listen, (control,))
    wire.send(["ready"])
    while True:
        connection = sockets.next()
        if connection is None:
            _leave()
        remote_worker.start(connection, run)


def _listen(control):
    """Handles messages of the control connection, which do not belong to an order."""
    while True:
        message = control.receive()
        if message is None:
            _leave()
        if message[0] == "interrupt":
            remote_worker.interrupt(message[1], message[2])
        elif message[0] == "entered":
            control.send(["entered", message[1], remote_worker.entered_by(message[1])])
        else:
            control.send(["here"])


def _leave():
    """Ends the process at the end of the run. Threads that are stuck in a script would prevent a regular exit of
    Python."""
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            stream.flush()
        except Exception:
            pass
    Native.exit(0)


def _die_with_parent():
    """Linux: ends the helper with the engine, even if a script keeps the interpreter busy."""
    if sys.platform.startswith("linux"):
        try:
            import ctypes
            ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
        except Exception:
            pass


def _show_crashes():
    """Prints what the thread was doing when C code crashes."""
    try:
        import faulthandler
        faulthandler.enable(sys.__stderr__, all_threads=False)
    except Exception:
        pass


# ---- orders ----------------------------------------------------------------------------------------------------------

# (object, method) -> (callable, the number of its arguments)
_hooks = {}


def explain(error):
    return _runtime["host"].explain(error)


def run(order):
    """Executes an order of the engine, and returns its result."""
    host = _runtime["host"]
    kind = order[0]
    if kind == "call":
        _, number, method, how, args = order
        callable, takes = _hook(host, number, method)
        args = remote_values.from_wire(args)
        remote_worker.enters()
        if how == "hook":
            return callable(args) if takes == 1 else callable()
        return host.up_to(callable, args)
    remote_worker.enters()
    if kind == "deliver":
        return host.up_to(host.callback(order[1]), remote_values.from_wire(order[2]))
    if kind == "load":
        _, number, text, file, is_program, path, args = order
        native = remote_values.native_text
        host.load(number, text, native(file), is_program, native(path), args and [native(arg) for arg in args])
        return None
    if kind == "construct":
        return host.construct(order[1], order[2], _info(order[3]))
    if kind == "drop":
        # Other workers may access the table; the copy is made in one step.
        for key in list(_hooks):
            if key[0] == order[1]:
                _hooks.pop(key, None)
        host.drop(order[1])
        return None
    if kind == "forget":
        return host.forget_modules([remote_values.native_text(file) for file in order[1]])
    raise ValueError("unknown order %r" % (kind,))


def _hook(host, number, method):
    key = (number, method)
    found = _hooks.get(key)
    if found is None:
        found = _hooks[key] = host.hook(number, remote_values.native_text(method))
    return found


def _info(info):
    info = remote_values.from_wire(info)
    for name in ("inputs", "outputs"):
        info[name] = [tuple(port) for port in info[name]]
    return info
