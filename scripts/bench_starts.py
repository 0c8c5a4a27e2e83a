#!/usr/bin/env python3
"""Times how long runners need for many jobs of one second, beside bare starts of the same commands.

    scripts/bench_starts.py [--kron FILE] [--supercronic FILE] [--cronstable FILE] [--jobs NUMBER...]

All jobs have the same minute, and each appends the time to a file. Printed are the seconds from the minute to the last line, how many
lines there are four minutes later at most, and the most memory that the runner had (VmHWM, without its commands); of kron also the
longest time that /livez took meanwhile. `bare` starts the commands by posix_spawn and nothing else. Runners have their defaults, but
none logs the output of commands, which have none. Each run waits for a new minute, one after the other.

`kron` is built in the release profile unless it is given. supercronic is a package of Debian: if it is not given, it is looked for in
PATH, and left out if it is not there. cronstable is installed by pip in a directory that is removed at the end, unless it is given.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Time to read the jobs before the minute begins.
READY = 40
# The version of PyPI.
CRONSTABLE = "cronstable==1.2.72"
# Time for all starts.
LATEST = 240
# Of the probes.
PORT = 19171


def command(out):
    return f"date +%s.%N >> {out}"


def schedule(minute):
    at = time.gmtime(minute)
    return f"{at.tm_min} {at.tm_hour} {at.tm_mday} {at.tm_mon} *"


def kron(program, folder, out, count, minute):
    lines = (f'{schedule(minute)} name=a/j{number} command="{command(out)}"\n' for number in range(count))
    (folder / "jobs.kron").write_text("".join(lines))
    return [program, "run", str(folder / "jobs.kron"), "--state", str(folder / "kron.db"), "--listen", f"127.0.0.1:{PORT}"]


def supercronic(program, folder, out, count, minute):
    (folder / "crontab").write_text(f"{schedule(minute)} {command(out)}\n" * count)
    return [program, "-quiet", str(folder / "crontab")]


def cronstable(program, folder, out, count, minute):
    job = "  - name: j{}\n    command: '{}'\n    schedule: '{}'\n    utc: true\n    captureStdout: false\n    captureStderr: false\n"
    jobs = "".join(job.format(number, command(out), schedule(minute)) for number in range(count))
    (folder / "jobs.yaml").write_text("jobs:\n" + jobs)
    return [program, "-c", str(folder / "jobs.yaml")]


def starts(out):
    """The times of the starts that have been made."""
    text = out.read_text() if out.exists() else ""
    return [float(line) for line in text.split("\n")[:-1] if line]


def peak_memory(pid):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


class Probe(threading.Thread):
    """Asks /livez again and again, from the minute on. `longest` is in seconds."""

    def __init__(self, minute):
        super().__init__(daemon=True)
        self.minute, self.longest, self.ended = minute, 0.0, threading.Event()

    def run(self):
        # The first request of a program takes longer, because it loads modules.
        self.ended.wait(max(0.0, self.minute - 1 - time.time()))
        if not self.ended.is_set():
            self.ask()
        self.ended.wait(max(0.0, self.minute - time.time()))
        while not self.ended.wait(0.05):
            begun = time.monotonic()
            self.ask()
            self.longest = max(self.longest, time.monotonic() - begun)

    def ask(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/livez", timeout=60) as answer:
            answer.read()


def bare(out, count, minute):
    time.sleep(max(0.0, minute - time.time()))
    pids = [os.posix_spawn("/bin/sh", ["/bin/sh", "-c", command(out)], os.environ) for _ in range(count)]
    for pid in pids:
        os.waitpid(pid, 0)
    return 0.0


def run(arguments, folder, out, count, minute, probe):
    environment = {**os.environ, "TZ": "UTC"}
    with open(folder / "log", "w") as log:
        runner = subprocess.Popen(arguments, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment)
    try:
        while time.time() < minute + LATEST and len(starts(out)) < count:
            if runner.poll() is not None:
                raise SystemExit(f"{arguments[0]} ended: {(folder / 'log').read_text()[-2000:]}")
            # Reading the file must not disturb what is measured.
            time.sleep(2 if time.time() < minute else 0.5)
        return peak_memory(runner.pid)
    finally:
        probe.ended.set()
        runner.send_signal(signal.SIGTERM)
        try:
            runner.wait(30)
        except subprocess.TimeoutExpired:
            runner.kill()
            runner.wait()


def measure(name, make, count):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        out = folder / "out"
        minute = (int(time.time() + READY) // 60 + 1) * 60
        probe = Probe(minute)
        if name == "kron":
            probe.start()
        memory = bare(out, count, minute) if make is None else run(make(folder, out, count, minute), folder, out, count, minute, probe)
        found = starts(out)
        last = max(found) - minute if found else float("nan")
        line = f"{count:6} jobs  {name:12} last start after {last:6.2f} s  {len(found):6} made  {memory:6.0f} MB"
        print(line + (f"  /livez {probe.longest * 1000:.0f} ms" if name == "kron" else ""), flush=True)


def installed(folder, package):
    """Installs a program of PyPI."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run([f"{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", package], check=True)
    return f"{folder}/bin/{package.partition('=')[0]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--kron")
    parser.add_argument("--supercronic", default=shutil.which("supercronic"))
    parser.add_argument("--cronstable")
    parser.add_argument("--jobs", type=int, nargs="+", default=[1000, 2000, 5000, 10000])
    options = parser.parse_args()
    if not options.kron:
        subprocess.run(["cargo", "build", "--quiet", "--release", "--locked", "--package", "kron-cli"], cwd=ROOT, check=True)
        options.kron = str(ROOT / "target/release/kron")
    with tempfile.TemporaryDirectory() as folder:
        options.cronstable = options.cronstable or installed(folder, CRONSTABLE)
        runners = {"kron": (kron, options.kron), "supercronic": (supercronic, options.supercronic),
                   "cronstable": (cronstable, options.cronstable)}
        for count in options.jobs:
            measure("bare", None, count)
            for name, (make, program) in runners.items():
                if program:
                    measure(name, lambda *rest, make=make, program=program: make(program, *rest), count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
