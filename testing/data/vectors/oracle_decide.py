"""Durations, civil time, windows, constraints and the decision for one period."""

import datetime as dt
import functools
import re
import zoneinfo
from decimal import Decimal

import oracle_numbers as m

DEFAULT_ALGORITHM = "siphash-chacha8/1"
LEGACY_ALGORITHM = "sha256-splitmix64/1"
SECOND = 10 ** 9
LONGEST_WINDOW = 8784 * 3600 * SECOND
ISO = "%Y-%m-%dT%H:%M:%SZ"
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


# --- instants and civil time ----------------------------------------------------------------------------------------

def parse_time(text):
    moment = dt.datetime.strptime(text, ISO).replace(tzinfo=dt.timezone.utc)
    return (moment - EPOCH) // dt.timedelta(seconds=1)


def format_time(seconds):
    moment = EPOCH + dt.timedelta(seconds=seconds)
    return f"{moment.year:04}-{moment.month:02}-{moment.day:02}T{moment:%H:%M:%S}Z"


@functools.lru_cache(None)
def zone_of(name):
    return zoneinfo.ZoneInfo(name)


def civil(seconds, zone):
    """The civil time of an instant."""
    return (EPOCH + dt.timedelta(seconds=seconds)).astimezone(zone)


def offset(seconds, zone):
    return civil(seconds, zone).utcoffset() // dt.timedelta(seconds=1)


# --- durations ------------------------------------------------------------------------------------------------------

UNITS = {"ns": 1, "us": 10 ** 3, "\u00b5s": 10 ** 3, "\u03bcs": 10 ** 3, "ms": 10 ** 6, "s": SECOND, "m": 60 * SECOND,
         "h": 3600 * SECOND}


def parse_duration(text):
    """Nanoseconds of a duration as Go's time.ParseDuration reads it, with its doubles for fractions; signs are errors."""
    if text == "0":
        return 0
    if text == "":
        raise ValueError("empty")
    limit = 1 << 63
    total, rest = 0, text
    while rest:
        # First a number: digits, perhaps a point and more digits, at least one digit in all.
        whole = re.match("[0-9]*", rest).group()
        rest = rest[len(whole):]
        value = 0
        for digit in whole:
            value = value * 10 + int(digit)
            if value > limit:
                raise ValueError("overflow")
        part, scale, fraction = 0, 1.0, ""
        if rest.startswith("."):
            fraction = re.match("[0-9]*", rest[1:]).group()
            rest = rest[1 + len(fraction):]
            for digit in fraction:
                # Go stops to read digits, but not to skip them, once they fill 63 bits.
                if part > (limit - 1) // 10 or part * 10 + int(digit) > limit:
                    break
                part = part * 10 + int(digit)
                scale *= 10
        if not whole and not fraction:
            raise ValueError("no digits")
        # Then a unit: all up to the next digit or point.
        name = re.match("[^0-9.]*", rest).group()
        rest = rest[len(name):]
        if name not in UNITS:
            raise ValueError("missing or unknown unit")
        unit = UNITS[name]
        if value > limit // unit:
            raise ValueError("overflow")
        value *= unit
        if part > 0:
            value += int(float(part) * (float(unit) / scale))
            if value > limit:
                raise ValueError("overflow")
        total += value
        if total > limit:
            raise ValueError("overflow")
    if total > limit - 1:
        raise ValueError("overflow")
    return total


def format_duration(ns):
    """A duration as Go prints it."""
    def decimal(value, unit):
        digits = f"{value % unit:0{len(str(unit)) - 1}}".rstrip("0") if value % unit else ""
        return f"{value // unit}" + ("." + digits if digits else "")

    if ns == 0:
        return "0s"
    for name, unit in (("ns", 1), ("\u00b5s", 10 ** 3), ("ms", 10 ** 6)):
        if ns < unit * 1000:
            return (str(ns) if unit == 1 else decimal(ns, unit)) + name
    minutes, rest = divmod(ns, 60 * SECOND)
    text = decimal(rest, SECOND) + "s"
    if minutes:
        text = f"{minutes % 60}m" + text
        if minutes >= 60:
            text = f"{minutes // 60}h" + text
    return text


# --- constraints ----------------------------------------------------------------------------------------------------

