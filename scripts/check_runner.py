#!/usr/bin/env python3
"""Kills `kron run` at random times, and checks what became of every period.

Minutely jobs with windows and deadlines of all kinds run for some minutes. Meanwhile the runner is killed (SIGKILL) and started
again at random times. Afterwards:

* no period was executed twice, by the account of the commands themselves;
* every period was executed at the chosen time that `testing/data/vectors/oracle_decide.py` computes, or later;
* every period has the outcome that policy and catch-up rule give for the times at which a runner was running, computed by
  `testing/data/vectors/oracle_cron.py`. Where that depends on the second in which the runner was killed or was ready, both are right;
* the only exception is a start that was claimed when the runner was killed: at most one for each job and kill, `missed` with the
  cause `claimLost`.

Neither program shares code with Kron.

    python3 scripts/check_runner.py                            two minutes, 40 jobs
    python3 scripts/check_runner.py --jobs 200 --minutes 20    the long run
"""
import argparse
import itertools
import json
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "testing" / "data" / "vectors"))
import oracle_cron  # noqa: E402
import oracle_decide  # noqa: E402

WINDOWS = ["0s", "20s", "59s", "3m"]
# The shortest is longer than a slow machine takes to decide.
DEADLINES = ["5s", "12s", "30s", "90s"]
# A runner that has just begun decides what it found within so many seconds.
DOUBT = 2


class Job:
    def __init__(self, number):
        self.name = f"job/{number}"
        self.window = WINDOWS[number % len(WINDOWS)]
        self.deadline = DEADLINES[number // len(WINDOWS) % len(DEADLINES)]

    def line(self, starts):
        command = f"echo $KRON_JOB $KRON_PERIOD_ID $KRON_CHOSEN_TIME $(date +%s) >> {starts}"
        policy = f"@policy(deadline={self.deadline},concurrency=allow)"
        return f'* * * * * @win(after,{self.window}) {policy} name={self.name} command="{command}"\n'

    def periods(self, first, last):
        """The periods with nominal times in a range: their texts, as the oracle of plans takes them."""
        spec = {"schedule": "* * * * *", "window": {"mode": "after", "duration": self.window}}
        for nominal in range(first - first % 60, last, 60):
            decision = oracle_decide.decide(self.name, spec, oracle_decide.format_time(nominal))[1]
            yield {"nominal": decision["nominalTime"], "chosen": decision["chosenTime"], "windowEnd": decision["windowEnd"]}


def chosen(period):
    return oracle_decide.parse_time(period["chosen"])


def outcomes(job, periods, runs, since):
    """The outcome of each period, given the seconds from which and up to which runners were running."""
    found = {}
    previous_end = None
    for begin, end in runs:
        if previous_end is not None:
            # What the runner finds when it begins: all that is open, in one plan.
            opened = [p for p in periods if p["nominal"] not in found and since < chosen(p) <= begin]
            policy = {"deadline": job.deadline, "concurrency": "allow"}
            case = {"policy": policy, "now": oracle_decide.format_time(begin), "active": False, "periods": opened}
            for step in oracle_cron.plan(case)["want"]:
                found[step["nominal"]] = "executed" if step["action"] == "execute" else "missed"
        for period in periods:
            if max(begin, since) < chosen(period) <= end:
                found.setdefault(period["nominal"], "executed")
        previous_end = end
    return found


class Runner:
    def __init__(self, kron, directory):
        self.spawned = time.time()
        log = open(directory / "log", "ab")
        command = [kron, "run", "jobs.kron", "-o", "json", "--wait"]
        self.process = subprocess.Popen(command, cwd=directory, stdout=subprocess.PIPE, stderr=log, text=True)
        for line in self.process.stdout:
            log.write(line.encode())
            if json.loads(line)["text"].startswith("ready: "):
                break
        self.ready = time.time()
        # The rest goes to the same file, by a program that outlives this one's attention.
        self.rest = subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=log)

    def end(self, number):
        self.signalled = time.time()
        self.process.send_signal(number)
        code = self.process.wait()
        self.ended = time.time()
        self.process.stdout.close()
        return code


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the times of the kills")
    parser.add_argument("--kron", default=str(ROOT / "target" / "debug" / "kron"), help="the program")
    args = parser.parse_args()
    print(f"seed {args.seed}")
    dice = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        starts = directory / "starts"
        starts.touch()
        jobs = [Job(number) for number in range(args.jobs)]
        (directory / "jobs.kron").write_text("".join(job.line(starts) for job in jobs))
        until = time.time() + 60 * args.minutes
        runners = []
        while time.time() < until:
            runner = Runner(args.kron, directory)
            runners.append(runner)
            time.sleep(max(0, min(dice.uniform(0.2, 25), until - time.time())))
            if time.time() < until:
                runner.end(signal.SIGKILL)
                # Often at once, sometimes after a while.
                time.sleep(dice.choice([0, 0, 1, 5, 20, 40]) * dice.random())
        if runners[-1].process.poll() is not None:
            runners.append(Runner(args.kron, directory))
        # It decides what it found, before it is stopped.
        time.sleep(2 * DOUBT)
        code = runners[-1].end(signal.SIGTERM)
        assert code == 0, f"the last runner ended with {code}"
        # Commands outlive their runner by a moment.
        time.sleep(2)
        history = [args.kron, "history", "-c", "100000000", "-o", "json"]
        history = json.loads(subprocess.run(history, cwd=directory, check=True, capture_output=True).stdout)
        return check(jobs, runners, history, starts.read_text())


