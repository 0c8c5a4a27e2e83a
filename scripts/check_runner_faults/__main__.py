"""Runs `kron run` with faults of all kinds at once, and checks what became of every period.

Some 120 jobs of all kinds run for some minutes. Meanwhile, at random times and several at once:

* the runner gets SIGKILL, SIGTERM once or twice, or SIGSTOP and later SIGCONT; it is started again at once or later, also while
  its predecessor still runs, and a second runner is started beside it;
* the job file is edited, broken, emptied or replaced by a FIFO, with SIGHUP after it;
* the disk of the state file is full (where this program can mount a file system of its own; otherwise it says so);
* the reader of the log stops reading, and hundreds of connections to --listen send no request;
* run-now, suspend, resume, status, history and why are called;
* with --clock, the clock is set by seconds or minutes, or far ahead or to 1970 for a while. The whole check runs on a machine with a
  clock of its own for this: a kernel in user mode (`linux.uml`, the package user-mode-linux of Debian).

Afterwards, by what the commands themselves wrote, by the state file, and by the times of the faults:

* no period and no request ran twice, nor before its time, nor while its job was suspended or not in the file, nor beside another
  execution that its policy forbids;
* every period and request that ran is `executed`, or its claim was lost: at most one for each job and end by force;
* every period in force has an outcome, and the cause of each one that did not run is true;
* the runner was ready after each start, answered /livez, ended in time after each SIGTERM, refused a second runner and bad files,
  and left neither zombies nor, after a shutdown with exit code 0, commands.

The chosen times come from `testing/data/vectors/oracle_decide.py`, which shares no code with Kron. The seed repeats the jobs and
the order of the faults, and not the second in which the system does what it is asked.

    python3 scripts/check_runner_faults                         two minutes, 120 jobs
    python3 scripts/check_runner_faults --minutes 60            the long run
    python3 scripts/check_runner_faults --minutes 60 --clock    the same with a clock that is set
    python3 scripts/check_runner_faults --self-test             plants faults, and wants each of them found
"""
import argparse
import fcntl
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

from check import Check
from facts import ROOT
from faults import MARK, Test
from self_test import self_test
import uml

# Whether this program runs where its mounts are its own.
INSIDE = "KRON_CHECK_FAULTS_INSIDE"
# The history has no more outcomes of a job.
MOST_MINUTES = 900


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
    if os.environ.get(INSIDE) not in ("1", uml.INSIDE):
        return None
    disk = directory / "disk"
    disk.mkdir(mode=0o700)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=700", "tmpfs", disk], capture_output=True)
    return disk if done.returncode == 0 else None


def raise_loopback():
    """Makes 127.0.0.1 work on a machine that has just begun."""
    with socket.socket() as any_socket:
        # SIOCSIFFLAGS with IFF_UP.
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))


def enter_namespace():
    """Runs this program again where its mounts are its own and end with it."""
    if os.environ.get(INSIDE) == uml.INSIDE:
        raise_loopback()
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
    parser.add_argument("--clock", action="store_true", help="set the clock of a machine in user mode as well")
    parser.add_argument("--self-test", action="store_true", help="plant faults in what a run leaves, and look for them")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    if args.minutes > MOST_MINUTES:
        parser.error(f"the history of a job has the outcomes of {MOST_MINUTES} minutes")
    args.kron = os.path.abspath(args.kron)
    if args.clock and os.environ.get(INSIDE) != uml.INSIDE:
        # Print the seed first: the virtual machine may hang.
        print(f"seed {args.seed}", flush=True)
        return uml.run(INSIDE, [*sys.argv[1:], "--seed", str(args.seed)], args.minutes)
    enter_namespace()
    if not args.clock:
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


if __name__ == "__main__":
    sys.exit(main())
