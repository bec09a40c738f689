# -*- coding: utf-8 -*-
from __future__ import division, print_function, unicode_literals
print(7 / 2, 7 // 2, sep="|")
print("\u00e9" == "é".replace("é", "\u00e9"))
x = 7
x /= 2
print(x)
