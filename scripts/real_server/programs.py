"""The programs of this repository that the rows need, built unless they are given."""

import json
import subprocess

from .servers import ROOT


class Programs:
    """Each is built when it is asked for first."""

    def __init__(self, options):
        self.given = {name: getattr(options, name) for name in ("operator", "suite", "model")}

    def program(self, name, *arguments):
        if not self.given[name]:
            self.given[name] = built(*arguments)
        return self.given[name]

    @property
    def operator(self):
        return self.program("operator", "build", "--release", "--bin", "kron-operator")

    @property
    def suite(self):
        return self.program("suite", "test", "--no-run", "--test", "suite")

    @property
    def model(self):
        return self.program("model", "build", "--example", "serve_model")


def built(command, *arguments):
    """The executable of the one target that is named."""
    done = subprocess.run(
        ["cargo", command, "--quiet", "--locked", "--package", "kron-operator", "--message-format", "json", *arguments],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    target = arguments[-1]
    [executable] = {m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == target}
    return executable
