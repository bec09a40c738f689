"""What Python's qi makes of a served robot. Arguments: address, and `robot` or `boxes`. Ends with `fine`."""
import sys
import threading

import qi


def wait_for(event):
    assert event.wait(20), "nothing came"


def errors(call, *args):
    try:
        call(*args)
    except RuntimeError as error:
        return str(error)
    raise AssertionError("no error")


def robot(session):
    names = [s["name"] if isinstance(s, dict) else s.name for s in session.services()]
    assert len(names) >= 38, names
    for name in names:
        session.service(name)

    session.service("ALTextToSpeech").say("hello")
    motion = session.service("ALMotion")
    motion.setAngles("HeadYaw", 0.25, 1.0)
    motion.angleInterpolation(["HeadYaw"], [0.5], [0.5], True)
    angles = motion.getAngles(["HeadYaw"], True)
    assert len(angles) == 1 and abs(angles[0] - 0.5) < 1e-5, angles
    assert "NoJoint" in errors(motion.setAngles, "NoJoint", 0.0, 1.0)

    memory = session.service("ALMemory")
    heard, told = [], threading.Event()
    subscriber = memory.subscriber("Mood")
    link = subscriber.signal.connect(lambda value: (heard.append(value), told.set()))
    memory.raiseEvent("Mood", ["good", 1])
    wait_for(told)
    assert heard == [["good", 1]], heard
    assert memory.getData("Mood") == ["good", 1]
    assert "NoKey" in errors(memory.getData, "NoKey")
    subscriber.signal.disconnect(link)

    call = memory.pCall(["getDataOnChange", "Later", 0])
    assert memory.isRunning(call)
    memory.stop(call)
    assert not memory.isRunning(call)

    waits = qi.runAsync(lambda: memory.getDataOnChange("Later", 0))
    memory.insertData("Other", 1)
    memory.insertData("Later", 2)
    for _ in range(1000):
        # It may not have begun to wait.
        if waits.wait(20) == qi.FutureState.FinishedWithValue:
            break
        memory.insertData("Later", memory.getData("Later") + 1)
    assert waits.hasValue()

    class Module:
        def __init__(self):
            self.heard, self.told = None, threading.Event()

        def called(self, key, value, message):
            self.heard = (key, value, message)
            self.told.set()

    module = Module()
    number = session.registerService("MyModule", module)
    memory.subscribeToEvent("Mood", "MyModule", "called")
    memory.raiseEvent("Mood", 7)
    wait_for(module.told)
    assert module.heard == ("Mood", 7, ""), module.heard
    session.unregisterService(number)


def many(address):
    sessions = []
    for _ in range(100):
        session = qi.Session()
        session.connect("tcp://" + address)
        sessions.append(session)
    calls = [s.service("ALMemory").insertData("k%d" % i, i, _async=True) for i, s in enumerate(sessions)]
    for call in calls:
        call.value()
    memory = sessions[0].service("ALMemory")
    assert [memory.getData("k%d" % i) for i in range(100)] == list(range(100))
    for session in sessions:
        session.close()


def boxes(session):
    offered = session.service("Boxstep")
    assert list(offered.boxes()) == ["root", "root/Echo"], offered.boxes()
    echo = offered.box("root/Echo")
    heard, told = [], threading.Event()
    link = echo.out.connect(lambda value: (heard.append(value), told.set()))
    for _ in range(1000):
        # It may not be loaded yet.
        try:
            getattr(echo, "in")("hi")
            break
        except RuntimeError:
            pass
    wait_for(told)
    assert heard == ["hi"], heard
    assert echo.Colour.value() == "red"
    echo.Colour.setValue("blue")
    assert echo.Colour.value() == "blue"
    echo.out.disconnect(link)


def main():
    address, what = sys.argv[1:]
    qi.logging.setLevel(qi.logging.FATAL)
    session = qi.Session()
    session.connect("tcp://" + address)
    if what == "robot":
        robot(session)
        many(address)
    else:
        boxes(session)
    session.close()
    print("fine")


main()
