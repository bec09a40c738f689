# main: 1
import threading, time

def main0():
    timers = [threading.Timer(s, log, ("after", s)) for s in (0.3, 0.1, 0.2)]
    for t in timers:
        t.start()
    timers[2].cancel()
    timers[0].join()
    log("joined")
#= 0.100 after 0.1
#= 0.300 after 0.3
#= 0.300 joined
