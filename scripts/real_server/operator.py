"""The operator as a program, and what it starts, by one watch."""

import contextlib
import http.client
import json
import threading
import time

from run_corpus import NoRun

from .servers import answers, free_ports, wait_until

# No node has it: pods wait for ever, also on a cluster with nodes.
POD = {"restartPolicy": "Never", "nodeSelector": {"kron.io/no-node": "true"}, "containers": [
    {"name": "main", "image": "busybox", "command": ["true"]}]}


class Operator:
    """A replica with the rights of the installed roles."""

    def __init__(self, server, program, identity="operator"):
        self.server, self.program, self.identity = server, program, identity
        self.process = None

    def start(self):
        [port] = free_ports(1)
        self.page = f"http://127.0.0.1:{port}"
        self.process = self.server.processes.start(
            self.identity, self.program, "run", "--kubeconfig", self.server.operator, "--listen", f"127.0.0.1:{port}",
            "--identity", self.identity, "--log", "warn")
        return self

    def until_ready(self):
        def ready():
            self.server.processes.check(self.process)
            return answers(f"{self.page}/readyz")
        wait_until("the operator is ready", ready)
        return self

    def stop(self):
        self.server.processes.stop(self.process)


@contextlib.contextmanager
def running(server, program):
    operator = Operator(server, program).start().until_ready()
    try:
        yield operator
    finally:
        operator.stop()


class Watch(threading.Thread):
    """Records the Jobs that are created from now on in namespaces with a prefix, each with the time of its watch event."""

    def __init__(self, cluster, prefix):
        super().__init__(daemon=True)
        self.cluster, self.prefix = cluster, prefix
        # For each Job: the time of its event, its namespace, name and labels.
        self.jobs = []
        self.error = None
        code, listed = cluster.ask("GET", "/apis/batch/v1/jobs?limit=1")
        if code != 200:
            raise NoRun(f"no list of Jobs: {listed.get('message')}")
        self.version = listed["metadata"]["resourceVersion"]
        self.ended = False

    def run(self):
        try:
            while not self.ended:
                self.follow()
        except (NoRun, OSError, ValueError, AttributeError, http.client.HTTPException) as error:
            if not self.ended:
                self.error = error

    def follow(self):
        """One watch. The server ends it where this falls behind, as on a busy machine: the next one goes on after the last Job."""
        query = f"watch=1&timeoutSeconds=3600&resourceVersion={self.version}"
        headers = {**self.cluster.headers, "Accept": "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"}
        connection = self.cluster.connect(timeout=3600)
        connection.request("GET", f"/apis/batch/v1/jobs?{query}", headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise NoRun(f"no watch of Jobs: {answer.status}")
        while line := answer.readline():
            if line.startswith(b'{"type":"ADDED"'):
                metadata = json.loads(line)["object"]["metadata"]
                self.version = metadata["resourceVersion"]
                self.note(time.time(), metadata)
            elif line.startswith(b'{"type":"ERROR"'):
                raise NoRun(f"the watch ended: {json.loads(line)['object'].get('message')}")

    def note(self, now, metadata):
        if metadata["namespace"].startswith(self.prefix):
            self.jobs.append((now, metadata["namespace"], metadata["name"], metadata.get("labels", {})))

    def wait(self, count, until):
        """Waits for so many Jobs, up to a time."""
        while len(self.jobs) < count and time.time() < until:
            if self.error:
                raise NoRun(f"the watch of Jobs: {self.error}")
            time.sleep(0.1)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        # The thread ends with the program: a read cannot be stopped.
        self.ended = True
