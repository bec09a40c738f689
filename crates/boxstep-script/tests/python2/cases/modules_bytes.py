# -*- coding: utf-8 -*-
import os, tempfile, zlib, gzip, bz2, array, binascii, StringIO, cStringIO
r, w = os.pipe()
print os.write(w, 'text é'), os.read(r, 100)
os.write(w, 'a\xffb'); print repr(os.read(r, 10)) == repr('a\xffb') or 'same bytes'
f = os.fdopen(w, 'w'); f.write('through fdopen\n'); f.close()
g = os.fdopen(r); print g.readline(), ; g.close()
print len(os.urandom(8).encode('hex'))
fd, path = tempfile.mkstemp()
os.write(fd, 'in a file'); os.close(fd); print open(path).read()
with tempfile.NamedTemporaryFile() as f:
    f.write('one\ntwo\n'); f.flush(); f.seek(0)
    print f.read().split(), os.path.exists(f.name), open(f.name).read() == 'one\ntwo\n'
    f.seek(0)
    print [line.strip() for line in f], f.tell()
    f.seek(0); print f.readline(), f.next(), f.readlines()
print os.path.exists(f.name)
f = tempfile.NamedTemporaryFile('w', -1, '.txt', 'pre', delete=False)
f.write('x'); f.close(); print os.path.basename(f.name)[:3], f.name[-4:], os.path.getsize(f.name)
os.unlink(f.name)
for make in tempfile.TemporaryFile, tempfile.SpooledTemporaryFile:
    f = make(); f.writelines(['a', 'b']); f.seek(0); print f.read(), f.read(1) == ''
packed = zlib.compress('hello ' * 20)
print zlib.decompress(packed) == 'hello ' * 20, zlib.crc32('hello'), zlib.adler32('hello'), zlib.crc32('lo', zlib.crc32('hel')), zlib.crc32('a'), binascii.crc32('a') , zlib.crc32('x' * 3)
c = zlib.compressobj(); packed = c.compress('text') + c.flush()
d = zlib.decompressobj(); print d.decompress(packed + 'rest'), d.flush() == '', d.unused_data
path = os.path.join(tempfile.mkdtemp(), 'f.gz')
f = gzip.open(path, 'wb'); f.write('line é\nnext\n'); f.close()
print gzip.open(path).read(), gzip.open(path, 'rb').readlines()[1], [l.strip() for l in gzip.open(path)][1]
f = gzip.GzipFile(fileobj=StringIO.StringIO(open(path, 'rb').read())); print f.read(),
f = gzip.GzipFile(fileobj=open(path, 'rb')); print f.readline(),
out = StringIO.StringIO(); f = gzip.GzipFile(fileobj=out, mode='w'); f.write('in memory'); f.close()
print gzip.GzipFile(fileobj=StringIO.StringIO(out.getvalue())).read()
out.seek(0); print zlib.decompress(out.read(), 31)
print bz2.decompress(bz2.compress('bz')), 
b = bz2.BZ2Compressor(); print bz2.BZ2Decompressor().decompress(b.compress('bz') + b.flush())
f = bz2.BZ2File(path + '2', 'w'); f.write('bz file\n'); f.close(); print bz2.BZ2File(path + '2').read(),
a = array.array('c', 'hello')
print a, a[0], a[1:3], a.tostring(), list(a), len(a), a.typecode, a.count('l'), a.index('e'), 'h' in a, ''.join(a)
a[0] = 'J'; a.append('!'); a.extend('ab'); a.insert(0, '>'); a.fromstring('z'); print a.tostring(), a.pop(), a.pop(0), a.tolist()[:2]
a.remove('!'); a[1:3] = array.array('c', 'EL'); a += array.array('c', 'q'); print a, array.array('c'), (a + a).tostring(), (a * 2)[3:].tostring()
h = array.array('h', [1, 2]); print h, len(h.tostring()), isinstance(h, array.array), array.array('B', 'ab'), isinstance(a, array.ArrayType), h[1:].tostring() == '\x02\x00'
h = array.array('B'); h.fromstring('xyz'); print h.tolist(), type(h) == array.array
try:
    a[0] = 'ab'
except TypeError, e:
    print e
