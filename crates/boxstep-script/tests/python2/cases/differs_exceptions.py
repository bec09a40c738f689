print IOError is OSError, str(ImportError("x"))
try:
    "a" + 1
except TypeError, e:
    print "concatenate" in str(e), str(e).startswith("cannot")
