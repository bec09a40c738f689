# main: 3
import threading, time
condition = threading.Condition()
items = []

def main0():
    with condition:
        log("in vain", condition.wait_for(lambda: items, timeout=0.1))
        condition.wait_for(lambda: items)
        log("took", items.pop())

def main1():
    time.sleep(0.2)
    with condition:
        items.append(1)
        condition.notify_all()

def main2():
    time.sleep(0.3)
    with condition:
        log("left", items)
#= 0.100 in vain []
#= 0.200 took 1
#= 0.300 left []
