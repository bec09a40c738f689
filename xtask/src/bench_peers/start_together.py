"""Eight processes with skewed clocks start at a common instant, with eclipse-zenoh and nothing else.

Each asks the leader 100 times for its time, takes the exchange with the shortest round trip, and starts at the announced
instant. The wall clock, which all share, is the truth.
"""

import json
import multiprocessing
import time

import zenoh

PROCESSES = 8
EXCHANGES = 100


def session():
    config = zenoh.Config()
    config.insert_json5("listen/endpoints", json.dumps(["tcp/127.0.0.1:0"]))
    config.insert_json5("scouting/multicast/interface", '"lo"')
    return zenoh.open(config)


def member(index, results):
    skew = (index / PROCESSES - 0.5) * 10
    local = lambda: time.time() + skew
    network = session()
    samples = []
    while len(samples) < EXCHANGES:
        sent = local()
        for reply in network.get("boxstep/bench/time", timeout=1.0):
            returned = local()
            leader = float(reply.ok.payload.to_string())
            samples.append((returned - sent, leader - (sent + returned) / 2))
        time.sleep(0.005)
    offset = min(samples)[1]
    for reply in network.get("boxstep/bench/ready", timeout=60.0):
        start = float(reply.ok.payload.to_string())
    while local() + offset < start:
        time.sleep(max(0.0, min(0.001, start - local() - offset)))
    results.put((time.time(), offset + skew))
    network.close()


def main():
    network = session()
    network.declare_queryable("boxstep/bench/time", lambda q: q.reply("boxstep/bench/time", str(time.time())))
    begin = time.time() + 12
    network.declare_queryable("boxstep/bench/ready", lambda q: q.reply("boxstep/bench/ready", str(begin)))
    results = multiprocessing.get_context("spawn").Queue()
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=member, args=(index, results)) for index in range(PROCESSES)]
    for process in processes:
        process.start()
    got = [results.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    starts = [start for start, _ in got]
    errors = sorted(abs(error) for _, error in got)
    print(f"starts spread over {(max(starts) - min(starts)) * 1e3:.2f} ms")
    print(f"clocks off: median {errors[len(errors) // 2] * 1e3:.3f} ms, at most {errors[-1] * 1e3:.3f} ms")
    network.close()


if __name__ == "__main__":
    main()
