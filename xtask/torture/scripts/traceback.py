#!/usr/bin/env python3
# Raises an exception with a chain of 900 others.
# ends: 0 4


class MyClass(GeneratedClass):
    def onInput_onStart(self):
        self.raise_after(900)

    def raise_after(self, n):
        if n == 0:
            raise ValueError('x' * 1000)
        try:
            self.raise_after(n - 1)
        except ValueError as error:
            raise ValueError('y' * 10000) from error
