print "deep", 5 / 2
