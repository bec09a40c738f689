# main: 1
# virtual only
# A thread that nobody told Python's threading of: it can lock, log and wait, but the run is not repeatable.
import ctypes, threading, time
lock = threading.Lock()
libc = ctypes.CDLL(None)
Start = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)

def body(_):
    with lock:
        log("from outside")
    return None

def main0():
    start, thread = Start(body), ctypes.c_ulong()
    lock.acquire()
    libc.pthread_create(ctypes.byref(thread), None, start, None)
    lock.release()
    libc.pthread_join(thread, None)
    log("inside")
#= 0.000 from outside
#= 0.000 inside
#= not deterministic: a thread that Python's threading did not start took part
