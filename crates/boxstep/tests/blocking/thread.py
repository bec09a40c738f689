# main: 1
# Threads are tasks: start, join, names, daemons, an exception, numbers, locals of their own.
import sys, threading, time
import _thread
local = threading.local()

def work(ms):
    log("locals", hasattr(local, "x"))
    local.x = 1
    time.sleep(ms / 1000.0)
    log(threading.current_thread().name, "done")

def fail():
    raise ValueError("in a thread")

def leave():
    sys.exit(3)

def main0():
    local.x = 1
    threads = [threading.Thread(target=work, args=(ms,), name="t%d" % ms) for ms in (200, 100)]
    threads[1].daemon = True
    for t in threads:
        t.start()
    log("not yet", threads[0].is_alive())
    threads[0].join(0.05)
    log("still", threads[0].is_alive())
    for t in threads:
        t.join()
    log("joined", [t.is_alive() for t in threads])
    threads[0].join()
    for target in (fail, leave):
        t = threading.Thread(target=target)
        t.start()
        t.join()
    try:
        t.start()
    except RuntimeError as error:
        log(error)
    try:
        threading.Thread().join()
    except RuntimeError as error:
        log(error)
    _thread.start_new_thread(fail, ())
    time.sleep(0.1)
    log("small number", threading.get_ident() < 1000, threading.active_count() <= 3)
    log(local.x)
#= 0.000 locals False
#= 0.000 locals False
#= 0.000 not yet True
#= 0.050 still True
#= 0.100 t100 done
#= 0.200 t200 done
#= 0.200 joined [False, False]
#= 0.200 uncaught ValueError: in a thread
#= 0.200 threads can only be started once
#= 0.200 cannot join thread before it is started
#= 0.200 uncaught ValueError: in a thread
#= 0.300 small number True True
#= 0.300 1
