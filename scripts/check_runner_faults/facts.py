"""What is known of a run: the jobs, the lives of runners, and what commands and the state file say."""
import collections
import functools
import pathlib
import shutil
import sqlite3
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "testing" / "data" / "vectors"))
import oracle_decide  # noqa: E402

# A runner that is well decides and starts within so many seconds, on a machine that is busy.
MARGIN = 6
# A runner that could not write tries again after ten seconds at most.
WRITE_AGAIN = 11
# /livez is not answered for longer: the runner hangs.
HANGS = 30

Config = collections.namedtuple("Config", "schedule window deadline concurrency suspend")
# `shown` is what the clock showed then.
Fact = collections.namedtuple("Fact", "kind job period chosen shown at pid")
# All times are steady, but those of periods and what is `shown`.
# `spawned` to `ended` is the life of a runner; `ready` is None if it never was; `signalled` is the end of its work.
Life = collections.namedtuple("Life", "spawned ready signalled ended code")


def shown(nominal):
    return oracle_decide.format_time(nominal)


class Aspect:
    """A value that changes. A change takes effect at an unknown time between two known ones."""

    def __init__(self, value):
        # Lists of the earliest and the latest time, and the value.
        self.changes = [[-float("inf"), -float("inf"), value]]

    def last(self):
        return self.changes[-1][2]

    def begin(self, value, now):
        if value != self.last():
            self.changes.append([now, None, value])

    def confirm(self, now, begun_by=float("inf")):
        """What was begun by a time has taken effect by now."""
        for change in self.changes:
            if change[1] is None and change[0] <= begun_by:
                change[1] = now

    def possible(self, first, last):
        """The values that it may have had in a stretch of time."""
        found = set()
        for change, following in zip(self.changes, [*self.changes[1:], None]):
            until = float("inf") if following is None or following[1] is None else following[1]
            if change[0] <= last and until >= first:
                found.add(change[2])
        return found


class Job:
    def __init__(self, name, command, other=""):
        self.name = name
        # The arguments of the script, and other fields.
        self.command, self.other = command, other
        # Its configuration in the file that the runner has, and whether it is suspended on request.
        self.file, self.asked = Aspect(None), Aspect(False)

    def line(self, config, script):
        suspend = ",suspend=true" if config.suspend else ""
        policy = f"@policy(deadline={config.deadline}s,concurrency={config.concurrency}{suspend})"
        command = f'command="exec {script} {self.command}"{self.other}'
        return f"{config.schedule} @win(after,{config.window}s) {policy} name={self.name} {command}\n"

    def states(self, first, last):
        """The schedules that may have been in force in a stretch of time; None if it may have been suspended or absent."""
        files, asked = self.file.possible(first, last), self.asked.possible(first, last)
        found = {None} if True in asked else set()
        if False in asked:
            found |= {None if config is None or config.suspend else config.schedule for config in files}
        return found

    def values(self, field, first, last):
        return {getattr(config, field) for config in self.file.possible(first, last) if config is not None}


@functools.lru_cache(None)
def chosen_time(job, nominal, window):
    spec = {"schedule": "* * * * *", "window": {"mode": "after", "duration": f"{window}s"}}
    return oracle_decide.parse_time(oracle_decide.decide(job, spec, oracle_decide.format_time(nominal))[1]["chosenTime"])


class World:
    """What happened, for the check."""

    def __init__(self, clock):
        self.clock = clock
        self.jobs, self.lives, self.stops, self.full = {}, [], [], []
        self.facts, self.outcomes, self.executions, self.rows = [], [], {}, {}
        # Job and token of each request that was answered, and the number of others for each job.
        self.requested = []
        # First attempt and answer of each probe.
        self.probes = []
        # What ended after how many seconds, and after how many it had to.
        self.ends = []
        self.problems = []

    def problem(self, text):
        self.problems.append(text)

    @functools.cached_property
    def well(self):
        """The stretches of time in which a runner decides and starts."""
        lost = [(a - 1, b + 2) for a, b in self.stops] + [(a - 1, b + WRITE_AGAIN) for a, b in self.full]
        found = []
        for life in self.lives:
            if life.ready is None:
                continue
            begin = life.ready
            for a, b in sorted(lost):
                if b <= begin or a >= life.signalled:
                    continue
                if a > begin:
                    found.append((begin, a))
                begin = max(begin, b)
            if begin < life.signalled:
                found.append((begin, life.signalled))
        return found

    def is_well(self, first, last):
        return any(a <= first and last <= b for a, b in self.well)

    def well_after(self, at, seconds):
        """The end of the first so many seconds from a time on in which a runner is well."""
        ends = [max(a, at) + seconds for a, b in self.well if max(a, at) + seconds <= b]
        return min(ends, default=None)

    def answers(self, first, last):
        """Whether a runner was ready for the whole time, and was neither stopped nor asked to end: then it had to answer."""
        is_up = any(life.ready is not None and life.ready <= first and last <= life.signalled for life in self.lives)
        return is_up and not any(a - 1 <= last and b + 1 >= first for a, b in self.stops)

    def is_alive(self, first, last):
        return any(life.spawned <= last and first <= life.ended for life in self.lives)

    def forced(self, first, last):
        """The ends by force, in order, in a stretch of time."""
        return [n for n, life in enumerate(self.lives)
                if life.code != 0 and (life.ready is not None or life.code < 0) and first <= life.ended and life.spawned <= last]


def read_state(world, path):
    """Reads a copy of the state file: what a reader leaves behind is nothing to the runner."""
    with tempfile.TemporaryDirectory() as name:
        for end in ("", "-wal"):
            if path.with_name(path.name + end).exists():
                shutil.copy(path.with_name(path.name + end), pathlib.Path(name) / ("copy.db" + end))
        database = sqlite3.connect(pathlib.Path(name) / "copy.db")
        database.row_factory = sqlite3.Row
        try:
            if (found := database.execute("PRAGMA quick_check").fetchone()[0]) != "ok":
                world.problem(f"the state file is damaged: {found}")
            # The history drops executions; outcomes are kept for longer than a run takes.
            for row in database.execute("SELECT * FROM executions"):
                world.executions[row["job"], row["name"]] = dict(row)
            world.outcomes = [dict(row) for row in database.execute("SELECT * FROM outcomes ORDER BY id")]
            world.rows = {row["name"]: dict(row) for row in database.execute("SELECT * FROM jobs")}
        finally:
            database.close()


def read_facts(text, booted):
    facts = []
    for line in text.splitlines():
        kind, job, period, chosen, shown_at, at, pid = line.split(" ")
        facts.append(Fact(kind, job, None if period == "-" else oracle_decide.parse_time(period),
                          None if chosen == "-" else oracle_decide.parse_time(chosen), float(shown_at), booted + float(at), int(pid)))
    return facts
