"""The case list of decisions.json."""

from oracle_decide import civil, parse_time, zone_of

CASES = []
# What the format's definition says about four of the cases: seed hash, first draw, chosen time, draws.
FACTS = {
    "A nightly backup anywhere in three hours": (
        "e75717035e7ac0adfe0bc39f8bbe783ae121909fd3536c06df96f4dd17d71efa", 0.10901519858619635,
        "2026-03-01T00:19:37Z", 1),
    "Thumbnails around half past midnight on the day the clocks go forward": (
        "022d4b7e6d29147ec9defe0b1bc5952a88f635ee6bb22d728443805ae287e4bd", 0.5955528644315838,
        "2026-03-29T00:34:49Z", 1),
    "A report that only the closed-up choice can place": (
        "453d64bc1a87eed49efb5b9ec150605a54a6a530a54d2a198e8a4b45f25c6688", 0.8298358972798492,
        "2026-12-31T22:14:01Z", 65),
    "A Tuesday that never comes": (
        "769f4854bed2221c5759c3ebbc3f8122837d78fa867a34997ddac659a3439a3c", 0.9717635888610158, None, 64),
}
# The same of two cases whose first draw it does not give: seed hash, chosen time, draws.
FACTS_WITHOUT_DRAW = {
    "A fixed place in a window after midnight": (
        "3e39cac6dc35e5dbbb6d2c7311d1f09894a5b08cbc3bee62243094d30f94981e", "2026-03-01T02:43:13Z", 1),
    "A fixed place in a window around midnight, with a salt": (
        "e07b10fdf530aafbf77b3f35496636d509d2712878d013d0448c5b41d4646e34", "2026-02-28T23:28:31Z", 1),
}


def case(title, name, nominal, win=None, dist=None, seed=None, salt=None, tz=None, only=None, avoid=None,
         schedule=None, policy=None, algorithm=None, into=CASES):
    """Adds a case. `win` is like "after 3h", `dist` like "normal mu=mid sigma=20m"."""
    if schedule is None:
        c = civil(parse_time(nominal), zone_of(tz or "UTC"))
        schedule = f"{c.minute} {c.hour} * * *"
    spec = {"schedule": schedule}
    if tz:
        spec["timezone"] = tz
    if win:
        mode, duration = win.split()
        spec["window"] = {"mode": mode, "duration": duration}
    if dist:
        kind, *params = dist.split()
        spec["distribution"] = {"name": kind}
        if params:
            spec["distribution"]["params"] = dict(p.split("=") for p in params)
    if seed or salt is not None:
        spec["seed"] = {"strategy": seed or "stable"}
        if salt is not None:
            spec["seed"]["salt"] = salt
    if only or avoid:
        spec["constraints"] = {}
        if only:
            spec["constraints"]["only"] = only
        if avoid:
            spec["constraints"]["avoid"] = avoid
    if policy:
        spec["policy"] = policy
    if algorithm:
        spec["algorithm"] = algorithm
    into.append({"title": title, "name": name, "spec": spec, "nominal": nominal})


case("A nightly backup anywhere in three hours", "prod/db-backup", "2026-03-01T00:00:00Z", "after 3h", salt="backup")
case("Thumbnails around half past midnight on the day the clocks go forward", "media/thumbs", "2026-03-29T00:30:00Z",
     "around 2h", "normal sigma=20m", "daily", tz="Europe/Paris")
case("A report that only the closed-up choice can place", "ops/report", "2026-12-31T18:00:00Z", "after 24h",
     "exponential lambda=8 dir=late", "weekly", tz="Asia/Kathmandu", only=[{"hours": "3"}],
     avoid=[{"between": "03:05-03:55"}])
case("A Tuesday that never comes", "a/b", "2026-06-01T00:00:00Z", "after 1h", "skewEarly shape=0.5",
     only=[{"dow": "TUE"}])

# --- distributions ---
# First draws of these identities at this time: very near 0, very near 1, and ordinary ones.
AT = "2026-05-20T04:00:00Z"
NEAR_0, NEAR_0_TOO, NEAR_1, NEAR_1_TOO = "tail/n25634", "tail/n35175", "tail/n49740", "tail/n43912"

