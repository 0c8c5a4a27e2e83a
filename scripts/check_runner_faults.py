#!/usr/bin/env python3
"""Runs `kron run` with faults of all kinds at once, and checks what became of every period.

Some 120 jobs of all kinds run for some minutes. Meanwhile, at random times and several at once:

* the runner gets SIGKILL, SIGTERM once or twice, or SIGSTOP and later SIGCONT; it is started again at once or later, also while
  its predecessor still runs, and a second runner is started beside it;
* the job file is edited, broken, emptied or replaced by a FIFO, with SIGHUP after it;
* the disk of the state file is full (where this program can mount a file system of its own; otherwise it says so);
* the reader of the log stops reading, and hundreds of connections to --listen send no request;
* run-now, suspend, resume, status, history and why are called.

Afterwards, by what the commands themselves wrote, by the state file, and by the times of the faults:

* no period and no request ran twice, nor before its time, nor while its job was suspended or not in the file, nor beside another
  execution that its policy forbids;
* every period and request that ran is `executed`, or its claim was lost: at most one for each job and end by force;
* every period in force has an outcome, and the cause of each one that did not run is true;
* the runner was ready after each start, answered /livez, ended in time after each SIGTERM, refused a second runner and bad files,
  and left neither zombies nor, after a shutdown with exit code 0, commands.

The chosen times come from `testing/data/vectors/oracle_decide.py`, which shares no code with Kron. The seed repeats the jobs and
the order of the faults, and not the second in which the system does what it is asked.

    python3 scripts/check_runner_faults.py                      two minutes, 120 jobs
    python3 scripts/check_runner_faults.py --minutes 60         the long run
    python3 scripts/check_runner_faults.py --self-test          plants faults, and wants each of them found
"""
import argparse
import collections
import errno
import functools
import heapq
import json
import os
import pathlib
import queue
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "testing" / "data" / "vectors"))
import oracle_decide  # noqa: E402

# In the environment of all processes of a run, so that those that are left at its end are found.
MARK = "KRON_CHECK_FAULTS"
INSIDE = "KRON_CHECK_FAULTS_INSIDE"
# A runner that is well decides and starts within so many seconds, on a machine that is busy.
MARGIN = 6
# A runner that could not write tries again after ten seconds at most.
WRITE_AGAIN = 11
# /livez is not answered for longer: the runner hangs.
HANGS = 30
# The history has no more outcomes of a job.
MOST_MINUTES = 900
OWN_CODES = (0, 3)

COMMAND = """#!/bin/sh
fact() { echo "$1 $KRON_JOB ${KRON_PERIOD_ID:--} ${KRON_CHOSEN_TIME:--} $(date +%s.%N) $$" >> "$KRON_CHECK_FACTS"; }
[ "$1" = stubborn ] && trap '' TERM
fact S
case $1 in
    sleep | fails | stubborn) sleep "$2" ;;
    background) sleep 40 & setsid sleep 50 & sleep "$2" ;;
    prints) seq 1 4000; sleep "$2"; seq 1 400 >&2 ;;
esac
fact E
[ "$1" = fails ] && exit 3
exit 0
"""

Config = collections.namedtuple("Config", "schedule window deadline concurrency suspend")
Fact = collections.namedtuple("Fact", "kind job period chosen at pid")
# `spawned` to `ended` is the life of a runner; `ready` is None if it never was; `signalled` is the end of its work.
Life = collections.namedtuple("Life", "spawned ready signalled ended code")


# --- what is known of the world ----------------------------------------------------------------------------------------


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

    def __init__(self):
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


def read_facts(text):
    facts = []
    for line in text.splitlines():
        kind, job, period, chosen, at, pid = line.split(" ")
        facts.append(Fact(kind, job, None if period == "-" else oracle_decide.parse_time(period),
                          None if chosen == "-" else oracle_decide.parse_time(chosen), float(at), int(pid)))
    return facts


# --- the check ---------------------------------------------------------------------------------------------------------


