# main: 3
import threading, time
semaphore = threading.BoundedSemaphore(2)
barrier = threading.Barrier(3)

def work(name):
    with semaphore:
        log(name, "in")
        time.sleep(0.1)
    barrier.wait()
    log(name, "past the barrier at", "0.2")

def main0(): work("a")
def main1(): work("b")
def main2(): work("c")
#= 0.000 a in
#= 0.000 b in
#= 0.100 c in
#= 0.200 c past the barrier at 0.2
#= 0.200 a past the barrier at 0.2
#= 0.200 b past the barrier at 0.2
