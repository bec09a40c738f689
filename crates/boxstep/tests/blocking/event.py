# main: 3
import threading, time
event, tried = threading.Event(), threading.Event()

def main0():
    log("in vain", event.wait(0.1))
    tried.set()
    log("set", event.wait(100))

def main1():
    log("also", event.wait())

def main2():
    tried.wait()
    time.sleep(0.2)
    event.set()
    log("sets it")
#= 0.100 in vain False
#= 0.300 sets it
#= 0.300 also True
#= 0.300 set True
