print 0777, 0xFFL, 10L + 1, 1 <> 2, 1 <> 1
print 2 ** 40L
