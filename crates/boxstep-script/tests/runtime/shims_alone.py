"""Run by itself, by Python 2.7 or 3: the bootstrap and the shims, from memory, over a small engine.

    python shims_alone.py FOLDER_OF_THE_RUNTIME [preloaded]
"""
import sys

FOLDER = sys.argv[1]
if "preloaded" in sys.argv:
    # As a `.pth` file may do it: these locks are created before the shims are installed.
    import threading
    import logging

import small_engine

engine = small_engine.Engine()
texts = small_engine.sources(FOLDER)
# The host is a part of the test, and is loaded from memory, too.
texts["small_host"] = u"""
bridge = None
def setup(a_bridge, options):
    global bridge
    bridge = a_bridge
"""
space = {"__name__": "boxstep_runtime.bootstrap"}
text = texts["boxstep_runtime.bootstrap"]
exec(compile(text.encode("utf-8"), "<bootstrap>", "exec", 0, True), space)
options = {"epoch": 1000000000, "virtual": True, "seed": 7, "network": False}
module = space["start"](engine, options, texts, "small_host")
assert module.bridge is engine and module.__loader__.__class__.__name__ == "MemoryImporter"
from boxstep_runtime import shim_outside, shims
assert shims.__loader__.__class__.__name__ == "MemoryImporter", shims.__loader__
assert shims.__loader__.get_source("boxstep_runtime.shims").startswith('"""'), "for tracebacks"
host = engine.host = small_engine.Host(engine)
shims.use_host(host)

import datetime
import os
import random
import select
import socket
import subprocess
import threading
import time
import uuid

try:
    import queue
except ImportError:
    import Queue as queue

PYTHON2 = sys.version_info[0] == 2
told = []


def play(*functions):
    """Runs functions as tasks, begun in order; returns the virtual seconds that passed and what was reported."""
    del told[:], engine.events[:]
    begin = engine.time
    for function in functions:
        engine.spawn(host.new_callback(function))
    engine.run()
    return (engine.time - begin) / 1e9


def raises(kind, function, *args):
    try:
        function(*args)
    except kind as error:
        return error
    raise AssertionError("%s was not raised" % kind.__name__)


def tell(*what):
    told.append(what)


def test_sleep_is_the_engines():
    assert play(lambda: (time.sleep(1.5), tell(time.time()))) == 1.5
    assert told == [(1000000000 + engine.time / 1e9,)], told
    raises(TypeError, time.sleep, "1")
    raises(IOError if PYTHON2 else ValueError, time.sleep, -1)


def test_clocks():
    before = time.time()
    counters = ["clock"] + ([] if PYTHON2 else ["monotonic", "perf_counter", "process_time"])
    marks = [getattr(time, name)() for name in counters]
    play(lambda: time.sleep(2))
    assert time.time() - before == 2
    for name, mark in zip(counters, marks):
        assert getattr(time, name)() - mark == 2, name
    assert hasattr(time, "monotonic") != PYTHON2, "a Python 2 has the clocks that it has"
    assert time.localtime()[:5] == time.gmtime()[:5] == (2001, 9, 9, 1, 46), time.localtime()
    assert time.strftime("%Y") == "2001"


def test_datetime():
    now = datetime.datetime.now()
    assert (now.year, now.day, type(now)) == (2001, 9, datetime.datetime), now
    assert repr(now).startswith("datetime.datetime(2001, 9, 9, "), repr(now)
    assert datetime.date.today() == now.date() and isinstance(now, datetime.date)
    assert isinstance(now - datetime.timedelta(1), datetime.datetime)

    class Zone(datetime.tzinfo):
        def utcoffset(self, moment):
            return datetime.timedelta(hours=2)

        def dst(self, moment):
            return datetime.timedelta(0)

    there = datetime.datetime.now(Zone())
    assert there.replace(tzinfo=None) - now == datetime.timedelta(hours=2), there
    raises(TypeError, datetime.datetime.now, 3)

    class Own(datetime.datetime):
        pass

    assert isinstance(Own.now(), Own) and not isinstance(now, Own)


def test_random_and_uuid():
    assert random.random() == random.Random(7).random()
    one, two = uuid.uuid1(), uuid.uuid4()
    assert (one.version, two.version) == (1, 4)
    assert uuid.uuid1() != one


