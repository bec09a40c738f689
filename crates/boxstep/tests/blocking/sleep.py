# main: 2
import time
from time import sleep

def main0():
    sleep(0.1)
    log("a tenth")
    for bad in (-1, float("nan"), "x"):
        try:
            sleep(bad)
        except (TypeError, ValueError) as error:
            log(type(error).__name__)
    sleep(True)
    log("a second")

def main1():
    time.sleep(0.5)
    log("a half")
#= 0.100 a tenth
#= 0.100 ValueError
#= 0.100 ValueError
#= 0.100 TypeError
#= 0.500 a half
#= 1.100 a second
