"""The programs of this repository that the rows need."""

import json
import subprocess

from .servers import ROOT

# Of each: its package, and how it is built. What is measured is built as it is released.
TARGETS = {
    "operator": ("kron-operator", ("build", "--release", "--bin", "kron-operator")),
    "create_jobs": ("kron-operator", ("build", "--release", "--example", "create_jobs")),
    "model": ("kron-operator", ("build", "--example", "serve_model")),
    "suite": ("kron-operator", ("test", "--no-run", "--test", "suite")),
    "kron": ("kron-cli", ("build", "--bin", "kron")),
}


class Programs:
    """Each is built when it is asked for first; with `workspace` as scripts/test.sh builds it, which has nothing to build again."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.built = {}

    def __getitem__(self, name):
        if name not in self.built:
            self.built[name] = self.build(*TARGETS[name])
        return self.built[name]

    def build(self, package, words):
        which = ["--workspace", "--all-features"] if self.workspace else ["--package", package]
        if self.workspace:
            words = [word for word in words if word != "--release"]
        command = ["cargo", words[0], "--quiet", "--locked", *which, "--message-format", "json", *words[1:]]
        done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        manifest = str(ROOT / package / "Cargo.toml")
        messages = [json.loads(line) for line in done.stdout.splitlines()]
        [executable] = {
            m["executable"] for m in messages
            if m.get("executable") and m["target"]["name"] == words[-1] and m["manifest_path"] == manifest}
        return executable
