"""Python 3 with qi: an application of a class, with signals of memory, futures, and a stop from a callback."""
import sys

import qi


class Greeter:
    def __init__(self, app):
        app.start()
        session = app.session
        self.app = app
        self.memory = session.service("ALMemory")
        self.tts = session.service("ALTextToSpeech")
        self.people = 0
        # Keep the subscriber: without it, the subscription ends.
        self.subscriber = self.memory.subscriber("PersonCame")
        self.subscriber.signal.connect(self.on_person)

    def on_person(self, name):
        self.people += 1
        speaking = self.tts.say(f"Good day, {name}", _async=True)
        speaking.addCallback(lambda future: print("said it to", name, future.hasValue()))
        if self.people == 2:
            speaking.then(lambda _: self.app.stop())


if __name__ == "__main__":
    app = qi.Application(sys.argv, url="tcp://nao.local:9559")
    greeter = Greeter(app)
    for delay, name in enumerate(("Ada", "Grace")):
        qi.runAsync(greeter.memory.raiseEvent, "PersonCame", name, delay=3_000_000 * delay)
    app.run()
    print("greeted", greeter.people)