for n, shape in enumerate("1e-3 0.5 1 2 7.5 50 1e6".split()):
    for kind in ("skewEarly", "skewLate"):
        case(f"{kind} with shape {shape}", f"dist/{kind}-{n}", AT, "after 1h", f"{kind} shape={shape}")
        case(f"{kind} with shape {shape} and a draw near 0", NEAR_0, AT, "around 6h", f"{kind} shape={shape}")
        case(f"{kind} with shape {shape} and a draw near 1", NEAR_1, AT, "before 6h", f"{kind} shape={shape}")
case("skewEarly without a shape takes 2", "dist/early", AT, "after 1h", "skewEarly")
case("skewLate without a shape takes 2", "dist/late", AT, "after 1h", "skewLate")
case("A shape in capital exponent form", "dist/capital", AT, "after 1h", "skewEarly shape=25E-1")
case("A shape that begins with its point", "dist/point", AT, "after 1h", "skewLate shape=.75")
case("A shape that ends with its point", "dist/point-last", AT, "after 1h", "skewLate shape=3.")
case("A shape with zeros in front", "dist/zeros", AT, "after 1h", "skewEarly shape=0001.50")

for n, rate in enumerate("1e-12 1e-9 0.5 1 8 50 800 1e6".split()):
    for way in ("early", "late"):
        case(f"exponential {way} with lambda {rate}", f"dist/exponential-{way}-{n}", AT, "after 2h",
             f"exponential lambda={rate} dir={way}")
        case(f"exponential {way} with lambda {rate} and a draw near {n % 2}", NEAR_1_TOO if n % 2 else NEAR_0_TOO, AT,
             "around 24h", f"exponential lambda={rate} dir={way}")
case("exponential without parameters", "dist/exponential", AT, "after 1h", "exponential")
case("exponential with a direction alone", "dist/exponential-late", AT, "after 1h", "exponential dir=late")
case("exponential with lambda just below the uniform limit, over a year", "dist/limit-1", AT, "after 8784h",
     "exponential lambda=0.99e-9")
case("exponential with lambda just above the uniform limit, over a year", "dist/limit-2", AT, "after 8784h",
     "exponential lambda=1.01e-9")
case("exponential over a year with a draw near 1", NEAR_1, AT, "after 8784h", "exponential lambda=50")

for mode in ("after", "around", "before"):
    for mu in ("", "nominal", "start", "mid", "end"):
        for sigma in ("", "20m"):
            words = "".join(f" {k}={v}" for k, v in (("mu", mu), ("sigma", sigma)) if v)
            case(f"normal {mode} with mu {mu or 'left out'} and sigma {sigma or 'left out'}",
                 f"dist/normal-{mode}-{mu}-{sigma}", AT, f"{mode} 2h", "normal" + words)
for n, sigma in enumerate("1s 1ns 250us 100h 1000000h".split()):
    for mu in ("start", "mid", "end"):
        case(f"normal over an hour with mu {mu} and sigma {sigma}", f"dist/normal-{mu}-sigma-{n}", AT, "after 1h",
             f"normal mu={mu} sigma={sigma}")
for mu in ("start", "mid", "end"):
    case(f"normal with mu {mu} and a draw near 0", NEAR_0, AT, "around 24h", f"normal mu={mu}")
    case(f"normal with mu {mu} and a draw near 1", NEAR_1, AT, "around 24h", f"normal mu={mu}")
    case(f"normal with mu {mu}, a sigma of four windows and a draw near 1", NEAR_1_TOO, AT, "after 24h",
         f"normal mu={mu} sigma=96h")
    case(f"normal with mu {mu}, a narrow sigma and a draw near 0", NEAR_0_TOO, AT, "before 24h",
         f"normal mu={mu} sigma=90s")
case("normal over a year", "dist/normal-year", AT, "around 8784h", "normal")
case("normal over a year with a sigma of a minute", "dist/normal-year-minute", AT, "after 8784h",
     "normal mu=start sigma=1m")
case("normal over seconds with a sigma in fractions", "dist/normal-seconds", AT, "around 20s", "normal sigma=1.25s")
case("A default sigma of a length that six does not divide", "dist/normal-sixth", AT, "after 1h1m1.000000001s", "normal")
case("uniform with a draw near 0", NEAR_0, AT, "after 168h", "uniform")
case("uniform with a draw near 1", NEAR_1, AT, "after 168h", "uniform")

