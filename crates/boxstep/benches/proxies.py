"""Measures a client in Python against a robot: `proxies.py URL WHAT` prints one number. `cargo xtask bench-peers programs` runs
it with Boxstep's `qi` and `naoqi`, and with PyPI's `qi`.

- `session`, `proxy`: calls a second of a method that answers at once, the best of five rounds
- `import`: milliseconds for `import naoqi`, after the interpreter has started
- `leak`: KiB by which the process has grown during a million calls, after a first hundred thousand
"""
import sys
import time

ROUNDS, CALLS = 5, 5_000


def rate(call):
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        for _ in range(CALLS):
            call()
        best = max(best, CALLS / (time.perf_counter() - began))
    return best


def size():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4


def session(url):
    import qi
    found = qi.Session()
    found.connect(url)
    memory = found.service("ALMemory")
    memory.insertData("key", 1)
    # The session of PyPI's `qi` ends with its last reference.
    return lambda found=found: memory.getData("key")


def proxy(url):
    from naoqi import ALProxy
    host, _, port = url.partition("://")[2].rpartition(":")
    memory = ALProxy("ALMemory", host, int(port))
    memory.insertData("key", 1)
    return lambda: memory.getData("key")


def leak(url):
    call = proxy(url)
    for _ in range(100_000):
        call()
    before = size()
    for _ in range(1_000_000):
        call()
    return size() - before


def main(url, what):
    if what == "import":
        began = time.perf_counter()
        import naoqi  # noqa: F401
        print((time.perf_counter() - began) * 1e3)
    elif what == "leak":
        print(leak(url))
    else:
        print(rate({"session": session, "proxy": proxy}[what](url)))


main(*sys.argv[1:])
