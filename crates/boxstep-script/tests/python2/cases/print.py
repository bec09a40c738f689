print
print "a", 1, None, ["b"]
print "no", "end",
print
print("%s-%s") % (1, 2)
if True: print "one"; print "line"
