#!/usr/bin/env python3
"""Checks adopt.json, what `kron place --adopt --window 30m --prefix fleet` has to find in the files of adopt/, without Kron.

    python3 testing/data/adopt_check.py

A row names a file, what it is (`about`), the schedules that get a declaration (`adopted`, with their lines before it is written)
and those that are left alone (`left`). A CronJob with a namespace has no `name=` in its declaration. This program looks for each
schedule in its line, and computes window, `@avoid` and the reasons that follow from an expression alone.
"""

import datetime as dt
import functools
import json
import pathlib
import re
import sys
import zoneinfo

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "vectors"))
from oracle_cron import MACROS, Schedule  # noqa: E402

DAY, WINDOW, SHORTEST_GAP = 1440, 30, 10
FIRST, LAST, QUARTER = dt.datetime(2026, 11, 1), dt.datetime(2029, 11, 1), dt.timedelta(minutes=15)
CRONTAB = re.compile(r"(^|/)(cron\.d/[^/]+|crontab|crontabs/[^/]+|[^/]+\.cron)$")
COMPUTED = {"too-often", "never", "no-room", "not-plain"}
REASONS = COMPUTED | set("""declared kept crons-differ opens-window not-its-bytes not-its-line one-line-list several-schedules
    annotations no-name template in-template in-text json-patch other-key other-syntax no-command unknown-zone generated sops
    strict-json broken compared kronjob""".split())


@functools.cache
def clock_changes(zone):
    """The date, first and last minute of the day of all civil times that are skipped or repeated."""
    steps = [FIRST + step * QUARTER for step in range((LAST - FIRST) // QUARTER)]
    offsets = [step.replace(tzinfo=dt.timezone.utc).astimezone(zoneinfo.ZoneInfo(zone)).utcoffset() for step in steps]
    changes = ((step + min(pair), step + max(pair)) for step, *pair in zip(steps[1:], offsets, offsets[1:]) if pair[0] != pair[1])
    spans = ((start, end - dt.timedelta(minutes=1)) for start, end in changes)
    return [(start.date(), start.hour * 60 + start.minute, end.hour * 60 + end.minute) for start, end in spans]


def expected(expression, zone):
    """The modifiers of the declaration, or the reason why the schedule is left alone."""
    try:
        schedule = Schedule(expression)
    except ValueError:
        return "not-plain"
    fields = re.split("[ \t]+", MACROS.get(expression, expression))
    if not any(schedule.day_matches(dt.date(2000, 1, 1) + dt.timedelta(days=day)) for day in range(28 * 366)):
        return "never"
    times = sorted(hour * 60 + minute for hour in schedule.hours for minute in schedule.minutes)
    gap = min(later - earlier for earlier, later in zip(times, [*times[1:], times[0] + DAY]))
    if gap < SHORTEST_GAP:
        return "too-often"
    window = min(WINDOW, gap - 1) if fields[1] == "*" else min(WINDOW, gap - 1, DAY - 1 - times[-1])
    shifts = {}
    for shift in range(window + 1):
        moved = {(time + shift) % DAY for time in times}
        grid = {hour * 60 + minute for hour in {time // 60 for time in moved} for minute in {time % 60 for time in moved}}
        if grid == moved and (times[-1] + shift < DAY or all(field in "*?" for field in fields[2:])):
            shifts[shift] = moved
    changes = [(first, last) for date, first, last in clock_changes(zone) if schedule.day_matches(date)]
    reached = {minute for moved in shifts.values() for minute in moved}
    met = sorted({(a, b) for a, b in changes if reached & {*range(a, b + 1)} and not {*times} & {*range(a, b + 1)}})
    avoided = {minute for first, last in met for minute in range(first, last + 1)}
    if not any(shift and not moved & avoided for shift, moved in shifts.items()):
        return "no-room"
    ranges = ",".join(f"{a // 60:02}:{a % 60:02}-{b // 60:02}:{b % 60:02}" for a, b in met)
    return f"@win(after,{window}m)" + (f" @avoid(between={ranges})" if met else "")


def zone_of(file, lines, at):
    """The zone in which the system reads the schedule; UTC, which has no changes, if nothing says it."""
    if CRONTAB.search(file):
        return next((line[8:] for line in reversed(lines[:at]) if line.startswith("CRON_TZ=")), "UTC")
    text = next(part for part in re.split("(?m)^---$", "\n".join([*lines[:at], "HERE", *lines[at:]])) if "HERE" in part)
    if file.startswith(".github/workflows/"):
        text = "\n".join(lines[at - 1:at + 2])
    elif "apiVersion" not in text or not re.search(r'kind"?: *"?Cron(Job|Workflow)\b', text):
        return "UTC"
    found = re.search(r'^[ -]+"?time[zZ]one"?: *"?([\w/]+)', text, re.M)
    return found[1] if found else "UTC"


def expression_in(file, line):
    """The expression of a line that is left alone, with all its fields."""
    if CRONTAB.search(file):
        return re.match(r"@\S+|(?:[-~*/,0-9A-Z]+\s+){5,6}", line)[0]
    return re.search(r"""(?:schedule|cron)"?\s*[:=]\s*["']?([^"'#}]*)""", line)[1].strip()


def check(row):
    """Checks the lines of one file."""
    file, stem = row["file"], re.sub(r"(?<=[^/])\.[^./]*$", "", row["file"])
    lines = (HERE / "adopt" / file).read_text(encoding="utf-8-sig", errors="replace").split("\n")
    for entry in row["adopted"]:
        at, name, expression = entry["line"] - 1, entry["name"], entry["declaration"].split(" @win")[0]
        assert expression in lines[at], (entry, lines[at])
        text = f"{expression} {expected(expression, zone_of(file, lines, at))}"
        if name.startswith("fleet/"):
            assert f"{name}/".startswith(f"fleet/{stem}/"), entry
            escaped = "".join(c if " " <= c <= "~" else f"\\u{{{ord(c):x}}}" for c in name)
            text += f" name={escaped}" if re.fullmatch("[!-~]+", name) else f' name="{escaped}"'
        else:
            assert all(re.search(rf'name(space)?"?: *"?{part}\b', "\n".join(lines)) for part in name.split("/")), entry
        assert entry["declaration"] == text, (entry, text)
    for at, reason in ((entry["line"] - 1, entry["reason"]) for entry in row["left"]):
        assert reason in REASONS and lines[at].strip(), (file, at, reason)
        assert reason not in COMPUTED or expected(expression_in(file, lines[at]), zone_of(file, lines, at)) == reason, (file, at)


rows = json.loads((HERE / "adopt.json").read_text(encoding="utf-8"))
files = sorted(path.relative_to(HERE / "adopt").as_posix() for path in HERE.glob("adopt/**/*") if path.is_file())
assert [row["file"] for row in rows] == files, {row["file"] for row in rows} ^ set(files)
for each in rows:
    check(each)
names = [entry["name"] for row in rows for entry in row["adopted"]]
assert len(set(names)) == len(names), "a name stands twice"
print(f"{len(rows)} files: {len(names)} schedules adopted, {sum(len(row['left']) for row in rows)} left")
