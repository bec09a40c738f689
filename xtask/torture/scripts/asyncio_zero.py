#!/usr/bin/env python3
# An event loop that never waits.
# ends: 0 4
import asyncio


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        asyncio.run(self.look())

    async def look(self):
        while True:
            await asyncio.sleep(0)
