"""Rules of days, asked date by date."""

import datetime as dt
import functools
import re

from oracle_cron import DAY, FIRST, LAST, Schedule, nominal_times_of_day
from oracle_decide import DAY_NAMES, MONTH_NAMES, civil, format_time, parse_time, zone_of

ONE = dt.timedelta(days=1)
WORDS = {"dow": (DAY_NAMES, 0, 7, True), "week": (DAY_NAMES, 0, 7, True), "months": (MONTH_NAMES, 1, 12, True),
         "dom": ({}, 1, 31, False), "last": ({}, 1, 31, False), "near": ({}, 1, 31, False),
         "workday": ({}, 1, 23, False), "lastworkday": ({}, 1, 23, False)}


def numbers(text, names, low, high, wraps):
    def number(word):
        value = names.get(word.upper())
        value = int(word) if value is None else value
        if not low <= value <= high:
            raise ValueError(f"out of range: {word!r}")
        return value

    found = set()
    for item in text.split(","):
        first, last = (number(word) for word in (item.split("-") if "-" in item else [item, item]))
        if first > last and not wraps:
            raise ValueError(f"backwards: {item!r}")
        found.update(range(first, last + 1) if first <= last else [*range(first, high + 1), *range(low, last + 1)])
    return {value % 7 for value in found} if names is DAY_NAMES else found


def dates_of(text):
    """The dates of one part or one calendar: dates, and ranges with `..` between them."""
    found = set()
    for item in re.split(", *", text):
        first, _, last = item.partition("..")
        day, end = dt.date.fromisoformat(first), dt.date.fromisoformat(last or first)
        while day <= end:
            found.add(day)
            day += ONE
    return found


@functools.cache
def days_of_month(year, month):
    first = dt.date(year, month, 1)
    return tuple(first + ONE * n for n in range(31) if (first + ONE * n).month == month)


def month_of(date):
    return days_of_month(date.year, date.month)


class Clause:
    def __init__(self, parts, calendars):
        values = dict(part.split("=", 1) for part in parts)
        self.sets = {name: numbers(values[name], *rule) for name, rule in WORDS.items() if name in values}
        self.dates = [dates_of(values[name]) for name in ("date", "dates") if name in values]
        if "calendar" in values:
            self.dates.append(dates_of(calendars[values["calendar"]]))
        self.every = None
        if "every" in values:
            self.every = int(values["every"][:-1]), values["every"][-1], dt.date.fromisoformat(values["from"])
        self.roll = values.get("roll")
        self.due = {}
        self.holidays = dates_of(calendars[values["holidays"]]) if "holidays" in values else set()
        known = {*WORDS, "date", "dates", "calendar", "every", "from", "roll", "holidays"}
        assert set(values) <= known and ("every" in values) == ("from" in values), values

    def is_workday(self, date):
        return date.isoweekday() % 7 in self.sets.get("week", {1, 2, 3, 4, 5}) and date not in self.holidays

    def is_due(self, date):
        if date not in self.due:
            self.due[date] = self.find_due(date)
        return self.due[date]

    def find_due(self, date):
        tests = {
            "dow": lambda wanted: date.isoweekday() % 7 in wanted,
            "dom": lambda wanted: date.day in wanted,
            "months": lambda wanted: date.month in wanted,
            "week": lambda wanted: True,
            "last": lambda wanted: len(month_of(date)) - date.day + 1 in wanted,
            "workday": lambda wanted: date in workdays and workdays.index(date) + 1 in wanted,
            "lastworkday": lambda wanted: date in workdays and len(workdays) - workdays.index(date) in wanted,
            # The days whose nearest workday this is; `min` takes the earlier of two.
            "near": lambda wanted: any(workdays and min(workdays, key=lambda it: abs(it - day)) == date
                                       for day in month_of(date) if day.day in wanted),
        }
        counts = self.sets.keys() & {"workday", "lastworkday", "near"}
        workdays = [day for day in month_of(date) if self.is_workday(day)] if counts else []
        if not all(tests[name](wanted) for name, wanted in self.sets.items()):
            return False
        if any(date not in dates for dates in self.dates):
            return False
        if self.every is None:
            return True
        count, unit, start = self.every
        if date < start:
            return False
        if unit == "w" and "dow" in self.sets:
            weeks = (date - ONE * date.weekday()) - (start - ONE * start.weekday())
            return weeks.days // 7 % count == 0
        return (date - start).days % (count if unit == "d" else 7 * count) == 0

    def replacement(self, due):
        """The workday that takes the place of a due day."""
        if self.is_workday(due):
            return due
        before = next((due - ONE * n for n in range(1, 32) if self.is_workday(due - ONE * n)), None)
        after = next((due + ONE * n for n in range(1, 32) if self.is_workday(due + ONE * n)), None)
        if self.roll == "nearest" and before and after:
            return after if after - due < due - before else before
        return {"previous": before, "next": after, "nearest": before or after}[self.roll]

    def matches(self, date):
        if self.roll is None:
            return self.is_due(date)
        near = (date + ONE * n for n in range(-31, 32))
        return any(self.is_due(day) and self.replacement(day) == date for day in near)


class DaySchedule(Schedule):
    """The schedule of a job's text."""

    def __init__(self, text, calendars):
        super().__init__(re.split("(?<=.) @", text)[0])
        groups = re.findall(r"@(tz|days|nodays)\(([^)]*)\)", text)
        self.zone = zone_of(next((value for name, value in groups if name == "tz"), "UTC"))
        self.only = [Clause(value.split(";"), calendars) for name, value in groups if name == "days"]
        self.never = [Clause(clause.split("&"), calendars) for name, value in groups if name == "nodays"
                      for clause in value.split(";")]
        self.known = {}

    def day_matches(self, date):
        if date not in self.known:
            self.known[date] = (super().day_matches(date)
                                and (not self.only or any(clause.matches(date) for clause in self.only))
                                and not any(clause.matches(date) for clause in self.never))
        return self.known[date]


def search(case):
    """The two answers of a case of days.json: up to five nominal times each."""
    schedule, after = DaySchedule(case["text"], case.get("calendars", {})), parse_time(case["after"])
    answer = {"next": [], "prev": []}
    day = after // DAY * DAY
    while len(answer["next"]) < 5 and day <= LAST:
        times = nominal_times_of_day(schedule, schedule.zone, day)
        answer["next"] += [format_time(t) for t in times if t > after]
        day += DAY
    day = after // DAY * DAY
    while len(answer["prev"]) < 5 and day >= FIRST:
        times = nominal_times_of_day(schedule, schedule.zone, day)
        answer["prev"] += [format_time(t) for t in reversed(times) if t <= after]
        day -= DAY
    return {key: times[:5] for key, times in answer.items()}


def is_nominal(case, t):
    schedule = DaySchedule(case["text"], case.get("calendars", {}))
    return schedule.matches(civil(t, schedule.zone))
