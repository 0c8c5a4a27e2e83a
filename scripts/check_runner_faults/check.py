"""Compares what the state file says of every period with the facts.

What runs twice, without an outcome or at another chosen time is found whatever the clock was set to. Whether a period was in time, and
why it did not run, is judged only if the clock showed the times from its nominal time to its outcome once, one after the other.
"""
import collections
import json

from clock import GUARD
from facts import HANGS, MARGIN, WRITE_AGAIN, chosen_time, shown

# A job has at most so many outcomes in its history. Fewer are sure to be all of them.
OUTCOMES_KEPT = 990
# The most missed periods of a jump of the clock that are listed are some more.
LISTED = 90
# The seconds by which the time of a fact may be wrong: the uptime that a command reads has two decimals.
BLUR = 0.1
# The exit codes with which commands end by themselves.
OWN_CODES = (0, 3)


class Check:
    """Compares the outcomes with the facts. Times are Unix seconds."""

    def __init__(self, world):
        self.world, self.clock, self.counts = world, world.clock, collections.Counter()
        self.starts, self.begins, self.ends = collections.defaultdict(list), {}, {}
        for fact in world.facts:
            if fact.kind == "S":
                self.starts[fact.job].append(fact)
                self.begins[fact.job, fact.pid, fact.period] = fact.at
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
            if nominal not in self.outcomes[name] and self.has_all(name):
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

    def has_all(self, name):
        """Whether the history of a job has dropped nothing."""
        return len(self.outcomes[name]) + len(self.tokens[name]) < OUTCOMES_KEPT

    def start(self, job, nominal, fact):
        """A period that ran, at its time and while it was allowed to."""
        place, problem = f"{job.name} {shown(nominal)}", self.world.problem
        ahead = self.clock.plain(nominal, fact.shown)
        windows = job.values("window", -float("inf") if ahead is None else nominal - ahead - 2, fact.at + 1)
        if fact.chosen not in {chosen_time(job.name, nominal, window) for window in windows}:
            problem(f"{place} ran for the chosen time {shown(fact.chosen)}, which is none of the windows {sorted(windows)}")
        # A start that was asked for before the clock went back is made: on a busy machine after a while.
        if fact.shown < fact.chosen and not self.clock.was_set(fact.at - HANGS, fact.at + BLUR):
            problem(f"{place} ran at {fact.shown:.3f}, before its chosen time {fact.chosen}")
        if not job.states(fact.at - MARGIN, fact.at + BLUR) - {None}:
            problem(f"{place} ran at {fact.at:.3f}, while the job was suspended or not in the file")
        if ahead is None:
            return
        chosen = fact.chosen - ahead
        deadline = max(job.values("deadline", chosen - 2, fact.at + 1), default=0)
        wait = 2 * MARGIN + 10 if "replace" in job.values("concurrency", chosen - 2, fact.at + 1) else MARGIN
        late = chosen + deadline
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
        ahead = self.clock.plain(nominal, chosen, recorded)
        if ahead is None:
            self.counts["near a set clock"] += 1
            return
        later = [other for other in self.outcomes[job.name].values() if chosen < other["chosen"] <= recorded]
        chosen, recorded = chosen - ahead, recorded - ahead
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
        if execution["began"] is None:
            return False
        key = execution["job"], execution["pid"], execution["nominal"]
        # A command is active before it can say so, and may be stopped before it has said so.
        begins = self.clock.reached(execution["began"] / 1000)
        told = self.begins.get(key)
        begin = min(begins if told is None else [*begins, told], default=-float("inf"))
        end = self.ends.get(key)
        if end is None and execution["ended"] is not None:
            end = max(self.clock.reached(execution["ended"] / 1000), default=None)
        # The runner hears of the end a moment later.
        return begin <= last + 1 and (end is None or end >= first - 2)

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
            if not job.states(fact.at - MARGIN, fact.at + BLUR) - {None}:
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
                times = self.clock.reached(row["recorded"] / 1000)
                if times and not any(self.was_active(execution, at - MARGIN, at) for execution in self.executions[job.name]
                                     for at in times):
                    problem(f"{job.name}: the request {row['token']} is skipped, and no other execution was active")
        waiting = self.world.rows.get(job.name, {}).get("run_now")
        for token, at in [(token, at) for name, token, at in self.world.requested if name == job.name]:
            if token in tokens or not self.has_all(job.name):
                continue
            # One that waits may wait for the job to return or to be resumed, or was made a moment before the end.
            done = self.world.well_after(at, 3 * MARGIN)
            may_wait = done is None or None in job.states(at, float("inf")) or job.values("concurrency", at, done) - {"allow"}
            if token != waiting or not may_wait:
                problem(f"{job.name}: the request {token} was stored at {at:.3f} and has no outcome")

    def lost(self, job):
        """Each lost claim belongs to an end by force, at most one of a job to each."""
        rows, used = [], set()
        for row in [*self.outcomes[job.name].values(), *self.tokens[job.name].values()]:
            if row["cause"] in ("claimLost", "claimLostBeforeEdit", "maybeReplaced"):
                chosen = self.clock.reached(row["chosen"]) if row["chosen"] is not None else []
                recorded = self.clock.reached(row["recorded"] / 1000)
                rows.append((max(recorded, default=float("inf")), min(chosen, default=-float("inf")) - 1, row))
        for last, first, row in sorted(rows, key=lambda found: found[:2]):
            ends = [end for end in self.world.forced(first, last) if end not in used]
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
        for nominal in self.nominals(first, last):
            if nominal in self.outcomes[job.name] or nominal in ran or not self.has_all(job.name):
                continue
            times = self.clock.reached(nominal)
            windows = job.values("window", min(times) - 2, max(times) + 180)
            choices = [chosen_time(job.name, nominal, window) for window in windows]
            if not choices:
                continue
            # If the clock goes back once more, the period is open again.
            reached = [time for choice in choices for time in self.clock.reached(choice)]
            done = self.world.well_after(max(reached), MARGIN) if len(reached) >= len(choices) else None
            if done is None or self.goes_back(max(reached) - GUARD, nominal):
                continue
            # A runner that begins just after the clock went back decides only later nominal times again.
            if self.goes_back_to(nominal - GUARD, max(choices)):
                self.counts["near a set clock"] += 1
                continue
            states = job.states(min(times + reached) - 2, done)
            if len(states) == 1 and (schedule := next(iter(states))) and (schedule[1] == " " or nominal % 120 == 0):
                self.world.problem(f"{job.name} {shown(nominal)} has no outcome; chosen {choices}, "
                                   f"a runner was well up to {done:.3f}")
            elif len(states) > 1:
                self.counts["in doubt"] += 1

    def nominals(self, first, last):
        """The nominal times that the clock showed between two steady times, and the last ones that a jump passed over."""
        found, before = set(), None
        for begin, end, ahead in self.clock.ended():
            a, b = max(begin, first) + ahead, min(end, last) + ahead
            if a < b:
                if before is not None and before < a:
                    a = max(before, a - 60 * LISTED)
                found |= set(range(int(a) // 60 * 60, int(b), 60))
                before = b
        return sorted(nominal for nominal in found if self.clock.reached(nominal))

    def goes_back(self, first, shown_time):
        """Whether the clock is set back to that time or before it, or a little after it, after a steady time."""
        stretches = self.clock.stretches
        return any(first <= after.begin and after.ahead < before.ahead and after.begin + after.ahead <= shown_time + 180
                   for before, after in zip(stretches, stretches[1:]))

    def goes_back_to(self, first, last):
        """Whether the clock is set back to a time in that stretch of shown times."""
        stretches = self.clock.stretches
        return any(after.ahead < before.ahead and first <= after.begin + after.ahead <= last
                   for before, after in zip(stretches, stretches[1:]))

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
