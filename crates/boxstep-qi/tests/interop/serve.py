"""A service of libqi's own, for a client of ours: prints its port, and ends when its input does."""
import os
import sys

import qi


def say(text):
    # libqi logs to the same place.
    print("= " + text, flush=True)



class Child:
    def __init__(self):
        self.cried = qi.Signal("(i)")
        self.age = qi.Property("i")
        self.age.setValue(3)

    def name(self):
        return "child"

    def cry(self, loud):
        self.cried(loud)


class Probe:
    def __init__(self):
        self.ping = qi.Signal("(is)")
        self.volume = qi.Property("i")
        self.volume.setValue(50)
        self.posted = []

    @qi.bind(qi.Int32, [qi.Int32, qi.Int32])
    def add(self, a, b):
        return a + b

    def echo(self, x):
        return x

    def nothing(self):
        pass

    def fail(self, words):
        raise RuntimeError(words)

    def over(self, *args):
        return len(args)

    def child(self):
        return Child()

    def nameOf(self, it):
        return it.name()

    def emit(self, count):
        for i in range(count):
            self.ping(i, "x")

    def note(self, x):
        self.posted.append(x)

    def noted(self):
        return self.posted

    @qi.bind(qi.List(qi.Float), [qi.List(qi.Float)])
    def floats(self, x):
        return x

    @qi.bind(qi.Map(qi.String, qi.Int32), [qi.Map(qi.String, qi.Int32)])
    def table(self, x):
        return x

    def sumOf(self, name, a, b):
        return session.service(name).sum(a, b)


app = qi.Application(["serve", "--qi-log-level", "1"])
session = qi.Session()
session.listenStandalone("tcp://127.0.0.1:0")
probe = Probe()
session.registerService("Probe", probe)
say([e for e in session.endpoints() if e.startswith("tcp://127")][0])
sys.stdin.read()
os._exit(0)
