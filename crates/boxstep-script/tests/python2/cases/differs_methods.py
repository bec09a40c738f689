class A(object):
    def method(self):
        return 'called'
class B(A):
    pass
print B().method.im_class is B, type(A.method) is type(A().method)
for use in lambda: A.method.im_class is A, lambda: A.method('no A'):
    try:
        print use()
    except (AttributeError, TypeError), e:
        print type(e).__name__
