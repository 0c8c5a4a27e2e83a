"""Kills examples/cpp/daemon.cpp at random times and starts it again, under a clock that runs 60 times as fast: no period runs twice,
none is lost, and one that is missed was missed by the rules.

    daemon_test.py DAEMON STARTS MINUTES [SEED]

STARTS is the program of examples/cpp/fleet.cpp, which lists the starts of a job file. A minute of the fast clock is a second.
"""

import random
import signal
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

SPEED = 60
FROM = 1772323200  # 2026-03-01T00:00:00Z
JOBS = """\
*/4 * * * * @win(after,20m) @policy(deadline=5m,concurrency=allow) name=ops/overlap command="echo $KRON_PERIOD_ID >>LOG/overlap"
*/3 * * * * @win(after,2m) @policy(deadline=5m,concurrency=allow) name=ops/often command="echo $KRON_PERIOD_ID >>LOG/often"
*/5 * * * * @win(before,4m) @policy(deadline=5m,concurrency=allow) name=ops/slow command="echo $KRON_PERIOD_ID >>LOG/slow; sleep 1"
"""
NAMES = ["overlap", "often", "slow"]


def unix(text):
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


class Host:
    """A folder in which daemons live, one after the other."""

    def __init__(self, daemon, folder, real=None):
        self.daemon, self.folder, self.real = daemon, folder, int(time.time()) if real is None else real
        self.jobs, self.said = folder / "jobs.kron", folder / "said.txt"
        (folder / "log").mkdir(exist_ok=True)
        (folder / "state").mkdir(exist_ok=True)

    def write(self, jobs):
        self.jobs.write_text(jobs.replace("LOG", str(self.folder / "log")), encoding="utf-8")

    def now(self):
        return FROM + (time.time() - self.real) * SPEED

    def start(self):
        with self.said.open("a", encoding="utf-8") as said:
            return subprocess.Popen([self.daemon, self.jobs, self.folder / "state"], stdout=said, stderr=said,
                                    env={"DEMO_CLOCK": f"{FROM} {self.real} {SPEED}", "PATH": "/usr/bin:/bin"})

    def ran(self, name):
        """The periods whose command ran, each as often as it ran."""
        log = self.folder / "log" / name
        return log.read_text(encoding="utf-8").split() if log.exists() else []


def starts(program, jobs, first, last):
    """Job, period and chosen time of all starts."""
    lines = subprocess.run([program, jobs, str(first), str(last)], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [line.split() for line in lines if not line.startswith("{")]
    return [(name.removeprefix("ops/"), period, unix(chosen)) for chosen, period, name in rows]


def killed_and_started_again(daemon, program, folder, minutes, seed):
    chance = random.Random(seed)
    host = Host(daemon, folder)
    host.write(JOBS)
    kills = 0
    first = int(host.now())
    process = host.start()
    # Until it knows its jobs: what is chosen before is not in force.
    while len(list((folder / "state").glob("*.state"))) < 3:
        time.sleep(0.01)
    known = int(host.now()) + 1
    while host.now() < known + 60 * minutes:
        time.sleep(chance.uniform(0.05, 0.9))
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += 1
        process = host.start()
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 0, host.said.read_text(encoding="utf-8")
    end = int(host.now()) - 2 * SPEED

    said = [line.split() for line in host.said.read_text(encoding="utf-8").splitlines()]
    missed = {(name.removeprefix("ops/"), period): unix(at) for at, what, name, period in said if what == "missed"}
    done = 0
    for name in NAMES:
        ran = host.ran(name)
        twice = {period for period in ran if ran.count(period) > 1}
        assert not twice, f"{name} ran twice: {twice} (seed {seed})"
        done += len(ran)
    for name, period, chosen in starts(program, host.jobs, known, end):
        if period in host.ran(name):
            assert (name, period) not in missed, f"{name} {period} ran, and was recorded as missed (seed {seed})"
            continue
        assert (name, period) in missed, f"{name} {period}, chosen {chosen - first} s after the first start, is lost (seed {seed})"
        late = missed[name, period] - chosen
        assert late > 10, f"{name} {period} is missed {late} s after its time: the rules miss what is more than 10 s late (seed {seed})"
    assert done > minutes / 4 and kills > minutes / 2, (done, kills)
    print(f"daemon: {kills} times killed, {done} executions, each once, {len(missed)} missed by the rules")


def killed_between_file_and_command(daemon, folder):
    """The file has the period, and nobody began it: a daemon that comes back within the deadline starts it, and only once."""
    jobs = '0 * * * * @policy(deadline=5m,concurrency=allow) name=ops/often command="echo $KRON_PERIOD_ID >>LOG/often"\n'
    for claimed, late, want in ((False, 60, 1), (True, 60, 0), (False, 400, 0)):
        case = folder / f"{claimed}-{late}"
        case.mkdir()
        nominal = FROM
        # The clock shows the nominal time some seconds ago.
        host = Host(daemon, case, int(time.time()) - late // SPEED)
        host.write(jobs)
        state = f'{{"since":{nominal - 60},"handledThrough":{nominal},"handled":[],"active":true}}'
        text = "0 * * * * @policy(concurrency=allow,deadline=5m0s)"
        (case / "state" / "ops%2Foften.state").write_text(f"{state}\n{text}\n{nominal}\n", encoding="utf-8")
        if claimed:
            (case / "state" / "ops%2Foften.claims" / "2026-03-01T00:00:00Z").mkdir(parents=True)
        for _ in range(2):
            process = host.start()
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            assert process.wait() == 0, host.said.read_text(encoding="utf-8")
        ran = host.ran("often")
        assert ran == ["2026-03-01T00:00:00Z"] * want, (claimed, late, ran, host.said.read_text(encoding="utf-8"))


def a_new_configuration_repeats_nothing(daemon, folder):
    """A job starts, then its text changes so that the same period would start later."""
    host = Host(daemon, folder)
    line = '@policy(deadline=5m,concurrency=allow) name=ops/often command="echo $KRON_PERIOD_ID >>LOG/often"\n'
    host.write("* * * * * " + line)
    process = host.start()
    while len(host.ran("often")) < 2:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = host.ran("often")
    host.write("* * * * * @win(after,4m) " + line)
    process = host.start()
    while len(host.ran("often")) < len(before) + 3:
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 0
    ran = host.ran("often")
    assert len(set(ran)) == len(ran), ran


def main():
    daemon, program = sys.argv[1:3]
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(10**6)
    with tempfile.TemporaryDirectory() as folder:
        for test in (killed_between_file_and_command, a_new_configuration_repeats_nothing):
            place = Path(folder) / test.__name__
            place.mkdir()
            test(daemon, place)
        place = Path(folder) / "killed"
        place.mkdir()
        killed_and_started_again(daemon, program, place, int(sys.argv[3]), seed)


main()
