# main: 2
# Nothing can happen any more: the run ends, and both can clean up.
import threading, time
locks = [threading.Lock(), threading.Lock()]

def work(mine, other):
    try:
        with locks[mine]:
            time.sleep(0.1)
            with locks[other]:
                log("never")
    finally:
        done.append(mine)

done = []
def main0(): work(0, 1)
def main1(): work(1, 0)
#= 2 waiting for ever
