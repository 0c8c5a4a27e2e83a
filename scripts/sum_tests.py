#!/usr/bin/env python3
"""Counts the tests in the output of test runners. `scripts/common.sh` calls it.

    sum_tests.py add PARTS NAME CODE TIME LOG        adds a line to PARTS: the name of a part, seconds of the clock and of the
                                                     processors, tests that passed and that failed
    sum_tests.py sum PARTS SCRIPT CODE SECONDS       prints the sum of all lines of PARTS. If the script has another exit code
                                                     than 0, something has failed
    sum_tests.py sum PARTS SCRIPT CODE SECONDS --table    the same, below a table
    sum_tests.py --self-test

Counted are the summaries of cargo, pytest, node, the checkers in Python and the programs in C, and each test of Go. A part without any of them is one
test, which passed if its exit code is 0.
"""

import re
import sys
from pathlib import Path

# A runner's summary is a whole line, so that texts of tests that look like one count only if they begin a line.
CARGO = re.compile(r"test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; .*")
PYTEST = re.compile(r"=*\s*(\d+ [a-z]+(?:, \d+ [a-z]+)*) in [\d.]+s(?: \([\d:]+\))?\s*=*")
CHECKER = re.compile(r"(\d+) passed, (\d+) failed")
NODE = re.compile(r"# (pass|fail) (\d+)")
# Of `go test -v`, which has no summary. What stands farther right are parts of a test.
GO = re.compile(r"--- (PASS|FAIL): \w+ \([\d.]+s\)")
PROGRAM = re.compile(r"\w+: \d+ checks passed")


def counted(line):
    """The tests that passed and failed, as a line sums them up; None if it does not."""
    if found := GO.fullmatch(line.rstrip()):
        return (1, 0) if found[1] == "PASS" else (0, 1)
    line = line.strip()
    if found := CARGO.fullmatch(line) or CHECKER.fullmatch(line):
        return int(found[1]), int(found[2])
    if found := PYTEST.fullmatch(line):
        counts = {word.rstrip("s"): int(count) for count, word in (part.split() for part in found[1].split(", "))}
        # A test that is expected to fail and does so has passed.
        return counts.get("passed", 0) + counts.get("xfailed", 0), counts.get("failed", 0) + counts.get("error", 0)
    if found := NODE.fullmatch(line):
        return (int(found[2]), 0) if found[1] == "pass" else (0, int(found[2]))
    if PROGRAM.fullmatch(line):
        return 1, 0
    return None


def part(code, lines):
    """What a part with that exit code and that output has tested."""
    found = [count for line in lines if (count := counted(line))]
    passed, failed = (sum(column) for column in zip(*found)) if found else (int(code == 0), 0)
    # A part that failed without a test that did: it did not build, or its process ended. One that ran no test has tested
    # nothing, perhaps because of a name that does not exist any more.
    if failed == 0 and (code != 0 or passed == 0):
        failed = 1
    return passed, failed


def add(parts, name, code, time, log):
    passed, failed = part(int(code), Path(log).read_text(errors="replace").splitlines())
    # The last line: whatever had no place to write to may have written there before.
    clock, user, system = (float(number) for number in Path(time).read_text(errors="replace").split("\n")[-2].split())
    with open(parts, "a") as file:
        file.write(f"{name}\t{clock:.1f}\t{user + system:.1f}\t{passed}\t{failed}\n")
    print(f"-- {name}: {clock:.0f} s, of processors {user + system:.0f} s; {passed} passed, {failed} failed")
    return 1 if failed else 0


def print_sum(parts, script, code, seconds, table):
    rows = [line.split("\t") for line in Path(parts).read_text().splitlines()]
    if int(code) != 0 and all(row[4] == "0" for row in rows):
        rows.append([f"{script}, beside its parts", "0", "0", "0", "1"])
        Path(parts).write_text("".join("\t".join(row) + "\n" for row in rows))
    passed, failed = (sum(int(row[column]) for row in rows) for column in (3, 4))
    if table:
        # Parts that ran at the same time take less than the sum of their times.
        processors = sum(float(row[2]) for row in rows)
        print("\n  seconds  of processors   passed  failed")
        for name, *numbers in [*rows, ["all", seconds, processors, passed, failed]]:
            print(f"{float(numbers[0]):9.0f} {float(numbers[1]):14.0f} {numbers[2]:>8} {numbers[3]:>7}  {name}")
    print(f"\n{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def self_test():
    cases = [
        (0, ["test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s"], (12, 0)),
        (101, ["test result: FAILED. 11 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"], (11, 1)),
        (0, ["3 passed in 0.10s", "======= 4 passed, 1 skipped, 2 warnings in 61.00s (0:01:01) ======="], (7, 0)),
        (1, ["1 failed, 2 passed, 1 xfailed, 1 error in 0.10s"], (3, 2)),
        (1, ["name: 5 passed, 1 failed", "7 passed, 1 failed"], (7, 1)),
        (1, ["# tests 4", "# pass 3", "# fail 1", "# cancelled 0"], (3, 1)),
        (0, ["abi: 17 checks passed", "many: 1 checks passed"], (2, 0)),
        (1, ["--- PASS: TestA (0.00s)", "--- FAIL: FuzzB (1.20s)", "    --- FAIL: FuzzB/seed#1 (0.00s)", "--- SKIP: TestC (0.00s)", "FAIL"], (1, 1)),
        (2, ["--- PASS: TestA (0.00s)", "FAIL\tgithub.com/a/b [build failed]"], (1, 1)),
        (0, ["what the tests print: 3 passed, 4 failed"], (1, 0)),
        # It did not build; its process ended after tests that passed; it ran no test.
        (101, ["error: could not compile `kron-core`"], (0, 1)),
        (137, ["9 passed, 0 failed"], (9, 1)),
        (0, ["test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s"], (0, 1)),
    ]
    wrong = [(lines, want, got) for code, lines, want in cases if (got := part(code, lines)) != want]
    for lines, want, got in wrong:
        print(f"FAILED {lines}: {got}, not {want}")
    print(f"{len(cases) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


def main():
    match sys.argv[1:]:
        case ["add", parts, name, code, time, log]:
            return add(parts, name, code, time, log)
        case ["sum", parts, script, code, seconds, *table]:
            return print_sum(parts, script, code, seconds, table)
        case ["--self-test"]:
            return self_test()
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