def check(jobs, runners, history, starts):
    problems = []
    known = {(entry["job"], entry["period"]): entry for entry in history}
    if len(known) != len(history):
        problems.append("a period is in the history twice")
    executions = {}
    for line in starts.splitlines():
        job, period, time_chosen, at = line.split(" ")
        executions.setdefault((job, period), []).append((time_chosen, int(at)))
    for (job, period), lines in executions.items():
        if len(lines) > 1:
            problems.append(f"{job} {period} was executed {len(lines)} times")

    kills = len(runners) - 1
    counts = {"executed": 0, "missed": 0, "claimLost": 0, "in doubt": 0}
    # The configuration begins when the first runner sees the jobs.
    first, last = runners[0], runners[-1]
    for job in jobs:
        periods = list(job.periods(int(first.spawned) - 300, int(last.ended)))
        wants = {}
        for begin, end in itertools.product((0, 0.5, 1), (0, 1)):
            # A runner begins between its process and some time after it says so, and ends between the signal and its end.
            runs = [(int(r.spawned + begin * (r.ready + DOUBT - r.spawned)), int(r.signalled - 1 if end else r.ended))
                    for r in runners]
            since = int(first.ready + DOUBT)
            for nominal, outcome in outcomes(job, periods, runs, since).items():
                wants.setdefault(nominal, set()).add(outcome)
        lost = 0
        for period in periods:
            nominal, place = period["nominal"], f"{job.name} {period['nominal']}"
            entry = known.get((job.name, nominal))
            lines = executions.get((job.name, nominal), [])
            for time_chosen, at in lines:
                if time_chosen != period["chosen"] or at < chosen(period):
                    problems.append(f"{place} was executed at {at} for {time_chosen}, not {period['chosen']}")
            sure = int(first.ready + DOUBT) < chosen(period) <= int(last.signalled - DOUBT)
            if entry is None:
                # A period whose chosen time is up to the end of the last runner has its outcome.
                if sure and len(wants[nominal]) == 1:
                    problems.append(f"{place} has no outcome, not {wants[nominal]}")
                continue
            if entry["cause"] == "claimLost":
                lost += 1
                counts["claimLost"] += 1
                continue
            if (entry["outcome"] == "executed") != bool(lines):
                problems.append(f"{place} is {entry['outcome']}, and was executed {len(lines)} times")
            want = wants.get(nominal)
            if want is None or not sure:
                continue
            counts["in doubt" if len(want) > 1 else entry["outcome"]] += 1
            if entry["outcome"] not in want:
                problems.append(f"{place} is {entry['outcome']} ({entry['cause']}), not {want}; chosen {period['chosen']}")
        if lost > kills:
            problems.append(f"{job.name} has lost {lost} claims in {kills} kills")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(jobs)} jobs, {kills} kills: " + ", ".join(f"{count} {what}" for what, count in counts.items()))
    # A run that checked nothing proves nothing.
    return 1 if problems or counts["executed"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