# --- windows ---
for n, length in enumerate("0s 1ns 500ms 1s 1.5s 1.999999999s 2s 3s 59s 1h1m1s 24h 168h 8784h".split()):
    for mode in ("after", "around", "before"):
        case(f"A window {mode} of {length}", f"window/{mode}-{n}", "2026-07-14T09:30:00Z", f"{mode} {length}")
case("A duration of nothing but 0", "window/zero", AT, "after 0")
case("No window at all", "window/none", AT)
case("A window in minutes past the hour", "window/minutes", AT, "after 90m")
case("A window in half hours", "window/half-hours", AT, "after .5h")
case("A window with a point and no fraction", "window/point", AT, "around 2.h")
case("A window in every unit", "window/units", AT, "before 1h1m1s1ms1us1ns")
case("A window that repeats a unit", "window/repeat", AT, "after 10m5m")
case("A window around of an odd number of nanoseconds", "window/odd", AT, "around 2s1ns")
case("A nominal time between two minutes", "window/between", "2026-05-20T04:00:37Z", "around 5m", schedule="0 4 * * *")
case("A window of under a second between two minutes", "window/short", "2026-05-20T04:00:37Z", "after 900ms",
     schedule="0 4 * * *")

# --- strategies and zones ---
for n, (zone, nominal) in enumerate([
        ("Asia/Kathmandu", "2026-05-31T18:15:00Z"), ("Asia/Kathmandu", "1985-12-31T18:20:00Z"),
        ("Asia/Kolkata", "2026-01-31T18:30:00Z"), ("Australia/Lord_Howe", "2026-04-04T14:45:00Z"),
        ("Australia/Lord_Howe", "2026-10-03T15:30:00Z"), ("Pacific/Chatham", "2026-04-04T14:00:00Z"),
        ("Pacific/Chatham", "2026-09-26T14:00:00Z"), ("America/St_Johns", "2026-03-08T05:30:00Z"),
        ("America/St_Johns", "2010-11-07T02:31:00Z"), ("Pacific/Apia", "2011-12-30T09:30:00Z"),
        ("Pacific/Apia", "2011-12-30T10:00:00Z"), ("Africa/Monrovia", "1971-03-01T00:44:30Z"),
        ("America/New_York", "2026-03-08T06:59:00Z"), ("America/New_York", "2026-11-01T05:30:00Z"),
        ("America/New_York", "2026-11-01T06:30:00Z"), ("Europe/Dublin", "2026-10-25T00:30:00Z"),
        ("Asia/Tehran", "2021-09-21T19:45:00Z"), ("America/Sao_Paulo", "2018-11-04T03:00:00Z"),
        ("Asia/Yangon", "2026-06-14T17:29:00Z"), ("Pacific/Marquesas", "2026-06-15T09:30:00Z")]):
    when = nominal.replace("T", " at ")[:-4]
    case(f"The day in {zone} on {when} UTC", f"zones/daily-{n}", nominal, "after 3h", seed="daily", tz=zone)
    if n % 2:
        case(f"The week in {zone} on {when} UTC", f"zones/weekly-{n}", nominal, "around 90m", "normal", "weekly", tz=zone)
for n, (zone, nominal, what) in enumerate([
        ("UTC", "2026-12-28T00:00:00Z", "first day of week 53"), ("UTC", "2027-01-01T12:00:00Z", "New Year in week 53"),
        ("UTC", "2027-01-03T23:59:00Z", "last day of week 53"), ("UTC", "2027-01-04T00:00:00Z", "first day of week 1"),
        ("UTC", "2024-12-29T23:59:00Z", "last day of week 52"), ("UTC", "2024-12-30T00:00:00Z", "week 1 in December"),
        ("UTC", "2024-01-01T00:00:00Z", "a year that begins on a Monday"),
        ("UTC", "2021-01-03T06:00:00Z", "week 53 of 2020"), ("UTC", "2023-01-01T00:00:00Z", "week 52 of the year before"),
        ("Pacific/Auckland", "2027-01-03T11:30:00Z", "already week 1"),
        ("America/Los_Angeles", "2027-01-04T07:30:00Z", "still week 53"),
        ("Asia/Tokyo", "2026-12-27T15:00:00Z", "Monday in the east"),
        ("Pacific/Kiritimati", "2024-12-29T10:00:00Z", "week 1 fourteen hours early"),
        ("America/Chicago", "2025-12-29T05:59:00Z", "week 52 by a minute")]):
    case(f"ISO weeks: {what}", f"weeks/n{n}", nominal, "after 4h", seed="weekly", tz=None if zone == "UTC" else zone)
