"""The case list of days.json."""

GERMANY = ("2026-01-01, 2026-04-03, 2026-04-06, 2026-05-01, 2026-05-14, 2026-05-25, 2026-10-03, 2026-12-25..2026-12-26, "
           "2027-01-01, 2027-03-26, 2027-03-29, 2027-05-01, 2027-05-06, 2027-05-17, 2027-10-03, 2027-12-25..2027-12-26")
SHUTDOWN = "2026-07-20..2026-09-06, 2026-12-21..2027-01-08"
CASES = []


def cases(after, *texts, **calendars):
    named = {"calendars": calendars} if calendars else {}
    CASES.extend({"text": text, **named, "after": after} for text in texts)


# Days counted from either end of the month, and weekdays of the month.
cases(
    "2026-01-20T12:00:00Z",
    "0 22 * * * @days(dow=MON;dom=1-7)", "0 22 * * * @days(dow=FRI;last=1-7)", "0 0 * * * @days(last=1)", "0 0 * * * @days(last=1-3,31)",
    "0 0 * * * @days(last=29)", "0 6 * * * @days(dow=TUE;dom=8-14;months=MAR,JUN,SEP,DEC)", "0 6 * * * @days(dom=31)",
    "30 7 * * * @days(dow=SAT-SUN;last=1-8;months=NOV-FEB)", "0 0 * * * @days(dow=THU;dom=22-28;months=NOV)",
    "0 0 29 2 * @days(dow=MON)", "0 0 13 * FRI @days(dow=FRI;dom=13)", "15 3 1-7 * MON @days(dow=MON)",
    "0 0 * * * @days(dow=MON;dom=1-7) @days(dow=MON;dom=15-21)", "0 22 * * * @days(dow=FRI;last=1-7) @nodays(months=DEC)",
    "0 0 * * * @nodays(dow=SAT,SUN;dom=1&months=1)", "0 */8 * * * @days(last=1;dow=MON-FRI)",
)

# Workdays, and what takes the place of a day that is none.
cases(
    "2026-04-01T00:00:00Z",
    "0 9 * * * @days(workday=1)", "0 9 * * * @days(lastworkday=1)", "0 9 * * * @days(workday=2,23)", "0 9 * * * @days(lastworkday=1-2,22)",
    "0 9 * * * @days(near=15)", "0 9 * * * @days(near=1,31)", "0 9 * * * @days(near=30;months=2-6)", "0 9 * * * @days(dow=MON;workday=1)",
    "0 9 * * * @days(dom=25;roll=previous)", "0 9 * * * @days(dom=1;roll=next)", "0 9 * * * @days(last=1;roll=nearest)",
    "0 9 * * * @days(dom=15,16;roll=nearest)", "0 9 * * * @days(workday=1;week=SUN-THU)", "0 9 * * * @days(dom=1;roll=previous;week=SUN-THU)",
    "0 9 * * * @days(last=1;roll=next;week=WED)", "0 9 * * * @days(roll=next) @nodays(months=8)",
)
cases(
    "2026-04-01T00:00:00Z",
    "0 9 * * * @days(workday=1;holidays=de)", "0 9 * * * @days(lastworkday=1;holidays=de)", "0 9 * * * @days(near=3;holidays=de)",
    "0 9 * * * @days(dom=25;roll=previous;holidays=de)", "0 9 * * * @days(calendar=de;roll=next;holidays=de)",
    "0 9 * * * @nodays(calendar=de)", "0 9 * * MON-FRI @nodays(calendar=de;calendar=shutdown&dow=FRI)",
    "0 9 * * * @days(dom=15;roll=next;holidays=shutdown)", "0 9 * * * @days(dom=15;roll=previous;holidays=shutdown)",
    "0 9 * * * @days(dom=10;roll=nearest;holidays=shutdown)", "0 9 * * * @days(workday=1;holidays=shutdown)",
    "0 9 * * * @days(near=25;holidays=shutdown)", "0 9 * * * @days(dates=2026-12-24..2027-01-02;roll=nearest;holidays=de)",
    de=GERMANY, shutdown=SHUTDOWN,
)

# Every so many days and weeks.
cases(
    "2026-03-01T00:00:00Z",
    "30 6 * * * @days(every=2w;from=2026-01-06)", "30 6 * * * @days(dow=MON,THU;every=2w;from=2026-01-05)",
    "30 6 * * * @days(dow=MON,THU;every=3w;from=2026-03-04)", "30 6 * * * @days(dow=SUN;every=2w;from=2026-02-22)",
    "0 0 * * * @days(every=10d;from=2026-01-31)", "0 0 * * * @days(every=100d;from=2020-02-29)", "0 0 * * * @days(every=1d;from=2026-03-03)",
    "0 0 * * * @days(every=3660d;from=1970-01-01)", "0 0 * * * @days(every=522w;from=1976-02-29)", "0 0 * * * @days(every=1w;from=2099-01-01)",
    "0 0 * * MON @days(every=2d;from=2026-03-01)", "0 0 * * * @days(every=2w;from=2026-01-01;roll=next)",
)

# Zones: the civil date decides, dates that a zone skips, dates that come twice.
cases("2026-03-27T00:00:00Z", "30 2 * * * @tz(Europe/Paris) @days(dow=SUN)", "0 0 * * * @tz(Asia/Tokyo) @days(dom=1)",
      "30 23 * * * @tz(America/New_York) @days(last=1)", "0 * * * * @tz(Australia/Lord_Howe) @days(dom=5;months=4)")
cases("2011-12-29T00:00:00Z", "0 0 * * * @tz(Pacific/Apia) @days(dom=30)", "0 12 * * * @tz(Pacific/Apia) @days(last=1-3)",
      "0 0 * * * @tz(Pacific/Apia) @days(dom=30;roll=next)", "0 12 * * * @tz(Pacific/Apia) @days(workday=22)")
cases("1999-10-31T00:00:00Z", "30 23 * * * @tz(America/St_Johns) @days(dow=SAT)", "0 0 * * * @tz(America/St_Johns) @days(dow=SUN;last=1-7)",
      "0 0 * * * @tz(America/St_Johns) @nodays(dow=SUN)")
cases("2018-11-03T00:00:00Z", "0 0 * * * @tz(America/Sao_Paulo) @days(dow=SUN)", "30 23 * * * @tz(America/Sao_Paulo) @days(dow=SAT;last=1-21)")
# The ends of nominal time.
cases("1970-01-20T00:00:00Z", "0 0 * * * @days(last=1)", "0 0 * * * @days(dom=1;roll=next)")
cases("2099-11-15T00:00:00Z", "0 0 * * * @days(last=1)", "0 0 * * * @days(dom=31;roll=next)", "0 0 * * * @days(workday=1)")
