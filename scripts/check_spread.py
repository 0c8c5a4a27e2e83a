#!/usr/bin/env python3
"""Checks certificates of `kron spread` without Kron, with Python's standard library and the programs of testing/data/vectors.

    python3 scripts/check_spread.py CERTIFICATE [FILE...]
    python3 scripts/check_spread.py --self-test

A certificate has the lines of a job file, the peak of their starts, and a lower bound with weights of buckets. This program
computes every start in the range again and compares the peak. It proves the bound from the windows and constraints alone:
each start adds at least the least weight of its allowed seconds, and periods that share a draw, with windows of which all
seconds are allowed, start at the same place. So the sum of these least weights, divided by the sum of all weights, is a
number of starts that some bucket has, whatever the salts are.

Schedules of other systems ("placed") have candidates, plain expressions among which a salt chooses. This program finds them and
the chosen one again, and each adds at least the least sum of weights that the starts of one candidate have. The starts of
other jobs ("others"), and those of "base", count in both sums as they are.

With FILE, the lines of the certificate must be those of this job file, and the declarations of the placed schedules, with
their expressions beside them, those of these files. The dates of calendars are those of the certificate:
compare them with the calendar file.
"""

import collections
import copy
import functools
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "testing" / "data" / "vectors"))

import oracle_cron  # noqa: E402
import oracle_days  # noqa: E402
import oracle_decide as decide  # noqa: E402
import oracle_numbers as numbers  # noqa: E402
import oracle_place  # noqa: E402
import oracle_text  # noqa: E402

JOBS, PLACED = "kron-spread/1", "kron-spread/2"
EXAMPLES = HERE.parent / "examples" / "spread"


class Wrong(Exception):
    """A certificate that does not hold."""


# --- job lines ------------------------------------------------------------------------------------------------------

def job_lines(text):
    lines = (line.strip(" \t\r\n") for line in text.removeprefix("\ufeff").split("\n"))
    return [line for line in lines if line and not line.startswith("#")]


def read_line(line):
    """The name and the spec of a line of a job file."""
    plain, name = split_line(line)
    if name is None:
        raise Wrong(f"no name: {line}")
    rules = []

    def take(found):
        # Quoted text, such as a salt, may look like a rule.
        if found.group(1):
            rules.append(found.group(1))
            return ""
        return found.group()

    plain = re.sub(r'( @(?:no)?days[(](?:"(?:\\.|[^"\\])*"|[^)"])*[)])|"(?:\\.|[^"\\])*"', take, plain)
    spec = oracle_text.read_text(plain)
    if rules:
        spec["days"] = "".join(rules)
    return name, spec


def split_line(line):
    """The text of a job without blanks of other kinds, and the name behind it, if it has one."""
    quoted, depth, at = False, 0, 0
    plain, end = "", None
    while at < len(line):
        ch = line[at]
        if quoted and ch == "\\":
            plain += line[at:at + 2]
            at += 2
            continue
        quoted ^= ch == '"'
        if not quoted:
            depth += (ch == "(") - (ch == ")")
            if depth == 0 and ch in " \t" and re.match(r"[ \t]+[A-Za-z][A-Za-z0-9._-]*=", line[at:]):
                end = at
                break
            ch = " " if ch == "\t" else ch
        plain += ch
        at += 1
    for key, value in re.findall(r'([A-Za-z][A-Za-z0-9._-]*)=("(?:\\.|[^"\\])*"|[^ \t]*)', line[end:] if end else ""):
        if key == "name":
            return plain, oracle_text.read_pieces(value + ")")[0][0][0]
    return plain, None


def with_dates(spec, calendars):
    """The spec with the dates of each calendar in place of its name; those of rules of days beside it."""
    if "days" in spec:
        spec["dates"] = tuple((name, ",".join(ranges)) for name, ranges in sorted(calendars.items()))
    for clauses in spec.get("constraints", {}).values():
        for clause in clauses:
            if "calendar" in clause:
                if clause["calendar"] not in calendars:
                    raise Wrong(f"no calendar {clause['calendar']}")
                clause["calendar"] = [range_.split("..") for range_ in calendars[clause["calendar"]]]
    return spec


# --- windows --------------------------------------------------------------------------------------------------------

