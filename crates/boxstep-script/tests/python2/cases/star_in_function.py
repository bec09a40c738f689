import warnings
warnings.simplefilter("ignore")
def f():
    from math import *
    return floor(2.5)
print f()
