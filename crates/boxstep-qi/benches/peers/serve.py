"""A service of libqi's own to measure with: prints its address, and ends when its input does."""
import os
import sys

import qi


class Bench:
    def __init__(self):
        self.ping = qi.Signal("(i)")
        self.count = 0

    @qi.bind(qi.Int32, [qi.Int32, qi.Int32])
    def add(self, a, b):
        return a + b

    @qi.bind(qi.Void, [qi.Int32])
    def note(self, x):
        self.count += 1

    @qi.bind(qi.Int32, [])
    def noted(self):
        return self.count

    @qi.bind(qi.Void, [qi.Int32])
    def emit(self, count):
        for i in range(count):
            self.ping(i)


app = qi.Application(["serve", "--qi-log-level", "1"])
session = qi.Session()
session.listenStandalone("tcp://127.0.0.1:0")
bench = Bench()
session.registerService("Bench", bench)
print("= " + [e for e in session.endpoints() if e.startswith("tcp://127")][0], flush=True)
sys.stdin.read()
os._exit(0)
