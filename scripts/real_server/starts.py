"""Many starts of one second: those of KronJobs, and those of as many CronJobs, each alone."""

import concurrent.futures
import json
import subprocess
import time

from run_corpus import NoRun

from .operator import POD, Watch, running
from .servers import wait_until

NAMESPACES = 10
# Seconds for all Jobs.
LATEST = 300
# Requests of the operator that are under way at once.
CONCURRENCY = 32


def fields(second):
    at = time.gmtime(second)
    return f"{at.tm_min} {at.tm_hour} {at.tm_mday} {at.tm_mon} *"


def kronjob(name, namespace, second, **spec):
    return {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": name, "namespace": namespace},
            "spec": {"schedule": fields(second), "jobTemplate": {"spec": {"template": {"spec": POD}}}, **spec}}


def late_kronjob(name, namespace, second):
    """None is missed on a busy machine, like those of CronJobs."""
    return kronjob(name, namespace, second, policy={"deadline": "10m"})


def cronjob(name, namespace, second):
    return {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name, "namespace": namespace},
            "spec": {"schedule": fields(second), "timeZone": "Etc/UTC", "jobTemplate": {"spec": {"template": {"spec": POD}}}}}


def path(body):
    plural = body["kind"].lower() + "s"
    return f"/apis/{body['apiVersion']}/namespaces/{body['metadata']['namespace']}/{plural}"


class Namespaces:
    """Namespaces of one measurement. They are deleted after it, and gone before the next one begins."""

    leaving = []

    def __init__(self, cluster, prefix, count=NAMESPACES):
        self.cluster = cluster
        self.names = [f"{prefix}-{number}" for number in range(count)]

    def __enter__(self):
        for name in self.leaving:
            gone = lambda name=name: self.cluster.ask("GET", f"/api/v1/namespaces/{name}")[0] == 404
            wait_until(f"namespace {name} is gone", gone, limit=600, pause=1)
        self.leaving.clear()
        for name in self.names:
            must(self.cluster.ask("POST", "/api/v1/namespaces", {"metadata": {"name": name}}), f"namespace {name}")
        return self.names

    def __exit__(self, *_):
        for name in self.names:
            self.cluster.ask("DELETE", f"/api/v1/namespaces/{name}", {"propagationPolicy": "Background"})
        self.leaving.extend(self.names)


def must(answered, what):
    code, answer = answered
    if code not in (200, 201, 202):
        raise NoRun(f"{what}: {code}: {answer.get('message')}")
    return answer


def create_all(cluster, bodies, threads=8):
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(lambda body: must(cluster.ask("POST", path(body), body), body["metadata"]["name"]), bodies):
            pass


def next_minute(count):
    """A minute that leaves time to write so many objects first, and for all that precedes their starts."""
    return (int(time.time() + 10 + count / 40) // 60 + 1) * 60


class Burst:
    """What came of many starts of one second: seconds from it to the first and the last Job, and how many there were."""

    def __init__(self, jobs, second, count):
        times = [at - second for at, *_ in jobs]
        self.labels = jobs[0][3] if jobs else {}
        self.made, self.count = len(times), count
        self.first, self.last = (min(times), max(times)) if times else (float("nan"), float("nan"))

    def took(self):
        return self.last - self.first

    def right(self):
        """Each once, and none before its second."""
        return self.made == self.count and self.first >= 0


def burst(cluster, make, count, prefix):
    with Namespaces(cluster, prefix) as namespaces, Watch(cluster, prefix) as watch:
        second = next_minute(count)
        create_all(cluster, [make(f"job-{number}", namespaces[number % NAMESPACES], second) for number in range(count)])
        if time.time() > second - 5:
            raise NoRun(f"{count} objects could not be written in time")
        watch.wait(count, second + LATEST)
        # One too many would come late.
        time.sleep(2)
        return Burst(watch.jobs, second, count)


def measure(context):
    """The row."""
    server, count = context.server, context.options.starts
    with running(server, context.programs["operator"]):
        ours = burst(server.cluster, late_kronjob, count, "kron-starts")
    theirs = burst(server.cluster, cronjob, count, "cronjob-starts") if server.has_controllers else None
    row = {"kron": f"{ours.made}, the last after {ours.last:.2f} s", "right": ours.right()}
    if theirs:
        row["beside"] = f"CronJob: {theirs.made}, the last after {theirs.last:.2f} s"
        row["ratio"] = ours.last / theirs.last
    return row


def bare(context, count, prefix, labels):
    """As many creates of the same Job by the same client, with as many under way at once, and nothing else."""
    cluster = context.server.cluster
    file = context.server.folder / "job.json"
    file.write_text(json.dumps({"metadata": {"labels": labels}, "spec": {"template": {"metadata": {"labels": labels}, "spec": POD}}}))
    with Namespaces(cluster, prefix) as namespaces, Watch(cluster, prefix) as watch:
        begun = time.time()
        words = (context.programs["create_jobs"], context.server.operator, file, prefix, len(namespaces), count, CONCURRENCY)
        subprocess.run([str(word) for word in words], check=True)
        watch.wait(count, begun + LATEST)
        return Burst(watch.jobs, begun, count)


def measure_many(context):
    """The row of many more, beside bare creates."""
    server, count = context.server, context.options.many
    with running(server, context.programs["operator"]):
        ours = burst(server.cluster, late_kronjob, count, "kron-many")
    theirs = bare(context, count, "bare-many", ours.labels)
    return {
        "kron": f"{ours.made}, from the first to the last {ours.took():.2f} s", "right": ours.right(),
        "beside": f"bare creates: {theirs.made}, {theirs.took():.2f} s", "ratio": ours.took() / theirs.took(), "at most": 1.2,
    }
