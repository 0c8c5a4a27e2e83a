"""A run: the jobs, and everything that is done to the runner."""
import collections
import errno
import heapq
import json
import os
import pathlib
import queue
import random
import signal
import socket
import subprocess
import threading
import time

from clock import CLOCK
from facts import HANGS, MARGIN, WRITE_AGAIN, Config, Job, World, read_facts, read_state, shown
from runner import Prober, Runner, is_process, zombies_of

# In the environment of all processes of a run, so that those that are left at its end are found.
MARK = "KRON_CHECK_FAULTS"

COMMAND = """#!/bin/bash
LC_ALL=C
fact() {
    read -r up _ < /proc/uptime
    echo "$1 $KRON_JOB ${KRON_PERIOD_ID:--} ${KRON_CHOSEN_TIME:--} $EPOCHREALTIME $up $$" >> "$KRON_CHECK_FACTS"
}
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


class Test:
    """A run. The main thread does everything to the runner; other threads only read, probe and ask."""

    def __init__(self, args, directory, disk):
        self.args, self.dice, self.directory, self.disk = args, random.Random(args.seed), directory, disk
        self.world, self.said, self.over, self.runner = World(CLOCK), queue.Queue(), False, None
        # The steady time at which the seconds of /proc/uptime began.
        self.booted = CLOCK.now() - float(pathlib.Path("/proc/uptime").read_text().split()[0])
        self.stalled_until, self.full_since, self.full_until, self.next_id = 0, None, 0, 0
        # How far the clock was ahead before it was set to another day.
        self.before_far = None
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
        print(f"{CLOCK.now():.3f} {text}", file=self.notes, flush=True)

    def at(self, seconds, what):
        self.next_id += 1
        heapq.heappush(self.events, (CLOCK.now() + seconds, self.next_id, what))

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
            self.hangup = (runner, CLOCK.now(), good)
            if good:
                self.begin_file(CLOCK.now())
            runner.kill(signal.SIGHUP)

    def heard(self, runner, at, text, level):
        self.note(f"{runner.process.pid} at {at:.3f}: {text}")
        if text.startswith("ready: "):
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
            self.begin_file(CLOCK.now())
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
            after = 60 - (CLOCK.now() + CLOCK.ahead()) % 60 + self.dice.choice([0.1, 1, 6]) * self.dice.random()
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
        self.runner.signalled = CLOCK.now()
        self.runner.kill(signal.SIGKILL)
        if self.dice.random() < 0.3:
            self.at(0.1, self.edit)

    def term(self, twice=False):
        runner = self.runner
        self.counts["terms"] += 1
        self.note(f"TERM of {runner.process.pid}")
        runner.signalled = CLOCK.now()
        runner.terms.append(runner.signalled)
        runner.kill(signal.SIGTERM)
        if twice:
            self.at(self.dice.uniform(0.5, 4), lambda: self.again(runner))

    def again(self, runner):
        # Until a process takes a signal, another one of its kind is lost.
        was_stopped = runner.stopped_at is not None or runner.stopped_since(runner.terms[0]) > 0
        if runner is self.runner and runner.ended is None and not was_stopped:
            self.counts["second terms"] += 1
            runner.terms.append(CLOCK.now())
            runner.kill(signal.SIGTERM)

    def look(self, following=None):
        """Whether the runner has ended, or should have."""
        runner, world, now = self.runner, self.world, CLOCK.now()
        if runner is None:
            return
        if runner.process.poll() is None:
            if runner.ready is None and runner.stopped_at is None and now > runner.spawned + HANGS + runner.stopped_since(0) \
                    and now > self.stalled_until + 5 and runner.signalled is None \
                    and self.full_since is None and now > self.full_until + WRITE_AGAIN + MARGIN:
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
        # One that could not write the jobs of its file never began.
        failed = 2 if was_full and runner.ready is None else 1
        if code not in ((0, failed) if len(runner.terms) > 1 or was_full else (0,)):
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
        world, now = self.world, CLOCK.now()
        read_state(world, self.state)
        for name, row in world.rows.items():
            if world.jobs[name].asked.last() != bool(row["suspend_requested"]):
                self.note(f"{name}: by the state file, suspended: {row['suspend_requested']}")
            # No request is under way, so this is what the next runner finds.
            world.jobs[name].asked.begin(bool(row["suspend_requested"]), now)
            world.jobs[name].asked.confirm(now)
        if runner.code != 0:
            return
        shells = {fact.pid for fact in read_facts(self.facts.read_text(), self.booted) if fact.kind == "S"}
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
            runner.stopped_at = CLOCK.now()
            runner.kill(signal.SIGSTOP)
            self.at(self.dice.uniform(1, 30), lambda: self.go_on(runner))

    def go_on(self, runner):
        if runner.stopped_at is not None:
            self.note("CONT")
            runner.kill(signal.SIGCONT)
            self.world.stops.append((runner.stopped_at, CLOCK.now()))
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
            self.full_since = CLOCK.now()
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
            self.full_until = CLOCK.now()
            self.world.full.append((self.full_since, self.full_until))
            self.full_since = None

    def set_clock(self):
        """Sets the clock by seconds or minutes; or far ahead, or to 1970, and then back."""
        dice, before = self.dice, CLOCK.ahead()
        kind = dice.choices(["seconds", "minutes", "ahead", "1970"], [45, 40, 9, 6])[0]
        match kind:
            case "minutes":
                ahead = before + dice.choice([-1, 1]) * dice.uniform(5, 600)
            case "ahead" if self.before_far is None:
                ahead = before + dice.uniform(2 * 3600, 50 * 3600)
            case "1970" if self.before_far is None:
                ahead = dice.uniform(0, 86_400) - CLOCK.now()
            case _:
                ahead = before + dice.choice([-1, 1]) * dice.uniform(0.2, 5)
        self.change_clock(ahead)
        if abs(ahead - before) > 3600:
            self.before_far = before
            self.at(dice.uniform(2, 90), self.set_back)

    def set_back(self):
        self.change_clock(self.before_far)
        self.before_far = None

    def change_clock(self, ahead):
        self.counts["clocks set"] += 1
        CLOCK.set(ahead)
        self.note(f"the clock is set, {ahead:.3f} s ahead")

    def stall(self):
        self.counts["stalled logs"] += 1
        self.stalled_until = CLOCK.now() + self.dice.uniform(1, 20)

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
        now, found = CLOCK.now(), zombies_of(self.runner.process.pid)
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
            self.world.jobs[name].asked.begin(kind == "suspend", CLOCK.now())
        elif not self.state.exists():
            return
        options = {"status": ["-o", "json"], "history": [name, "-o", "json"], "why": [name]}.get(kind, [name])
        command = [self.args.kron, kind, *options, "--state", str(self.state)]
        self.clients += 1
        self.counts["calls"] += 1
        threading.Thread(target=self.call, args=(kind, name, command), daemon=True).start()

    def call(self, kind, name, command):
        begun = CLOCK.now()
        try:
            done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=100)
            self.said.put(("call", kind, name, begun, CLOCK.now(), done.returncode, done.stdout, done.stderr))
        except subprocess.TimeoutExpired:
            self.said.put(("call", kind, name, begun, CLOCK.now(), None, "", ""))

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
        if self.args.clock:
            self.repeat(5, 55, self.set_clock)
        until = CLOCK.now() + 60 * self.args.minutes
        while CLOCK.now() < until:
            self.turn()
        return self.finish()

    def turn(self):
        self.hear()
        self.look()
        while self.events and self.events[0][0] <= CLOCK.now():
            heapq.heappop(self.events)[2]()
        time.sleep(0.01)

    def finish(self):
        """One more runner that nothing disturbs, and its shutdown."""
        self.over = True
        self.events = []
        if self.before_far is not None:
            self.set_back()
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
        until = CLOCK.now() + WRITE_AGAIN + 4 * MARGIN
        while CLOCK.now() < until:
            self.turn()
        if self.runner is not None:
            self.term()
            self.wait_for_the_end()
        while self.clients:
            self.turn()
        read_state(self.world, self.state)
        self.world.facts = read_facts(self.facts.read_text(), self.booted)
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
