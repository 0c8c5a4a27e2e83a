"""Replicas that are killed and stopped at random, and a count of every period."""

import calendar
import collections
import random
import signal
import time

from .operator import POD, Operator, Watch
from .starts import NAMESPACES, Namespaces, create_all

KRONJOBS = 200
# Seconds between two periods of a KronJob: longer than any time without a leader.
STEP = 120
# Seconds between two faults, and of a stop, which is longer than the Lease at times.
BETWEEN = (12, 30)
STOPPED = (2, 25)


def kronjob(number):
    """Starts at even or odd minutes, somewhere in its window. Every second one ends its Job of the period before."""
    schedule = ("*/2 * * * *", "1-59/2 * * * *")[number // NAMESPACES % 2]
    policy = {"concurrency": ("allow", "replace")[number % 2], "deadline": "10m"}
    return {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
            "metadata": {"name": f"job-{number}", "namespace": f"kron-faults-{number % NAMESPACES}"},
            "spec": {"schedule": schedule, "window": {"duration": "90s"}, "policy": policy,
                     "jobTemplate": {"spec": {"template": {"spec": POD}}}}}


def seconds(period_id):
    return calendar.timegm(time.strptime(period_id, "%Y%m%dT%H%M%SZ"))


class Faults:
    """What happens to the replicas. Both run again at the end."""

    def __init__(self, replicas):
        self.replicas = replicas
        self.kills = self.stops = 0

    def one(self):
        replica = random.choice(self.replicas)
        process = replica.process
        if random.random() < 0.75:
            self.kills += 1
            process.send_signal(signal.SIGKILL)
            replica.stop()
            replica.start()
        else:
            self.stops += 1
            process.send_signal(signal.SIGSTOP)
            try:
                time.sleep(random.uniform(*STOPPED))
            finally:
                process.send_signal(signal.SIGCONT)


def measure(context):
    """The row. A period counts if it began after the last KronJob was written."""
    server, minutes = context.server, context.options.minutes
    replicas = [Operator(server, context.programs["operator"], name).start() for name in ("one", "two")]
    faults = Faults(replicas)
    try:
        for replica in replicas:
            replica.until_ready()
        with Namespaces(server.cluster, "kron-faults"), Watch(server.cluster, "kron-faults") as watch:
            jobs = [kronjob(number) for number in range(KRONJOBS)]
            create_all(server.cluster, jobs)
            first = (int(time.time()) // STEP + 1) * STEP
            last = first + minutes * 60 // STEP * STEP
            while time.time() < last:
                time.sleep(random.uniform(*BETWEEN))
                faults.one()
            # Both minutes of the last step, their windows, and the time until there is a leader.
            wanted = {(job["metadata"]["namespace"], job["metadata"]["name"], nominal)
                      for number, job in enumerate(jobs)
                      for nominal in range(first + 60 * (number // NAMESPACES % 2), last, STEP)}

            def made():
                return collections.Counter(
                    (namespace, labels["kron.io/name"], seconds(labels["kron.io/period-id"]))
                    for _, namespace, _, labels in list(watch.jobs) if "kron.io/period-id" in labels)

            end = time.time() + 240
            while time.time() < end and wanted - made().keys():
                time.sleep(1)
            counted = made()
    finally:
        for replica in replicas:
            if replica.process in server.processes.running:
                replica.stop()
    twice = sum(count > 1 for count in counted.values())
    lost = len(wanted - counted.keys())
    return {"kron": f"{faults.kills} SIGKILL, {faults.stops} SIGSTOP; {len(wanted):,} periods: {twice} twice, {lost} lost",
            "right": not twice and not lost}