def test_threads_are_tasks():
    def work(n):
        time.sleep(n)
        tell(n, time.time())

    def begin():
        threads = [threading.Thread(target=work, args=(n,)) for n in (3, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        tell("joined", [thread.is_alive() for thread in threads])

    start = time.time()
    assert play(begin) == 3
    assert told == [(1, start + 1), (3, start + 3), ("joined", [False, False])], told


def test_join_with_a_timeout():
    def begin():
        thread = threading.Thread(target=time.sleep, args=(2,))
        thread.start()
        thread.join(0.5)
        tell(thread.is_alive(), time.time() - start)
        thread.join()
        tell(thread.is_alive(), time.time() - start)

    start = time.time()
    play(begin)
    assert told == [(True, 0.5), (False, 2)], told


def test_exceptions_of_threads_are_told_and_stops_are_not():
    def fails():
        raise ValueError("of a thread")

    def stops():
        raise small_engine.Stopped()

    def leaves():
        raise SystemExit(3)

    class Runs(threading.Thread):
        def run(self):
            {}["of a class"]

    play(lambda: [threading.Thread(target=f).start() for f in (fails, stops, leaves)] and Runs().start())
    assert engine.events == [("uncaught", "ValueError", "of a thread"), ("uncaught", "KeyError", "'of a class'")], \
        engine.events


def test_condition_waits_once():
    condition = threading.Condition()

    def waits(timeout):
        with condition:
            condition.wait(timeout)
            tell(timeout, time.time() - start)

    def notifies():
        time.sleep(1)
        with condition:
            condition.notify_all()

    start = time.time()
    play(lambda: waits(0.25), lambda: waits(5), lambda: waits(None), notifies)
    assert told == [(0.25, 0.25), (5, 1), (None, 1)], told
    # A waiter that gave up does not delay the next one.
    start = time.time()
    play(lambda: (waits(0.5), waits(9)), lambda: (time.sleep(1), notifies()))
    assert told == [(0.5, 0.5), (9, 2)], told
    raises(RuntimeError, condition.wait, 1)
    raises(RuntimeError, condition.notify)


def test_event_queue_semaphore_and_timer():
    event, box = threading.Event(), queue.Queue()

    def waits():
        event.wait(0.5)
        tell("event", event.is_set(), time.time() - start)
        try:
            box.get(True, 0.5)
        except queue.Empty:
            tell("empty", time.time() - start)
        tell(box.get(), time.time() - start)
        event.wait()
        tell("event", event.is_set(), time.time() - start)

    def gives():
        time.sleep(2)
        box.put("a thing")
        threading.Timer(1, event.set).start()

    start = time.time()
    play(waits, gives)
    assert told == [("event", False, 0.5), ("empty", 1), ("a thing", 2), ("event", True, 3)], told
    bridge = threading.BoundedSemaphore(2)

    def enters(name):
        with bridge:
            time.sleep(1)
            tell(name, time.time() - start)

    start = time.time()
    play(*[lambda name=name: enters(name) for name in "abc"])
    assert told == [("a", 1), ("b", 1), ("c", 2)], told


def test_reentrant_locks():
    lock = threading.RLock()

    def holds():
        with lock:
            with lock:
                time.sleep(1)

    def wants():
        with lock:
            tell(time.time() - start)

    start = time.time()
    play(holds, wants)
    assert told == [(1,)], told
    raises(RuntimeError, lock.release)


def test_the_main_thread_is_known():
    assert threading.current_thread().name == "MainThread"
    assert threading.current_thread().is_alive()
    from boxstep_runtime import shim_threads
    raises(shim_threads.LockError, threading.Lock().release)


def test_the_network_is_refused_as_an_error_of_sockets():
    plain = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for use in (lambda: plain.connect(("127.0.0.1", 1)), lambda: plain.sendto(b"x", ("127.0.0.1", 1)),
                lambda: socket.create_connection(("localhost", 1)), lambda: socket.gethostbyname("a.name")):
        assert "virtual time" in str(raises(socket.error, use)), use
    assert socket.gethostbyname("127.0.0.1") == "127.0.0.1"
    a, b = socket.socketpair()
    a.sendall(b"x")
    assert b.recv(1) == b"x"
    for end in (a, b, plain):
        end.close()


def test_other_programs_are_refused():
    for use in (lambda: os.system("true"), lambda: os.popen("true"), lambda: subprocess.Popen(["true"]), os.fork):
        assert isinstance(raises(OSError, use), shim_outside.OutsideRefused)


def test_select_waits_on_the_clock():
    a, b = socket.socketpair()

    def waits():
        tell(select.select([a], [], [], 0.5)[0], time.time() - start)
        tell(len(select.select([a], [], [], 9)[0]))

    start = time.time()
    play(waits, lambda: (time.sleep(1), b.sendall(b"x")))
    assert told == [([], 0.5), (1,)], told
    a.close(), b.close()


names = [name for name in sorted(globals()) if name.startswith("test_")]
for name in names:
    globals()[name]()
print("%d passed" % len(names))
