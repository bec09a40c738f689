"""The session, in which services are found and registered."""
import itertools

from . import frames, futures, proxies, signals, state

_numbers = itertools.count(1)

_ENTRY = {"machineId": "", "processId": 0, "endpoints": [], "sessionId": "0", "objectUid": ""}


class Session(object):
    """`qi.Session`. All sessions of a run are the same: the robot that the behavior plays on."""

    def __init__(self, *url):
        self._url = url[0] if url else "tcp://127.0.0.1:9559"
        self.connected = signals.Signal()
        self.disconnected = signals.Signal()
        self.serviceRegistered = signals.Signal()
        self.serviceUnregistered = signals.Signal()

    def service(self, name, *_, **options):
        """Returns the service with a name; raises RuntimeError if there is none."""
        proxies.find(name)
        found = proxies.Service(name)
        return futures.Future(found) if options.get("_async") else found

    getService = service

    def services(self, *_):
        """Returns the entries of the robot's service directory, followed by the services of scripts."""
        number, line = frames.caller()
        found = list(state.bridge.call(number, line, "ServiceDirectory", "services", []) or [])
        own = sorted(state.services.values(), key=lambda local: local.number)
        found += [{"name": local.name, "serviceId": local.number} for local in own]
        # The fields of a robot's entries. There is one process, and nothing to connect to.
        return [dict(_ENTRY, **entry) for entry in found]

    def registerService(self, name, target):
        """Registers an object as a service for every script of the run; returns the number for unregisterService."""
        number = next(_numbers)
        proxies.register(name, target, frames.caller()[0], number)
        self.serviceRegistered.trigger(number, name)
        return number

    def unregisterService(self, number):
        for local in list(state.services.values()):
            if number in (local.number, local.name):
                proxies.unregister(local.name)
                self.serviceUnregistered.trigger(local.number, local.name)
                return
        raise RuntimeError("Can't find service ID: %s" % number)

    def waitForService(self, name, *_, **options):
        """Does not wait: a service of the robot exists from the start."""
        proxies.find(name)
        return futures.Future(None) if options.get("_async") else None

    def connect(self, *url, **options):
        """Accepted: the session is connected from the start."""
        if url:
            self._url = url[0]
        return futures.Future(None) if options.get("_async") else None

    def isConnected(self):
        return True

    def url(self):
        return self._url

    def endpoints(self):
        return [self._url]

    def listen(self, *url):
        """Accepted: objects of scripts are not offered to other machines."""

    listenStandalone = listen

    def close(self):
        """Accepted: the session lasts as long as the run."""

    def setIdentity(self, *files):
        """Accepted."""


_own = []


def the_session():
    """Returns the result of `self.session()`: one object for all boxes."""
    if not _own:
        _own.append(Session())
    return _own[0]


def reset():
    """Drops the session, so that the next run has a new one."""
    del _own[:]
