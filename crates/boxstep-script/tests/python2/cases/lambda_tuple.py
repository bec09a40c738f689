print map(lambda (k, v): v, [(1, 2), (3, 4)])
print (lambda a, (b, (c, d)), e=5: [a, b, c, d, e])(1, (2, (3, 4)))
print (lambda (x): x * 2)(4)
print map(lambda (k,  # over
                  v): k + v, [(1, 2)])
f = lambda (a,
            (b,
             c)), d: [a, b, c, d]
print f((1, (2, 3)), 4)
