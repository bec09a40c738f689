source = '''
def doubled(items):
    both = [(yield item) for item in items]
    print both
print list(doubled([1, 2]))
'''
try:
    exec source
except SyntaxError:
    print 'SyntaxError'
