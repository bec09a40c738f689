import io
data = buffer('abc')
print str(data) == 'abc', data[0] == 'a', len(data), data[1:] == 'bc'
for made in buffer, io.BytesIO:
    try:
        print len(made('abc').getvalue() if made is not buffer else made('abc'))
    except TypeError:
        print 'TypeError'
