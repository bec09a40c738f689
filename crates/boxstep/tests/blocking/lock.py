# main: 3
# A lock goes to who waits longest; waiting with a timeout, and not at all.
import threading, time
lock = threading.Lock()

def main0():
    with lock:
        log("a has it", lock.locked())
        time.sleep(0.2)

def main1():
    log("not at once", lock.acquire(False))
    log("not in time", lock.acquire(timeout=0.05))
    with lock:
        log("b has it")
        time.sleep(0.1)

def main2():
    time.sleep(0.01)
    with lock:
        log("c has it")
    time.sleep(0.3)
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
#= 0.200 c has it
#= 0.200 b has it
#= 0.500 release unlocked lock
#= 0.500 can't specify a timeout for a non-blocking call
#= 0.500 timeout value must be a non-negative number
#= 0.500 timeout value is too large
#= 0.500 False True True
