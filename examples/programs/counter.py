"""Python 3 with qi: a service of one's own, with methods, a signal and a property, and a periodic task."""
import threading

import qi


class Counter:
    def __init__(self):
        self.changed = qi.Signal("(i)")
        self.step = qi.Property("i")
        self.step.setValue(1)
        self._count = 0

    @qi.bind(qi.Int32, [])
    def next(self):
        """Adds a step to the count."""
        self._count += self.step.value()
        self.changed(self._count)
        return self._count

    def fail(self):
        raise ValueError("a counter cannot fail")

    @qi.nobind
    def secret(self):
        return "nobody calls this from outside"


session = qi.Session()
session.connect("tcp://nao.local:9559")
session.registerService("Counter", Counter())

counter = session.service("Counter")
done = threading.Event()
counter.changed.connect(lambda count: (print("count", count), count >= 9 and done.set()))
counter.step.setValue(3)
task = qi.PeriodicTask()
task.setCallback(counter.next)
task.setUsPeriod(500_000)
task.start(False)
done.wait()
task.stop()
try:
    counter.fail()
except RuntimeError as error:
    print("refused:", error)
session.service("ALTextToSpeech").say("I have counted to %d" % counter.next())
