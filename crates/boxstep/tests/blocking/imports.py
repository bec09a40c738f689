# main: 3
# Import locks hand over like any other: one import, and whoever wants the module waits for it.
import os, sys, tempfile, time
folder = tempfile.mkdtemp()
sys.path.insert(0, folder)
with open(os.path.join(folder, "slow_module.py"), "w") as f:
    f.write("import time\ntime.sleep(0.2)\nvalue = [1]\n")

def main0():
    import slow_module
    log("has it", slow_module.value)

def main1():
    time.sleep(0.05)
    import slow_module
    log("has it", slow_module.value)

def main2():
    time.sleep(0.1)
    log("goes on meanwhile")
#= 0.100 goes on meanwhile
#= 0.200 has it [1]
#= 0.200 has it [1]
