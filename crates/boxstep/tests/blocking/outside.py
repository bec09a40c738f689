# main: 1
# virtual only
# The world outside does not know our clock.
import os, socket, subprocess

def attempt(f, *args):
    try:
        f(*args)
    except OSError as error:
        log(type(error).__name__)

def main0():
    attempt(socket.create_connection, ("127.0.0.1", 9))
    attempt(subprocess.check_output, ["true"])
    attempt(os.system, "true")
    a, b = socket.socketpair()
    a.send(b"x")
    log("within the process", b.recv(1))
#= 0.000 warning: the network is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 OutsideRefused
#= 0.000 warning: another program is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 OutsideRefused
#= 0.000 warning: os.system is refused in virtual time: the world outside does not wait for our clock. Allow it with --network, or play in real time.
#= 0.000 OutsideRefused
#= 0.000 within the process b'x'