DAY_NAMES = dict(zip("SUN MON TUE WED THU FRI SAT".split(), range(7)))
MONTH_NAMES = dict(zip("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(), range(1, 13)))


def number_set(text, low, high, names=None, wraps=True):
    """The numbers of a list such as `1-5,7`. A wrapping range goes on from `high` at `low`."""
    def number(word):
        value = (names or {}).get(word.upper())
        if value is None:
            if not re.fullmatch("[0-9]+", word):
                raise ValueError(f"not a number: {word!r}")
            value = int(word)
        if not low <= value <= high:
            raise ValueError(f"out of range: {word!r}")
        return value

    result = set()
    for item in text.split(","):
        ends = [number(word) for word in item.split("-")]
        if len(ends) > 2:
            raise ValueError(f"not a range: {item!r}")
        a, b = ends[0], ends[-1]
        if a <= b:
            result.update(range(a, b + 1))
        elif wraps:
            result.update(range(a, high + 1))
            result.update(range(low, b + 1))
        else:
            raise ValueError(f"backwards: {item!r}")
    return result


def minute_set(text):
    """The minutes of the day in a list such as `22:00-06:00,12:15-12:20`."""
    result = set()
    for item in text.split(","):
        h1, m1, h2, m2 = map(int, re.fullmatch("([0-9]{2}):([0-9]{2})-([0-9]{2}):([0-9]{2})", item).groups())
        if max(h1, h2) > 23 or max(m1, m2) > 59:
            raise ValueError(f"no such time: {item!r}")
        a, b = h1 * 60 + m1, h2 * 60 + m2
        result.update(range(a, b + 1) if a <= b else [*range(a, 1440), *range(0, b + 1)])
    return result


def clause_parts(clause):
    """One test of a civil time for each part of a clause."""
    tests = []
    for key, text in clause.items():
        if key == "hours":
            tests.append(lambda c, want=number_set(text, 0, 23): c.hour in want)
        elif key == "dow":
            want = {day % 7 for day in number_set(text, 0, 7, DAY_NAMES)}
            tests.append(lambda c, want=want: c.isoweekday() % 7 in want)
        elif key == "dom":
            tests.append(lambda c, want=number_set(text, 1, 31, wraps=False): c.day in want)
        elif key == "months":
            tests.append(lambda c, want=number_set(text, 1, 12, MONTH_NAMES): c.month in want)
        elif key == "between":
            tests.append(lambda c, want=minute_set(text): c.hour * 60 + c.minute in want)
        elif key in ("date", "dates"):
            first, _, last = text.partition("..") if key == "dates" else (text, "", text)
            first, last = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
            if first > last:
                raise ValueError("backwards dates")
            tests.append(lambda c, first=first, last=last: first <= c.date() <= last)
        elif key == "calendar" and isinstance(text, list):
            # Its dates, as lists of first and last.
            tests.append(lambda c, want=text: any(first <= c.date().isoformat() <= last for first, last in want))
        else:
            raise ValueError(f"unknown part {key!r}")
    if not tests:
        raise ValueError("a clause without parts")
    return tests


def permission(constraints):
    """A function that says whether the constraints allow a civil time."""
    only = [clause_parts(clause) for clause in constraints.get("only", [])]
    avoid = [clause_parts(clause) for clause in constraints.get("avoid", [])]

    def allowed(c):
        if only and not any(all(test(c) for test in clause) for clause in only):
            return False
        return not any(all(test(c) for test in clause) for clause in avoid)

    return allowed


def allowed_runs(first, last, zone, allowed):
    """All allowed seconds of [first, last] as a list of (start, length), looked at civil minute by civil minute.

    All constraints see minutes at the finest, so the seconds of one civil minute share their answer. Where the offset
    changes within the coming hour, the walk goes on second by second; no zone changes its offset twice in an hour.
    """
    runs, t = [], first
    while t <= last:
        here = civil(t, zone)
        if civil(t + 3600, zone).utcoffset() != here.utcoffset():
            if allowed(here):
                runs.append((t, 1))
            t += 1
            continue
        clock, stop = here.replace(tzinfo=None), min(last, t + 3540)
        while t <= stop:
            rest = 60 - clock.second
            if allowed(clock):
                runs.append((t, min(rest, last + 1 - t)))
            clock += dt.timedelta(seconds=rest)
            t += rest
    return runs


def member(runs, index):
    for start, length in runs:
        if index < length:
            return start + index
        index -= length
    raise IndexError


# --- windows and draws ----------------------------------------------------------------------------------------------

def bounds(nominal, mode, length, algorithm):
    """First and last candidate of a window of `length` nanoseconds."""
    n = nominal * SECOND
    if mode == "after":
        start, end = n, n + length
    elif mode == "before":
        start, end = n - length, n
    elif algorithm == DEFAULT_ALGORITHM:
        start, end = n - length // 2, n + length // 2
    else:
        start = n - length // 2
        end = start + length
    if algorithm == DEFAULT_ALGORITHM:
        return -(-start // SECOND), end // SECOND
    return start // SECOND, end // SECOND


def decimal_parameter(params, key, default):
    text = params.get(key, default)
    if not re.fullmatch(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", text) or Decimal(text) <= 0:
        raise ValueError(f"{key} {text!r}")
    return Decimal(text)


def quantile(distribution, mode, length):
    """The distribution's quantile function on [0, 1], and how far its doubles may be off, in window lengths."""
    name, params = distribution.get("name", "uniform"), distribution.get("params", {})
    known = {"uniform": (), "skewEarly": ("shape",), "skewLate": ("shape",), "exponential": ("lambda", "dir"),
             "normal": ("mu", "sigma")}[name]
    if set(params) - set(known):
        raise ValueError(f"unknown parameter of {name}")
    doubt = Decimal("1e-11")
    if name == "uniform":
        return m.q_uniform, doubt
    if name in ("skewEarly", "skewLate"):
        shape = decimal_parameter(params, "shape", "2")
        function = m.q_skew_early if name == "skewEarly" else m.q_skew_late
        return lambda u: function(u, shape), doubt
    if name == "exponential":
        rate, direction = decimal_parameter(params, "lambda", "1"), params.get("dir", "early")
        if direction not in ("early", "late"):
            raise ValueError("dir")
        return lambda u: m.q_exponential(u, rate, direction == "late"), doubt
    mu = params.get("mu", "nominal" if mode == "around" else "mid")
    if mu == "nominal":
        mu = {"after": "start", "around": "mid", "before": "end"}[mode]
    mean = {"start": m.ZERO, "mid": m.HALF, "end": m.ONE}[mu]
    if "sigma" in params:
        ns = parse_duration(params["sigma"])
        if ns <= 0:
            raise ValueError("sigma")
        # Without a length nothing is ever drawn; the parameter is still checked.
        sigma = Decimal(ns) / Decimal(length or 1)
    else:
        sigma = m.ONE / 6
    return lambda u: m.q_normal(u, mean, sigma), doubt + Decimal("1e-14") * max(m.ONE, sigma)


def period_key(nominal, zone, strategy):
    if strategy == "stable":
        return format_time(nominal)
    day = civil(nominal, zone).date()
    if strategy == "daily":
        return f"{day.year:04}-{day.month:02}-{day.day:02}"
    if strategy == "weekly":
        year, week, _ = day.isocalendar()
        return f"{year:04}-W{week:02}"
    if strategy == "fixed":
        return "fixed"
    raise ValueError(f"strategy {strategy!r}")


def decide(name, spec, nominal_text):
    """The first draw (None without one) and the decision for one nominal time."""
    nominal = parse_time(nominal_text)
    if any(ch < " " or "\x7f" <= ch <= "\x9f" for ch in name) or not 1 <= len(name.encode("utf-8")) <= 1024:
        raise ValueError("name")
    zone = zone_of(spec.get("timezone", "UTC"))
    window = spec.get("window", {})
    mode, length = window.get("mode", "after"), parse_duration(window.get("duration", "0s"))
    if mode not in ("after", "around", "before") or length > LONGEST_WINDOW:
        raise ValueError("window")
    seed = spec.get("seed", {})
    salt = seed.get("salt", "")
    if len(salt.encode("utf-8")) > 1024:
        raise ValueError("salt")
    algorithm = spec.get("algorithm", DEFAULT_ALGORITHM)
    distribution = spec.get("distribution", {})
    if algorithm not in (DEFAULT_ALGORITHM, LEGACY_ALGORITHM):
        raise ValueError("algorithm")
    legacy = algorithm == LEGACY_ALGORITHM
    if legacy and (length % SECOND or distribution.get("name", "uniform") not in ("uniform", "skewEarly", "skewLate")):
        raise ValueError("not for this algorithm")

    key = period_key(nominal, zone, seed.get("strategy", "stable"))
    seed_input = f"{name}\n{key}\n{salt}"
    seed_bytes = m.legacy_seed(seed_input) if legacy else m.kron_seed(seed_input)
    words = m.splitmix64_words(seed_bytes) if legacy else m.chacha8_words(seed_bytes)
    first, last = bounds(nominal, mode, length, algorithm)
    allowed = permission(spec.get("constraints", {}))
    q, doubt = quantile(distribution, mode, length)
    first_u, chosen, draws, reason = None, None, 0, None

    def draw(count):
        nonlocal first_u, draws
        as_float, exact = m.unit(next(words))
        if first_u is None:
            first_u = as_float
        draws += 1
        return m.pick(q(exact), count, max(Decimal("1e-6"), doubt * count))

    candidates = last - first + 1
    if candidates == 1:
        if allowed(civil(nominal, zone)):
            chosen = nominal
        else:
            reason = "noAllowedSecond"
    else:
        while chosen is None and draws < 64:
            t = first + draw(candidates)
            if allowed(civil(t, zone)):
                chosen = t
        if chosen is None and legacy:
            reason = "drawsExhausted"
        elif chosen is None:
            runs = allowed_runs(first, last, zone, allowed)
            count = sum(length for _, length in runs)
            if count:
                chosen = member(runs, draw(count))
            else:
                reason = "noAllowedSecond"
    assert chosen is None or first <= chosen <= last and allowed(civil(chosen, zone))
    return first_u, {
        "algorithm": algorithm,
        "periodId": format_time(nominal),
        "periodKey": key,
        "nominalTime": format_time(nominal),
        "windowStart": format_time(first),
        "windowEnd": format_time(last),
        "chosenTime": None if chosen is None else format_time(chosen),
        "seedInput": seed_input,
        "seedHash": seed_bytes.hex(),
        "draws": draws,
        "unschedulable": reason,
    }
