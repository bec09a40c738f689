def f(x):
    if x:
	return "eight columns"
    return "blanks"
print f(1), f(0)
if True:
	print "tab"
        print "blanks"
