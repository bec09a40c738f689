# main: 1
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, TimeoutError, as_completed, wait

def square(x):
    time.sleep(0.1)
    return x * x

def main0():
    with ThreadPoolExecutor(2) as pool:
        log(list(pool.map(square, range(4))))
        futures = [pool.submit(square, x) for x in range(4)]
        done, rest = wait(futures, return_when=FIRST_COMPLETED)
        log(len(rest) >= 2, futures[0] in done)
        log(sorted(f.result() for f in as_completed(futures)))
        late = pool.submit(time.sleep, 0.3)
        try:
            late.result(timeout=0.1)
        except TimeoutError:
            log("late")
    log("shut down")
#= 0.200 [0, 1, 4, 9]
#= 0.300 True True
#= 0.400 [0, 1, 4, 9]
#= 0.500 late
#= 0.700 shut down
