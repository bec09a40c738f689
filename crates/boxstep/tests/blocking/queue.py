# main: 3
import time
from queue import Empty, Full, LifoQueue, PriorityQueue, Queue, SimpleQueue
q, s = Queue(maxsize=1), SimpleQueue()

def main0():
    for i in range(3):
        q.put(i)
    log("all taken")
    q.join()
    log("all done")
    try:
        q.put(1)
        q.put(2, timeout=0.05)
    except Full:
        log("full")

def main1():
    time.sleep(0.1)
    for _ in range(3):
        log("got", q.get())
        time.sleep(0.1)
        q.task_done()
    s.put("simple")

def main2():
    log("got", s.get())
    try:
        s.get(timeout=0.2)
    except Empty:
        log("empty")
    log(type(s).__module__, type(s).__name__, [make().empty() for make in (LifoQueue, PriorityQueue)])
#= 0.100 got 0
#= 0.200 got 1
#= 0.200 all taken
#= 0.300 got 2
#= 0.400 all done
#= 0.400 got simple
#= 0.450 full
#= 0.600 empty
#= 0.600 queue _PySimpleQueue [True, True]
