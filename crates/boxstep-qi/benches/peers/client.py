"""libqi's own client: for each line "WHAT COUNT" of its input a line of figures, for the server whose address is its argument."""
import os
import sys
import threading
import time

import qi

app = qi.Application(["client", "--qi-log-level", "1"])
session = qi.Session()
session.connect(sys.argv[1])
bench = session.service("Bench")


def calls(count):
    add, times = bench.add, []
    for i in range(count):
        begin = time.perf_counter()
        add(i, 1)
        times.append(time.perf_counter() - begin)
    turn = min(count, 100)
    rates = sorted(turn / sum(times[i : i + turn]) for i in range(0, count, turn))
    times.sort()
    return [rates[len(rates) // 2], times[count // 2] * 1e6, times[count * 99 // 100] * 1e6]


def pipelined(count):
    begin = time.perf_counter()
    for pending in [bench.add(i, 1, _async=True) for i in range(count)]:
        pending.value()
    return [count / (time.perf_counter() - begin)]


def posts(count):
    # Posts cannot be had from Python: these are calls that nobody waits for.
    until = bench.noted() + count
    begin = time.perf_counter()
    for i in range(count):
        bench.note(i, _async=True)
    while bench.noted() < until:
        pass
    return [count / (time.perf_counter() - begin)]


def events(count):
    heard, done = [0], threading.Event()
    lock = threading.Lock()

    def hear(_):
        with lock:
            heard[0] += 1
            if heard[0] == count:
                done.set()

    link = bench.ping.connect(hear)
    begin = time.perf_counter()
    bench.emit(count)
    done.wait()
    took = time.perf_counter() - begin
    bench.ping.disconnect(link)
    return [count / took]


def connect(count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        other = qi.Session()
        other.connect(sys.argv[1])
        times.append(time.perf_counter() - begin)
        other.close()
    times.sort()
    return [times[count // 2] * 1e6]


print("= ready", flush=True)
for line in sys.stdin:
    what, count = line.split()
    print("= " + " ".join("%f" % figure for figure in globals()[what](int(count))), flush=True)
os._exit(0)
