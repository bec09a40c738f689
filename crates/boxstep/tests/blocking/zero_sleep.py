# main: 2
# virtual only
# A script that polls without letting time pass sees the clock move all the same.
import time
flag = []

def main0():
    while not flag:
        time.sleep(0)
    log("saw it")

def main1():
    time.sleep(0.003)
    flag.append(1)
#= 0.003 saw it
