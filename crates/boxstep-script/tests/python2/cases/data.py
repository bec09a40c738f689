# -*- coding: utf-8 -*-
import base64, binascii, os, pickle, socket, StringIO, struct, tempfile, wave, array
path = os.path.join(tempfile.mkdtemp(), "f")
with open(path, "wb") as f:
    f.write("\xff\x00RIFF\xc3\n" + chr(200) + "\r\n")
data = open(path, "rb").read()
print len(data), repr(data), type(data) is str, isinstance(data, str), isinstance(data, (int, basestring))
print ord(data[0]), [ord(c) for c in data[:3]], map(ord, list(data))[-3:], data[2:6], data[2:6] == "RIFF", "RIFF" == data[2:6], "RIFF" in data
print data == open(path).read(), {data[2:6]: 1}["RIFF"], data[0] == "\xff", data[-3] == chr(200), data[0] in ("\xff", "a")
print data.startswith("\xff\x00"), data.find("R"), data.split("RIFF")[0] == "\xff\x00", data.replace("\x00", ""). count("\x00"), data.rstrip()[-1] == "\xc8"
print str(bytearray(data)) == data, str(buffer(data)) == data, len(str(bytearray(5))), type(str(bytearray("abc"))) == str
out = ""
out += struct.pack("<h", 1)
out += struct.pack("B", 0xff)
print len(out), repr(out), struct.unpack("<hB", out), "".join([struct.pack("<h", 2), "\xfe", "ab"]) == "\x02\x00\xfeab"
print "%s|%d" % (struct.pack("2s", "ab"), 3), "{0}".format(struct.pack("2s", "xy")), "<" + struct.pack("1s", "z") + ">"
print pickle.loads(pickle.dumps({"a": data}) + "\n")["a"] == data, (pickle.dumps([1]) + "\n").splitlines()[-1]
print ord(base64.b64decode("xA==")), ord(binascii.unhexlify("c4")), "\xff".encode("hex"), "ff00".decode("hex") == "\xff\x00", data.encode("base64").strip()
a, b = socket.socketpair()
a.sendall("\xc4" + struct.pack("!I", 50089) + "hello")
head = b.recv(5)
print ord(head[0]), len(head), struct.unpack("!I", head[1:])[0], b.recv(100)
a.close(); b.close()
f = open(path, "w"); f.write(data); f.close()
print os.path.getsize(path), open(path, "rb").read(4) == "\xff\x00RI", open(path, "rb").readline().strip()[-1] == "\xc3", len(open(path).read())
print array.array("h", [1, -1]).tostring() == "\x01\x00\xff\xff", struct.unpack("4s", "abcd")[0] == "abcd"
w = wave.open(path, "wb"); w.setnchannels(1); w.setsampwidth(2); w.setframerate(8000)
w.writeframes("".join([struct.pack("<h", i * 100 - 300) for i in range(7)])); w.close()
print open(path, "rb").read(4) == "RIFF", os.path.getsize(path)
print "caf\xc3\xa9", "\303\251", b"ab" == "ab", b"\xff"[0] == "\xff", ord(b"\xff"), u"\xe9".encode("utf-8"), "\xe9".decode("latin-1") == u"\xe9"
print data[:1] + "x" == "\xffx", "x" + data[:1] == "x\xff", data[:1] * 2 == "\xff\xff", sorted([data[2:6], "A", "Z"]), "abc" < struct.pack("B", 255)
print "a,b;c".join(["1", "2"]), os.path.join("a", "b"), ",".join(c for c in "abc"), ", ".join([data[2:4], "x"])
def check(value):
    if isinstance(value, str): return "str"
    return type(value).__name__
print check(data), check(struct.pack("B", 1)), check(1), int(struct.pack("2s", "12")) + 1
s = StringIO.StringIO()
s.write("ab"); s.write(data); s.write("c")
s.seek(1)
print s.read(3) == "b\xff\x00", ord(s.getvalue()[2]), len(s.getvalue()), s.tell()
print StringIO.StringIO(data).readlines()[1] == data.split("\n", 1)[1], [line for line in StringIO.StringIO("a\nb\n")], StringIO.StringIO("x").read()
