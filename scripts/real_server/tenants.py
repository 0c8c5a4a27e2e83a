"""Tenants who disturb, and one who has reached a quota."""

import time

from run_corpus import NoRun

from .operator import POD, Watch, running
from .servers import wait_until
from .starts import Namespaces, create_all, cronjob, kronjob, must

NEIGHBOURS = 100
# KronJobs of the tenant whose Jobs are all refused by a quota, where there are quotas.
REFUSED = 300
GOOD, BAD = "kron-tenant-good", "kron-tenant-bad"
HURT = ("squatted", "forged", "stated")


def label_of(second):
    return time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(second))


def every_minute(name, namespace):
    body = kronjob(name, namespace, 0, policy={"concurrency": "allow"})
    body["spec"]["schedule"] = "* * * * *"
    return body


def at(cluster, name):
    """The path of a KronJob of the tenant, and what it is."""
    path = f"/apis/kron.io/v1alpha1/namespaces/{BAD}-0/kronjobs/{name}"
    return path, must(cluster.ask("GET", path), name)


def claim_of(cluster, name, second):
    """The claim of the period of a second, once it is stored."""
    period = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))

    def stored():
        claim = at(cluster, name)[1].get("status", {}).get("claim", {})
        return claim if claim.get("periodID") == period else None
    return wait_until(f"the claim of {name}", stored, limit=60)


def disturb(cluster, second):
    """Before a second: takes the name of a Job, makes one that looks like a KronJob's, and writes a status of the future."""
    jobs = f"/apis/batch/v1/namespaces/{BAD}-0/jobs"
    spec = {"template": {"spec": POD}}
    squatted = claim_of(cluster, "squatted", second)["jobName"]
    must(cluster.ask("POST", jobs, {"metadata": {"name": squatted}, "spec": spec}), "the squatted name")

    forged = at(cluster, "forged")[1]
    owner = {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "forged", "uid": forged["metadata"]["uid"], "controller": True}
    labels = {"kron.io/name": "forged", "kron.io/period-id": label_of(second)}
    metadata = {"name": "forged-by-hand", "labels": labels, "ownerReferences": [owner]}
    must(cluster.ask("POST", jobs, {"metadata": metadata, "spec": spec}), "the forged Job")

    def state():
        path, stated = at(cluster, "stated")
        future = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second + 7200))
        stated.setdefault("status", {})["lastPeriodID"] = future
        code, answer = cluster.ask("PUT", f"{path}/status", stated)
        if code not in (200, 409):
            raise NoRun(f"the forged status: {answer.get('message')}")
        return code == 200
    wait_until("the forged status is stored", state, limit=10)


def wait_for(second):
    time.sleep(max(0.0, second - time.time()))


def measure_hostile(context):
    """The row: the starts of neighbours in the minute before, and in the two minutes of the disturbance."""
    server, cluster = context.server, context.server.cluster
    with running(server, context.programs["operator"]), Namespaces(cluster, GOOD, 5) as good, Namespaces(cluster, BAD, 2) as bad, \
            Watch(cluster, "kron-tenant-") as watch:
        if server.has_controllers:
            write_quota(cluster, bad[1], 0)
        create_all(cluster, [every_minute(f"job-{number}", good[number % len(good)]) for number in range(NEIGHBOURS)])
        create_all(cluster, [every_minute(name, bad[0]) for name in HURT])
        quiet = (int(time.time() + 15) // 60 + 1) * 60
        wait_for(quiet + 20)
        create_all(cluster, [every_minute(f"refused-{number}", bad[1]) for number in range(REFUSED)])
        disturb(cluster, quiet + 60)
        wait_for(quiet + 60 + 60 + 30)
        jobs = list(watch.jobs)
    late = {0: [], 60: [], 120: []}
    for came, namespace, _, labels in jobs:
        for after, times in late.items():
            if namespace.startswith(GOOD) and labels.get("kron.io/period-id") == label_of(quiet + after):
                times.append(came - quiet - after)
    # The second minute after the disturbance: each KronJob of the tenant's first namespace starts again.
    later = label_of(quiet + 120)
    again = [labels["kron.io/name"] for _, namespace, _, labels in jobs
             if namespace == f"{BAD}-0" and labels.get("kron.io/period-id") == later]
    made = sum(map(len, late.values()))
    worst, before = max(late[60] + late[120], default=float("nan")), max(late[0], default=float("nan"))
    return {
        "kron": f"{made} starts of neighbours, the last after {worst:.2f} s; {len(again)} of {len(HURT)} disturbed start again",
        "right": all(len(times) == NEIGHBOURS for times in late.values()) and sorted(again) == sorted(HURT),
        "beside": f"without the tenant: {before:.2f} s", "ratio": worst / before,
    }


def write_quota(cluster, namespace, jobs):
    """Sets how many Jobs a namespace may have."""
    path = f"/api/v1/namespaces/{namespace}/resourcequotas"
    quota = {"metadata": {"name": "jobs"}, "spec": {"hard": {"count/jobs.batch": str(jobs)}}}
    code, there = cluster.ask("GET", f"{path}/jobs")
    if code == 200:
        there["spec"] = quota["spec"]
        must(cluster.ask("PUT", f"{path}/jobs", there), "the quota")
        return
    must(cluster.ask("POST", path, quota), "the quota")
    known = lambda: cluster.ask("GET", f"{path}/jobs")[1].get("status", {}).get("hard")
    wait_until("the quota counts", known, limit=60)


# Of the row: objects of each kind, seconds from the start until the quota is lifted, and what the operator may take then.
LIFTED, AFTER, AT_MOST = 5, 15, 6


def measure_quota(context):
    """The row: starts that a quota refuses, and when they are made after it was lifted."""
    server, cluster, prefix = context.server, context.server.cluster, "kron-quota"
    with running(server, context.programs["operator"]), Namespaces(cluster, prefix, 1) as [namespace], Watch(cluster, prefix) as watch:
        write_quota(cluster, namespace, 0)
        second = (int(time.time() + 20) // 60 + 1) * 60
        create_all(cluster, [kronjob(f"kron-{number}", namespace, second, policy={"deadline": "5m"}) for number in range(LIFTED)])
        create_all(cluster, [cronjob(f"cron-{number}", namespace, second) for number in range(LIFTED)])
        wait_for(second + AFTER)
        write_quota(cluster, namespace, 2 * LIFTED)
        lifted = time.time()
        watch.wait(2 * LIFTED, lifted + 120)
        jobs = list(watch.jobs)
    times = {kind: [came - lifted for came, _, name, _ in jobs if name.startswith(kind)] for kind in ("kron", "cron")}
    ours, theirs = max(times["kron"], default=float("nan")), max(times["cron"], default=float("nan"))
    return {
        "kron": f"{len(times['kron'])}, the last {ours:.1f} s after the quota was lifted",
        "right": len(times["kron"]) == LIFTED and ours <= AT_MOST,
        "beside": f"CronJob: {len(times['cron'])}, {theirs:.1f} s", "ratio": ours / theirs,
    }
