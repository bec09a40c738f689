# main: 3
import threading, time
condition = threading.Condition()
items, tried, taken = [], threading.Event(), threading.Event()

def main0():
    with condition:
        log("in vain", condition.wait_for(lambda: items, timeout=0.1))
        tried.set()
        condition.wait_for(lambda: items)
        log("took", items.pop())
    taken.set()

def main1():
    tried.wait()
    time.sleep(0.1)
    with condition:
        items.append(1)
        condition.notify_all()

def main2():
    taken.wait()
    with condition:
        log("left", items)
#= 0.100 in vain []
#= 0.200 took 1
#= 0.200 left []
