"""Checks the primed schedules in cases.txt without Kron: by dates and minutes, and by trying out all answers.

Each line of cases.txt is `expression | lead | answer`, where the answer is a list of expressions, or `none`. For each line
the program moves every firing time of 1970 to 2099 back by the lead and compares these times with those of the answer. It
then looks for an answer with fewer expressions among all that there are. For `none` it shows that no set of expressions
names the days. It checks the order of the expressions, and that no list of minutes or hours is shorter than
a short one that is given, or as short and before it in byte order.

Run `python3 testing/data/prime/brute_force.py`. It needs nothing beyond Python's own library.
"""

import datetime as dt
import functools
import itertools
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "vectors"))
from oracle_cron import Schedule  # noqa: E402
from oracle_decide import parse_duration  # noqa: E402

FIRST = dt.date(1970, 1, 1)
SPAN = (dt.date(2100, 1, 1) - FIRST).days
DATES = [FIRST + dt.timedelta(days=i) for i in range(SPAN + 31)]
ALL = (1 << SPAN) - 1

# Days of the span, as bits of an integer, for each class that a cron field can name.
CLASSES = {}
for index, date in enumerate(DATES[:SPAN]):
    for name in (date.day, "SUN MON TUE WED THU FRI SAT".split()[date.isoweekday() % 7]):
        CLASSES[date.month, name] = CLASSES.get((date.month, name), 0) | 1 << index
NAMES = list(range(1, 32)) + "SUN MON TUE WED THU FRI SAT".split()

# One day of the span for each month, day of month and day of week. Sets of days that can be named hold all days of such a
# kind or none, so counting expressions needs one of each.
KINDS = sorted({(date.month, date.day, date.isoweekday()): i for i, date in enumerate(DATES[:SPAN])}.values())


@functools.cache
def kinds(days):
    return sum(1 << n for n, i in enumerate(KINDS) if days >> i & 1)


CLASS_KINDS = {key: kinds(days) for key, days in CLASSES.items()}


def days_of(schedule):
    """The days on which a schedule fires, those of January 2100 included."""
    return sum(1 << i for i, date in enumerate(DATES) if schedule.day_matches(date))


def minutes_of(schedule):
    return {60 * hour + minute for hour in schedule.hours for minute in schedule.minutes}


def primed_times(expression, lead):
    """For each minute of the day the days on which the primed schedule fires."""
    schedule = Schedule(expression)
    days = days_of(schedule)
    moved_back = functools.cache(lambda by: days >> by & ALL)
    times = {}
    for minute in minutes_of(schedule):
        back, moved = divmod(minute - lead, 1440)
        times[moved] = moved_back(-back)
    return times


def times_of(expressions):
    times = {}
    for expression in expressions:
        schedule = Schedule(expression)
        days = days_of(schedule) & ALL
        for minute in minutes_of(schedule):
            times[minute] = times.get(minute, 0) | days
    return times


def can_be_named(days):
    """Whether the days are a union of classes."""
    named = 0
    for members in CLASSES.values():
        if members & ~days == 0:
            named |= members
    return named == days


def subsets(things):
    things = list(things)
    for size in range(1, len(things) + 1):
        yield from itertools.combinations(things, size)


def alike(keys, profile):
    """One of the keys for each profile, and all keys that share it."""
    groups = {}
    for key in keys:
        groups.setdefault(repr(profile(key)), []).append(key)
    return list(groups.values())


def fewest(times):
    """The least number of expressions that fire at these times, found by trying. The days can be named."""
    hours = range(24)
    times = {minute: kinds(days) for minute, days in times.items()}
    # Minutes of the hour, hours, and months that behave alike are taken together: an expression that names one of them
    # could name all of them.
    used = sorted({minute % 60 for minute in times})
    minute_groups = alike(used, lambda minute: tuple(times.get(60 * hour + minute, 0) for hour in hours))
    hour_groups = alike((hour for hour in hours if any(60 * hour + minute in times for minute in used)),
                        lambda hour: tuple(times.get(60 * hour + minute, 0) for minute in used))
    day_sets = sorted(set(times.values()))

    def allowed(month, days):
        return tuple(name for name in NAMES if CLASS_KINDS.get((month, name), 0) & ~days == 0)

    rows = {month: tuple(allowed(month, days) for days in day_sets) for month in range(1, 13)}
    month_groups = alike(range(1, 13), lambda month: (rows[month], [(month, name) in CLASSES for name in NAMES]))

    cells = {}
    for i, minutes in enumerate(minute_groups):
        for j, some_hours in enumerate(hour_groups):
            days = times.get(60 * some_hours[0] + minutes[0], 0)
            if days:
                cells[i, j] = days
    offset = {cell: len(KINDS) * n for n, cell in enumerate(cells)}
    goal = sum(days << offset[cell] for cell, days in cells.items())

    boxes = set()
    for minutes in subsets(range(len(minute_groups))):
        for some_hours in subsets(range(len(hour_groups))):
            here = list(itertools.product(minutes, some_hours))
            if not all(cell in cells for cell in here):
                continue
            sets = {cells[cell] for cell in here}
            for months in subsets(month_groups):
                months = list(itertools.chain(*months))
                names = set(NAMES).intersection(
                    *(rows[month][day_sets.index(days)] for month in months for days in sets))
                days = 0
                for month, name in itertools.product(months, names):
                    days |= CLASS_KINDS.get((month, name), 0)
                if days:
                    boxes.add(sum(days << offset[cell] for cell in here))
    # What fires at fewer times than another expression can be left out of the trial.
    boxes = sorted(boxes, key=lambda box: -box.bit_count())
    largest = []
    for box in boxes:
        if not any(box & ~other == 0 for other in largest):
            largest.append(box)

    def coverable(left, count):
        if left == 0:
            return True
        if count == 0:
            return False
        lowest = left & -left
        return any(coverable(left & ~box, count - 1) for box in largest if box & lowest)

    return next(count for count in itertools.count(1) if coverable(goal, count))