case("Two times of one day share a draw: morning", "share/day", "2026-02-10T06:00:00Z", "after 1h", seed="daily",
     schedule="0 6,18 * * *")
case("Two times of one day share a draw: evening", "share/day", "2026-02-10T18:00:00Z", "after 1h", seed="daily",
     schedule="0 6,18 * * *")
case("Two days of one week share a draw: Monday", "share/week", "2026-02-09T06:00:00Z", "after 1h", seed="weekly",
     schedule="0 6 * * MON,SUN")
case("Two days of one week share a draw: Sunday", "share/week", "2026-02-15T06:00:00Z", "after 1h", seed="weekly",
     schedule="0 6 * * MON,SUN")
case("A daily draw on a day before 1970 in the zone", "share/before-epoch", "1970-01-01T02:00:00Z", "after 1h",
     seed="daily", tz="America/New_York")
case("A weekly draw in the week of 1970 that began in 1969", "share/epoch-week", "1970-01-01T00:00:00Z", "after 1h",
     seed="weekly")
case("Daylight saving in the last summer", "share/far", "2099-07-15T12:00:00Z", "after 8h",
     seed="daily", tz="Europe/Paris", only=[{"hours": "20-21"}])

# --- salts and identities ---
for n, (what, salt) in enumerate([
        ("empty", ""), ("a word", "blue"), ("two words", "blue green"), ("quotes", 'say "now"'), ("a backslash", "a\\b"),
        ("a line feed", "one\ntwo"), ("a tab", "one\ttwo"), ("a NUL character", "nul\0end"), ("umlauts", "Gr\u00f6\u00dfe"),
        ("Japanese", "\u6bce\u6669"), ("an emoji", "\U0001f552 o'clock"), ("combining marks", "e\u0301te\u0301"),
        ("what it would be composed", "\u00e9t\u00e9"), ("brackets and commas", "a,b(c)[d];e&f=g"),
        ("1024 bytes", "s" * 1024), ("1024 bytes of two-byte letters", "\u00e9" * 512), ("blanks at both ends", " x "),
        ("a carriage return and a next-line character", "a\r\u0085b"), ("an at sign", "@win(after,1h)")]):
    case(f"A salt: {what}", "salt/job", AT, "after 1h", salt=salt)
for n, (what, name) in enumerate([
        ("one letter", "a"), ("a dot", "."), ("capitals", "Prod/DB"), ("blanks", "nightly run "), ("umlauts", "b\u00fcro/t\u00e4glich"),
        ("Arabic", "\u0646\u0633\u062e\u0629/\u064a\u0648\u0645\u064a\u0629"), ("an emoji outside the first plane", "ops/\U0001f680"),
        ("1024 bytes", "n/" + "x" * 1022), ("1024 bytes of four-byte letters", "\U0001f98a" * 256),
        ("a zero-width joiner", "a\u200db"), ("a line separator that is no control character", "a\u2028b"),
        ("quotes and backslashes", 'it"s\\me'), ("a no-break space", "a\u00a0b"), ("something like a period key", "2026-05-20")]):
    case(f"An identity: {what}", name, AT, "after 1h")
for size in (7, 8, 9, 15, 16, 17, 231, 232, 233):
    # 22 bytes follow the name in the hashed text: a line feed, the period id and another line feed.
    case(f"A hashed text of {size + 22} bytes", "i" * size, AT, "after 6h")

# --- constraints ---
DAY = "2026-03-02T00:00:00Z"
for n in range(12):
    case(f"Office hours only, job {n}", f"office/job-{n}", DAY, "after 24h", only=[{"hours": "9-16"}])
for n in range(6):
    case(f"One hour of the day, job {n}", f"narrow/hour-{n}", DAY, "after 24h", "skewLate shape=1.5",
         only=[{"between": "13:00-13:59"}])