class Check:
    """Compares the outcomes with the facts. Times are Unix seconds."""

    def __init__(self, world):
        self.world, self.counts = world, collections.Counter()
        self.starts, self.ends = collections.defaultdict(list), {}
        for fact in world.facts:
            if fact.kind == "S":
                self.starts[fact.job].append(fact)
            else:
                self.ends[fact.job, fact.pid, fact.period] = fact.at
        self.outcomes = collections.defaultdict(dict)
        self.tokens = collections.defaultdict(dict)
        for row in world.outcomes:
            if row["token"] is None:
                self.outcomes[row["job"]][row["nominal"]] = row
            else:
                self.tokens[row["job"]][row["token"]] = row
        self.executions = collections.defaultdict(list)
        for (job, _), row in world.executions.items():
            self.executions[job].append(row)

    def run(self):
        for job in self.world.jobs.values():
            self.job(job)
        self.times()
        return self.counts

    def job(self, job):
        name, problem = job.name, self.world.problem
        ran = collections.defaultdict(list)
        for fact in self.starts[name]:
            ran[fact.period].append(fact)
        requests = ran.pop(None, [])
        for nominal, facts in ran.items():
            if len(facts) > 1:
                problem(f"{name} {shown(nominal)} ran {len(facts)} times: processes {[fact.pid for fact in facts]}")
            self.start(job, nominal, facts[0])
            if nominal not in self.outcomes[name]:
                problem(f"{name} {shown(nominal)} ran at {facts[0].at:.3f} and has no outcome")
        for nominal, row in self.outcomes[name].items():
            self.counts[row["cause"] if row["outcome"] != "executed" else "executed"] += 1
            if row["outcome"] == "executed":
                self.executed(job, row, ran.get(nominal, []))
            else:
                if nominal in ran and row["cause"] not in ("claimLost", "claimLostBeforeEdit", "maybeReplaced"):
                    problem(f"{name} {shown(nominal)} ran at {ran[nominal][0].at:.3f} and is {row['outcome']} ({row['cause']})")
                self.cause(job, row)
        self.requests(job, requests)
        self.lost(job)
        self.overlaps(job)
        self.periods(job, ran)

    def start(self, job, nominal, fact):
        """A period that ran, at its time and while it was allowed to."""
        place, problem = f"{job.name} {shown(nominal)}", self.world.problem
        windows = job.values("window", nominal - 2, fact.at + 1)
        if fact.chosen not in {chosen_time(job.name, nominal, window) for window in windows}:
            problem(f"{place} ran for the chosen time {shown(fact.chosen)}, which is none of the windows {sorted(windows)}")
        if fact.at < fact.chosen:
            problem(f"{place} ran at {fact.at:.3f}, before its chosen time {fact.chosen}")
        if not job.states(fact.at - MARGIN, fact.at) - {None}:
            problem(f"{place} ran at {fact.at:.3f}, while the job was suspended or not in the file")
        deadline = max(job.values("deadline", fact.chosen - 2, fact.at + 1), default=0)
        wait = 2 * MARGIN + 10 if "replace" in job.values("concurrency", fact.chosen - 2, fact.at + 1) else MARGIN
        late = fact.chosen + deadline
        if fact.at > late + wait and self.world.is_well(late, fact.at):
            problem(f"{place} ran at {fact.at:.3f}, {fact.at - late:.1f} s after its deadline")

    def executed(self, job, row, facts):
        """A command that was started says so, unless it was stopped at once."""
        place, problem = f"{job.name} {shown(row['nominal'])}", self.world.problem
        execution = self.world.executions.get((job.name, row["execution"]))
        if execution is None:
            problem(f"{place} is executed, and there is no execution {row['execution']}")
            return
        if facts and execution["pid"] != facts[0].pid:
            problem(f"{place} was process {execution['pid']} by the state file, and {facts[0].pid} by its own account")
        if not facts and execution["exit_code"] in OWN_CODES:
            problem(f"{place} is executed with exit code {execution['exit_code']}, and did not run")
        if not facts:
            self.counts["stopped at once"] += 1

    def cause(self, job, row):
        """Whether the cause of a period that did not run is true."""
        nominal, chosen, recorded, world = row["nominal"], row["chosen"], row["recorded"] / 1000, self.world
        cause, details = row["cause"], json.loads(row["cause_details"])
        place = f"{job.name} {shown(nominal)} is {row['outcome']} ({cause}), chosen {chosen}, recorded {recorded:.3f}"
        edited = len(job.file.possible(chosen - 2, recorded)) > 1 or len(job.asked.possible(chosen - 2, recorded)) > 1
        if cause == "deadlinePassed":
            values = next(iter(details.values())) if len(details) == 1 else details
            late = values["late"]
            # A machine that is busy is late by a moment.
            if late <= 2:
                self.counts["late by a moment"] += 1
            elif world.is_well(chosen - 1, chosen + late) and not edited:
                world.problem(f"{place}: {late} s late, and a runner was well all the time")
            elif not edited and "replace" not in job.values("concurrency", chosen - 2, recorded):
                deadline = min(job.values("deadline", chosen - 2, recorded), default=0)
                found = world.well_after(chosen, MARGIN)
                if found is not None and found <= min(chosen + deadline, chosen + late):
                    world.problem(f"{place}: a runner was well up to {found:.3f}, and the deadline is {deadline} s")
            if not any(late > deadline for deadline in job.values("deadline", chosen - 2, recorded + 1)):
                world.problem(f"{place}: {late} s late, and the deadline is not shorter")
            if not world.is_alive(chosen + late, chosen + late + 1):
                world.problem(f"{place}: no runner was there {late} s after the chosen time")
        elif cause == "caughtUp":
            later = [other for other in self.outcomes[job.name].values() if chosen < other["chosen"] <= recorded]
            if all(other["cause"] in ("caughtUp", "deadlinePassed") for other in later):
                world.problem(f"{place}: no later period was started")
            if world.is_well(chosen - 1, recorded) and not edited:
                world.problem(f"{place}: a runner was well all the time")
        elif cause == "activeExecution":
            if "forbid" not in job.values("concurrency", chosen - 2, recorded + 1):
                world.problem(f"{place}: its policy does not forbid it")
            if not any(self.was_active(execution, chosen, recorded) for execution in self.executions[job.name]
                       if execution["nominal"] != nominal):
                world.problem(f"{place}: no other execution was active")
        elif cause == "suspended":
            if None not in job.states(chosen - 2, recorded):
                world.problem(f"{place}: it was not suspended")
        elif cause in ("failed", "refused"):
            if not any(a - 1 <= recorded and b + WRITE_AGAIN >= chosen for a, b in world.full):
                world.problem(f"{place}: the disk was not full: {details}")
        elif cause not in ("claimLost", "claimLostBeforeEdit", "maybeReplaced"):
            world.problem(f"{place}: {details}")

    def was_active(self, execution, first, last):
        """Whether an execution may have been active in a stretch of time. It knows its end better than the runner."""
        if execution["began"] is None or execution["began"] / 1000 > last + 1:
            return False
        end = self.ends.get((execution["job"], execution["pid"], execution["nominal"]))
        if end is None and execution["ended"] is not None:
            end = execution["ended"] / 1000
        # The runner hears of the end a moment later.
        return end is None or end >= first - 2

    def requests(self, job, facts):
        """Requests to run now. A command does not know its token; its process id tells it."""
        tokens, problem = self.tokens[job.name], self.world.problem
        executions = [row for row in self.executions[job.name] if row["token"] is not None]
        mine = collections.Counter(fact.pid for fact in facts)
        known = {row["pid"]: row for row in executions if row["began"] is not None}
        lost = [row for row in tokens.values() if row["cause"] in ("claimLost", "maybeReplaced")]
        unknown = sum(count for pid, count in mine.items() if pid not in known)
        if unknown > len(lost):
            problem(f"{job.name}: {unknown} requests ran that the state file does not know, and {len(lost)} claims are lost")
        for fact in facts:
            if not job.states(fact.at - MARGIN, fact.at) - {None}:
                problem(f"{job.name}: a request ran at {fact.at:.3f}, while the job was suspended or not in the file")
        for pid, count in mine.items():
            if count > 1:
                problem(f"{job.name}: process {pid} ran for {count} requests")
        for row in executions:
            if row["exit_code"] in OWN_CODES and row["pid"] not in mine:
                problem(f"{job.name}: the request {row['token']} has exit code {row['exit_code']}, and did not run")
        for row in tokens.values():
            self.counts[f"run now {row['outcome']}"] += 1
            if row["outcome"] == "executed" and (job.name, row["execution"]) not in self.world.executions:
                problem(f"{job.name}: the request {row['token']} is executed, and there is no execution")
            is_mine = any(other["token"] == row["token"] and other["pid"] in mine for other in executions)
            if row["outcome"] != "executed" and is_mine:
                problem(f"{job.name}: the request {row['token']} ran and is {row['outcome']} ({row['cause']})")
            if row["cause"] == "activeExecution":
                at = row["recorded"] / 1000
                if not any(self.was_active(execution, at - MARGIN, at) for execution in self.executions[job.name]):
                    problem(f"{job.name}: the request {row['token']} is skipped, and no other execution was active")
        waiting = self.world.rows.get(job.name, {}).get("run_now")
        for token, at in [(token, at) for name, token, at in self.world.requested if name == job.name]:
            if token in tokens:
                continue
            # One that waits may wait for the job to return or to be resumed, or was made a moment before the end.
            done = self.world.well_after(at, 3 * MARGIN)
            may_wait = done is None or None in job.states(at, float("inf")) or job.values("concurrency", at, done) - {"allow"}
            if token != waiting or not may_wait:
                problem(f"{job.name}: the request {token} was stored at {at:.3f} and has no outcome")

    def lost(self, job):
        """Each lost claim belongs to an end by force, at most one of a job to each."""
        rows = [*self.outcomes[job.name].values(), *self.tokens[job.name].values()]
        used = set()
        for row in sorted(rows, key=lambda row: row["recorded"]):
            if row["cause"] not in ("claimLost", "claimLostBeforeEdit", "maybeReplaced"):
                continue
            first = row["chosen"] - 1 if row["chosen"] is not None else -float("inf")
            ends = [end for end in self.world.forced(first, row["recorded"] / 1000) if end not in used]
            if not ends:
                self.world.problem(f"{job.name} {row['nominal'] or row['token']} has lost its claim, and no runner was killed")
            used |= set(ends[-1:])

    def overlaps(self, job):
        """No execution beside another one, unless the policy allows it or the runner could not know it."""
        facts = sorted(self.starts[job.name], key=lambda fact: fact.at)
        by_pid = {row["pid"]: row for row in self.executions[job.name] if row["began"] is not None}
        for before, after in zip(facts, facts[1:]):
            end = self.ends.get((job.name, before.pid, before.period))
            known = by_pid.get(before.pid)
            if end is None or end <= after.at or known is None or "job was removed" in (known["message"] or ""):
                continue
            row = self.outcomes[job.name].get(before.period)
            if row is not None and row["outcome"] != "executed":
                continue
            if "allow" not in job.values("concurrency", after.at - MARGIN, after.at):
                self.world.problem(f"{job.name}: process {after.pid} began at {after.at:.3f}, "
                                   f"and process {before.pid} ended at {end:.3f}")

    def periods(self, job, ran):
        """Every period in force has an outcome."""
        first = min((life.ready for life in self.world.lives if life.ready is not None), default=0)
        last = max((life.signalled for life in self.world.lives), default=0)
        for nominal in range(int(first) // 60 * 60, int(last), 60):
            if nominal in self.outcomes[job.name] or nominal in ran:
                continue
            windows = job.values("window", nominal - 2, nominal + 180)
            choices = [chosen_time(job.name, nominal, window) for window in windows]
            done = self.world.well_after(max(choices), MARGIN) if choices else None
            if done is None:
                continue
            states = job.states(min(choices) - 2, done)
            if len(states) == 1 and (schedule := next(iter(states))) and (schedule[1] == " " or nominal % 120 == 0):
                self.world.problem(f"{job.name} {shown(nominal)} has no outcome; chosen {choices}, "
                                   f"a runner was well up to {done:.3f}")
            elif len(states) > 1:
                self.counts["in doubt"] += 1

    def times(self):
        """Answers and ends within their bounds."""
        worst = 0
        for begun, answered in self.world.probes:
            if self.world.answers(begun - 0.5, answered):
                worst = max(worst, answered - begun)
        if worst > HANGS:
            self.world.problem(f"/livez was not answered for {worst:.1f} s")
        self.counts["probes"] = len(self.world.probes)
        self.worst_answer = worst
        for what, took, bound in self.world.ends:
            if took > bound:
                self.world.problem(f"{what}: it took {took:.2f} s, and {bound:.2f} s are allowed")


def shown(nominal):
    return oracle_decide.format_time(nominal)


# --- the faults --------------------------------------------------------------------------------------------------------


class Runner:
    """A process of `kron run`, and the thread that reads its log."""

    def __init__(self, test, wait=False):
        self.test, self.drain, self.grace = test, test.dice.choice([0, 1, 3, 8]), test.dice.choice([1, 2, 5])
        self.spawned, self.ready, self.signalled, self.ended, self.code = time.time(), None, None, None, None
        self.port, self.terms, self.last_words, self.bad = None, [], "", None
        # Since when it is stopped, and when it was.
        self.stopped_at, self.stops = None, []
        command = [*test.run, "--drain", f"{self.drain}s", "--grace", f"{self.grace}s", "--listen", "127.0.0.1:0", "-o", "json"]
        self.process = subprocess.Popen(command + (["--wait"] if wait else []), cwd=test.directory, env=test.environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        # Otherwise the system sends SIGHUP and SIGCONT to a runner that is stopped when the shell
                                        # ends that this program was started from.
                                        start_new_session=True)
        self.readers = [threading.Thread(target=self.read, daemon=True), threading.Thread(target=self.read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def read(self):
        while True:
            # A reader that has other things to do.
            while time.time() < self.test.stalled_until:
                time.sleep(0.05)
            line = self.process.stdout.readline()
            if not line:
                return
            if b'"level"' in line and b'"stream"' not in line:
                found = json.loads(line)
                self.test.said.put(("log", self, instant(found["time"]), found["text"], found["level"]))

    def read_errors(self):
        self.last_words = self.process.stderr.read().decode()
        self.closed = time.time()

    def kill(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def stopped_since(self, begin):
        """For how many seconds it was stopped since a time."""
        return sum(max(0, b - max(a, begin)) for a, b in self.stops)

    def is_up(self):
        return self.ready is not None and self.ended is None and self.signalled is None

    def life(self):
        signalled = min(time for time in (self.signalled, self.ended) if time is not None)
        return Life(self.spawned, self.ready, signalled, self.ended, self.code)


def instant(text):
    """The Unix time of `2026-03-01T00:00:00.123Z`."""
    return oracle_decide.parse_time(text[:19] + "Z") + float(text[19:-1] or 0)


class Prober(threading.Thread):
    """Asks the runner whether it is alive, all the time."""

    def __init__(self, test):
        super().__init__(daemon=True)
        self.test = test

    def run(self):
        while not self.test.over:
            runner = self.test.runner
            if runner is not None and runner.is_up() and runner.port:
                begun = time.time()
                # The connections of others may close this one.
                while runner.ended is None and time.time() < begun + HANGS + 5 and not self.ask(runner.port):
                    time.sleep(0.02)
                self.test.world.probes.append((begun, time.time()))
            time.sleep(0.3)

    def ask(self, port):
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=HANGS + 1) as connection:
                connection.sendall(b"GET /livez HTTP/1.1\r\nHost: check\r\nConnection: close\r\n\r\n")
                return connection.recv(100).startswith(b"HTTP/1.1 ")
        except OSError:
            return False


class Test:
    """A run. The main thread does everything to the runner; other threads only read, probe and ask."""

    def __init__(self, args, directory, disk):
        self.args, self.dice, self.directory, self.disk = args, random.Random(args.seed), directory, disk
        self.world, self.said, self.over, self.runner = World(), queue.Queue(), False, None
        self.stalled_until, self.full_since, self.full_until, self.next_id = 0, None, 0, 0
        self.events, self.clients, self.asking, self.counts = [], 0, set(), collections.Counter()
        self.jobs_file, self.facts = directory / "jobs.kron", directory / "facts"
        self.state, self.script = (disk or directory) / "kron.db", directory / "command.sh"
        self.facts.touch()
        self.notes = open(directory / "notes", "w")
        self.script.write_text(COMMAND)
        self.script.chmod(0o755)
        self.run = [args.kron, "run", str(self.jobs_file), "--state", str(self.state)]
        self.environment = {**os.environ, MARK: f"{args.seed}-{os.getpid()}", "KRON_CHECK_FACTS": str(self.facts)}
        # Why the file is bad, and until when; and the SIGHUP that has no answer yet: its time, and whether the file was good.
        self.bad, self.hangup, self.zombies = None, None, {}
        for number in range(args.jobs):
            job = Job(f"job/{number}", *self.command())
            self.world.jobs[job.name] = job
        # What the file has, or had before it was made bad.
        self.file = {name: self.config() for name in self.world.jobs if self.dice.random() < 0.95}

    def command(self):
        dice = self.dice
        kind = dice.choices(["quick", "sleep", "long", "fails", "stubborn", "background", "prints", "timeout"],
                            [30, 25, 15, 8, 4, 4, 4, 10])[0]
        seconds = f"{dice.uniform(0, 8):.1f}"
        match kind:
            case "long":
                return f"sleep {dice.uniform(10, 90):.1f}", ""
            case "timeout":
                return f"{dice.choice(['sleep', 'stubborn'])} {dice.uniform(2, 60):.1f}", f" timeout={dice.choice([1, 5, 20])}s"
            case _:
                return f"{kind} {seconds}", ""

    def config(self):
        dice = self.dice
        return Config(dice.choice(["* * * * *", "* * * * *", "*/2 * * * *"]), dice.choice([0, 5, 20, 50]),
                      dice.choice([0, 2, 10, 20, 60, 120]), dice.choice(["allow", "forbid", "forbid", "replace"]),
                      dice.random() < 0.03)

    def note(self, text):
        """For the one who looks for the cause of a problem."""
        print(f"{time.time():.3f} {text}", file=self.notes, flush=True)

    def at(self, seconds, what):
        self.next_id += 1
        heapq.heappush(self.events, (time.time() + seconds, self.next_id, what))

    def repeat(self, low, high, what):
        def again():
            what()
            self.at(self.dice.uniform(low, high), again)
        self.at(self.dice.uniform(low / 2, high), again)

    # The job file.

    def write_jobs(self):
        lines = "".join(self.world.jobs[name].line(config, self.script) for name, config in self.file.items())
        new = self.directory / "jobs.new"
        new.write_text(lines)
        new.rename(self.jobs_file)

    def begin_file(self, now):
        for name, job in self.world.jobs.items():
            if job.file.last() != self.file.get(name):
                self.note(f"{name}: {job.file.last()} -> {self.file.get(name)}")
            job.file.begin(self.file.get(name), now)

    def edit(self):
        """Edits the file, or makes it bad for a while, and says so to the runner. One at a time."""
        if self.bad or self.hangup or self.is_beginning():
            return
        if self.dice.random() < 0.3:
            self.bad = self.dice.choice(["broken", "empty", "fifo"])
            self.counts["bad files"] += 1
            new = self.directory / "jobs.new"
            match self.bad:
                case "broken":
                    new.write_text(self.jobs_file.read_text() + "* * * * name=\n")
                case "empty":
                    new.write_text("# nothing\n")
                case "fifo":
                    os.mkfifo(new)
            new.rename(self.jobs_file)
            self.hang_up(False)
            self.at(self.dice.uniform(1, 12), self.repair)
            return
        self.counts["edits"] += 1
        for name in self.dice.sample(sorted(self.world.jobs), self.dice.randint(1, 12)):
            old = self.file.get(name)
            new = self.config()
            match self.dice.choice(["remove", "schedule", "window", "deadline", "concurrency", "suspend", "all"]):
                case "all":
                    self.file[name] = new
                case "remove" if old is not None:
                    del self.file[name]
                case field if old is not None:
                    value = not old.suspend if field == "suspend" else getattr(new, field)
                    self.file[name] = old._replace(**{field: value})
                case _:
                    self.file[name] = new
        self.write_jobs()
        self.hang_up(True)

    def repair(self):
        if not self.over and (self.hangup or self.is_beginning()):
            # The runner reads the bad file first.
            self.at(1, self.repair)
            return
        self.write_jobs()
        self.bad = None

    def is_beginning(self):
        return self.runner is not None and self.runner.ready is None

    def hang_up(self, good):
        runner = self.runner
        if runner is not None and runner.is_up():
            self.note(f"HUP, {self.bad or 'good'}")
            self.hangup = (runner, time.time(), good)
            if good:
                self.begin_file(time.time())
            runner.kill(signal.SIGHUP)

    def heard(self, runner, at, text, level):
        self.note(f"{runner.process.pid} at {at:.3f}: {text}")
        if text == "ready":
            runner.ready = at
            for job in self.world.jobs.values():
                job.file.confirm(at, at)
        elif text.startswith("probes and metrics are on http://"):
            runner.port = int(text.rpartition(":")[2])
        elif text.startswith("the files were read again") or "the jobs stay as they are" in text:
            taken = text.startswith("the files were read again")
            if self.hangup is None or self.hangup[0] is not runner:
                self.world.problem(f"an answer to no SIGHUP: {text}")
                return
            if taken != self.hangup[2]:
                self.world.problem(f"SIGHUP with a {'good' if self.hangup[2] else 'bad'} file: {text}")
            # What is read while the disk is full is not kept, and new to the next runner.
            if taken and self.full_since is None:
                for job in self.world.jobs.values():
                    job.file.confirm(at, at)
            self.hangup = None
        elif level == "error" and "nothing is started until it can be written" not in text:
            self.world.problem(f"the runner says: {text}")

    # The life of runners.

    def start(self):
        if self.runner is not None:
            return
        if not self.bad:
            self.begin_file(time.time())
        self.counts["starts"] += 1
        self.runner = Runner(self)
        self.note(f"{self.runner.process.pid} is started")
        self.runner.bad = self.bad
        self.plan_end()

    def plan_end(self):
        runner = self.runner
        after = self.dice.choice([0, 0.3, 5, 30, 60, 90]) * self.dice.random()
        if self.dice.random() < 0.4:
            # While many commands are being started.
            after = 60 - time.time() % 60 + self.dice.choice([0.1, 1, 6]) * self.dice.random()
        self.at(after, lambda: self.end(runner))

    def end(self, runner):
        if runner is not self.runner or runner.ended is not None or runner.signalled is not None:
            return
        kind = self.dice.choices(["kill", "term", "twice", "relay"], [55, 20, 15, 10])[0]
        if kind == "kill" or runner.ready is None:
            self.kill()
        elif kind == "relay" and not self.bad and self.hangup is None and runner.stopped_at is None:
            # The next one waits for the lock.
            self.counts["relays"] += 1
            following = Runner(self, wait=True)
            time.sleep(self.dice.uniform(0, 1.5))
            self.kill()
            runner.process.wait()
            self.look(following)
            # It may have begun as soon as the signal was sent.
            following.spawned = runner.signalled
            self.begin_file(following.spawned)
            self.runner = following
            self.plan_end()
        else:
            self.term(kind == "twice")

    def kill(self):
        self.counts["kills"] += 1
        self.note(f"KILL of {self.runner.process.pid}")
        self.runner.signalled = time.time()
        self.runner.kill(signal.SIGKILL)
        if self.dice.random() < 0.3:
            self.at(0.1, self.edit)

    def term(self, twice=False):
        runner = self.runner
        self.counts["terms"] += 1
        self.note(f"TERM of {runner.process.pid}")
        runner.signalled = time.time()
        runner.terms.append(runner.signalled)
        runner.kill(signal.SIGTERM)
        if twice:
            self.at(self.dice.uniform(0.5, 4), lambda: self.again(runner))

    def again(self, runner):
        # Until a process takes a signal, another one of its kind is lost.
        if runner is self.runner and runner.ended is None and runner.stopped_since(runner.terms[0]) == 0:
            self.counts["second terms"] += 1
            runner.terms.append(time.time())
            runner.kill(signal.SIGTERM)

    def look(self, following=None):
        """Whether the runner has ended, or should have."""
        runner, world, now = self.runner, self.world, time.time()
        if runner is None:
            return
        if runner.process.poll() is None:
            if runner.ready is None and runner.stopped_at is None and now > runner.spawned + HANGS + runner.stopped_since(0) \
                    and now > self.stalled_until + 5 and runner.signalled is None:
                world.problem(f"the runner that was started at {runner.spawned:.1f} is not ready")
                self.kill()
            if runner.terms and now > runner.terms[-1] + 60 + runner.stopped_since(0):
                world.problem(f"the runner has not ended 60 s after SIGTERM at {runner.terms}")
                self.kill()
            if self.hangup and runner.stopped_at is None:
                if now > max(self.hangup[1], self.stalled_until) + 60 + runner.stopped_since(self.hangup[1]):
                    world.problem("SIGHUP has no answer")
                    self.hangup = None
            return
        self.go_on(runner)
        self.stalled_until = 0
        for reader in runner.readers:
            reader.join()
        runner.ended, runner.code = runner.closed, runner.process.returncode
        self.note(f"{runner.process.pid} has ended with {runner.code}: {runner.last_words.strip()}")
        self.hear()
        self.hangup = None
        self.runner = None
        world.lives.append(runner.life())
        self.judge_end(runner)
        # The next runner may write it already.
        if self.clients == 0 and following is None and self.state.exists():
            self.read_state(runner)
        if not self.over:
            self.at(self.dice.choice([0, 0, 1, 5, 20, 40]) * self.dice.random(), self.start)

    def judge_end(self, runner):
        world, code = self.world, runner.code
        was_full = self.full_since is not None or self.full_until + WRITE_AGAIN > (runner.terms or [0])[0]
        if runner.signalled is None:
            # It refused to begin, as it must if the file is bad or the disk full.
            is_full = self.full_since is not None or self.full_until > runner.spawned - 1
            if code != 2 or runner.ready is not None or not (runner.bad or is_full):
                world.problem(f"the runner ended by itself with {code}: {runner.last_words}")
            self.counts["refused starts"] += 1
            return
        if runner.bad and runner.ready is not None:
            world.problem(f"a runner began with a file that was {runner.bad}")
        if not runner.terms or code == -signal.SIGKILL:
            return
        if code not in ((0, 1) if len(runner.terms) > 1 or was_full else (0,)):
            world.problem(f"the runner ended with {code} after SIGTERM: {runner.last_words}")
        if len(runner.terms) == 1:
            # Commands that do not end, the log, and attempts to write on a full disk.
            bound = runner.drain + runner.grace + 5 + 5 + MARGIN + 2 * MARGIN * was_full
            what = f"SIGTERM with --drain {runner.drain}s --grace {runner.grace}s"
            world.ends.append((what, runner.ended - runner.terms[0] - runner.stopped_since(runner.terms[0]), bound))
        else:
            took = runner.ended - runner.terms[1] - runner.stopped_since(runner.terms[1])
            world.ends.append(("a second SIGTERM", took, 2 + 2))

    def read_state(self, runner):
        world, now = self.world, time.time()
        read_state(world, self.state)
        for name, row in world.rows.items():
            if world.jobs[name].asked.last() != bool(row["suspend_requested"]):
                self.note(f"{name}: by the state file, suspended: {row['suspend_requested']}")
            # No request is under way, so this is what the next runner finds.
            world.jobs[name].asked.begin(bool(row["suspend_requested"]), now)
            world.jobs[name].asked.confirm(now)
        if runner.code != 0:
            return
        shells = {fact.pid for fact in read_facts(self.facts.read_text()) if fact.kind == "S"}
        for (job, name), row in world.executions.items():
            if row["began"] is not None and row["ended"] is None:
                world.problem(f"a runner ended with 0, and {job} {name} has no end")
            is_known = row["pid"] in shells and "job was removed" not in (row["message"] or "")
            if is_known and is_process(row["pid"], row["process_start"]):
                world.problem(f"a runner ended with 0, and {job} {name} is active, process {row['pid']}")

    def stop(self):
        runner = self.runner
        if runner is not None and runner.ended is None and runner.stopped_at is None:
            self.counts["stops"] += 1
            self.note("STOP")
            runner.stopped_at = time.time()
            runner.kill(signal.SIGSTOP)
            self.at(self.dice.uniform(1, 30), lambda: self.go_on(runner))

    def go_on(self, runner):
        if runner.stopped_at is not None:
            self.note("CONT")
            runner.kill(signal.SIGCONT)
            self.world.stops.append((runner.stopped_at, time.time()))
            runner.stops.append(self.world.stops[-1])
            runner.stopped_at = None

    def second(self):
        """A second runner must refuse to begin."""
        if self.runner is None or not self.runner.is_up() or self.bad:
            return
        self.counts["second runners"] += 1
        try:
            second = subprocess.run(self.run, cwd=self.directory, env=self.environment, capture_output=True, timeout=20)
        except subprocess.TimeoutExpired:
            self.world.problem("a second runner did not end")
            return
        if self.runner.process.poll() is None and second.returncode != 1:
            self.world.problem(f"a second runner ended with {second.returncode}: {second.stderr.decode()}")

    # Other faults.

    def fill(self):
        if self.full_since is None:
            self.counts["full disks"] += 1
            self.note("full")
            self.full_since = time.time()
            room = self.dice.choice([0, 0, 4, 40, 400]) * 1024
            with open(self.disk / "fill", "wb", buffering=0) as file:
                try:
                    while True:
                        file.write(bytes(65536))
                except OSError as error:
                    if error.errno != errno.ENOSPC:
                        raise
                file.truncate(max(0, file.tell() - room))
            self.at(self.dice.uniform(2, 25), self.empty)

    def empty(self):
        if self.full_since is not None:
            (self.disk / "fill").unlink()
            self.note("not full")
            self.full_until = time.time()
            self.world.full.append((self.full_since, self.full_until))
            self.full_since = None

    def stall(self):
        self.counts["stalled logs"] += 1
        self.stalled_until = time.time() + self.dice.uniform(1, 20)

    def flood(self):
        if self.runner is None or not self.runner.is_up() or not self.runner.port:
            return
        self.counts["floods"] += 1
        connections = []
        for _ in range(self.dice.randint(100, 300)):
            connection = socket.socket()
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", self.runner.port))
            connections.append(connection)
        for connection in connections[::3]:
            try:
                connection.send(b"GET /livez HT")
            except OSError:
                pass

        def close():
            for connection in connections:
                connection.close()
        self.at(self.dice.uniform(1, 15), close)

    def look_for_zombies(self):
        if self.runner is None or self.runner.stopped_at is not None or not self.runner.is_up():
            self.zombies = {}
            return
        now, found = time.time(), zombies_of(self.runner.process.pid)
        self.zombies = {pid: self.zombies.get(pid, now) for pid in found}
        for pid, since in self.zombies.items():
            if now - since > 2 * MARGIN:
                self.world.problem(f"process {pid} is a zombie of the runner for {now - since:.0f} s")

    def ask(self):
        """Calls another command in a thread."""
        name = self.dice.choice(sorted(self.world.jobs))
        kind = self.dice.choices(["run-now", "suspend", "resume", "status", "history", "why"], [30, 6, 14, 8, 6, 4])[0]
        if kind == "resume":
            # Of a job that is suspended, if there is one.
            suspended = [name for name, job in sorted(self.world.jobs.items()) if job.asked.last()]
            name = self.dice.choice(suspended or [name])
        if kind in ("suspend", "resume"):
            # One request of a job at a time, so that their order is known.
            if name in self.asking:
                return
            self.asking.add(name)
            self.world.jobs[name].asked.begin(kind == "suspend", time.time())
        elif not self.state.exists():
            return
        options = {"status": ["-o", "json"], "history": [name, "-o", "json"], "why": [name]}.get(kind, [name])
        command = [self.args.kron, kind, *options, "--state", str(self.state)]
        self.clients += 1
        self.counts["calls"] += 1
        threading.Thread(target=self.call, args=(kind, name, command), daemon=True).start()

    def call(self, kind, name, command):
        begun = time.time()
        try:
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=100)
            self.said.put(("call", kind, name, begun, time.time(), done.returncode, done.stdout, done.stderr))
        except subprocess.TimeoutExpired:
            self.said.put(("call", kind, name, begun, time.time(), None, "", ""))

    def called(self, kind, name, begun, at, code, out, err):
        self.clients -= 1
        if kind in ("suspend", "resume"):
            self.asking.discard(name)
        place = f"kron {kind} {name} from {begun:.1f} to {at:.1f}"
        self.note(f"{place}: {code}, {out.strip() if kind in ('run-now', 'suspend', 'resume') else ''}")
        if code is None:
            self.world.problem(f"{place}: it did not end")
        elif kind in ("suspend", "resume"):
            if code == 0:
                self.world.jobs[name].asked.confirm(at, begun)
        elif kind == "run-now":
            if code == 0 and "requested" in out:
                self.counts["requests"] += 1
                self.world.requested.append((name, out.strip().rpartition("run-now-")[2], at))
        else:
            # Whatever the runner does, they read the file, for which SQLite needs a little room on the disk. There may be no such
            # job, no history and no runner yet.
            known = ("no such state file", "there is no job", "the file is empty")
            is_full = self.full_since is not None or self.full_until >= begun
            if code not in (0, 1) and not any(text in err for text in known) and not (is_full and "free some space" in err):
                self.world.problem(f"{place}: exit code {code}: {err}")
            if kind != "why" and code == 0:
                json.loads(out)

    # The run.

    def hear(self):
        while True:
            try:
                what, *rest = self.said.get_nowait()
            except queue.Empty:
                return
            {"log": self.heard, "call": self.called}[what](*rest)

    def main(self):
        self.write_jobs()
        self.start()
        Prober(self).start()
        self.repeat(4, 40, self.edit)
        self.repeat(15, 60, self.stop)
        self.repeat(20, 60, self.second)
        self.repeat(15, 60, self.stall)
        self.repeat(15, 60, self.flood)
        self.repeat(0.2, 3, self.ask)
        self.repeat(2, 3, self.look_for_zombies)
        if self.disk:
            self.repeat(30, 90, self.fill)
        until = time.time() + 60 * self.args.minutes
        while time.time() < until:
            self.turn()
        return self.finish()

    def turn(self):
        self.hear()
        self.look()
        while self.events and self.events[0][0] <= time.time():
            heapq.heappop(self.events)[2]()
        time.sleep(0.01)

    def finish(self):
        """One more runner that nothing disturbs, and its shutdown."""
        self.over = True
        self.events = []
        self.stalled_until = 0
        if self.disk:
            self.empty()
        if self.runner is not None:
            self.go_on(self.runner)
            if self.runner.signalled is None:
                self.kill()
            self.wait_for_the_end()
        self.repair()
        self.start()
        self.events = []
        # Until everything that waits has its outcome.
        until = time.time() + WRITE_AGAIN + 4 * MARGIN
        while time.time() < until:
            self.turn()
        if self.runner is not None:
            self.term()
            self.wait_for_the_end()
        while self.clients:
            self.turn()
        read_state(self.world, self.state)
        self.world.facts = read_facts(self.facts.read_text())
        self.compare_history()

    def wait_for_the_end(self):
        while self.runner is not None:
            self.turn()

    def compare_history(self):
        history = [self.args.kron, "history", "-c", "100000000", "-o", "json", "--state", str(self.state)]
        history = json.loads(subprocess.run(history, check=True, capture_output=True).stdout)
        seen = {(entry["job"], entry["period"] or entry["execution"]): (entry["outcome"], entry["cause"]) for entry in history}
        for row in self.world.outcomes:
            period = shown(row["nominal"]) if row["nominal"] is not None else row["execution"]
            if period and seen.get((row["job"], period)) != (row["outcome"], row["cause"]):
                self.world.problem(f"kron history says of {row['job']} {period}: {seen.get((row['job'], period))}")


def stat_fields(pid):
    """The fields of /proc/PID/stat from the third one on; None if there is no such process."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None


def is_process(pid, start):
    fields = stat_fields(pid)
    return fields is not None and fields[0] not in "ZX" and int(fields[19]) == start


def zombies_of(parent):
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        fields = stat_fields(path.name)
        if fields and fields[0] == "Z" and int(fields[1]) == parent:
            found.append(int(path.name))
    return found


def end_marked(mark):
    """Kills the processes of this run that are left: they have its mark in their environment."""
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (path / "environ").read_bytes().split(b"\0"):
                os.kill(int(path.name), signal.SIGKILL)
        except OSError:
            pass


def mount(directory, megabytes):
    """A small file system of this program alone; None if that is not possible here."""
    if os.environ.get(INSIDE) != "1":
        return None
    disk = directory / "disk"
    disk.mkdir(mode=0o700)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", disk], capture_output=True)
    return disk if done.returncode == 0 else None


def enter_namespace():
    """Runs this program again where its mounts are its own and end with it."""
    if INSIDE in os.environ or not shutil.which("unshare"):
        return
    options = "-m" if os.geteuid() == 0 else "-rm"
    possible = subprocess.run(["unshare", options, "true"], capture_output=True).returncode == 0
    os.environ[INSIDE] = "1" if possible else "0"
    if possible:
        os.execvp("unshare", ["unshare", options, sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=120)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the jobs and the faults")
    parser.add_argument("--kron", default=str(ROOT / "target" / "debug" / "kron"), help="the program")
    parser.add_argument("--keep", help="a directory for the state file and the facts, if something is wrong")
    parser.add_argument("--self-test", action="store_true", help="plant faults in what a run leaves, and look for them")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if args.minutes > MOST_MINUTES:
        parser.error(f"the history of a job has the outcomes of {MOST_MINUTES} minutes")
    args.kron = os.path.abspath(args.kron)
    enter_namespace()
    print(f"seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        disk = mount(directory, 8 + int(args.minutes * args.jobs / 500))
        if disk is None:
            print("no file system can be mounted here: the disk is never full", flush=True)
        test = Test(args, directory, disk)
        try:
            test.main()
            return report(test)
        finally:
            end_marked(test.environment[MARK])
            if args.keep and test.world.problems:
                pathlib.Path(args.keep).mkdir(exist_ok=True)
                for path in [test.facts, test.jobs_file, test.directory / "notes", *test.state.parent.glob("kron.db*")]:
                    if path.is_file():
                        shutil.copy(path, args.keep)
            if disk:
                subprocess.run(["umount", "-l", disk], capture_output=True)


def report(test):
    world = test.world
    check = Check(world)
    counts = check.run()
    for problem in world.problems:
        print(problem, file=sys.stderr)
    lived = sum(life.signalled - life.ready for life in world.lives if life.ready is not None)
    print(f"{len(world.jobs)} jobs, {len(world.facts)} facts, {lived:.0f} s with a runner: "
          + ", ".join(f"{count} {what}" for what, count in sorted(test.counts.items())))
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())))
    slowest = {}
    for what, took, bound in world.ends:
        kind = what.partition(" with ")[0]
        slowest[kind] = max(slowest.get(kind, (0, 0)), (took, bound))
    print(f"slowest answer of /livez {check.worst_answer:.2f} s"
          + "".join(f", slowest end after {what} {took:.2f} s of {bound:.0f} s" for what, (took, bound) in slowest.items()))
    print(f"{len(world.problems)} problems")
    # A run that checked nothing proves nothing.
    return 1 if world.problems or counts["executed"] == 0 else 0


# --- the self-test -----------------------------------------------------------------------------------------------------

BEGIN = 1_800_000_000
TABLES = """
CREATE TABLE jobs (name, suspend_requested, run_now);
CREATE TABLE executions (job, name, nominal, token, began, ended, exit_code, message, pid, process_start);
CREATE TABLE outcomes (id INTEGER PRIMARY KEY, job, nominal, chosen, token, outcome, cause, cause_details, execution, recorded);
"""


class Planted:
    """Ten minutes of three jobs: a kill after 295 s, the next runner after 330 s, its shutdown after 595 s, nothing wrong."""

    def __init__(self, directory):
        self.path, self.world, self.lines = directory / "kron.db", World(), []
        self.path.unlink(missing_ok=True)
        self.database = sqlite3.connect(self.path)
        self.database.executescript(TABLES)
        self.world.lives = [Life(BEGIN, BEGIN + 1, BEGIN + 295, BEGIN + 295, -9),
                            Life(BEGIN + 329, BEGIN + 330, BEGIN + 595, BEGIN + 597, 0)]
        self.world.probes = [(BEGIN + 20, BEGIN + 20.1)]
        self.world.ends = [("SIGTERM", 2.0, 10.0)]
        for number, concurrency in enumerate(["allow", "forbid", "allow"]):
            job = Job(f"job/{number}", "quick")
            job.file.begin(Config("* * * * *", 0, 10, concurrency, False), BEGIN)
            job.file.confirm(BEGIN + 1)
            self.world.jobs[job.name] = job
            self.execute("INSERT INTO jobs VALUES (?, 0, NULL)", job.name)
            for minute in range(1, 10):
                self.period(job.name, minute)
        suspended = self.world.jobs["job/2"].asked
        for value, second in ((True, 400), (False, 500)):
            suspended.begin(value, BEGIN + second)
            suspended.confirm(BEGIN + second + 1)
        self.run("job/0", None, BEGIN + 70, 1)
        self.execute("INSERT INTO outcomes VALUES (NULL, 'job/0', NULL, NULL, 't', 'executed', 'started', '{}', 'run-now-t', ?)",
                     (BEGIN + 70) * 1000)
        self.world.requested = [("job/0", "t", BEGIN + 70)]

    def execute(self, sql, *values):
        self.database.execute(sql, values)

    def run(self, job, nominal, at, seconds):
        name = "run-now-t" if nominal is None else shown(nominal)
        pid, time_text = len(self.lines) + 1000, "- -" if nominal is None else f"{name} {name}"
        self.lines += [f"S {job} {time_text} {at + 0.1:.3f} {pid}", f"E {job} {time_text} {at + seconds:.3f} {pid}"]
        self.execute("INSERT INTO executions VALUES (?, ?, ?, ?, ?, ?, 0, NULL, ?, 1)", job, name, nominal,
                     "t" if nominal is None else None, int(at * 1000), int((at + seconds) * 1000), pid)

    def period(self, job, minute):
        nominal = BEGIN + 60 * minute
        outcome, cause, details, recorded = "executed", "started", {}, nominal
        if job == "job/2" and 400 < 60 * minute < 500:
            return
        if minute == 5:
            outcome, cause, details, recorded = "missed", "deadlinePassed", {"late": 30, "deadline": "10s"}, nominal + 30
        elif job == "job/0" and minute == 4:
            outcome, cause, recorded = "missed", "claimLost", nominal + 90
        elif job == "job/1" and minute == 2:
            outcome, cause, recorded = "skipped", "activeExecution", nominal
        else:
            self.run(job, nominal, nominal, 90 if job == "job/1" and minute == 1 else 1)
        self.execute("INSERT INTO outcomes VALUES (NULL, ?, ?, ?, NULL, ?, ?, ?, ?, ?)", job, nominal, nominal, outcome, cause,
                     json.dumps({cause: details}), shown(nominal) if outcome == "executed" else None, recorded * 1000)

    def outcome(self, job, minute, **values):
        for name, value in values.items():
            self.execute(f"UPDATE outcomes SET {name} = ? WHERE job = ? AND nominal = ?", value, job, BEGIN + 60 * minute)

    def forget_run(self, job, minute):
        self.lines = [line for line in self.lines if not line[2:].startswith(f"{job} {shown(BEGIN + 60 * minute)}")]

    def problems(self):
        self.database.commit()
        self.database.close()
        read_state(self.world, self.path)
        self.world.facts = read_facts("\n".join(self.lines))
        Check(self.world).run()
        return self.world.problems


def edit_line(planted, begin, **changes):
    """Changes fields of the first line that begins so."""
    index = next(n for n, line in enumerate(planted.lines) if line.startswith(begin))
    fields = dict(zip(["kind", "job", "period", "chosen", "at", "pid"], planted.lines[index].split(" ")))
    planted.lines[index] = " ".join({**fields, **changes}.values())


def self_test():
    minute = functools.partial(lambda n: shown(BEGIN + 60 * n))
    missed = {"outcome": "missed", "execution": None}
    late = json.dumps({"deadlinePassed": {"late": 30, "deadline": "10s"}})

    def twice(p):
        p.lines.append(p.lines[0].replace(" 1000", " 9999"))

    def lost_twice(p):
        p.outcome("job/0", 3, **missed, cause="claimLost", recorded=(BEGIN + 330) * 1000)
        p.forget_run("job/0", 3)

    def remove_outcome(p):
        p.execute("DELETE FROM outcomes WHERE job = 'job/0' AND nominal = ?", BEGIN + 180)

    def remove_period(p):
        remove_outcome(p)
        p.forget_run("job/0", 3)

    def not_run(cause, details="{}", minute=3):
        def plant(p):
            p.outcome("job/0", minute, **missed, cause=cause, cause_details=details, recorded=(BEGIN + 60 * minute + 30) * 1000)
            p.forget_run("job/0", minute)
        return plant

    def run_while_suspended(p):
        p.run("job/2", BEGIN + 420, BEGIN + 420, 1)

    def no_request(p):
        p.lines = [line for line in p.lines if " - - " not in line]

    def remove_request(p):
        no_request(p)
        p.execute("DELETE FROM outcomes WHERE token = 't'")
        p.execute("DELETE FROM executions WHERE token = 't'")

    def request_twice(p):
        p.lines.append("S job/0 - - 1800000075.0 9999")

    def nothing_active(p):
        edit_line(p, f"E job/1 {minute(1)}", at=str(BEGIN + 61))

    def beside(p):
        edit_line(p, f"E job/1 {minute(1)}", at=str(BEGIN + 185))

    cases = [
        ("nothing", lambda p: None, None),
        ("a second line of a period", twice, "ran 2 times"),
        ("an outcome is removed", remove_outcome, "has no outcome"),
        ("a period did not run and has no outcome", remove_period, "has no outcome; chosen"),
        ("a period ran early", lambda p: edit_line(p, f"S job/0 {minute(3)}", at=str(BEGIN + 179)), "before its chosen time"),
        ("a period ran late", lambda p: edit_line(p, f"S job/0 {minute(3)}", at=str(BEGIN + 210)), "after its deadline"),
        ("another chosen time", lambda p: edit_line(p, f"S job/0 {minute(3)}", chosen=minute(2)), "none of the windows"),
        ("another process", lambda p: edit_line(p, f"S job/0 {minute(3)}", pid="9999"), "by its own account"),
        ("an executed period did not run", lambda p: p.forget_run("job/0", 3), "and did not run"),
        ("a period that ran is missed",
         lambda p: p.outcome("job/0", 3, **missed, cause="deadlinePassed", cause_details=late), "ran at"),
        ("missed without a reason", not_run("deadlinePassed", late), "a runner was well all the time"),
        ("its deadline had not passed", not_run("deadlinePassed", late.replace("30", "9")), "the deadline is not shorter"),
        ("missed when no runner was there",
         lambda p: p.outcome("job/0", 5, cause_details=late.replace("30", "20")), "no runner was there"),
        ("replaced by a later period", not_run("caughtUp"), "a runner was well all the time"),
        ("failed while the disk had room", not_run("failed"), "the disk was not full"),
        ("suspended while it was not", not_run("suspended"), "it was not suspended"),
        ("an unknown cause", not_run("noTurn"), "noTurn"),
        ("a claim is lost without a kill", not_run("claimLost", minute=7), "no runner was killed"),
        ("one kill loses two claims", lost_twice, "no runner was killed"),
        ("skipped while nothing was active", nothing_active, "no other execution was active"),
        ("skipped although it is allowed", not_run("activeExecution"), "does not forbid it"),
        ("two executions side by side", beside, "and process"),
        ("a suspended job ran", run_while_suspended, "while the job was suspended"),
        ("a request ran twice", request_twice, "requests ran that the state file does not know"),
        ("a request did not run", no_request, "and did not run"),
        ("a request is forgotten", remove_request, "was stored at"),
        ("no answer", lambda p: p.world.probes.append((BEGIN + 100, BEGIN + 131)), "was not answered"),
        ("a late end", lambda p: p.world.ends.append(("SIGTERM", 12.0, 10.0)), "are allowed"),
    ]
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for what, plant, want in cases:
            planted = Planted(pathlib.Path(name))
            plant(planted)
            found = planted.problems()
            if not (any(want in problem for problem in found) if want else not found):
                failed += 1
                print(f"FAILED {what}: {found}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
