#!/usr/bin/env python3
"""Prints the licences of the crates that a program is made of, with their texts, for an image or archive that passes them on.

    python3 scripts/notices.py PACKAGE [--target TRIPLE]

The crates are those of Cargo.lock that are linked; those that only build or test it are left out. A crate without the text of its
licence is an error, unless it may be used under Apache-2.0, whose text is the LICENSE of this repository.
"""

import argparse
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEXT = re.compile(r"(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)


def linked(metadata: dict, package: str) -> list[dict]:
    """The crates from registries that are linked into a package, by name."""
    packages = {found["id"]: found for found in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [found["id"] for found in metadata["packages"] if found["name"] == package and found["source"] is None]
    if not waiting:
        sys.exit(f"notices.py: the workspace has no package {package}")
    reached: set[str] = set()
    while waiting:
        crate = waiting.pop()
        # A procedural macro runs while others are compiled, and so do the crates that it uses.
        is_macro = any("proc-macro" in target["kind"] for target in packages[crate]["targets"])
        if crate in reached or is_macro:
            continue
        reached.add(crate)
        for dependency in nodes[crate]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    crates = [packages[crate] for crate in reached if packages[crate]["source"] is not None]
    return sorted(crates, key=lambda crate: (crate["name"], crate["version"]))


def texts(crate: dict) -> list[str]:
    folder = Path(crate["manifest_path"]).parent
    files = sorted(file for file in folder.iterdir() if TEXT.match(file.name) and file.is_file())
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def notices(crates: list[dict]) -> str:
    """The crates with their licences and authors, then each text once, with the crates that have it."""
    listed, without = [], []
    having: dict[str, tuple[str, list[str]]] = {}
    for crate in crates:
        name, licence = f"{crate['name']} {crate['version']}", crate["license"] or "see its text"
        found = texts(crate)
        if not found and "Apache-2.0" not in re.split(r"\s+OR\s+|/", licence):
            without.append(f"{name} ({licence})")
        listed.append(", ".join([f"{name}: {licence}", *crate["authors"]]))
        for text in found:
            having.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    if without:
        sys.exit("notices.py: no text of the licence in " + ", ".join(without))
    head = "This program has these crates in it. Where no text below names one, its licence is Apache-2.0, as in LICENSE.\n\n"
    parts = [head + "\n".join(listed)] + [f"{', '.join(names)}\n\n{text}" for text, names in having.values()]
    return f"\n\n{'-' * 80}\n\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("package")
    parser.add_argument("--target")
    arguments = parser.parse_args()
    command = ["cargo", "metadata", "--locked", "--format-version", "1"]
    if arguments.target:
        command += ["--filter-platform", arguments.target]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    print(notices(linked(json.loads(done.stdout), arguments.package)), end="")


if __name__ == "__main__":
    main()
