#!/usr/bin/env python3
"""Compares converted timers with systemd: random OnCalendar events elapse when the jobs of `kron convert` start.

Needs systemd-analyze; without it, the script says so and ends. Builds the command `kron`.
"""

import random
import re
import shutil
import subprocess
import sys

BASE = "2027-01-01 00:00:00 UTC"
COUNT = 12


def component(low, high):
    """A random component of a date or time."""
    if random.random() < 0.2:
        return "*"
    items = []
    for _ in range(random.choice([1, 1, 2])):
        start, end = sorted(random.randint(low, high) for _ in range(2))
        choices = [f"{start:02}", f"{start}..{end}"]
        # systemd refuses repetitions that leave the range.
        if end > start:
            choices += [f"{start}..{end}/{random.randint(1, end - start)}", f"{start}/{random.randint(1, end - start)}"]
        items.append(random.choice(choices))
    return ",".join(items)


def from_end():
    """Random days from the end of a month. systemd refuses some lists of them, such as `~1,28`."""
    start, end = sorted(random.sample(range(1, 29), 2))
    step = random.randint(1, end - start)
    return random.choice([f"{start:02}", f"{start}..{end}", f"{start}..{end}/{step}", f"{end}/{random.randint(1, end - 1)}"])


def event():
    """A random calendar event whose second is 0."""
    if random.random() < 0.1:
        return random.choice(["minutely", "hourly", "daily", "weekly", "monthly", "quarterly", "semi-annually", "yearly"])
    days = random.choice(["", "", "Mon..Fri ", "Sat,Sunday ", "wed ", "Mon,Wed..Fri "])
    year = random.choice(["*", "*", "2028", "2027..2029", "2026/3"])
    date = random.choice(["", f"{year}-{component(1, 12)}-{component(1, 31)} ", f"*-{component(1, 31)} ", f"{year}-*~{from_end()} "])
    hour = random.choice(["03", component(0, 23)])
    zone = random.choice(["", "", " Europe/Paris", " Asia/Kolkata"])
    return f"{days}{date}{hour}:{component(0, 59)}{random.choice(['', ':00'])}{zone}"


def run(command, text=None):
    """The output of a command, whatever its exit code."""
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stdout


def elapses(event):
    """When systemd says the event elapses: Unix seconds."""
    out = run(["systemd-analyze", "calendar", f"--iterations={COUNT}", f"--base-time={BASE}", event])
    times = re.findall(r"(?:Next elapse|Iter\. #\d+|\(in UTC\)): \w{3} (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC", out)
    return list(dict.fromkeys(f"{date}T{time}Z" for date, time in times))


def starts(kron, event):
    """When the converted job starts; None if the event is refused."""
    jobs = run([kron, "convert", "--format", "systemd", "-"], f"[Timer]\nOnCalendar={event}\n")
    if not jobs:
        return None
    # A start at the base time does not count as one after it.
    out = run([kron, "next", "-f", "-", "--at", "2027-01-01T00:00:00Z", "-c", str(COUNT), "-o", "json"], jobs)
    return re.findall(r'"chosenTime":\s*"([^"]+)"', out)


def main():
    if shutil.which("systemd-analyze") is None:
        print("systemd-analyze is not installed: timers are not compared with it")
        return
    # The same build that the tests of the workspace use.
    build = ["cargo", "build", "--locked", "--quiet", "--workspace", "--all-features", "--bin", "kron"]
    subprocess.run(build, check=True)
    metadata = run(["cargo", "metadata", "--no-deps", "--format-version", "1"])
    kron = re.search(r'"target_directory":"([^"]+)"', metadata).group(1) + "/debug/kron"
    random.seed(247)
    compared = refused = 0
    while compared < 150:
        text = event()
        found, want = starts(kron, text), elapses(text)
        if found is None:
            refused += 1
            continue
        # A search of Kron ends after five years.
        want = want[: len(found)] if len(found) < COUNT else want
        if found != want:
            sys.exit(f"{text}\nkron:    {found}\nsystemd: {want}")
        compared += 1
    print(f"{compared} timers start as systemd says; {refused} were refused")


if __name__ == "__main__":
    main()
