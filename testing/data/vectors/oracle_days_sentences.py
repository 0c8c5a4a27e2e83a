"""What the sentences of docs/guide/days.md mean, said of one date and without clauses."""

import datetime as dt

from oracle_days import month_of as month

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)
ONE = dt.timedelta(days=1)


def each(weekday, date):
    """The days of that weekday in the month of a date."""
    return [day for day in month(date) if day.weekday() == weekday]


def works(date, holidays=()):
    return date.weekday() < SAT and date not in holidays


def workdays(date, holidays=()):
    """The workdays in the month of a date."""
    return [day for day in month(date) if works(day, holidays)]


def begins_quarter(date):
    return date.month in (1, 4, 7, 10)


def is_last(date):
    return (date + ONE).day == 1


def next_that_works(date, holidays=()):
    """A date, or the first workday after it."""
    return date if works(date, holidays) else next_that_works(date + ONE, holidays)


def last_that_works(date, holidays=()):
    """A date, or the last workday before it."""
    return date if works(date, holidays) else last_that_works(date - ONE, holidays)


def comes_every(days, first, date):
    return date >= first and (date - first).days % days == 0


def is_eve(date, holidays):
    """Whether the days after a workday, up to the next one, have a holiday among them."""
    day = date + ONE
    while not works(day, holidays):
        if day in holidays:
            return works(date, holidays)
        day += ONE
    return False


def meanings(holidays):
    """By sentence, whether a date is meant."""
    return {
        "the first Monday of each month": lambda it: it == each(MON, it)[0],
        "the second Tuesday": lambda it: it == each(TUE, it)[1],
        "the third Sunday": lambda it: it == each(SUN, it)[2],
        "the last Friday": lambda it: it == each(FRI, it)[-1],
        "the last Friday, but not in December": lambda it: it == each(FRI, it)[-1] and it.month != 12,
        "the last Friday but one": lambda it: it == each(FRI, it)[-2],
        "the fifth Monday, in months that have one": lambda it: it in each(MON, it)[4:],
        "the first and the third Wednesday": lambda it: it in each(WED, it)[0:3:2],
        "the Saturday after the first Friday": lambda it: it - ONE == each(FRI, it)[0],
        "the first weekend of the quarter": lambda it: begins_quarter(it) and each(SAT, it)[0] in (it, it - ONE),
        "Friday the 13th": lambda it: it.weekday() == FRI and it.day == 13,
        "the fourth Thursday of November": lambda it: it.month == 11 and it == each(THU, it)[3],
        "the last day of each month": is_last,
        "the last day but one": lambda it: is_last(it + ONE),
        "the last three days": lambda it: it in month(it)[-3:],
        "the last day of the quarter": lambda it: is_last(it) and begins_quarter(it + ONE),
        "the 30th, or the last day of February": lambda it: it.day == 30 or is_last(it) and it.month == 2,
        "every day but the last of the month": lambda it: not is_last(it),
        "a leap day that is a Monday": lambda it: (it.month, it.day, it.weekday()) == (2, 29, MON),
        "the first workday": lambda it: it == workdays(it)[0],
        "the first workday that is no holiday": lambda it: it == workdays(it, holidays)[0],
        "the last workday": lambda it: it == workdays(it, holidays)[-1],
        "the third workday of the quarter": lambda it: begins_quarter(it) and it == workdays(it, holidays)[2],
        "the first two and the last two workdays": lambda it: it in workdays(it)[:2] + workdays(it)[-2:],
        "the workday nearest to the 15th": lambda it: it == min(workdays(it), key=lambda day: abs(day.day - 15)),
        "the first workday after the 15th": lambda it: it == next(day for day in workdays(it) if day.day > 15),
        "the last workday before the 20th": lambda it: it == [day for day in workdays(it) if day.day < 20][-1],
        "the 25th, or the workday before it if that is a holiday": lambda it: it == last_that_works(it.replace(day=25), holidays),
        "the 1st, or the next workday": lambda it: it == next_that_works(it.replace(day=1), holidays),
        "the 10th, or the nearest workday": lambda it: it == min(workdays(it), key=lambda day: abs(day.day - 10)),
        "every workday but holidays": lambda it: works(it, holidays),
        "the workday before a holiday": lambda it: is_eve(it, holidays),
        "the first workday where Sunday to Thursday are worked":
            lambda it: it == [day for day in month(it) if day.weekday() not in (FRI, SAT)][0],
        "every workday in the last week of the year": lambda it: works(it) and it > dt.date(it.year, 12, 24),
        "every other Tuesday from 6 January 2026": lambda it: comes_every(14, dt.date(2026, 1, 6), it),
        "Monday and Thursday of every other week":
            lambda it: any(comes_every(14, dt.date(2026, 1, first), it) for first in (5, 8)),
        "every third Friday of the calendar, not of the month": lambda it: comes_every(21, dt.date(2026, 1, 2), it),
        "every 48 hours at six": lambda it: comes_every(2, dt.date(2026, 1, 1), it),
        "every 10 days": lambda it: comes_every(10, dt.date(2026, 1, 1), it),
        "a sprint of three weeks: its last Thursday": lambda it: comes_every(21, dt.date(2026, 1, 22), it),
    }
