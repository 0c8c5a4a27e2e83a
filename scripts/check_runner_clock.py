#!/usr/bin/env python3
"""Sets the clock of a machine while `kron run` runs on it, and checks what was started.

The machine is a kernel in user mode (`linux.uml`, the package user-mode-linux of Debian), whose clock is its own. It sees the files of
this one, and writes only to a temporary directory. It takes two minutes.

    python3 scripts/check_runner_clock.py [--kron FILE] [--uml FILE]
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 900

# `set TIME SECONDS` sets the clock, and waits.
INIT = """#!/bin/bash
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
set_clock() { date -u -s "$1" > /dev/null; sleep "$2"; }
mount -t proc proc /proc && mount -t tmpfs -o mode=700 tmpfs /mnt && cd /mnt
cat > jobs.kron <<'END'
* * * * * name=minutely command=true
0 12 * * * @policy(deadline=1h) name=noon command=true
END
set_clock 2026-03-01T11:00:45 0
%(kron)s run jobs.kron > %(log)s 2>&1 &
runner=$!
sleep 20                                # 11:01
set_clock 2026-03-02T12:30:10 8         # a day ahead: noon of the next day is started
set_clock 2026-03-01T11:01:40 30        # and back: 11:02
set_clock 1971-01-01T00:00:50 15        # a dead battery
set_clock 2026-03-01T11:02:50 15        # and back: 11:03
set_clock 2026-03-01T12:29:50 15        # over noon, which the deadline still allows: 12:30
set_clock 2026-03-01T12:20:50 15        # a step back: 12:21
kill -TERM $runner
wait $runner
echo "exit code $?" >> %(log)s
sync
/sbin/halt -f || echo o > /proc/sysrq-trigger
sleep 10
"""
WANTED = {
    "minutely": ["2026-03-01T11:01", "2026-03-01T11:02", "1971-01-01T00:01", "2026-03-01T11:03", "2026-03-01T12:30", "2026-03-01T12:21"],
    "noon": ["2026-03-02T12:00", "2026-03-01T12:00"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kron", default=str(ROOT / "target" / "debug" / "kron"), help="the program")
    parser.add_argument("--uml", default=shutil.which("linux.uml"), help="the kernel")
    args = parser.parse_args()
    if not args.uml:
        parser.error("there is no linux.uml in PATH; install user-mode-linux, or name it by --uml")
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        init, log = directory / "init", directory / "log"
        init.write_text(INIT % {"kron": os.path.abspath(args.kron), "log": log})
        init.chmod(0o755)
        kernel = [args.uml, "mem=256M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "rw", f"init={init}", "con=null"]
        environment = {**os.environ, "HOME": name, "TMPDIR": name}
        with open(directory / "kernel", "w") as messages:
            subprocess.run(kernel, env=environment, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages, timeout=LIMIT)
        text = log.read_text() if log.exists() else (directory / "kernel").read_text()
    started = re.findall(r"^(\w+): started for (\S+):00Z", text, re.M)
    problems = [f"{job}: started for {[period for name, period in started if name == job]}, and not for {wanted}"
                for job, wanted in WANTED.items() if [period for name, period in started if name == job] != wanted]
    if not text.endswith("exit code 0\n"):
        problems.append("the runner did not end with 0")
    if problems:
        print("\n".join(line for line in text.splitlines() if " is missed: " not in line), *problems, sep="\n")
    print(f"{len(started)} starts, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
