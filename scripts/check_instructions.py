#!/usr/bin/env python3
"""Compares the instructions of ten hot calls, counted by callgrind, with those of `benches/instructions.json`.

A count is exact and does not depend on how busy a machine is, but on the compiler, so that the file has a set of counts for
each version of it. Five per cent more than recorded is an error. An unknown compiler is recorded; `--record` records again.
Without valgrind nothing is checked.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "benches" / "instructions.json"
PROGRAM = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "instructions"
CALLS = 1000
BOUND = 0.05


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)


def compiler():
    facts = dict(line.split(": ", 1) for line in output("rustc", "-vV").stdout.splitlines() if ": " in line)
    return f"rustc {facts['release']} {facts['host']}"


def collected(call, count):
    """All instructions of the program that makes so many calls."""
    run = output("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", PROGRAM, call, str(count))
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def main():
    if not shutil.which("valgrind"):
        print("instructions: not counted, as there is no valgrind")
        return 0
    output("cargo", "build", "--release", "--locked", "--package", "kron-benches", "--bin", "instructions")
    # What is not the calls, such as the program's start, is in both runs.
    counts = {
        call: round((collected(call, CALLS) - collected(call, 0)) / CALLS, 1)
        for call in output(PROGRAM).stdout.split()
    }
    records = json.loads(RECORDS.read_text()) if RECORDS.exists() else {}
    key = compiler()
    before = records.get(key)
    if before is None or "--record" in sys.argv[1:]:
        records[key] = counts
        RECORDS.write_text(json.dumps(records, indent=2) + "\n")
        print(f"instructions: recorded for {key}")
        return 0
    worse = 0
    for call, count in counts.items():
        known = before.get(call)
        change = count / known - 1 if known else float("inf")
        too_many = change > BOUND
        worse += too_many
        mark = "TOO MANY" if too_many else "fewer: record them" if change < -BOUND else ""
        print(f"{call:20} {count:10.1f} instructions, {change:+7.1%} {mark}".rstrip())
    print(f"instructions: {len(counts)} calls, {worse} over the bound of {BOUND:.0%} ({key})")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
