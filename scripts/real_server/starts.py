"""Many starts of one second: those of KronJobs, and those of as many CronJobs, each alone."""

import concurrent.futures
import time

from run_corpus import NoRun

from .operator import POD, Watch, running
from .servers import wait_until

NAMESPACES = 10
# Seconds from the last object that is written to the second of the starts: all that precedes the start is done then.
BEFORE = 35
# Seconds for all Jobs.
LATEST = 300


def fields(second):
    at = time.gmtime(second)
    return f"{at.tm_min} {at.tm_hour} {at.tm_mday} {at.tm_mon} *"


def kronjob(name, namespace, second, **spec):
    return {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": name, "namespace": namespace},
            "spec": {"schedule": fields(second), "jobTemplate": {"spec": {"template": {"spec": POD}}}, **spec}}


def cronjob(name, namespace, second):
    return {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name, "namespace": namespace},
            "spec": {"schedule": fields(second), "timeZone": "Etc/UTC", "jobTemplate": {"spec": {"template": {"spec": POD}}}}}


def path(body):
    plural = body["kind"].lower() + "s"
    return f"/apis/{body['apiVersion']}/namespaces/{body['metadata']['namespace']}/{plural}"


class Namespaces:
    """Namespaces of one measurement. They are deleted at its end, with all that is in them."""

    def __init__(self, cluster, prefix, count=NAMESPACES):
        self.cluster = cluster
        self.names = [f"{prefix}-{number}" for number in range(count)]

    def __enter__(self):
        for name in self.names:
            must(self.cluster.ask("POST", "/api/v1/namespaces", {"metadata": {"name": name}}), f"namespace {name}")
        return self.names

    def __exit__(self, *_):
        for name in self.names:
            self.cluster.ask("DELETE", f"/api/v1/namespaces/{name}", {"propagationPolicy": "Background"})
        for name in self.names:
            gone = lambda name=name: self.cluster.ask("GET", f"/api/v1/namespaces/{name}")[0] == 404
            wait_until(f"namespace {name} is gone", gone, limit=600, pause=1)


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
    """A minute that leaves time to write so many objects first, at 100 a second at least."""
    return (int(time.time() + BEFORE + count / 100) // 60 + 1) * 60


class Burst:
    """What came of many starts of one second: seconds from it to the first and the last Job, and how many there were."""

    def __init__(self, jobs, second, count):
        times = [at - second for at, *_ in jobs]
        self.made, self.count = len(times), count
        self.first, self.last = (min(times), max(times)) if times else (float("nan"), float("nan"))

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
    with running(server, context.programs.operator):
        ours = burst(server.cluster, kronjob, count, "kron-starts")
    theirs = burst(server.cluster, cronjob, count, "cronjob-starts") if server.has_controllers else None
    row = {"kron": f"{ours.made}, the last after {ours.last:.2f} s", "right": ours.right()}
    if theirs:
        row["beside"] = f"CronJob: {theirs.made}, the last after {theirs.last:.2f} s"
        row["ratio"] = ours.last / theirs.last
    return row
