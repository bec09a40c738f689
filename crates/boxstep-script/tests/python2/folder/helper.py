# -*- coding: utf-8 -*-
import Queue
print "helper", 7 / 2
NAME = u"é"
def half(n): return n / 2
def fails():
    return undefined_name
