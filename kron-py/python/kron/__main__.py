"""The command, with the same code as the binary, if this package was built with it: ``python -m kron``."""

import signal
import sys

from kron import _kron

_HELP = """\
This package of kron has no command. The command is a program of its own:

    cargo install --path kron-cli    in the repository; then: kron next "0 0 * * * @win(after,3h)" --name prod/db

Or build the package with the feature `command`, for python -m kron:

    MATURIN_PEP517_ARGS="--features command" pip install ./kron-py

In Python: print(kron.Job("0 0 * * * @win(after,3h)", name="prod/db").starts(count=5))
"""


def main() -> int:
    """Runs the command with the process's arguments and returns its exit code."""
    run = getattr(_kron, "_run", None)
    if run is None:
        sys.stderr.write(_HELP)
        return 2
    # The command reads and writes outside the interpreter, which would notice Ctrl-C only afterwards.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    code: int = run(["kron", *sys.argv[1:]])
    return code


if __name__ == "__main__":
    sys.exit(main())
