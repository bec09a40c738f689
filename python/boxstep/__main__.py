"""The command `boxstep`, and `python -m boxstep`."""
import signal
import sys

from boxstep import launch


def main():
    # An interrupt while it starts ends it, as it ends every program.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    launch(sys.argv[1:])


if __name__ == "__main__":
    main()
