try:
    print 1 < "a" < None
except TypeError:
    print "TypeError"