for n, minute in enumerate(("00:00", "11:59", "23:59")):
    for kind in ("uniform", "normal sigma=1h", "exponential lambda=8", "skewEarly shape=3", "skewLate shape=3"):
        case(f"Only the minute {minute}, {kind}", f"narrow/minute-{n}", DAY, "after 24h", kind,
             only=[{"between": f"{minute}-{minute}"}])
for n in range(3):
    case(f"A minute of which the window keeps its first second, job {n}", f"narrow/second-{n}", DAY, "after 1h",
         only=[{"between": "01:00-01:00"}])
case("A minute of which the window keeps its last second", "narrow/last", "2026-03-02T00:00:59Z", "after 30m",
     schedule="0 0 * * *", only=[{"between": "00:00-00:00"}])
case("Single seconds at both ends of the window", "narrow/both", "2026-03-02T00:00:59Z", "after 24h1s",
     "skewLate shape=2", schedule="0 0 * * *", only=[{"between": "00:00-00:00", "dom": "2"}, {"between": "00:01-00:01", "dom": "3"}])
case("Five single minutes spread over the day", "narrow/five", DAY, "after 24h", "exponential lambda=3",
     only=[{"between": "02:00-02:00,06:30-06:30,11:11-11:11,17:45-17:45,23:59-23:59"}])
case("A narrow normal far from the only hour", "narrow/far", DAY, "after 24h", "normal sigma=10m", only=[{"hours": "22"}])
case("A steep start and only a late hour", "narrow/late", DAY, "after 24h", "skewEarly shape=50", only=[{"hours": "22"}])
case("A steep end and only an early hour", "narrow/early", DAY, "after 24h", "skewLate shape=1e6", only=[{"hours": "1"}])
case("A week with one allowed minute", "narrow/week", DAY, "after 168h", only=[{"dow": "SAT", "between": "12:30-12:30"}])
case("A year with one allowed day", "narrow/year", DAY, "after 8784h", only=[{"date": "2026-12-24"}])
case("A year with one allowed minute", "narrow/year-minute", DAY, "after 8784h", "normal",
     only=[{"dom": "29", "months": "FEB-JAN", "dow": "SUN", "dates": "2026-06-01..2026-12-31", "between": "23:59-23:59"}])
case("A year without a fitting day", "narrow/no-year", DAY, "after 8784h", only=[{"date": "2025-12-24"}])

case("Hours that wrap past midnight", "wrap/hours", "2026-03-02T12:00:00Z", "after 24h", only=[{"hours": "22-5"}])
case("Hours that wrap to midnight alone", "wrap/hours-0", "2026-03-02T12:00:00Z", "after 24h", only=[{"hours": "23-0"}])
case("Hours in lists, ranges and leading zeros", "list/hours", DAY, "after 24h", only=[{"hours": "01-03,07,22-23"}])
case("The night is avoided by wrapping hours", "wrap/avoid-hours", "2026-03-02T18:00:00Z", "after 12h", avoid=[{"hours": "20-5"}])
case("Days of the week that wrap", "wrap/dow", "2026-03-04T00:00:00Z", "after 168h", only=[{"dow": "FRI-MON"}])
case("Days of the week that wrap, as numbers", "wrap/dow-numbers", "2026-03-04T00:00:00Z", "after 168h", only=[{"dow": "6-1"}])
case("Saturday to Sunday", "wrap/weekend", "2026-03-04T00:00:00Z", "after 168h", only=[{"dow": "SAT-SUN"}])
case("Sunday as 7", "wrap/sunday-7", "2026-03-04T00:00:00Z", "after 168h", only=[{"dow": "7"}])
case("Friday to 7", "wrap/friday-7", "2026-03-04T00:00:00Z", "after 168h", only=[{"dow": "FRI-7"}])
case("Sunday as 7 to Monday", "wrap/7-1", "2026-03-04T00:00:00Z", "after 168h", only=[{"dow": "7-1"}])
case("Every day as 0 to 7", "wrap/0-7", "2026-03-04T00:00:00Z", "after 168h", only=[{"dow": "0-7"}])
case("Days by names in any case", "list/dow", "2026-03-04T00:00:00Z", "after 168h", only=[{"dow": "mon,Wed-fRi"}])
case("Months that wrap", "wrap/months", "2026-06-01T00:00:00Z", "after 8784h", only=[{"months": "NOV-FEB"}])
case("Months that wrap, as numbers, avoided", "wrap/months-avoid", "2026-06-01T00:00:00Z", "after 8784h", avoid=[{"months": "11-4"}])
case("Months in a list", "list/months", "2026-06-01T00:00:00Z", "around 8784h", only=[{"months": "1,JUN,09-10"}])
case("Days of the month in a list", "list/dom", "2026-03-01T00:00:00Z", "after 744h", only=[{"dom": "1-3,15,28-31"}])
case("The 31st in a month of thirty days", "list/dom-31", "2026-04-01T00:00:00Z", "after 719h", only=[{"dom": "31"}])
case("Minutes that wrap past midnight", "wrap/between", "2026-03-02T12:00:00Z", "after 24h", only=[{"between": "22:00-06:00"}])
case("Minutes that wrap around nearly the whole day", "wrap/between-all", DAY, "after 24h", avoid=[{"between": "12:01-11:59"}])
case("Minutes in a list, one wrapping", "list/between", DAY, "after 24h", only=[{"between": "04:00-04:29,16:15-16:45,23:50-00:10"}])
case("One date", "dates/one", "2026-03-02T12:00:00Z", "after 48h", only=[{"date": "2026-03-04"}])
case("A span of dates", "dates/span", "2026-03-02T12:00:00Z", "after 168h", only=[{"dates": "2026-03-05..2026-03-06"}])
case("A span of dates over the turn of the year, avoided", "dates/avoid", "2026-12-22T12:00:00Z", "after 336h",
     avoid=[{"dates": "2026-12-23..2027-01-04"}])
