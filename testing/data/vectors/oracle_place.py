"""Places of plain schedules in their windows: the rule `place/1`, minute by minute."""

import datetime as dt
import functools
import re
from decimal import Decimal

import oracle_numbers as m
import oracle_text
from oracle_cron import MACROS, Schedule
from oracle_decide import DEFAULT_ALGORITHM, bounds, parse_duration, permission, quantile

DAY_MINUTES = 1440


def expression_of(text):
    return re.split("(?<=.)[ \t]+@", text)[0].strip(" \t")


def fields_of(expression):
    return re.split("[ \t]+", MACROS.get(expression, expression))


def days(schedule, constraints):
    """The days of the schedule from 1970 to 2099; those of 28 years, after which they come again, if no date is named."""
    names = {name for clauses in constraints.values() for clause in clauses for name in clause}
    day, end = dt.datetime(1970, 1, 1), dt.datetime(2100 if names & {"date", "dates"} else 1998, 1, 1)
    while day < end:
        if schedule.day_matches(day.date()):
            yield day
        day += dt.timedelta(days=1)


def free_minutes(wanted, schedule, constraints):
    """Of some minutes of the day those that are allowed on every day of the schedule."""
    allowed, left = permission(constraints), set(wanted)
    if constraints:
        for day in days(schedule, constraints):
            left = {minute for minute in left if allowed(day + dt.timedelta(minutes=minute))}
    return left


@functools.lru_cache(None)
def shifts(text):
    spec, expression = oracle_text.read_text(text), expression_of(text)
    fields, schedule = fields_of(expression), Schedule(expression)
    window = spec.get("window", {})
    mode, length = window.get("mode", "after"), parse_duration(window.get("duration", "0s"))
    first, last = bounds(0, mode, length, DEFAULT_ALGORITHM)
    times = sorted(hour * 60 + minute for hour in schedule.hours for minute in schedule.minutes)
    gap = min((later - earlier for earlier, later in zip(times, [*times[1:], times[0] + DAY_MINUTES])))
    any_day = all(field in ("*", "?") for field in fields[2:])
    found = []
    for shift in range(max(-(-first // 60), -DAY_MINUTES), min(last // 60, DAY_MINUTES) + 1):
        moved = [time + shift for time in times]
        if abs(shift) >= gap or not any_day and not all(0 <= time < DAY_MINUTES for time in moved):
            continue
        moved = {time % DAY_MINUTES for time in moved}
        if all(hour * 60 + minute in moved for hour in {time // 60 for time in moved} for minute in {time % 60 for time in moved}):
            found.append((shift, moved))
    free = free_minutes({time for _, moved in found for time in moved}, schedule, spec.get("constraints", {}))
    return [(shift, moved) for shift, moved in found if moved <= free]


def write_field(declared, old, new):
    values = sorted(new)
    if old == new:
        return declared
    if len(values) == 1:
        return str(values[0])
    distances = {later - earlier for earlier, later in zip(values, values[1:])}
    if len(distances) == 1 and ("-" in declared or "/" in declared):
        step = distances.pop()
        return f"{values[0]}-{values[-1]}" + ("" if step == 1 else f"/{step}")
    return ",".join(map(str, values))


def place(case):
    """The answer of a case of places.json."""
    text = case["text"]
    spec, expression = oracle_text.read_text(text), expression_of(text)
    fields, schedule, found = fields_of(expression), Schedule(expression), shifts(text)
    if not found:
        return {"error": True}
    window, seed = spec.get("window", {}), spec.get("seed", {})
    mode, length = window.get("mode", "after"), parse_duration(window.get("duration", "0s"))
    words = m.chacha8_words(m.kron_seed(f"{case['name']}\nfixed\n{seed.get('salt', '')}"))
    q, doubt = quantile(spec.get("distribution", {}), mode, length)
    _, exact = m.unit(next(words))
    shift, moved = found[m.pick(q(exact), len(found), max(Decimal("1e-6"), doubt * len(found)))]
    if shift == 0:
        placed = expression
    else:
        minute = write_field(fields[0], set(schedule.minutes), {time % 60 for time in moved})
        hour = write_field(fields[1], set(schedule.hours), {time // 60 for time in moved})
        placed = " ".join([minute, hour, *fields[2:]])
    return {"expression": placed, "shift": shift, "candidates": len(found)}
