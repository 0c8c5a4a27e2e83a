#!/usr/bin/env python3
"""Puts the WebAssembly module where the Go module embeds it.

    go_module.py "$(scripts/wasm.sh)"    writes kron-go/internal/module/kron.wasm.gz
    go_module.py --check                 ends with code 1 if that file was not made from the present sources

Tests make the file again. A release commits it, since Go fetches commits and builds nothing but Go. No two compilers give the
same bytes, so it has a section of its own, `kron-sources`, with a hash of the sources.
"""

import gzip
import hashlib
import json
import subprocess
import sys
from pathlib import Path

from gz import compressed

ROOT = Path(__file__).parent.parent
OUT = ROOT / "kron-go/internal/module/kron.wasm.gz"
CRATE = "kron-wasm"
TARGET = "wasm32-unknown-unknown"
SECTION = b"kron-sources"


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def crates(*features):
    """The folders of the workspace's crates that the module consists of."""
    arguments = ["--format-version", "1", "--locked", "--filter-platform", TARGET]
    for feature in features:
        arguments += ["--features", f"{CRATE}/{feature}"]
    found = json.loads(run("cargo", "metadata", *arguments))
    members = {package["id"]: package for package in found["packages"] if package["source"] is None}
    needs = {
        node["id"]: [dep["pkg"] for dep in node["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]
        for node in found["resolve"]["nodes"]
    }
    wanted, todo = set(), [id for id, package in members.items() if package["name"] == CRATE]
    while todo:
        id = todo.pop()
        if id in members and id not in wanted:
            wanted.add(id)
            todo += needs[id]
    return sorted(Path(members[id]["manifest_path"]).parent.relative_to(ROOT).as_posix() for id in wanted)


def sources(*features):
    """A hash of the files that the module is built from."""
    folders = crates(*features)
    files = run("git", "ls-files", "--", "Cargo.toml", "Cargo.lock", *folders).splitlines()
    skipped = tuple(f"{folder}/{part}/" for folder in folders for part in ["tests", "benches", "examples"])
    hashed = hashlib.sha256()
    for file in files:
        path = ROOT / file
        if path.suffix != ".md" and not file.startswith(skipped) and path.exists():
            hashed.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {file}\n".encode())
    return hashed.hexdigest()


def number(value):
    """An unsigned number in LEB128."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def section(text):
    content = number(len(SECTION)) + SECTION + text.encode()
    return b"\0" + number(len(content)) + content


def main():
    match sys.argv[1:]:
        case ["--check"]:
            if not OUT.exists():
                print(f"there is no {OUT.relative_to(ROOT)}; {sys.argv[0]} \"$(scripts/wasm.sh)\" makes it")
                return 1
            if not gzip.decompress(OUT.read_bytes()).endswith(section(sources())):
                print(f"{OUT.relative_to(ROOT)} was made from other sources; {sys.argv[0]} \"$(scripts/wasm.sh)\" makes it again")
                return 1
            return 0
        case [wasm] if not wasm.startswith("-"):
            # Without a time, the same bytes give the same file.
            OUT.write_bytes(compressed(Path(wasm).read_bytes() + section(sources())))
            return 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
