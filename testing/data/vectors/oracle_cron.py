"""Schedules, searched minute by minute, and the plan of one evaluation, rule by rule."""

import datetime as dt
import re

from oracle_decide import DAY_NAMES, EPOCH, MONTH_NAMES, SECOND, civil, format_time, offset, parse_duration, parse_time, zone_of

FIRST = parse_time("1970-01-01T00:00:00Z")
LAST = parse_time("2099-12-31T23:59:59Z")
DAY = 86400
MACROS = {"@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0",
          "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@hourly": "0 * * * *"}
# Lowest value, highest value of a range, highest value meant by `*` and by `n/s`, names, whether `?` is allowed.
FIELDS = [(0, 59, 59, {}, False), (0, 23, 23, {}, False), (1, 31, 31, {}, True), (1, 12, 12, MONTH_NAMES, False),
          (0, 7, 6, DAY_NAMES, True)]


def parse_field(text, low, high, star, names, question):
    """The values of a field and whether it leaves the day open (for the two day fields)."""
    def number(word):
        value = names.get(word.upper())
        if value is None:
            if not re.fullmatch("[0-9]+", word):
                raise ValueError(f"not a value: {word!r}")
            value = int(word)
        if not low <= value <= high:
            raise ValueError(f"out of range: {word!r}")
        return value

    values, is_open = set(), False
    for item in text.split(","):
        base, slash, step_text = item.partition("/")
        if slash and not re.fullmatch("0*[1-9][0-9]*", step_text):
            raise ValueError(f"step: {item!r}")
        step = int(step_text) if slash else 1
        if base == "*" or base == "?" and question:
            first, last = low, star
            is_open = is_open or step == 1
        elif "-" in base:
            first, last = (number(word) for word in base.split("-"))
            if first > last:
                raise ValueError(f"backwards: {item!r}")
        else:
            first = number(base)
            # 7/s is Sunday alone.
            last = max(first, star) if slash else first
        values.update(range(first, last + 1, step))
    return values, is_open


class Schedule:
    def __init__(self, expression):
        text = expression.strip(" \t")
        fields = re.split("[ \t]+", MACROS.get(text, text))
        if len(fields) != 5:
            raise ValueError("five fields are needed")
        (self.minutes, _), (self.hours, _), (self.days, self.any_day), (self.months, _), (weekdays, self.any_weekday) = (
            parse_field(field, *rule) for field, rule in zip(fields, FIELDS))
        self.weekdays = {day % 7 for day in weekdays}

    def day_matches(self, date):
        if date.month not in self.months:
            return False
        by_day, by_weekday = date.day in self.days, date.isoweekday() % 7 in self.weekdays
        if not self.any_day and not self.any_weekday:
            return by_day or by_weekday
        return by_day and by_weekday

    def matches(self, c):
        """Whether a civil time is one of the schedule's."""
        return c.second == 0 and c.minute in self.minutes and c.hour in self.hours and self.day_matches(c.date())


def nominal_times_of_day(schedule, zone, start):
    """The nominal times among the 86,400 seconds from `start`, in order."""
    # Civil dates that can occur in these seconds, and one more on either side. If none matches, nothing can.
    low, high = civil(start, zone).date(), civil(start + DAY, zone).date()
    date, stop = low - dt.timedelta(days=1), high + dt.timedelta(days=1)
    while not schedule.day_matches(date):
        date += dt.timedelta(days=1)
        if date > stop:
            return []
    offsets = {offset(start + hour * 3600, zone) for hour in range(-1, 26)}
    if len(offsets) == 1:
        # A day of one offset (no zone changes twice in an hour): civil time is UTC and a constant.
        shift = offsets.pop()
        first = start + (-(start + shift)) % 60
        clock = EPOCH.replace(tzinfo=None) + dt.timedelta(seconds=first + shift)
        minute = dt.timedelta(minutes=1)
        found = []
        for t in range(first, start + DAY, 60):
            if schedule.matches(clock) and FIRST <= t <= LAST:
                found.append(t)
            clock += minute
        return found
    # Otherwise ask the zone for every minute, or every second where an offset has seconds.
    step = 60 if all(shift % 60 == 0 for shift in offsets) else 1
    return [t for t in range(start, start + DAY, step)
            if FIRST <= t <= LAST and schedule.matches(civil(t, zone))]


def next_times(expression, timezone, after, count):
    """The first `count` nominal times after an instant."""
    schedule, zone, found = Schedule(expression), zone_of(timezone), []
    day = after // DAY * DAY
    while len(found) < count and day <= LAST:
        found += [t for t in nominal_times_of_day(schedule, zone, day) if t > after]
        day += DAY
    return found[:count]


def previous_times(expression, timezone, at, count):
    """The last `count` nominal times up to and with an instant, going back."""
    schedule, zone, found = Schedule(expression), zone_of(timezone), []
    day = at // DAY * DAY
    while len(found) < count and day >= FIRST:
        found += [t for t in reversed(nominal_times_of_day(schedule, zone, day)) if t <= at]
        day -= DAY
    return found[:count]


def search(case):
    """The two answers of a case of cron.json."""
    after = parse_time(case["after"])
    return {
        "next": [format_time(t) for t in next_times(case["schedule"], case["timezone"], after, 5)],
        "prev": [format_time(t) for t in previous_times(case["schedule"], case["timezone"], after, 5)],
    }


def is_nominal(expression, timezone, t):
    return Schedule(expression).matches(civil(t, zone_of(timezone)))


# --- policy and plan ------------------------------------------------------------------------------------------------

MOST_SINGLE = 100
PROMPT = 10


def plan(case):
    """What to do with each open period of a case of plan.json, in order of chosen time."""
    policy, now, active = case["policy"], parse_time(case["now"]), case["active"]
    concurrency = policy.get("concurrency", "forbid")
    deadline = parse_duration(policy.get("deadline", "0s"))
    assert concurrency in ("allow", "forbid", "replace")

    def place(period):
        return parse_time(period["chosen"] or period["windowEnd"]), parse_time(period["nominal"])

    periods = sorted(case["periods"], key=place)
    started = [p for p in periods if p["chosen"] and parse_time(p["chosen"]) <= now]

    def late(period):
        return now - parse_time(period["chosen"])

    too_late = [p for p in started if late(p) * SECOND > deadline]
    catching_up = [p for p in started if late(p) * SECOND <= deadline and late(p) > PROMPT]
    passed_over = catching_up[:-1]
    unnamed = too_late[:-MOST_SINGLE] + passed_over[:-MOST_SINGLE]
    missed = too_late + passed_over

    want = []
    for period in periods:
        step = {"nominal": period["nominal"]}
        if policy.get("suspend", False):
            step["action"] = "nothing"
        elif period["chosen"] is None:
            end = parse_time(period["windowEnd"])
            if now > end:
                step["action"] = "unschedulable"
            else:
                step.update(action="wait", until=format_time(end + 1))
        elif now < parse_time(period["chosen"]):
            step.update(action="wait", until=period["chosen"])
        elif any(period is p for p in unnamed):
            continue
        elif any(period is p for p in missed):
            step["action"] = "missed"
        elif active and concurrency == "forbid":
            step["action"] = "skipped"
        elif active and concurrency == "replace":
            step["action"] = "replace"
        else:
            step["action"] = "execute"
            active = True
        want.append(step)
    return {"want": want, "olderMissed": 0 if policy.get("suspend", False) else len(unnamed)}
