# main: 3
import threading, time
event = threading.Event()

def main0():
    log("in vain", event.wait(0.1))
    log("set", event.wait(10))

def main1():
    log("also", event.wait())

def main2():
    time.sleep(0.3)
    event.set()
    log("sets it")
#= 0.100 in vain False
#= 0.300 sets it
#= 0.300 also True
#= 0.300 set True
