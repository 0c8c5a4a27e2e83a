"""Plants faults in what a run leaves, and looks for each of them."""
import functools
import json
import pathlib
import sqlite3
import tempfile

from check import Check
from clock import Clock, Stretch
from facts import Config, Job, Life, World, read_facts, read_state, shown

BEGIN = 1_800_000_000
TABLES = """
CREATE TABLE jobs (name, suspend_requested, run_now);
CREATE TABLE executions (job, name, nominal, token, began, ended, exit_code, message, pid, process_start);
CREATE TABLE outcomes (id INTEGER PRIMARY KEY, job, nominal, chosen, token, outcome, cause, cause_details, execution, recorded);
"""


class Planted:
    """Ten minutes of three jobs: a kill after 295 s, the next runner after 330 s, its shutdown after 595 s, nothing wrong."""

    def __init__(self, directory):
        self.path, self.world, self.lines = directory / "kron.db", World(Clock(0)), []
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
        facts = [("S", at + 0.1), ("E", at + seconds)]
        self.lines += [f"{kind} {job} {time_text} {time:.3f} {time:.3f} {pid}" for kind, time in facts]
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
        self.world.facts = read_facts("\n".join(self.lines), 0)
        Check(self.world).run()
        return self.world.problems


def edit_line(planted, begin, **changes):
    """Changes fields of the first line that begins so."""
    index = next(n for n, line in enumerate(planted.lines) if line.startswith(begin))
    if "at" in changes:
        changes["shown"] = changes["at"]
    fields = dict(zip(["kind", "job", "period", "chosen", "shown", "at", "pid"], planted.lines[index].split(" ")))
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
        p.lines.append("S job/0 - - 1800000075.0 1800000075.0 9999")

    def nothing_active(p):
        edit_line(p, f"E job/1 {minute(1)}", at=str(BEGIN + 61))

    def beside(p):
        edit_line(p, f"E job/1 {minute(1)}", at=str(BEGIN + 185))

    def set_clock(*sets):
        """Seconds of the run, and how far ahead the clock is from then on."""
        return lambda p: p.world.clock.stretches.extend(Stretch(BEGIN + second, ahead) for second, ahead in sets)

    def both(*plants):
        return lambda p: [plant(p) for plant in plants]

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
        ("twice, and the clock was set", both(twice, set_clock((62, 300), (65, 0))), "ran 2 times"),
        ("missed when the clock was set", both(not_run("deadlinePassed", late), set_clock((182, 300), (200, 0))), None),
        ("the clock passes over periods", set_clock((545, 180)), "has no outcome; chosen"),
        ("the clock goes back before them", set_clock((545, 180), (560, 0)), None),
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
