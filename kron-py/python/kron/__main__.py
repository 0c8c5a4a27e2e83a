"""The command, with the same code as the binary. ``pip`` installs it as ``kron``; ``python -m kron`` runs it too."""

import signal
import sys

from kron._kron import _run


def main() -> int:
    """Runs the command with the process's arguments and returns its exit code."""
    # The command reads and writes outside the interpreter, which would notice Ctrl-C only afterwards.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return _run(["kron", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
