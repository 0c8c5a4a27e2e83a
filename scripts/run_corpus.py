#!/usr/bin/env python3
"""Asks a real Kubernetes API server about the cases of testing/data/kronjob, by dry run.

    scripts/run_corpus.py --kubeconfig FILE [--mode plain|strict] [--validation Strict|Warn|Ignore] [--keep] [CORPUS ...]

Applies kron-operator/deploy/crd/crd.yaml (in mode strict, patched by deploy/strict/patch.yaml), makes a namespace of its own,
sends every case and compares verdict, text and stored values; the README beside the cases says what a case is. Cases whose
status has fields of earlier names are skipped. Only objects that a case updates are ever stored, and the namespace is
deleted at the end. Needs kubectl and Python 3.9.

Exit status: 0 all right, 1 a case came out wrong, 2 nothing could be asked.
"""
import argparse
import base64
import concurrent.futures
import copy
import http.client
import json
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "testing/data/kronjob"
DEPLOY = ROOT / "kron-operator/deploy"
DEFINITION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kronjobs.kron.io"
EARLIER_NAMES = ("handledPeriods", "effectiveFrom")


class NoRun(Exception):
    """Why nothing could be asked."""


class Cluster:
    """An API server, asked over one connection for each thread."""

    def __init__(self, kubeconfig):
        self.kubectl_args = ["kubectl"] + (["--kubeconfig", kubeconfig] if kubeconfig else [])
        view = json.loads(self.kubectl("config", "view", "--raw", "--minify", "-o", "json"))
        cluster = view["clusters"][0]["cluster"]
        user = view["users"][0]["user"]
        address = urllib.parse.urlsplit(cluster["server"])
        self.host = address.hostname
        # The model has no TLS.
        self.tls = self.trust(cluster) if address.scheme == "https" else None
        self.port = address.port or (443 if self.tls else 80)
        self.headers = {"Content-Type": "application/json", "Accept": "application/json"}
        self.identify(user)
        self.connections = threading.local()

    def kubectl(self, *args, stdin=None):
        done = subprocess.run([*self.kubectl_args, *args], input=stdin, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoRun(f"kubectl {' '.join(args)}: {done.stderr.strip()}")
        return done.stdout

    @staticmethod
    def trust(cluster):
        if cluster.get("insecure-skip-tls-verify"):
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            return context
        inline = cluster.get("certificate-authority-data")
        if inline:
            return ssl.create_default_context(cadata=base64.b64decode(inline).decode())
        return ssl.create_default_context(cafile=cluster.get("certificate-authority"))

    def identify(self, user):
        if user.get("token"):
            self.headers["Authorization"] = f"Bearer {user['token']}"
            return
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for part in ("client-certificate", "client-key"):
                if f"{part}-data" in user:
                    file = pathlib.Path(folder) / part
                    file.touch(mode=0o600)
                    file.write_bytes(base64.b64decode(user[f"{part}-data"]))
                    files.append(file)
                elif part in user:
                    files.append(pathlib.Path(user[part]))
            if not files and not self.tls:
                return
            if len(files) != 2:
                raise NoRun("the kubeconfig has neither a token nor a client certificate with its key")
            self.tls.load_cert_chain(*files)

    def connect(self, timeout):
        if self.tls:
            return http.client.HTTPSConnection(self.host, self.port, context=self.tls, timeout=timeout)
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def ask(self, method, path, body=None):
        """The status code and the answered object. A connection that the server has closed is opened once more."""
        data = json.dumps(body) if body is not None else None
        for last in (False, True):
            connection = getattr(self.connections, "open", None)
            if connection is None:
                connection = self.connect(timeout=60)
                self.connections.open = connection
            try:
                connection.request(method, path, body=data, headers=self.headers)
                answer = connection.getresponse()
                return answer.status, self.read(answer)
            except (http.client.HTTPException, OSError) as error:
                connection.close()
                self.connections.open = None
                if last:
                    raise NoRun(f"{method} {path}: {error}") from error
        raise AssertionError("unreachable")

    @staticmethod
    def read(answer):
        """The object of an answer. A path that is not served is answered by a text."""
        body = answer.read()
        if "json" in answer.getheader("Content-Type", ""):
            return json.loads(body)
        return {"message": body.decode(errors="replace").strip()}

    def install(self, mode):
        """Applies the definition, and waits until it is served as it was applied."""
        text = (DEPLOY / "crd/crd.yaml").read_text(encoding="utf-8")
        self.kubectl("apply", "--server-side", "--force-conflicts", "-f", "-", stdin=text)
        if mode == "strict":
            patch = str(DEPLOY / "strict/patch.yaml")
            self.kubectl("patch", "crd", "kronjobs.kron.io", "--type=json", f"--patch-file={patch}")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            _, definition = self.ask("GET", DEFINITION)
            conditions = {c["type"]: c for c in definition.get("status", {}).get("conditions") or []}
            if conditions.get("NonStructuralSchema", {}).get("status") == "True":
                raise NoRun(f"the schema is not structural: {conditions['NonStructuralSchema']['message']}")
            served = self.ask("GET", "/apis/kron.io/v1alpha1")[0] == 200
            if conditions.get("Established", {}).get("status") == "True" and served:
                # The handler of a definition that was changed is exchanged a moment after that.
                time.sleep(3)
                return
            time.sleep(0.3)
        raise NoRun("the definition was not served within a minute")


def put_in(into, what):
    for key, value in what.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            put_in(into[key], value)
        else:
            into[key] = copy.deepcopy(value)


def take_out(of, path):
    *way, last = path.split(".")
    for step in way:
        of = of[step]
    of.pop(last, None)


def find(within, path):
    for step in path.split("."):
        if isinstance(within, list):
            within = within[int(step)] if int(step) < len(within) else None
        elif isinstance(within, dict):
            within = within.get(step)
        else:
            return None
    return within


def kronjob(name, spec):
    whole = {
        "apiVersion": "kron.io/v1alpha1",
        "kind": "KronJob",
        "metadata": {"name": name},
        "spec": {
            "schedule": "0 0 * * *",
            "jobTemplate": {"spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox"}],
            }}}},
        },
    }
    put_in(whole["spec"], spec)
    return whole