case("The leap day", "dates/leap", "2028-02-28T12:00:00Z", "after 48h", only=[{"date": "2028-02-29"}])
case("Dates far outside the window", "dates/far", DAY, "after 1h", avoid=[{"dates": "0001-01-01..2025-12-31"}, {"date": "9999-12-31"}])

case("All parts in one clause", "parts/all", "2026-03-01T00:00:00Z", "after 744h",
     only=[{"hours": "8-18", "dow": "MON-FRI", "dom": "10-20", "months": "MAR", "between": "08:30-17:15",
            "dates": "2026-03-11..2026-03-19"}])
case("Two only clauses are alternatives", "parts/or", DAY, "after 24h", only=[{"hours": "3"}, {"hours": "20"}])
case("Two only clauses with different parts are alternatives", "parts/or-mixed", DAY, "after 168h",
     only=[{"dow": "TUE", "hours": "4"}, {"date": "2026-03-07"}])
case("Four only clauses of which one can be met", "parts/or-one", DAY, "after 24h",
     only=[{"date": "2026-03-01"}, {"months": "4"}, {"dom": "9-12"}, {"between": "19:19-19:20"}])
case("Avoid on top of only", "parts/both", DAY, "after 24h", only=[{"hours": "8-18"}], avoid=[{"between": "08:00-17:30"}])
case("Avoid takes away all that only allows", "parts/nothing", DAY, "after 24h", only=[{"hours": "8-9"}],
     avoid=[{"hours": "8"}, {"between": "09:00-09:59"}])
case("Avoid clauses forbid one by one", "parts/avoid-each", DAY, "after 24h", avoid=[{"hours": "0-9"}, {"hours": "12-23"}])
case("The parts of an avoid clause forbid together", "parts/avoid-joined", DAY, "after 24h", avoid=[{"hours": "0-20", "dow": "MON"}])
case("An avoid clause whose parts never meet forbids nothing", "parts/avoid-void", DAY, "after 24h", avoid=[{"dow": "MON", "date": "2026-03-03"}])
case("Everything is avoided", "parts/avoid-all", DAY, "after 24h", avoid=[{"hours": "0-23"}])
case("Everything but the last second is avoided", "parts/avoid-most", DAY, "after 24h", "skewEarly shape=2", avoid=[{"date": "2026-03-02"}])
case("A loose constraint met at once", "parts/loose", DAY, "after 24h", avoid=[{"between": "00:00-00:04"}])
case("A single candidate that is allowed", "single/yes", DAY, "after 0s", only=[{"hours": "0"}])
case("A single candidate that is forbidden", "single/no", DAY, "after 0s", avoid=[{"between": "00:00-00:00"}])
case("A single candidate of a fractional window that is forbidden", "single/half", DAY, "around 1.9s", only=[{"hours": "1"}])
case("A single candidate with a distribution and a daily draw", "single/daily", DAY, "before 999ms", "normal sigma=1ns", "daily")
case("Two candidates of which one is forbidden", "single/two", "2026-03-01T23:59:59Z", "after 1s", schedule="* * * * *", avoid=[{"date": "2026-03-01"}])

