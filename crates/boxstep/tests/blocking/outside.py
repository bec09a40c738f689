# main: 1
# virtual only
# The world outside does not know our clock.
import os, socket, subprocess

def attempt(what, f, *args):
    try:
        f(*args)
    except OSError as error:
        log(what, type(error).__name__)

def main0():
    nobody = ("127.0.0.1", 9)
    s = socket.socket()
    s.settimeout(1)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    attempt("connect", s.connect, nobody)
    attempt("connect_ex", s.connect_ex, nobody)
    attempt("bind", s.bind, ("127.0.0.1", 0))
    attempt("listen", s.listen)
    s.close()
    datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    attempt("sendto", datagrams.sendto, b"x", nobody)
    attempt("sendmsg", datagrams.sendmsg, [b"x"], [], 0, nobody)
    datagrams.close()
    attempt("create_connection", socket.create_connection, ("localhost", 9))
    attempt("getaddrinfo", socket.getaddrinfo, "localhost", 9)
    attempt("gethostbyname", socket.gethostbyname, "localhost")
    attempt("gethostbyaddr", socket.gethostbyaddr, "127.0.0.1")
    attempt("subprocess", subprocess.check_output, ["true"])
    attempt("system", os.system, "true")

    a, b = socket.socketpair()
    a.send(b"x")
    a.sendmsg([b"y"])
    log("within the process", b.recv(2))
    log("in figures", socket.gethostbyname("127.0.0.1"), socket.getaddrinfo("::1", 9, type=socket.SOCK_STREAM)[0][4][:2])
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 connect OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 connect_ex OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 bind OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 listen OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 sendto OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 sendmsg OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 create_connection OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 getaddrinfo OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 gethostbyname OutsideRefused
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 gethostbyaddr OutsideRefused
#= 0.000 warning: another program is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 subprocess OutsideRefused
#= 0.000 warning: os.system is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 system OutsideRefused
#= 0.000 within the process b'xy'
#= 0.000 in figures 127.0.0.1 ('::1', 9)
