# main: 2
# A lock its owner may take again; a condition gives it back altogether.
import threading, time
lock = threading.RLock()
condition = threading.Condition(lock)

def main0():
    with lock:
        with lock:
            log("twice", lock._is_owned())
            condition.wait()
            log("back", lock._is_owned())
    log("free", lock._is_owned())
    try:
        lock.release()
    except RuntimeError as error:
        log(error)

def main1():
    time.sleep(0.1)
    with condition:
        log("in between")
        condition.notify()
#= 0.000 twice True
#= 0.100 in between
#= 0.100 back True
#= 0.100 free False
#= 0.100 cannot release un-acquired lock
