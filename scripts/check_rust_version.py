#!/usr/bin/env python3
"""Checks that the workspace's `rust-version` is not below that of any crate in its lock file."""
import json
import subprocess
import sys

command = ["cargo", "metadata", "--locked", "--format-version", "1", "--all-features"]
packages = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["packages"]


def version(package):
    text = package.get("rust_version") or "0"
    return tuple(int(part) for part in (text.split(".") + ["0", "0"])[:3])


ours = [package for package in packages if package["source"] is None]
floor = min(version(package) for package in ours)
newer = [package for package in packages if version(package) > floor]
for package in newer:
    print(f"{package['name']} {package['version']} needs Rust {package['rust_version']}", file=sys.stderr)
if newer:
    sys.exit(1)
print(f"Rust {'.'.join(map(str, floor))} suffices for all {len(packages)} crates")
