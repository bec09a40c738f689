"""Virtual time and the outside world: the network and other programs do not follow the run's clock."""
import sys

_state = {"bridge": None, "network": False, "virtual": False, "told": False}
_done = []


def install(bridge, options, importer):
    """Refuses both in virtual time, unless they are allowed; then the run is not repeatable. Has no effect in real
    time."""
    _state.update(bridge=bridge, network=options["network"], virtual=options["virtual"], told=False)
    if not options["virtual"] or _done:
        return
    _done.append(True)
    importer.add("socket", _change_socket)
    importer.add("select", _change_select)
    importer.add("subprocess", _change_subprocess)
    importer.add("_posixsubprocess", _change_posixsubprocess)
    import os
    for name in ("system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp",
                 "spawnv", "spawnve", "spawnvp", "spawnvpe", "spawnl", "spawnle", "spawnlp", "spawnlpe"):
        if hasattr(os, name):
            _guard(os, name, "os.%s" % name)


class OutsideRefused(OSError):
    """The network or another program was used in virtual time."""


def _ask(what, refused=OutsideRefused):
    """Checks whether a script may use this now; raises `refused` if it may not."""
    if not _state["virtual"]:
        return
    bridge = _state["bridge"]
    if not _state["network"]:
        text = ("%s is refused in virtual time: the world outside does not wait for our clock. "
                "Allow it with --network, or play in real time." % what)
        from boxstep_runtime import frames
        number, line = frames.caller()
        bridge.log(number, line, "warning", text)
        raise refused(1, text)
    if not _state["told"]:
        _state["told"] = True
        bridge.not_deterministic("%s was used in virtual time" % what)


def _guard(owner, name, what, unless=None, refused=OutsideRefused):
    original = getattr(owner, name)

    def function(*args, **kwargs):
        if unless is None or not unless(*args, **kwargs):
            _ask(what, refused)
        return original(*args, **kwargs)

    function.__name__ = name
    function.__doc__ = original.__doc__
    setattr(owner, name, function)


def _change_socket(module):
    refused = OutsideRefused
    if not issubclass(refused, module.error):  # Python 2 has errors of sockets by themselves
        refused = type("OutsideRefused", (OutsideRefused, module.error), {})
    # A socket by itself, or a pair within this process (as asyncio creates it), does not involve the outside world.
    for name in ("connect", "connect_ex", "bind", "listen"):
        _guard(module.socket, name, "the network", refused=refused)
    if hasattr(module, "_socketobject"):
        _guard_sendto_of_2(module.socket, refused)
    else:
        _guard(module.socket, "sendto", "the network")
    if hasattr(module.socket, "sendmsg"):
        plain = module.socket.sendmsg

        def sendmsg(self, buffers, ancdata=(), flags=0, address=None):
            if address is not None:
                _ask("the network")
            return plain(self, buffers, ancdata, flags, *(() if address is None else (address,)))

        module.socket.sendmsg = sendmsg
    # Converting an address involves no other machine; looking up a name does.
    for name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex"):
        _guard(module, name, "the network", lambda host, *_, **__: _is_address(module, host), refused)
    for name in ("gethostbyaddr", "getnameinfo"):
        _guard(module, name, "the network", refused=refused)


def _guard_sendto_of_2(kind, refused):
    """Guards `sendto`, which in Python 2 is set for each socket when it is created."""
    plain = kind.__init__

    def __init__(self, *args, **kwargs):
        plain(self, *args, **kwargs)
        _guard(self, "sendto", "the network", refused=refused)

    kind.__init__ = __init__


def _is_address(module, host):
    """Whether a host is empty (every address of this machine) or a numeric address."""
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if not host:
        return True
    if not isinstance(host, type(u"")):
        return False
    for family in (module.AF_INET, module.AF_INET6):
        try:
            module.inet_pton(family, host.partition("%")[0])
            return True
        except (EnvironmentError, ValueError):
            pass
    return False


def _change_subprocess(module):
    plain = module.Popen.__init__

    def __init__(self, *args, **kwargs):
        # Popen's __del__ reads it, even if nothing was started.
        self._child_created = False
        _ask("another program")
        plain(self, *args, **kwargs)

    module.Popen.__init__ = __init__


def _change_posixsubprocess(module):
    _guard(module, "fork_exec", "another program")


# ---- waiting for files ---------------------------------------------------------------------------------------------

# The interval at which a wait polls, in nanoseconds of the run's clock.
_LOOK = 10 * 10**6


def _wait(look, timeout):
    """Polls until something is ready or the timeout, in seconds, has passed; in between the clock advances."""
    bridge = _state["bridge"]
    if _state["network"] or not bridge.in_task():
        return look(timeout)
    if timeout is not None and timeout <= 0:
        ready = look(0)
        if not (any(ready) if isinstance(ready, tuple) else ready):
            # A script that only polls has to let the clock advance.
            bridge.sleep(0)
        return ready
    end = None if timeout is None else bridge.now() + int(timeout * 10**9)
    while True:
        ready = look(0)
        if any(ready) if isinstance(ready, tuple) else ready:
            return ready
        rest = _LOOK if end is None else min(_LOOK, end - bridge.now())
        if rest <= 0:
            return ready
        bridge.sleep(rest)


def _change_select(module):
    plain = module.select

    def select(rlist, wlist, xlist, timeout=None):
        """`select.select`, on the run's clock."""
        return _wait(lambda seconds: plain(rlist, wlist, xlist, seconds), timeout)

    module.select = select
    if hasattr(module, "poll"):
        make_poll = module.poll

        class poll(object):
            """`select.poll`, on the run's clock."""

            def __init__(self):
                self._poll = make_poll()

            def __getattr__(self, name):
                return getattr(self._poll, name)

            def poll(self, timeout=None):
                timeout = None if timeout is None or timeout < 0 else timeout / 1000.0
                ms = lambda seconds: None if seconds is None else seconds * 1000
                return _wait(lambda seconds: self._poll.poll(ms(seconds)), timeout)

        module.poll = poll
    if hasattr(module, "epoll"):
        make_epoll = module.epoll

        class epoll(object):
            """`select.epoll`, on the run's clock."""

            def __init__(self, *args, **kwargs):
                self._epoll = make_epoll(*args, **kwargs)

            def __getattr__(self, name):
                return getattr(self._epoll, name)

            def __enter__(self):
                return self

            def __exit__(self, *_):
                self._epoll.close()

            def poll(self, timeout=None, maxevents=-1):
                timeout = None if timeout is None or timeout < 0 else timeout
                return _wait(lambda seconds: self._epoll.poll(seconds, maxevents), timeout)

            @staticmethod
            def fromfd(fd):
                made = epoll.__new__(epoll)
                made._epoll = make_epoll.fromfd(fd)
                return made

        module.epoll = epoll
