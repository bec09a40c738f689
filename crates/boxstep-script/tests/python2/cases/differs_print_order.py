def told():
    print 'told',
    return 1
print 'before', told()
