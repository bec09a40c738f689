import sys
print "a",
print "b",
print "c\n",
print "d"
for i in range(3): print i,
print
