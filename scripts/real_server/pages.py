"""What docs/guide says for CronJobs that are there, by its own commands."""

import collections
import os
import re
import subprocess
import textwrap
import time

from run_corpus import NoRun

from .faults import seconds
from .operator import POD, Watch, running
from .servers import ROOT
from .starts import Namespaces, create_all, cronjob
from .tenants import wait_for

CRONJOBS = 30


def block(page, words):
    """The only block of commands of a page that begins with these words."""
    text = (ROOT / "docs/guide" / page).read_text()
    # Between fences, or indented in a list.
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S) + re.findall(r"^\n((?: {7}.*\n)+)", text, re.M)
    [found] = [commands for commands in map(textwrap.dedent, blocks) if commands.startswith(words)]
    return found


class Shell:
    """Runs commands as a reader of the page does, with kubectl and kron."""

    def __init__(self, context):
        self.folder = context.server.folder / "page"
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)
        link = self.folder / "bin/kron"
        if not link.exists():
            link.symlink_to(context.programs["kron"])
        self.environment = {**os.environ, "KUBECONFIG": str(context.server.admin), "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}

    def run(self, commands, check=True):
        done = subprocess.run(["bash", "-uo", "pipefail", *(["-e"] if check else []), "-c", commands], cwd=self.folder,
                              env=self.environment, capture_output=True, text=True, check=False)
        if check and done.returncode:
            raise NoRun(f"{commands}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout


def every_minute(number, namespaces):
    body = cronjob(f"job-{number}", namespaces[number % len(namespaces)], 0)
    body["spec"]["schedule"] = "* * * * *"
    return body


def start_of(job):
    """The namespace and name of a Job's owner, and its minute."""
    _, namespace, name, labels = job
    if "kron.io/period-id" in labels:
        return namespace, labels["kron.io/name"], seconds(labels["kron.io/period-id"])
    owner, _, minute = name.rpartition("-")
    return namespace, owner, int(minute) * 60


def measure_migrate(context):
    """The row: kubernetes-migrate.md, with CronJobs of every minute. Each start must be made once, by the one or the other."""
    server, page, prefix = context.server, "kubernetes-migrate.md", "kron-migrate"
    shell = Shell(context)
    with running(server, context.programs["operator"]), Namespaces(server.cluster, prefix, 3) as namespaces, \
            Watch(server.cluster, prefix) as watch:
        create_all(server.cluster, [every_minute(number, namespaces) for number in range(CRONJOBS)])
        first = (int(time.time()) // 60 + 1) * 60
        wait_for(first + 70)
        shell.run(block(page, "kubectl get cronjobs -A -o yaml"))
        shell.run(block(page, "kubectl apply -f kronjobs.yaml"))
        # Not near the beginning of a minute, as the page says.
        switched = (int(time.time()) // 60 + 1) * 60
        wait_for(switched + 15)
        shell.run(block(page, "kubectl get cronjobs -A -o json"))
        in_time = time.time() < switched + 55
        listed = shell.run(block(page, "while read -r namespace name; do\n  last="), check=False)
        wait_for(switched + 150)
        made = collections.Counter(map(start_of, list(watch.jobs)))
    last = switched + 120
    wanted = {(namespaces[number % 3], f"job-{number}", minute) for number in range(CRONJOBS) for minute in range(first, last + 60, 60)}
    twice, lost = sum(made[start] > 1 for start in wanted), sum(made[start] == 0 for start in wanted)
    starts = [line for line in listed.splitlines() if re.match(r"\d{4}-", line)]
    return {"kron": f"{CRONJOBS} moved; {len(wanted)} starts: {twice} twice, {lost} lost",
            "right": in_time and not twice and not lost and len(starts) == CRONJOBS}


def cronjobs_of(cluster, namespace):
    listed = cluster.ask("GET", f"/apis/batch/v1/namespaces/{namespace}/cronjobs")[1]["items"]
    return {item["metadata"]["name"]: (item["spec"], item["metadata"].get("annotations", {}).get("kron.io/spread")) for item in listed}


def measure_place(context):
    """The row: the commands of place.md on CronJobs of midnight, and back."""
    server, shell, prefix = context.server, Shell(context), "kron-place"
    adopt, undo = re.findall(r"^kubectl get.*\n(?: .*\n)*", block("place.md", "kubectl get cronjobs -A -o json | kron place --adopt"), re.M)
    with Namespaces(server.cluster, prefix, 1) as [namespace]:
        bodies = [cronjob(f"job-{number}", namespace, 0) for number in range(CRONJOBS)]
        for body in bodies:
            body["spec"]["schedule"] = "0 0 * * *"
        create_all(server.cluster, bodies)
        before = cronjobs_of(server.cluster, namespace)
        shell.run(adopt)
        placed = cronjobs_of(server.cluster, namespace)
        shell.run(adopt)
        again = cronjobs_of(server.cluster, namespace)
        shell.run(undo)
        after = cronjobs_of(server.cluster, namespace)
    minutes = {spec["schedule"] for spec, _ in placed.values()}
    moved = sum(placed[name][0]["schedule"] != before[name][0]["schedule"] for name in before)
    back = sum(after[name] == before[name] for name in before)
    return {"kron": f"{CRONJOBS} placed at {len(minutes)} minutes, {moved} moved; a second run changes {sum(again[n] != placed[n] for n in placed)}; "
                    f"{back} back as before",
            "right": all(spread for _, spread in placed.values()) and moved > CRONJOBS / 2 and again == placed and back == CRONJOBS}
