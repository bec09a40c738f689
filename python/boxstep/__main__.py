"""The command `boxstep`, and `python -m boxstep`."""
import os
import signal
import sys

# An interrupt during the start ends the process with the same exit code as later: docs/reference/exit-codes.md.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

from boxstep import launch  # noqa: E402


def main():
    launch(sys.argv[1:])


if __name__ == "__main__":
    main()
