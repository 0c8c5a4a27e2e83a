"""See scripts/real_server.sh."""

import argparse
import os
import re
import signal
import subprocess
import sys
import time
import types

from run_corpus import NoRun

from . import faults, pages, servers, starts, tenants
from .programs import Programs


def e2e(context):
    """kron-operator/tests/e2e, its tests side by side."""
    options, server = context.options, context.server
    environment = {**os.environ, "KRON_TEST_KUBECONFIG": str(server.admin), "KRON_TEST_OPERATOR_KUBECONFIG": str(server.operator)}
    # `model_only` would be skipped one by one.
    done = subprocess.run(
        [context.programs["suite"], f"e2e::{options.e2e}", "--skip", "model_only", "--test-threads", str(options.threads)],
        env=environment, cwd=servers.ROOT / "kron-operator", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    passed, failed = map(int, re.search(r"(\d+) passed; (\d+) failed", done.stdout).groups())
    if failed:
        print(done.stdout)
    return {"kron": f"{passed} passed, {failed} failed", "right": done.returncode == 0 and passed > 0}


def corpus(context, mode="plain"):
    """The cases of testing/data/kronjob, by scripts/run_corpus.py."""
    done = subprocess.run(
        [sys.executable, "scripts/run_corpus.py", "--kubeconfig", str(context.server.admin), "--mode", mode],
        cwd=servers.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout)
    found = re.search(r"(\d+ cases right, \d+ wrong)", done.stdout)
    return {"kron": found[1] if found else "nothing was asked", "right": done.returncode == 0}


# Each with its words in the table. The definition stays strict after the last.
SHORT = {
    "e2e": ("end-to-end tests, side by side", e2e),
    "corpus": ("cases of the resource", corpus),
    "starts": ("{starts:,} starts of one second", starts.measure),
    "strict": ("cases of the strict resource", lambda context: corpus(context, "strict")),
}
# These are made before those.
LONG = {
    "many": ("{many:,} starts of one second", starts.measure_many),
    "killed": ("replicas killed and stopped at random for {minutes} minutes", faults.measure),
    "hostile": ("a tenant who squats names, forges Jobs and a status, and fails all the time", tenants.measure_hostile),
    "quota": ("starts that a quota refused", tenants.measure_quota),
    "migrate": ("CronJobs of every minute moved by `kubernetes-migrate.md`", pages.measure_migrate),
    "place": ("CronJobs spread by `kron place`, and back", pages.measure_place),
}
ROWS = LONG | SHORT
# What a row needs: it is built first, as builds are no part of what is measured.
NEEDED = {"e2e": ("suite",), "starts": ("operator",), "many": ("operator", "create_jobs"), "killed": ("operator",),
          "hostile": ("operator",), "quota": ("operator",), "migrate": ("operator", "kron"), "place": ("kron",)}
# These need CronJobs that start, or quotas.
OF_CONTROLLERS = ("quota", "migrate")


def is_right(row):
    return row["right"] and ("at most" not in row or row["ratio"] <= row["at most"])


def table(name, rows):
    """In Markdown, as docs/explain/benchmarks.md has it."""
    lines = [f"On {name}, with {os.cpu_count()} processors:", "", "| `--rows` | What | Kron | Beside it | Ratio | Seconds | |", "|---|---|---|---|---:|---:|---|"]
    for key, words, row, seconds in rows:
        ratio = f"{row['ratio']:.2f}" if "ratio" in row else ""
        verdict = "right" if is_right(row) else "**wrong**"
        lines.append(f"| `{key}` | {words} | {row['kron']} | {row.get('beside', '')} | {ratio} | {seconds:.0f} | {verdict} |")
    return "\n".join(lines)


def read_options():
    parser = argparse.ArgumentParser(prog="scripts/real_server.sh", description="Runs the operator on a real API server.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--binaries", metavar="DIR", default=os.environ.get("KRON_KUBERNETES_BINARIES"),
                       help=f"the folder of {', '.join(servers.PROGRAMS)}")
    where.add_argument("--kubeconfig", metavar="FILE", help="a cluster that is there; what is installed is deleted at the end")
    parser.add_argument("--rows", nargs="+", choices=ROWS, metavar="ROW", help=f"{', '.join(SHORT)}; with --long also {', '.join(LONG)}")
    parser.add_argument("--long", action="store_true", help="all rows, in about an hour")
    parser.add_argument("--starts", type=int, default=1000, metavar="NUMBER", help="of the row `starts`")
    parser.add_argument("--many", type=int, default=10_000, metavar="NUMBER", help="of the row `many`")
    parser.add_argument("--minutes", type=int, default=12, metavar="NUMBER", help="of the row `killed`")
    parser.add_argument("--e2e", default="", metavar="FILTER", help="run the tests of this name only")
    parser.add_argument("--threads", type=int, default=64, metavar="NUMBER", help="tests that run side by side")
    parser.add_argument("--workspace", action="store_true", help="with the build of scripts/test.sh, whose programs are slower")
    options = parser.parse_args()
    options.rows = options.rows or list(ROWS if options.long else SHORT)
    return options


def choose(options, programs, folder):
    if options.kubeconfig:
        return servers.Existing(folder, options.kubeconfig)
    if options.binaries:
        lacking = servers.missing(options.binaries)
        if lacking:
            raise NoRun(f"{options.binaries} has no {', '.join(lacking)}")
        return servers.Programs(folder, options.binaries)
    print("No folder of binaries was named (--binaries DIR): the model of an API server runs the rows.", flush=True)
    return servers.Model(folder, programs["model"])


def run(options):
    programs = Programs(options.workspace)
    rows = []
    with servers.temporary_folder() as folder:
        server = choose(options, programs, folder)
        try:
            for row in options.rows:
                for name in NEEDED.get(row, ()):
                    _ = programs[name]
            server.begin()
            context = types.SimpleNamespace(server=server, programs=programs, options=options)
            for key, (words, measure) in ROWS.items():
                if key in options.rows and (server.has_controllers or key not in OF_CONTROLLERS):
                    begun = time.monotonic()
                    row = measure(context)
                    rows.append((key, words.format(**vars(options)), row, time.monotonic() - begun))
                    print(f"{key}: {row['kron']}", flush=True)
            name = server.name()
        finally:
            server.end()
    print(f"\n{table(name, rows)}")
    return 0 if all(is_right(row) for _, _, row, _ in rows) else 1


def main():
    # What was started ends with this.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return run(read_options())
    except NoRun as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