def items(low, high, members):
    """All items of a list that have none but these members, each with the members that it has."""
    found = {}

    def offer(text, values):
        values = frozenset(values)
        if values <= members:
            found[text] = values

    # An item has its first value. A range that ends between two values is no shorter than one that ends at the last value.
    for step in range(1, high + 1):
        offer(f"*/{step}", range(low, high + 1, step))
    for first in sorted(members):
        offer(str(first), [first])
        for step in range(1, high + 1):
            offer(f"{first}/{step}", range(first, high + 1, step))
            for last in range(first + step, high + 1, step):
                if last not in members:
                    break
                offer(f"{first}-{last}" + (f"/{step}" if step > 1 else ""), range(first, last + 1, step))
    return found


@functools.cache
def shortest(low, high, members):
    """The shortest list of these members; of equally short ones the first in byte order. Tried out by length."""
    found = items(low, high, members)
    # Of items with the same members the shortest, of these the first: sorting the list makes this no loss.
    best = {}
    for text, values in found.items():
        best[values] = min(best.get(values, text), text, key=lambda text: (len(text), text))
    by_member = {member: [(text, values) for values, text in best.items() if member in values] for member in members}

    @functools.lru_cache(maxsize=None)
    def lists(left, length):
        """All lists of exactly that length, a comma after each item, that have what is left."""
        if not left:
            return [()] if length == 0 else []
        member = min(left, key=lambda member: len(by_member[member]))
        return [
            (text, *rest)
            for text, values in by_member[member]
            if len(text) < length
            for rest in lists(left - values, length - len(text) - 1)
        ]

    for length in itertools.count(2):
        texts = [",".join(sorted(set(items))) for items in lists(frozenset(members), length)]
        if texts:
            return min(texts)


def check_texts(expressions, where):
    """The order of the expressions, and the lists of those fields in which every value counts."""
    def first_firing(expression):
        schedule = Schedule(expression)
        start = (dt.date(2000, 1, 1) - FIRST).days
        day = next(i for i in range(start, start + 366 * 8) if schedule.day_matches(DATES[i]))
        return day * 1440 + min(minutes_of(schedule)), expression

    assert expressions == sorted(expressions, key=first_firing), f"{where}: order"
    checked = 0
    for expression in expressions:
        fields = expression.split(" ")
        schedule = Schedule(expression)
        for text, low, high, members in [
            (fields[0], 0, 59, schedule.minutes),
            (fields[1], 0, 23, schedule.hours),
        ]:
            # Longer lists are too many to try out.
            if text != "*" and len(text) <= 8:
                least = shortest(low, high, frozenset(members))
                assert text == least, f"{where}: {text} instead of {least}"
                checked += 1
    return checked


def main():
    path = os.path.join(os.path.dirname(__file__), "cases.txt")
    counts = {"checked": 0, "refused": 0, "several": 0, "lists": 0}
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if line.startswith("#"):
            continue
        expression, lead, answer = line.rstrip("\n").split(" | ")
        where = f"cases.txt:{number}: {expression} by {lead}"
        times = primed_times(expression, parse_duration(lead) // 60_000_000_000)
        exists = all(can_be_named(days) for days in set(times.values()))
        if answer == "none":
            assert not exists, f"{where}: there is an answer"
            counts["refused"] += 1
            continue
        assert exists, f"{where}: there is no answer"
        expressions = answer.split("; ")
        assert times_of(expressions) == {minute: days for minute, days in times.items() if days}, f"{where}: {answer}"
        least = fewest(times)
        assert len(expressions) == least, f"{where}: {least} expressions do, not {len(expressions)}"
        counts["lists"] += check_texts(expressions, where)
        counts["checked"] += 1
        counts["several"] += least > 1
    assert counts["checked"] >= 200 and counts["refused"] >= 50 and counts["several"] >= 80, counts
    assert counts["lists"] >= 300, counts
    print(f"primed schedules: {counts['checked']} agree ({counts['several']} of several expressions), "
          f"{counts['refused']} do not exist, {counts['lists']} lists are the shortest")


if __name__ == "__main__":
    main()