class Windows:
    """The periods of jobs with the same schedule, zone, window and constraints, as far as their windows reach into the range."""

    def __init__(self, spec, start, end):
        self.algorithm = spec.get("algorithm", decide.DEFAULT_ALGORITHM)
        self.zone = decide.zone_of(spec.get("timezone", "UTC"))
        window = spec.get("window", {})
        self.mode, self.length = window.get("mode", "after"), decide.parse_duration(window.get("duration", "0s"))
        constraints = spec.get("constraints", {})
        self.allowed = decide.permission(constraints)
        first, last = decide.bounds(0, self.mode, self.length, self.algorithm)
        self.first, self.seconds = first, last - first + 1
        # Nominal time, and the runs of allowed seconds as (first, last).
        self.whole, self.partial = [], []
        days = spec.get("days", ""), spec.get("dates", ())
        for nominal in nominal_times(spec["schedule"], spec.get("timezone", "UTC"), start - last, end - first, *days):
            low, high = nominal + first, nominal + last
            if high < start or low >= end:
                continue
            runs = [(low, high)]
            if constraints:
                runs = joined(decide.allowed_runs(low, high, self.zone, self.allowed))
            if runs == [(low, high)]:
                self.whole.append(nominal)
            elif runs:
                self.partial.append((nominal, runs))


@functools.lru_cache(None)
def nominal_times(expression, zone, first, end, days="", calendars=()):
    schedule, found = oracle_cron.Schedule(expression), []
    if days:
        schedule = oracle_days.DaySchedule(expression + days, dict(calendars))
    day = first // oracle_cron.DAY * oracle_cron.DAY
    while day < end:
        found += oracle_cron.nominal_times_of_day(schedule, decide.zone_of(zone), day)
        day += oracle_cron.DAY
    return [t for t in found if first <= t < end]


def joined(runs):
    """Runs of (first, length) as (first, last), with neighbours joined."""
    out = []
    for first, length in runs:
        if out and out[-1][1] + 1 == first:
            out[-1] = (out[-1][0], first + length - 1)
        else:
            out.append((first, first + length - 1))
    return out


# --- starts ---------------------------------------------------------------------------------------------------------

class Draws:
    """The draws of one seed, made as they are asked for."""

    def __init__(self, windows, spec, name, key):
        text = f"{name}\n{key}\n{spec.get('seed', {}).get('salt', '')}"
        legacy = windows.algorithm == decide.LEGACY_ALGORITHM
        seed = numbers.legacy_seed(text) if legacy else numbers.kron_seed(text)
        self.words = numbers.splitmix64_words(seed) if legacy else numbers.chacha8_words(seed)
        self.units, self.distribution = [], spec.get("distribution", {})
        self.quantile, self.doubt = decide.quantile(self.distribution, windows.mode, windows.length)

    def pick(self, index, count):
        while len(self.units) <= index:
            self.units.append(numbers.unit(next(self.words)))
        as_float, exact = self.units[index]
        if self.distribution.get("name", "uniform") == "uniform":
            return min(int(as_float * count), count - 1)
        return numbers.pick(self.quantile(exact), count, max(numbers.Decimal("1e-6"), self.doubt * count))


def starts(windows, spec, name):
    """The chosen times of all periods, where there is one."""
    strategy = spec.get("seed", {}).get("strategy", "stable")
    seeds, legacy = {}, windows.algorithm == decide.LEGACY_ALGORITHM

    def draws_of(nominal):
        key = decide.period_key(nominal, windows.zone, strategy)
        if key not in seeds:
            seeds[key] = Draws(windows, spec, name, key)
        return seeds[key]

    if windows.seconds == 1:
        yield from windows.whole
        return
    for nominal in windows.whole:
        yield nominal + windows.first + draws_of(nominal).pick(0, windows.seconds)
    for nominal, runs in windows.partial:
        draws, chosen = draws_of(nominal), None
        for index in range(64):
            second = nominal + windows.first + draws.pick(index, windows.seconds)
            if any(first <= second <= last for first, last in runs):
                chosen = second
                break
        if chosen is None and not legacy:
            lengths = [(first, last - first + 1) for first, last in runs]
            chosen = decide.member(lengths, draws.pick(64, sum(length for _, length in lengths)))
        if chosen is not None:
            yield chosen


# --- schedules of other systems -------------------------------------------------------------------------------------

