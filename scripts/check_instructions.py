#!/usr/bin/env python3
"""Compares the instructions of hot calls, counted by callgrind, with those of `benches/instructions.json`.

A count is exact and does not depend on how busy a machine is, but on the compiler, so that the file has a set of counts for
each version of it; and for two profiles: `release`, which builds the command, and `library`, which is cargo's own release
profile, as programs have it that use the crates. Five per cent more than recorded is an error. An unknown compiler is recorded;
`--record` records again. Without valgrind nothing is checked.
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
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROFILES = ["release", "library"]
BOUND = 0.05


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)


def compiler():
    facts = dict(line.split(": ", 1) for line in output("rustc", "-vV").stdout.splitlines() if ": " in line)
    return f"rustc {facts['release']} {facts['host']}"


def collected(program, call, count):
    """All instructions of the program that makes so many calls."""
    run = output("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, call, str(count))
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def counts(profile):
    """The instructions of each call."""
    output("cargo", "build", "--profile", profile, "--locked", "--package", "kron-benches", "--bin", "instructions")
    program = TARGET / profile / "instructions"
    found = {}
    for line in output(program).stdout.splitlines():
        call, count = line.split()
        # What is not the calls, such as the program's start, is in both runs.
        all_of_it = collected(program, call, int(count)) - collected(program, call, 0)
        found[call] = round(all_of_it / int(count), 1)
    return found


def compared(profile, known, found):
    """Prints the counts of a profile beside the recorded ones. Returns how many are too many."""
    worse = 0
    for call, count in found.items():
        change = count / known[call] - 1 if call in known else float("inf")
        too_many = change > BOUND
        worse += too_many
        mark = "TOO MANY" if too_many else "fewer: record them" if change < -BOUND else ""
        print(f"{profile:10}{call:20} {count:14.1f} instructions, {change:+7.1%} {mark}".rstrip())
    return worse


def main():
    if not shutil.which("valgrind"):
        print("instructions: not counted, as there is no valgrind")
        return 0
    found = {profile: counts(profile) for profile in PROFILES}
    records = json.loads(RECORDS.read_text()) if RECORDS.exists() else {}
    key = compiler()
    if key not in records or "--record" in sys.argv[1:]:
        records[key] = found
        RECORDS.write_text(json.dumps(records, indent=2) + "\n")
        print(f"instructions: recorded for {key}")
        return 0
    worse = sum(compared(profile, records[key].get(profile, {}), found[profile]) for profile in PROFILES)
    print(f"instructions: {worse} over the bound of {BOUND:.0%} ({key})")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
