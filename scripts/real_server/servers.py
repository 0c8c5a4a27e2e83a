"""Where the rows run: a server of programs that the user names, a cluster that is there, or the model."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from run_corpus import Cluster, NoRun

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEPLOY = ROOT / "kron-operator/deploy"
PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager")
# A token for one run, of a server that only this machine reaches.
TOKEN = "kron-test-administrator"
# Seconds for a program to be ready.
READY = 120
# Requests per second that the controllers may make: what is measured beside the operator is not the limit of a client.
CONTROLLER_LIMITS = ("--kube-api-qps=1000", "--kube-api-burst=1000", "--concurrent-cron-job-syncs=32")


def free_ports(count):
    """Ports of the loopback that nobody has. They are freed before the programs take them."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [bound.getsockname()[1] for bound in sockets]
    for bound in sockets:
        bound.close()
    return ports


def wait_until(what, holds, limit=READY, pause=0.2):
    """The first answer of `holds` that is true."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        answer = holds()
        if answer:
            return answer
        time.sleep(pause)
    raise NoRun(f"not within {limit} s: {what}")


def answers(url):
    """Whether a page without TLS answers with 200."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


class Processes:
    """Programs that end with this, in the reverse order of their starts. Each writes into a log of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.running = []

    def start(self, name, *command):
        log = self.folder / f"{name}.log"
        with open(log, "ab") as out:
            process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=out, stdin=subprocess.DEVNULL)
        self.running.append(process)
        process.log = log
        return process

    @staticmethod
    def check(process):
        """Says why a program ended that should run."""
        if process.poll() is not None:
            raise NoRun(f"{process.args[0]} ended with {process.returncode}: {process.log.read_text()[-2000:]}")

    def stop(self, process, limit=30):
        self.running.remove(process)
        process.terminate()
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def stop_all(self):
        for process in reversed(list(self.running)):
            self.stop(process)


class Server:
    """What the three kinds have in common. `admin` and `operator` are kubeconfigs."""

    # Whether there are CronJobs, pods and quotas.
    has_controllers = True

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.processes = Processes(folder)
        self.admin = self.folder / "admin.kubeconfig"
        self.operator = self.folder / "operator.kubeconfig"
        self.cluster = None

    def begin(self):
        """Starts what is to be started, and installs the operator's definition and roles."""
        self.start()
        self.cluster = Cluster(str(self.admin))
        self.cluster.install("plain")
        self.cluster.kubectl("apply", "-k", str(DEPLOY))
        # It would be a second operator, of an image that nobody built.
        self.cluster.kubectl("-n", "kron-system", "delete", "deployment", "kron-operator")
        self.write_operator()

    def start(self):
        raise NotImplementedError

    def version(self):
        return self.cluster.ask("GET", "/version")[1]["gitVersion"]

    def write_operator(self):
        """The credentials of the operator's ServiceAccount."""
        token = self.cluster.kubectl("-n", "kron-system", "create", "token", "kron-operator", "--duration", "6h").strip()
        view = json.loads(self.cluster.kubectl("config", "view", "--raw", "--minify", "--flatten", "-o", "json"))
        view["users"][0]["user"] = {"token": token}
        self.operator.write_text(json.dumps(view))

    def end(self):
        self.processes.stop_all()


