# main: 4
# All at once; what comes first must not hang on addresses, hashes or the machine's load.
import threading, time, queue, random
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
lock, q = threading.Lock(), queue.Queue()

def worker(n):
    r = random.Random(n)
    for i in range(5):
        time.sleep(r.random() / 10)
        with lock:
            log("w", n, i, random.random(), threading.current_thread().name)
        q.put((n, i))
    return n

def main0():
    with ThreadPoolExecutor(6) as ex:
        fs = [ex.submit(worker, n) for n in range(10)]
        for f in as_completed(fs):
            log("done", f.result())
        done, rest = wait(fs)
        log([f.result() for f in done])
    log("down")

def main1():
    for _ in range(30):
        log("q", q.get())

def main2():
    ts = {threading.Thread(target=worker, args=(100 + n,)) for n in range(6)}
    for t in ts:
        t.start()
    for t in ts:
        t.join()
        log(t.name, "joined")

def main3():
    while time.time() < 1577836800.3:
        pass
    log("polled the clock", time.time())
    def tick(n):
        log("tick", n, hash(threading.current_thread()))
        if n:
            threading.Timer(0.05, tick, (n - 1,)).start()
    tick(10)