class Run:
    """All cases against one server, in one namespace."""

    def __init__(self, cluster, namespace, validation):
        self.cluster = cluster
        self.path = f"/apis/kron.io/v1alpha1/namespaces/{namespace}/kronjobs"
        self.validation = validation
        self.query = f"?dryRun=All&fieldValidation={validation}"

    def send(self, number, case):
        """The code and the answer to the write that the case is about."""
        name = case.get("name", f"case-{number}")
        new = kronjob(name, case.get("spec", {}))
        for path in case.get("drop", ()):
            take_out(new, path)
        if "old" not in case and "status" not in case:
            return self.cluster.ask("POST", self.path + self.query, new)
        code, stored = self.cluster.ask("POST", self.path, kronjob(name, case.get("old", {})))
        if code != 201:
            raise NoRun(f"case {number}: the old object could not be stored: {stored.get('message')}")
        at = f"{self.path}/{name}"
        try:
            if "status" in case:
                stored["status"] = case["status"]
                return self.cluster.ask("PUT", f"{at}/status{self.query}", stored)
            new["metadata"] = stored["metadata"]
            return self.cluster.ask("PUT", at + self.query, new)
        finally:
            self.cluster.ask("DELETE", at)

    def judge(self, number, case):
        """What is wrong with the answer, or None."""
        code, answer = self.send(number, case)
        if code not in (200, 201, 400, 422):
            raise NoRun(f"case {number}: code {code}: {answer.get('message')}")
        admitted = code < 300
        lenient = case.get("strict", False) and self.validation != "Strict"
        wanted = case["want"] == "accept" or lenient
        said = answer.get("message", "")
        if admitted != wanted:
            return "admitted" if admitted else f"refused: {said}"
        if not admitted:
            return None if case["msg"] in said else f"refused for another reason: {said}"
        for path, value in case.get("get", {}).items():
            if find(answer, path) != value:
                return f"{path} is {find(answer, path)!r}, not {value!r}"
        return None


def read_cases(files):
    cases = []
    for file in files:
        lines = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
        cases += [json.loads(line) for line in lines if line.strip()]
    earlier = [c for c in cases if not c.get("strict") and any(f in c.get("status", {}) for f in EARLIER_NAMES)]
    return [case for case in cases if case not in earlier], len(earlier)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="*", metavar="CORPUS", help="default: all of the mode")
    parser.add_argument("--kubeconfig", help="default: kubectl's own")
    parser.add_argument("--mode", choices=("plain", "strict", "installed"), default="plain",
                        help="installed: ask about the definition that is there")
    parser.add_argument("--validation", choices=("Strict", "Warn", "Ignore"), default="Strict")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--keep", action="store_true", help="keep the namespace")
    args = parser.parse_args()
    names = ["corpus-strict.jsonl"] if args.mode == "strict" else ["corpus.jsonl", "corpus-more.jsonl"]
    cases, passed_over = read_cases(args.corpus or [CASES / name for name in names])

    cluster = Cluster(args.kubeconfig)
    if args.mode != "installed":
        cluster.install(args.mode)
    code, made = cluster.ask("POST", "/api/v1/namespaces", {"metadata": {"generateName": "kron-corpus-"}})
    if code != 201:
        raise NoRun(f"no namespace: {made.get('message')}")
    namespace = made["metadata"]["name"]
    run = Run(cluster, namespace, args.validation)
    begin = time.monotonic()
    try:
        with concurrent.futures.ThreadPoolExecutor(args.threads) as pool:
            answers = list(pool.map(run.judge, range(1, len(cases) + 1), cases))
    finally:
        if not args.keep:
            cluster.ask("DELETE", f"/api/v1/namespaces/{namespace}")
    wrong = 0
    for number, (case, problem) in enumerate(zip(cases, answers), 1):
        if problem:
            wrong += 1
            print(f"case {number}, {case['why']}: want {case['want']}: {problem}\n   {json.dumps(case, ensure_ascii=False)}")
    print(f"{len(cases) - wrong} cases right, {wrong} wrong, {passed_over} skipped, fieldValidation="
          f"{args.validation}, {time.monotonic() - begin:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NoRun as error:
        print(error, file=sys.stderr)
        sys.exit(2)
