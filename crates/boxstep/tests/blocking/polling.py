# main: 2
# virtual only
# not repeatable
# A script that waits for another one without telling us loses its turn; the run is not repeatable then.
import time
flag = []

def main0():
    while not flag:
        pass
    log("saw it")
    time.sleep(1)
    log("goes on")

def main1():
    time.sleep(0.3)
    flag.append(1)
    log("set it")
#= 0.300 set it
#= 0.300 saw it
#= 1.300 goes on
#= not deterministic: a script was not waited for