class Programs(Server):
    """etcd, kube-apiserver and kube-controller-manager of a folder, on free ports of the loopback."""

    def __init__(self, folder, binaries):
        super().__init__(folder)
        self.binaries = pathlib.Path(binaries).resolve()

    def name(self):
        return f"kube-apiserver {self.version()}"

    def program(self, name):
        return self.binaries / name

    def openssl(self, *words):
        done = subprocess.run(["openssl", *words], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoRun(f"openssl {' '.join(words)}: {done.stderr.strip()}")

    def write_certificates(self):
        """A certificate that an authority of its own signs: clients refuse one that signs itself."""
        (self.folder / "server.ext").write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=CA:FALSE\n")
        key = ("-newkey", "rsa:2048", "-nodes")
        self.openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.crt", "-days", "2", "-subj", "/CN=kron-test")
        self.openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=kube-apiserver")
        self.openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
                     "-out", "server.crt", "-days", "2", "-extfile", "server.ext")
        self.openssl("genrsa", "-out", "accounts.key", "2048")

    def write_admin(self, port):
        (self.folder / "tokens.csv").write_text(f'{TOKEN},admin,admin,"system:masters"\n')
        self.admin.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "kron",
            "clusters": [{"name": "kron", "cluster": {
                "server": f"https://127.0.0.1:{port}", "certificate-authority": str(self.folder / "ca.crt")}}],
            "users": [{"name": "admin", "user": {"token": TOKEN}}],
            "contexts": [{"name": "kron", "context": {"cluster": "kron", "user": "admin"}}],
        }))

    def start(self):
        etcd, peer, port = free_ports(3)
        self.write_certificates()
        self.write_admin(port)
        folder = self.folder
        store = self.processes.start(
            "etcd", self.program("etcd"), "--data-dir", folder / "etcd", "--listen-client-urls", f"http://127.0.0.1:{etcd}",
            "--advertise-client-urls", f"http://127.0.0.1:{etcd}", "--listen-peer-urls", f"http://127.0.0.1:{peer}",
            "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}", "--initial-cluster", f"default=http://127.0.0.1:{peer}",
            "--quota-backend-bytes", 8 << 30)
        self.until_ready("etcd", store, lambda: answers(f"http://127.0.0.1:{etcd}/health"))
        api = self.processes.start(
            "kube-apiserver", self.program("kube-apiserver"), "--etcd-servers", f"http://127.0.0.1:{etcd}",
            "--bind-address", "127.0.0.1", "--advertise-address", "127.0.0.1", "--endpoint-reconciler-type", "none",
            "--secure-port", port, "--tls-cert-file", folder / "server.crt", "--tls-private-key-file", folder / "server.key",
            "--token-auth-file", folder / "tokens.csv", "--authorization-mode", "RBAC", "--service-cluster-ip-range", "10.0.0.0/24",
            "--service-account-issuer", "https://kubernetes.default.svc", "--service-account-key-file", folder / "accounts.key",
            "--service-account-signing-key-file", folder / "accounts.key")
        cluster = Cluster(str(self.admin))

        def ready():
            try:
                return cluster.ask("GET", "/api/v1/namespaces/kube-system")[0] == 200
            except NoRun:
                return False

        self.until_ready("kube-apiserver", api, ready)
        self.processes.check(self.processes.start(
            "kube-controller-manager", self.program("kube-controller-manager"), "--kubeconfig", self.admin, "--leader-elect=false",
            "--secure-port=0", "--service-account-private-key-file", folder / "accounts.key", "--root-ca-file", folder / "ca.crt",
            *CONTROLLER_LIMITS))

    def until_ready(self, name, process, ready):
        def holds():
            self.processes.check(process)
            return ready()
        wait_until(f"{name} is ready", holds)


class Existing(Server):
    """A cluster that is there. What this installs is deleted at the end."""

    def __init__(self, folder, kubeconfig):
        super().__init__(folder)
        self.admin = pathlib.Path(kubeconfig).resolve()

    def name(self):
        return f"the cluster, {self.version()}"

    def start(self):
        pass

    def end(self):
        super().end()
        for part in (DEPLOY, DEPLOY / "crd") if self.cluster else ():
            self.cluster.kubectl("delete", "--ignore-not-found", "-k", str(part))


class Model(Server):
    """The model of an API server behind a socket, which has neither CronJobs nor pods nor quotas."""

    has_controllers = False

    def __init__(self, folder, program):
        super().__init__(folder)
        self.program = program

    def name(self):
        return "the model"

    def start(self):
        process = self.processes.start("serve_model", self.program, self.folder)

        def ready():
            self.processes.check(process)
            return self.admin.exists()
        wait_until("the model is ready", ready)

    def write_operator(self):
        """The model wrote them."""


def missing(binaries):
    """The programs that a folder lacks."""
    return [name for name in PROGRAMS if not os.access(pathlib.Path(binaries) / name, os.X_OK)]


def temporary_folder():
    return tempfile.TemporaryDirectory(prefix="kron-real-server-")
