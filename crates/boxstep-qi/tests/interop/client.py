"""A client of libqi's own, for a server of ours: prints one line for each thing it finds true."""
import os
import sys
import threading

import qi


def say(text):
    # libqi logs to the same place.
    print("= " + text, flush=True)


# A server that speaks like NAOqi 2.1 cancels nothing, and tells no changes of properties.
old = len(sys.argv) > 2
app = qi.Application(["client", "--qi-log-level", "1"])
session = qi.Session()
session.connect(sys.argv[1])
names = [s["name"] for s in session.services()]
assert names[:2] == ["ServiceDirectory", "Probe"], names
say("services")
probe = session.service("Probe")
assert probe.add(2, 3) == 5
assert probe.nothing() is None
say("call")
for value in [None, True, 7, -1.5, "text", "h\u00e9", [1, "a", 2.5], {"k": [1, {"n": None}]}, [], {}, (1, "t")]:
    back = probe.echo(value)
    assert back == value or list(back) == list(value), (value, back)
say("values")
try:
    probe.fail("no more")
    raise AssertionError("nothing was raised")
except RuntimeError as e:
    assert str(e) == "no more", e
try:
    probe.add("x", 3)
    raise AssertionError("nothing was raised")
except RuntimeError as e:
    assert "(ii)" in str(e), e
say("errors")
assert probe.count(1, 2, "z") == 3
assert probe.over("a") == "one text" and probe.over("a", "b") == "two texts"
say("overloads")
heard, enough = [], threading.Event()


def listener(number, text):
    heard.append(number)
    if len(heard) == 1000:
        enough.set()


link = probe.ping.connect(listener)
for i in range(1000):
    probe.ping(i, "x")
assert enough.wait(60), len(heard)
assert sorted(heard) == list(range(1000))
probe.ping.disconnect(link)
say("signals")
assert probe.volume.value() == 50
changed, told = [], threading.Event()
try:
    probe.volume.connect(lambda v: (changed.append(v), told.set()))
    assert not old
except RuntimeError as e:
    assert old and "No such signal" in str(e), e
probe.volume.setValue(60)
assert probe.volume.value() == 60
assert old or (told.wait(60) and changed == [60])
try:
    probe.limited.setValue(2.0)
    raise AssertionError("nothing was raised")
except RuntimeError as e:
    assert "too much" in str(e), e
say("properties")
child = probe.child()
assert child.name() == "child" and child.age.value() == 3
del child
say("object returned")


class Mine:
    def name(self):
        return "mine"


assert probe.nameOf(Mine()) == "mine"
say("object passed")
future = probe.until_canceled(_async=True)
assert probe.add(1, 1) == 2
future.cancel()
if not old:
    future.wait(60000)
    assert future.isCanceled(), "not canceled"
assert probe.add(1, 1) == 2
say("cancel")
for i in range(1000):
    probe.note(i)
say("calls in a row")
# A service that another client hosts in its own process, on a socket of its own.
there = session.service("Open")
assert there.name() == "child"
say("client that listens")
# An object of one process, passed to a second, which gives it back.
back = probe.echo(there)
assert back.name() == "child"
say("passed on")
probe.call("enableStats", True)
assert probe.call("isStatsEnabled") is True
probe.add(1, 2)
counted = probe.call("stats")
assert sum(of["count"] for of in counted.values()) == 1, counted
say("stats")
service = session.registerService("Mine", Mine())
assert "Mine" in [s["name"] for s in session.services()]
say("registered")
# Until our server has called it.
probe.echo("called?")
sys.stdin.readline()
session.unregisterService(service)
assert "Mine" not in [s["name"] for s in session.services()]
say("unregistered")
session.close()
say("closed")
os._exit(0)