class Placed:
    """A schedule of another system: its candidates, and the one that stands in the files."""

    def __init__(self, entry):
        self.name, self.zone, self.suspended = entry["name"], entry["timezone"], entry["suspended"]
        text, name = split_line(entry["declaration"])
        pattern = re.escape(name).replace(re.escape("{host}"), ".+") if name is not None else ".+/.+"
        if not re.fullmatch(pattern, self.name, re.DOTALL):
            raise Wrong(f"{self.name} is not the name of its declaration")
        spec = oracle_text.read_text(text)
        if spec.get("timezone", self.zone) != self.zone:
            raise Wrong(f"{self.name} is declared in another time zone")
        if spec.get("seed", {}).get("strategy", "fixed") != "fixed" or "algorithm" in spec:
            raise Wrong(f"{self.name} cannot have one place")
        shifts = oracle_place.shifts(text)
        claimed = [shift for first, last in entry["candidates"] for shift in range(first, last + 1)]
        if claimed != [shift for shift, _ in shifts]:
            raise Wrong(f"{self.name} has other candidates")
        expected = oracle_place.place({"text": text, "name": self.name}).get("expression", "")
        if entry["expression"].split() != expected.split():
            raise Wrong(f"{self.name} has its place at {expected}, not {entry['expression']}")
        self.expression = entry["expression"]
        days = " ".join(oracle_place.fields_of(oracle_place.expression_of(text))[2:])
        self.candidates = tuple((tuple(sorted(moved)), days) for _, moved in shifts)

    def starts(self, start, end):
        return nominal_times(" ".join(oracle_place.fields_of(self.expression)), self.zone, start, end)

    def least_weight(self, weights, start, end, per):
        return least_weight_of(self.candidates, self.zone, start, end, weights, per)