NY, LH = "America/New_York", "Australia/Lord_Howe"
case("The hour that spring skips cannot be met", "dst/gap", "2026-03-08T05:00:00Z", "after 6h", tz=NY, only=[{"hours": "2"}])
case("The hours on both sides of the gap", "dst/gap-sides", "2026-03-08T05:00:00Z", "after 6h", tz=NY, only=[{"between": "01:58-03:01"}])
for n in range(6):
    case(f"The hour that autumn repeats lasts two, job {n}", f"dst/fold-{n}", "2026-11-01T04:00:00Z", "after 8h",
         ("uniform", "exponential lambda=20", "skewLate shape=2")[n % 3], tz=NY, only=[{"hours": "1"}], avoid=[{"between": "01:00-01:54"}])
for n in range(4):
    case(f"A doubled minute, closed up, job {n}", f"dst/fold-minute-{n}", "2026-11-01T04:00:00Z", "after 8h", "skewLate shape=1.2",
         tz=NY, only=[{"between": "01:30-01:30"}])
case("The doubled half hour of Lord Howe", "dst/half-fold", "2026-04-04T12:00:00Z", "after 8h", "normal sigma=5m", tz=LH, only=[{"between": "01:29-01:31"}])
case("The skipped half hour of Lord Howe", "dst/half-gap", "2026-10-03T12:00:00Z", "after 8h", tz=LH, only=[{"between": "02:00-02:29"}])
case("The ends of the skipped half hour of Lord Howe", "dst/half-gap-ends", "2026-10-03T12:00:00Z", "after 8h", tz=LH, only=[{"between": "01:59-02:30"}])
case("Chatham in autumn", "dst/chatham", "2026-04-04T10:15:00Z", "after 8h", tz="Pacific/Chatham", only=[{"between": "02:44-02:46,03:44-03:46"}])
case("Dublin in autumn", "dst/dublin", "2026-10-24T23:00:00Z", "around 4h", tz="Europe/Dublin", only=[{"between": "01:10-01:12"}])
case("Newfoundland falls back over midnight", "dst/st-johns", "2010-11-07T01:00:00Z", "after 6h", tz="America/St_Johns",
     only=[{"between": "23:01-23:03"}, {"between": "00:00-00:00"}])
case("The date that Samoa skipped cannot be met", "dst/apia-no", "2011-12-29T10:00:00Z", "after 48h", tz="Pacific/Apia", only=[{"date": "2011-12-30"}])
case("The dates on both sides of the one Samoa skipped", "dst/apia", "2011-12-30T00:00:00Z", "after 24h", tz="Pacific/Apia",
     only=[{"date": "2011-12-29", "between": "23:59-23:59"}, {"date": "2011-12-31", "between": "00:00-00:00"}])
case("A week in which Samoa had no Friday", "dst/apia-friday", "2011-12-26T10:00:00Z", "after 160h", tz="Pacific/Apia", only=[{"dow": "FRI"}])
case("Minutes of an offset with seconds", "dst/monrovia", "1971-06-01T00:44:30Z", "after 2h", tz="Africa/Monrovia", only=[{"between": "00:30-00:30"}])
case("An offset with seconds ends", "dst/monrovia-end", "1972-01-07T00:29:30Z", "after 30m", tz="Africa/Monrovia",
     only=[{"between": "23:58-00:46"}], avoid=[{"between": "00:00-00:43"}])
case("Five and three quarter hours from UTC, and a changed quarter", "dst/kathmandu", "1985-12-31T17:00:00Z", "after 4h", tz="Asia/Kathmandu",
     only=[{"between": "23:58-00:16"}])
