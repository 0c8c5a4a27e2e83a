"""The sentences of docs/guide/days.md: every date of twenty years, asked date by date, and the case list of days_page.json."""

import datetime as dt
import hashlib
import pathlib
import re

import oracle_days
import oracle_days_sentences

PAGE = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "guide" / "days.md").read_text(encoding="utf-8")
# Long enough for the leap day that is a Monday.
FIRST, LAST = dt.date(2026, 1, 1), dt.date(2045, 12, 31)
# From this date on the page has the first dates of each row.
SHOWN_FROM = dt.date(2026, 3, 1)


def easter(year):
    """The date of Easter, by the rule of Meeus, Jones and Butcher for the Gregorian calendar."""
    century, rest = divmod(year, 100)
    golden = year % 19
    correction = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - correction + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    month, day = divmod(epact + weekday - 7 * ((golden + 11 * epact + 22 * weekday) // 451) + 114, 31)
    return dt.date(year, month, day + 1)


def holidays(year):
    """The holidays of all of Germany."""
    moving = [easter(year) + oracle_days.ONE * days for days in (-2, 1, 39, 50)]
    return sorted([*moving, *(dt.date(year, *date) for date in ((1, 1), (5, 1), (10, 3), (12, 25), (12, 26)))])


HOLIDAYS = [date for year in range(FIRST.year - 1, LAST.year + 2) for date in holidays(year)]
CALENDARS = {"de": ", ".join(date.isoformat() for date in HOLIDAYS)}
MEANINGS = oracle_days_sentences.meanings(set(HOLIDAYS))
SPAN = [FIRST + oracle_days.ONE * n for n in range((LAST - FIRST).days + 1)]
HEAD = {"calendars": CALENDARS, "from": FIRST.isoformat(), "until": LAST.isoformat()}
# Sentence, text, and the dates beside it.
ROWS = re.findall(r"^\| ([^|]+) \| `([^`]+)` \| ((?:[0-9-]{10}(?:, )?)+) \|$", PAGE, re.M)
CASES = [{"title": sentence, "text": text} for sentence, text, _ in ROWS]
SHOWN = {text: [dt.date.fromisoformat(date) for date in dates.split(", ")] for _, text, dates in ROWS}
KNOWN = {}


def dates(text):
    if text not in KNOWN:
        schedule = oracle_days.DaySchedule(text, CALENDARS)
        # So each date that matches has one nominal time.
        assert len(schedule.minutes) == len(schedule.hours) == 1 and "@tz" not in text, text
        KNOWN[text] = [date for date in SPAN if schedule.day_matches(date)]
    return KNOWN[text]


def answer(case):
    """How many dates there are, the first, the last, and the SHA-256 of all, each with a line feed behind it."""
    found = [date.isoformat() for date in dates(case["text"])]
    lines = "".join(date + "\n" for date in found)
    return {"count": len(found), "first": found[0], "last": found[-1], "sha256": hashlib.sha256(lines.encode()).hexdigest()}


def contradiction(case):
    """What on the page is not what this program says, or None."""
    shown = [date for date in SHOWN[case["text"]] if date <= LAST]
    found = [date for date in dates(case["text"]) if date >= SHOWN_FROM]
    if not shown or found[:len(shown)] != shown:
        return f"the page has {shown}, and the first dates are {found[:3]}"
    meant = {date for date in SPAN if MEANINGS[case["title"]](date)}
    if wrong := meant.symmetric_difference(dates(case["text"])):
        return f"the sentence and the text do not agree on {min(wrong)}"
    calendar = oracle_days.dates_of(", ".join(re.findall("^de = (.*)$", PAGE, re.M)))
    years = {date.year for date in calendar}
    # The page also has the first days of the year after.
    if not years or any(date not in calendar for year in years for date in holidays(year)) or len(calendar) != 9 * len(years):
        return "the calendar of the page is not that of these years"
    return None
