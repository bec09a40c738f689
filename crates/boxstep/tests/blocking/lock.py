# main: 3
# A lock goes to who waits longest; waiting with a timeout, and not at all.
import threading, time
lock = threading.Lock()
held, tried, over = threading.Event(), threading.Event(), threading.Event()

def main0():
    with lock:
        log("a has it", lock.locked())
        held.set()
        tried.wait()
        time.sleep(0.1)

def main1():
    held.wait()
    log("not at once", lock.acquire(False))
    log("not in time", lock.acquire(timeout=0.05))
    tried.set()
    with lock:
        log("b has it")
        time.sleep(0.1)
    over.set()

def main2():
    tried.wait()
    with lock:
        log("c has it")
    over.wait()
    try:
        lock.release()
    except RuntimeError as error:
        log(error)
    for bad in ((False, 1), (True, -2), (True, 1e30)):
        try:
            lock.acquire(*bad)
        except (ValueError, OverflowError) as error:
            log(error)
    log(lock.locked(), hash(lock) == hash(lock), lock == lock)
#= 0.000 a has it True
#= 0.000 not at once False
#= 0.050 not in time False
#= 0.150 b has it
#= 0.250 c has it
#= 0.250 release unlocked lock
#= 0.250 can't specify a timeout for a non-blocking call
#= 0.250 timeout value must be a non-negative number
#= 0.250 timeout value is too large
#= 0.250 False True True
