"""The command `boxstep`, and `python -m boxstep`."""
import sys

from boxstep import launch


def main():
    launch(sys.argv[1:])


if __name__ == "__main__":
    main()