def least_weight_of(candidates, zone, start, end, weights, per):
    """The least sum of weights that the starts of one candidate have."""
    return min(sum(weights[(chosen - start) // per] for chosen in moved_times(moved, days, zone, start, end))
               for moved, days in candidates)


@functools.lru_cache(None)
def moved_times(moved, days, zone, start, end):
    hours, minutes = ({time // 60 for time in moved}, {time % 60 for time in moved})
    text = f"{','.join(map(str, sorted(minutes)))} {','.join(map(str, sorted(hours)))} {days}"
    return nominal_times(text, zone, start, end)


def declarations(text):
    """The declarations in the comments of a file, each with the text that has its schedule."""
    lines = text.removeprefix("\ufeff").split("\n")
    for line, below in zip(lines, [*lines[1:], ""]):
        found = re.search(r"(?:#|//|;|--)[ \t]*kron:[ \t]*(.*?)[ \t\r]*$", line)
        if found and re.match(r"[0-9*@]", found.group(1)):
            yield found.group(1), line[:found.start()].strip() or below


def annotated(text):
    """The declarations in the annotations of a file of YAML or JSON."""
    key = r"""kron[.]io/spread["']?[ \t]*:[ \t]*"""
    value = r""""(?:\\.|[^"\\])*"|'(?:''|[^'])*'|[|>].*(?:\r?\n[ \t]+[^\r\n]*)?|[0-9*@][^\r\n]*"""
    for found in re.finditer(f"{key}({value})", text):
        written = found.group(1)
        if text[:found.start()].rpartition("\n")[2].lstrip().startswith("#"):
            continue
        if written[0] == '"':
            yield json.loads(written)
        elif written[0] == "'":
            yield written[1:-1].replace("''", "'")
        else:
            yield re.sub(r"[ \t]+#.*", "", written.partition("\n")[2] or written).strip()


def stands_in(expression, text):
    """Whether an expression is a part of a text, and no part of a longer one."""
    return re.search(rf"(?<![^\s\"'=]){re.escape(expression)}(?![^\s\"',;])", text)


def check_files(placed, texts):
    """Whether the declarations of a certificate are those of files, with their schedules beside them."""
    beside = [pair for text in texts for pair in declarations(text) if "{host}" not in pair[0]]
    in_objects = collections.Counter(value for text in texts for value in annotated(text) if "{host}" not in value)
    for entry in placed:
        declaration, expression = entry["declaration"], entry["expression"]
        if any(declaration == text and stands_in(expression, line) for text, line in beside):
            continue
        if not in_objects[declaration] or not any(stands_in(expression, text) for text in texts if "kron.io/spread" in text):
            raise Wrong(f"{entry['name']} is not in the files as the certificate has it")
        in_objects[declaration] -= 1
    known = {entry["declaration"] for entry in placed}
    lacking = [declaration for declaration, _ in beside if declaration not in known] + sorted(+in_objects)
    if lacking:
        raise Wrong(f"the certificate lacks a declaration of the files: {lacking[0]}")


# --- the bound ------------------------------------------------------------------------------------------------------

def least_weight(windows, strategy, weights, start, end, per):
    """The least sum of weights that the starts of one job can have."""
    def least(first, last):
        return 0 if first < start or last >= end else min(weights[(first - start) // per:(last - start) // per + 1])

    total = 0
    # The first implementation's algorithm may give up although a second is allowed.
    if windows.algorithm != decide.LEGACY_ALGORITHM:
        total += sum(min(least(first, last) for first, last in runs) for _, runs in windows.partial)
    groups = {}
    for nominal in windows.whole:
        groups.setdefault(decide.period_key(nominal, windows.zone, strategy), []).append(nominal + windows.first)
    for firsts in groups.values():
        # The places at which a start of the group comes into its next bucket, or out of the range.
        places = {0} | {end - first for first in firsts if 0 < end - first < windows.seconds}
        for residue in {(first - start) % per for first in firsts}:
            places.update(range(per - residue, windows.seconds, per))
        total += min(sum(weights[(first + place - start) // per] for first in firsts if start <= first + place < end)
                     for place in places)
    return total


def check(certificate, *texts):
    """Raises `Wrong` unless the certificate holds. Returns the peak, the bound, and the bound that its weights prove."""
    def whole(value, low, what):
        if type(value) is not int or value < low:
            raise Wrong(f"{what} is not a whole number from {low} on")
        return value

    if certificate.get("certificate") not in (JOBS, PLACED):
        raise Wrong(f"this is not a certificate of the format {JOBS} or {PLACED}")
    more = {"placed", "others", "base"}
    if certificate["certificate"] == PLACED and not more <= certificate.keys() or certificate["certificate"] == JOBS and more & certificate.keys():
        raise Wrong(f"{', '.join(sorted(more))} belong to {PLACED}")
    start, end = decide.parse_time(certificate["from"]), decide.parse_time(certificate["until"])
    per = whole(certificate["perSeconds"], 1, "perSeconds")
    if end <= start:
        raise Wrong("the range is empty")
    lines = certificate["jobs"]
    if texts and (lines or certificate["certificate"] == JOBS) and (len(texts) > 1 or lines != job_lines(texts[0])):
        raise Wrong("the jobs are not those of the file")
    if texts and not lines and certificate["certificate"] == PLACED:
        check_files(certificate["placed"], texts)

    buckets = -(-(end - start) // per)

    def of_runs(field, what):
        values, before = [0] * buckets, -1
        for first, last, value in certificate.get(field, []):
            if not before < whole(first, 0, "a bucket") <= whole(last, 0, "a bucket") < buckets:
                raise Wrong(f"the {field} are not in order, or outside the range")
            values[first:last + 1] = [whole(value, 1, what)] * (last - first + 1)
            before = last
        return values

    weights, counts = of_runs("weights", "a weight"), of_runs("base", "a number of starts")
    for line in certificate.get("others", []):
        name, spec = read_line(line)
        spec = with_dates(spec, certificate.get("calendars", {}))
        for chosen in starts(Windows(spec, start, end), spec, name):
            if start <= chosen < end:
                counts[(chosen - start) // per] += 1
    # What is counted as it is adds its own weights to the sum of all starts.
    least, names = sum(weight * count for weight, count in zip(weights, counts)), set()
    for entry in certificate.get("placed", []):
        placed = Placed(entry)
        if placed.name in names:
            raise Wrong(f"two jobs have the name {placed.name}")
        names.add(placed.name)
        if not placed.suspended:
            for chosen in placed.starts(start, end):
                counts[(chosen - start) // per] += 1
            least += placed.least_weight(weights, start, end, per)
    classes, sums = {}, {}
    for line in lines:
        name, spec = read_line(line)
        spec = with_dates(spec, certificate.get("calendars", {}))
        if name in names:
            raise Wrong(f"two jobs have the name {name}")
        names.add(name)
        if spec.get("policy", {}).get("suspend", False):
            continue
        parts = ("schedule", "timezone", "window", "constraints", "algorithm", "days")
        key = json.dumps([spec.get(part) for part in parts])
        if key not in classes:
            classes[key] = Windows(spec, start, end)
        windows = classes[key]
        for chosen in starts(windows, spec, name):
            if start <= chosen < end:
                counts[(chosen - start) // per] += 1
        strategy = spec.get("seed", {}).get("strategy", "stable")
        if (key, strategy) not in sums:
            sums[key, strategy] = least_weight(windows, strategy, weights, start, end, per)
        least += sums[key, strategy]

    peak, claimed = whole(certificate["peak"], 0, "peak"), whole(certificate["bound"], 0, "bound")
    if max(counts) != peak:
        raise Wrong(f"the peak is {max(counts)}, not {peak}")
    proven = -(-least // sum(weights)) if any(weights) else 0
    if claimed > proven:
        raise Wrong(f"the weights prove a bound of {proven}, not {claimed}")
    return peak, claimed, proven


# --- the committed certificates -------------------------------------------------------------------------------------

def tampered(certificate):
    """Certificates that do not hold, each with a word for the reason."""
    def but(change):
        other = copy.deepcopy(certificate)
        change(other)
        return other

    def swap(old, new):
        def change(other):
            at = next(i for i, line in enumerate(other["jobs"]) if re.search(old, line))
            other["jobs"][at] = re.sub(old, new, other["jobs"][at], count=1)
        return change

    if certificate["certificate"] == PLACED:
        yield from tampered_placed(certificate, but)
        return
    yield "bound", but(lambda c: c.update(bound=c["bound"] + 1, peak=c["peak"]))
    yield "peak below", but(lambda c: c.update(peak=c["peak"] - 1))
    yield "peak above", but(lambda c: c.update(peak=c["peak"] + 1))
    yield "format", but(lambda c: c.update(certificate="kron-spread/0"))
    yield "buckets", but(lambda c: c.update(perSeconds=c["perSeconds"] * 2))
    yield "no weights", but(lambda c: c.update(weights=[]))
    yield "weight outside", but(lambda c: c["weights"].append([10 ** 7, 10 ** 7, 1]))
    yield "negative weight", but(lambda c: c["weights"][-1].__setitem__(2, -1))
    yield "repeated weight", but(lambda c: c["weights"].append(c["weights"][-1]))
    yield "repeated job", but(lambda c: c["jobs"].append(c["jobs"][0]))
    yield "no jobs", but(lambda c: c.update(jobs=[]))
    yield "name", but(swap(r"\bname=", "label="))
    # Other names give other draws, which have a higher peak.
    yield "names", but(lambda c: c.update(jobs=[re.sub(r" name=", " name=x", line) for line in c["jobs"]]))
    if "calendars" in certificate:
        yield "no calendars", but(lambda c: c.pop("calendars"))
        yield "dates", but(lambda c: c.update(calendars={name: ["2000-01-01..2000-01-01"] for name in c["calendars"]}))
    yield "windows", but(lambda c: c.update(jobs=[re.sub(r"@win[(][^)]*[)]", "", line) for line in c["jobs"]]))


def tampered_placed(certificate, but):
    """The same for certificates with schedules of other systems."""
    def each(change):
        return but(lambda c: [change(entry) for entry in c["placed"]])

    first = certificate["placed"][0]
    yield "bound", but(lambda c: c.update(bound=c["bound"] + 1))
    yield "peak below", but(lambda c: c.update(peak=c["peak"] - 1))
    yield "peak above", but(lambda c: c.update(peak=c["peak"] + 1))
    yield "format", but(lambda c: c.update(certificate=JOBS))
    yield "no weights", but(lambda c: c.update(weights=[]))
    yield "no schedules", but(lambda c: c.update(placed=[]))
    yield "repeated schedule", but(lambda c: c["placed"].append(c["placed"][0]))
    yield "no base", but(lambda c: c.pop("base"))
    yield "more base", but(lambda c: c.update(base=[[0, 9, 40]]))
    yield "base outside", but(lambda c: c["base"].append([10 ** 7, 10 ** 7, 1]))
    yield "other jobs", but(lambda c: c["others"].extend(f"{first['expression']} name=x{i}" for i in range(40)))
    yield "suspended", each(lambda entry: entry.update(suspended=True))
    yield "names", each(lambda entry: entry.update(name="x" + entry["name"]))
    yield "zones", each(lambda entry: entry.update(timezone="Pacific/Kiritimati"))
    yield "expressions", each(lambda entry: entry.update(expression=entry["declaration"].split(" @")[0]))
    yield "candidates", each(lambda entry: entry["candidates"].pop())
    # One more candidate, so that the bound would be lower than a forger wants; one less, so that it would be higher.
    yield "a candidate", each(lambda entry: entry["candidates"].append([1439, 1439]))
    yield "windows", each(lambda entry: entry.update(declaration=re.sub(r"@win[(][^)]*[)] ?", "", entry["declaration"])))
    yield "salts", each(lambda entry: entry.update(
        declaration=re.sub(r"salt=\w+", "salt=999", entry["declaration"])
        if "salt=" in entry["declaration"] else re.sub(r"( name=)", r" @seed(fixed,salt=999)\1", entry["declaration"])))


def self_test():
    """Checks the committed certificates, and that none of them holds after a change."""
    paths = sorted(EXAMPLES.glob("*.json"))
    if not paths:
        raise Wrong("there are no certificates in examples/spread")
    for path in paths:
        certificate = json.loads(path.read_text(encoding="utf-8"))
        is_placed = certificate["certificate"] == PLACED and not certificate["jobs"]
        text = path.with_suffix(".yaml" if is_placed else ".kron").read_text(encoding="utf-8")
        peak, bound, _ = check(certificate, text)
        print(f"{path.name}: peak {peak}, bound {bound}")
        for reason, other in tampered(certificate):
            try:
                check(other)
            except Wrong:
                continue
            raise Wrong(f"{path.name} still holds after a change: {reason}")
        for other in other_files(certificate, text) if is_placed else [text + "@daily name=another\n"]:
            try:
                check(certificate, other)
            except Wrong:
                continue
            raise Wrong(f"{path.name} also holds for another file")
    forged_salt()


def other_files(certificate, text):
    """Files for which a certificate of schedules in comments does not hold."""
    yield text + "# kron: 0 0 * * * name=another\nother: 0 0 * * *\n"
    for annotation in ('"0 0 * * * @win(after,1h)"', "'0 0 * * *'", "0 0 * * * # daily", ">-\n    0 0 * * *"):
        yield f"{text}---\nkind: CronJob\nmetadata:\n  annotations:\n    kron.io/spread: {annotation}\nspec:\n  schedule: 0 0 * * *\n"
    # `7 0 * * *` is a part of `37 0 * * *`.
    for entry in certificate["placed"]:
        yield text.replace(f"\"{entry['expression']}\"", f"\"1{entry['expression']}\"")


def forged_salt():
    """A salt that looks like rules of days takes no day away."""
    line = '0 0 * * * @seed(stable,salt=" @days(date=2000-01-01)") name=a'
    forged = {"certificate": JOBS, "from": "2026-03-02T00:00:00Z", "until": "2026-03-03T00:00:00Z", "perSeconds": 60,
              "jobs": [line], "peak": 0, "bound": 0, "weights": []}
    try:
        check(forged, line)
    except Wrong:
        return
    raise Wrong("a salt is read as rules of days")


def files_of(path):
    """The files of a folder, or a file."""
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and ".git" not in file.parts)


def main():
    try:
        if sys.argv[1:] == ["--self-test"]:
            self_test()
            return
        if len(sys.argv) < 2:
            sys.exit(__doc__)
        certificate, *named = map(pathlib.Path, sys.argv[1:])
        files = [certificate, *(file for path in named for file in files_of(path))]
        texts = [file.read_text(encoding="utf-8", errors="replace") for file in files]
        peak, bound, proven = check(json.loads(texts[0]), *texts[1:])
        print(f"peak {peak}, bound {bound}" + (f" (the weights prove {proven})" if proven > bound else ""))
    except Wrong as wrong:
        sys.exit(f"error: {wrong}")
    except (KeyError, TypeError, ValueError, AttributeError) as broken:
        sys.exit(f"error: not a certificate: {broken!r}")


if __name__ == "__main__":
    main()