case("A gap of half an hour at the turn of the year", "dst/singapore", "1981-12-31T15:00:00Z", "after 2h", tz="Asia/Singapore", only=[{"between": "23:58-00:32"}])
case("Midnight is skipped in Brazil", "dst/sao-paulo", "2018-11-04T02:00:00Z", "after 3h", tz="America/Sao_Paulo", only=[{"between": "23:59-00:59"}])
case("A year in New York, only the repeated hour", "dst/whole-year", "2026-01-01T05:00:00Z", "after 8760h", tz=NY, only=[{"date": "2026-11-01", "hours": "1"}])

# --- bounds, policies, spellings ---
case("The first instant of all", "bounds/first", "1970-01-01T00:00:00Z", "after 2h")
case("The first instant, a window that begins before it", "bounds/first-around", "1970-01-01T00:00:00Z", "around 2h1s")
case("The first instant, a window that ends there", "bounds/first-before", "1970-01-01T00:00:00Z", "before 59.5s", "skewLate")
case("The first instant, constrained to the year before", "bounds/first-1969", "1970-01-01T00:00:00Z", "before 48h", only=[{"dates": "1969-12-31..1969-12-31", "hours": "23"}])
case("The last minute of all", "bounds/last", "2099-12-31T23:59:00Z", "after 2h")
case("The last minute, a window of a year", "bounds/last-year", "2099-12-31T23:59:00Z", "after 8784h", "normal mu=start", "weekly")
case("The last minute, a window around it", "bounds/last-around", "2099-12-31T23:59:00Z", "around 1h30m", "exponential lambda=5", "daily")
case("The last minute, constrained to the century after", "bounds/last-2100", "2099-12-31T23:59:00Z", "after 30h", only=[{"date": "2100-01-01", "between": "07:07-07:07"}])
case("A leap day in a leap century", "bounds/leap", "2000-02-29T12:00:00Z", "around 24h", seed="daily")
case("A policy changes nothing about the choice", "policy/job", AT, "after 1h", policy={"concurrency": "replace", "deadline": "1h30m", "suspend": True})
case("The same job without the policy", "policy/job", AT, "after 1h")
case("The default algorithm by its name", "policy/job", AT, "after 1h", algorithm="siphash-chacha8/1")
case("All defaults spelled out", "policy/defaults", AT, "after 1h", "uniform", "stable", "", "UTC",
     policy={"concurrency": "forbid", "deadline": "0s", "suspend": False}, algorithm="siphash-chacha8/1")
case("A schedule by its macro", "spelling/macro", "2026-05-20T00:00:00Z", "after 1h", schedule="@daily")
case("A schedule with names and steps", "spelling/names", "2026-05-20T04:30:00Z", "after 1h", schedule="*/30 2-8/2 * apr-Jun MON,wed,FRI")
case("A schedule with tabs and many blanks", "spelling/tabs", AT, "after 1h", schedule="0\t4  *   * \t *")
case("A nominal time the schedule does not yield", "spelling/off", "2026-05-20T04:01:00Z", "after 1h", schedule="0 4 * * *")

# --- one draw for all periods ---
case("A fixed place in a window after midnight", "prod/db-backup", "2026-03-01T00:00:00Z", "after 3h", seed="fixed")
case("A fixed place in a window around midnight, with a salt", "prod/db-backup", "2026-03-01T00:00:00Z", "around 1h30m", seed="fixed",
     salt="a")
for n, (when, zone) in enumerate([
    ("2026-03-02T00:00:00Z", "UTC"), ("2099-12-31T23:59:00Z", "UTC"), ("1970-01-01T00:00:00Z", "UTC"), ("2026-03-29T00:30:00Z", "Europe/Paris"),
    ("2026-10-24T22:30:00Z", "Europe/Paris"),
]):
    case(f"The same place at another time: {when} in {zone}", "prod/db-backup", when, "after 3h", seed="fixed", tz=None if zone == "UTC" else zone)
case("A fixed place that a constraint forbids: the next draw", "prod/db-backup", "2026-03-01T00:00:00Z", "after 3h", seed="fixed",
     avoid=[{"hours": "2"}])
case("A fixed place where only the closed-up choice is left", "prod/db-backup", "2026-03-01T00:00:00Z", "after 24h", "normal", "fixed",
     only=[{"between": "00:00-00:00"}])
