"""One process of the runner, and what is seen of processes."""
import json
import pathlib
import socket
import subprocess
import threading
import time

from clock import CLOCK
from facts import HANGS, Life, oracle_decide


class Runner:
    """A process of `kron run`, and the thread that reads its log."""

    def __init__(self, test, wait=False):
        self.test, self.drain, self.grace = test, test.dice.choice([0, 1, 3, 8]), test.dice.choice([1, 2, 5])
        self.spawned, self.ready, self.signalled, self.ended, self.code = CLOCK.now(), None, None, None, None
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
            while CLOCK.now() < self.test.stalled_until:
                time.sleep(0.05)
            line = self.process.stdout.readline()
            if not line:
                return
            if b'"level"' in line and b'"stream"' not in line:
                found = json.loads(line)
                at = CLOCK.latest(instant(found["time"]), CLOCK.now())
                self.test.said.put(("log", self, at, found["text"], found["level"]))

    def read_errors(self):
        self.last_words = self.process.stderr.read().decode()
        self.closed = CLOCK.now()

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
                begun = CLOCK.now()
                # The connections of others may close this one.
                while runner.ended is None and CLOCK.now() < begun + HANGS + 5 and not self.ask(runner.port):
                    time.sleep(0.02)
                self.test.world.probes.append((begun, CLOCK.now()))
            time.sleep(0.3)

    def ask(self, port):
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=HANGS + 1) as connection:
                connection.sendall(b"GET /livez HTTP/1.1\r\nHost: check\r\nConnection: close\r\n\r\n")
                return connection.recv(100).startswith(b"HTTP/1.1 ")
        except OSError:
            return False


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
