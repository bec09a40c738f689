# main: 2
# An event loop waits on the run's clock too.
import asyncio, time

async def tick(name, seconds):
    for i in range(2):
        await asyncio.sleep(seconds)
        log(name, i)

async def both():
    await asyncio.gather(tick("slow", 0.3), tick("fast", 0.1))

def main0():
    asyncio.run(both())
    log("over")

def main1():
    time.sleep(0.05)
    log("others go on")
#= 0.050 others go on
#= 0.101 fast 0
#= 0.202 fast 1
#= 0.300 slow 0
#= 0.600 slow 1
#= 0.600 over
