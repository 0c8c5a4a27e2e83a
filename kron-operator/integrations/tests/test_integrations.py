"""The files for Argo CD, Flux, Prometheus, Grafana, kube-state-metrics and admission do what they say.

Lua, CEL and promtool run the texts of the files themselves. What is not tested: Argo CD, Flux, Grafana, kube-state-metrics and
an API server that read them.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import celpy
import lupa
import pytest
import yaml

HERE = Path(__file__).parent.parent
ROOT = HERE.parent.parent
SINCE = "2026-03-01T00:00:00Z"


def read(name: str) -> str:
    return (HERE / name).read_text()


def documents(name: str) -> list[dict]:
    return list(yaml.safe_load_all(read(name)))


def kronjob(conditions: dict[str, tuple[str, str]] | None, suspend: bool = False, **status) -> dict:
    """A KronJob with these conditions: type to status and reason."""
    found = {
        "apiVersion": "kron.io/v1alpha1",
        "kind": "KronJob",
        "metadata": {"name": "backup", "namespace": "prod", "generation": 2},
        "spec": {"schedule": "0 0 * * *", "policy": {"suspend": suspend}},
    }
    if conditions is not None:
        found["status"] = {
            "observedGeneration": 2,
            "conditions": [
                {"type": kind, "status": value, "reason": reason, "message": f"message of {reason}", "lastTransitionTime": SINCE}
                for kind, (value, reason) in conditions.items()
            ],
            **status,
        }
    return found


READY = {"Ready": ("True", "Scheduled"), "InvalidSpec": ("False", "Valid"), "SchedulingError": ("False", "NoError")}
INVALID = {"Ready": ("False", "InvalidSpec"), "InvalidSpec": ("True", "UnparseableSchedule")}
ERROR = {"Ready": ("False", "SchedulingError"), "SchedulingError": ("True", "FailedCreate")}
SUSPENDED = {"Ready": ("False", "Suspended"), "InvalidSpec": ("False", "Valid")}
BLOCKED = {"Unschedulable": ("True", "NoAllowedSecond")}
START = "2026-03-02T00:10:00Z"

# A KronJob, its health in Argo CD, and in Flux.
HEALTH = {
    "not read yet": (kronjob(None), "Progressing", "inProgress"),
    "older spec was read": (kronjob(READY, observedGeneration=1), "Progressing", "inProgress"),
    "new": (kronjob(READY, nextChosenTime=START), "Healthy", "current"),
    "no start to come": (kronjob(READY), "Healthy", "current"),
    "the next period has no allowed second": (kronjob({**READY, **BLOCKED}, nextChosenTime=START), "Healthy", "current"),
    "no period has an allowed second": (kronjob({**READY, **BLOCKED}), "Degraded", "current"),
    "invalid": (kronjob(INVALID), "Degraded", "failed"),
    "no Job can be created": (kronjob(ERROR), "Degraded", "failed"),
    "suspended": (kronjob(SUSPENDED, suspend=True), "Suspended", "current"),
    "suspended and invalid": (kronjob(INVALID, suspend=True), "Degraded", "failed"),
    "missed": (kronjob(READY, lastOutcome="missed", lastChosenTime=START), "Degraded", "current"),
    "skipped": (kronjob(READY, lastOutcome="skipped", lastChosenTime=START), "Healthy", "current"),
    "running": (
        kronjob(READY, lastOutcome="executed", lastChosenTime=START, active=[{"name": "backup-x"}]),
        "Healthy",
        "current",
    ),
    "succeeded": (
        kronjob(READY, lastOutcome="executed", lastChosenTime=START, lastSuccessfulTime="2026-03-02T00:11:00Z", active=[]),
        "Healthy",
        "current",
    ),
    "failed after a success": (
        kronjob(READY, lastOutcome="executed", lastChosenTime=START, lastSuccessfulTime="2026-03-01T00:11:00Z"),
        "Degraded",
        "current",
    ),
    "never succeeded": (kronjob(READY, lastOutcome="executed", lastChosenTime=START), "Degraded", "current"),
}


@pytest.mark.parametrize("case", HEALTH)
def test_argo_cd_health(case: str) -> None:
    found, want, _ = HEALTH[case]
    lua = lupa.LuaRuntime(unpack_returned_tuples=True)
    check = lua.eval("function(text, obj_) obj = obj_; return load(text)() end")
    health = check(read("argocd/health.lua"), lua.table_from(found, recursive=True))
    assert health["status"] == want
    assert health["message"]


def test_argo_cd_configuration_has_the_text_of_the_check() -> None:
    patch = yaml.safe_load(read("argocd/argocd-cm-patch.yaml"))
    assert patch["data"] == {"resource.customizations.health.kron.io_KronJob": read("argocd/health.lua")}


def cel(expression: str, **variables: object) -> object:
    environment = celpy.Environment()
    program = environment.program(environment.compile(expression))
    return program.evaluate({name: celpy.json_to_cel(value) for name, value in variables.items()})


@pytest.mark.parametrize("case", HEALTH)
def test_flux_health(case: str) -> None:
    found, _, want = HEALTH[case]
    checks = yaml.safe_load(read("flux/health-checks.yaml"))["healthCheckExprs"]
    assert [(check["apiVersion"], check["kind"]) for check in checks] == [(found["apiVersion"], found["kind"])]
    # The order in which Flux asks.
    for state in ["inProgress", "failed", "current"]:
        status = found.get("status", {})
        if cel(checks[0][state], status=status, metadata=found["metadata"], spec=found["spec"]):
            break
    assert state == want


@pytest.fixture
def rules() -> dict:
    return yaml.safe_load(read("prometheus/rule.yaml"))["spec"]


def promtool(*arguments: str, folder: Path) -> None:
    done = subprocess.run([os.environ["PROMTOOL"], *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_alerts_fire_on_what_they_are_for(rules: dict, tmp_path: Path) -> None:
    for group in rules["groups"]:
        for rule in group["rules"]:
            # The next test reads it.
            del rule["annotations"]["runbook_url"]
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump(rules))
    (tmp_path / "test.yaml").write_text(read("prometheus/rule_test.yaml"))
    promtool("check", "rules", "rules.yaml", folder=tmp_path)
    promtool("test", "rules", "test.yaml", folder=tmp_path)


def test_each_alert_is_tested_to_fire_and_to_be_silent(rules: dict) -> None:
    tests = yaml.safe_load(read("prometheus/rule_test.yaml"))["tests"]
    cases = [case for test in tests for case in test["alert_rule_test"]]
    alerts = {rule["alert"] for group in rules["groups"] for rule in group["rules"]}
    assert {case["alertname"] for case in cases if case.get("exp_alerts")} == alerts
    assert {case["alertname"] for case in cases if not case.get("exp_alerts")} == alerts


def test_each_alert_is_of_one_installation_and_has_an_entry_in_the_page(rules: dict) -> None:
    page = (ROOT / "docs/guide/kubernetes-alerts.md").read_text()
    entries = re.findall(r"^### (\w+)$", page, re.MULTILINE)
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    assert entries == [rule["alert"] for rule in alerts]
    for rule in alerts:
        url = "https://example.com/kron/docs/guide/kubernetes-alerts.md#" + rule["alert"].lower()
        assert rule["annotations"]["runbook_url"] == url
        for aggregation in re.findall(r"\bby \(([^)]*)\)|\bon \(([^)]*)\)", rule["expr"]):
            labels = "".join(aggregation).split(", ")
            assert labels[:2] == ["cluster", "namespace"], rule["expr"]
        assert "by (" in rule["expr"], rule["alert"]


def known_metrics() -> set[str]:
    """The metrics of their page, and those of the configuration of kube-state-metrics."""
    page = (ROOT / "docs/reference/metrics.md").read_text()
    own = {}
    for name, kind in re.findall(r"^\| `([a-z_]+)` \| (\w+) \|", page, re.MULTILINE):
        own[name] = kind
    assert len(own) > 10
    names = set()
    for name, kind in own.items():
        endings = ["_bucket", "_count", "_sum"] if kind == "histogram" else [""]
        names |= {f"kron_{name}{ending}" for ending in endings}
    for resource in documents("kube-state-metrics/config.yaml")[0]["spec"]["resources"]:
        names |= {f"{resource['metricNamePrefix']}_{metric['name']}" for metric in resource["metrics"]}
    return names


def named_metrics(text: str) -> set[str]:
    return set(re.findall(r"\bkron_[a-z_]+", text))


def test_alerts_and_the_dashboard_use_metrics_that_exist(rules: dict) -> None:
    dashboard = json.loads(read("grafana/dashboard.json"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    for query in queries:
        assert named_metrics(query), query
        assert named_metrics(query) <= known_metrics(), query


def test_queries_of_the_dashboard_are_promql(tmp_path: Path) -> None:
    dashboard = json.loads(read("grafana/dashboard.json"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    records = [
        {"record": f"query:{index}", "expr": query.replace("$__rate_interval", "5m")} for index, query in enumerate(queries)
    ]
    (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": records}]}))
    promtool("check", "rules", "rules.yaml", folder=tmp_path)


def test_panels_of_the_dashboard_do_not_overlap() -> None:
    panels = json.loads(read("grafana/dashboard.json"))["panels"]
    cells = set()
    for panel in panels:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        for x in range(place["x"], place["x"] + place["w"]):
            for y in range(place["y"], place["y"] + place["h"]):
                assert (x, y) not in cells
                cells.add((x, y))


def test_kube_state_metrics_reads_fields_that_the_resource_has() -> None:
    schema = yaml.safe_load((ROOT / "kron-operator/deploy/crd/crd.yaml").read_text())["spec"]["versions"][0]
    properties = schema["schema"]["openAPIV3Schema"]["properties"]
    resource = documents("kube-state-metrics/config.yaml")[0]["spec"]["resources"][0]
    for metric in resource["metrics"]:
        each = metric["each"]["gauge" if metric["each"]["type"] == "Gauge" else "stateSet"]
        node = {"properties": properties}
        for name in each["path"]:
            node = node["properties"][name]
        if "valueFrom" in each:
            assert set(each["valueFrom"]) <= set(node["items"]["properties"])
        if "list" in each:
            assert set(each["list"]) == set(node["enum"]) - {""}


# Functions that Kubernetes adds to CEL.
KUBERNETES = {
    "findAll": lambda text, pattern: celpy.json_to_cel(re.findall(pattern, text)),
    "join": lambda texts, separator: celpy.celtypes.StringType(separator.join(texts)),
    "replace": lambda text, old, new: celpy.celtypes.StringType(text.replace(old, new)),
    "split": lambda text, separator: celpy.json_to_cel(text.split(separator)),
}


def answer(policy: dict, **values: object) -> str | None:
    """The message with which a ValidatingAdmissionPolicy refuses a request, or nothing."""
    environment = celpy.Environment()

    def evaluate(expression: str) -> object:
        given = {name: celpy.json_to_cel(value) for name, value in values.items()}
        program = environment.program(environment.compile(expression), functions=KUBERNETES)
        return program.evaluate({**given, "variables": variables})

    variables = celpy.celtypes.MapType()
    if not all(evaluate(condition["expression"]) for condition in policy["spec"].get("matchConditions", [])):
        return None
    for variable in policy["spec"].get("variables", []):
        variables[celpy.celtypes.StringType(variable["name"])] = evaluate(variable["expression"])
    for validation in policy["spec"]["validations"]:
        if not evaluate(validation["expression"]):
            return validation.get("message") or str(evaluate(validation["messageExpression"]))
    return None


def refused(policy: dict, spec: dict, old: dict | None = None, labels: dict | None = None) -> str | None:
    """The message with which a policy refuses a KronJob in a namespace with these labels, or nothing."""
    request = {"operation": "CREATE" if old is None else "UPDATE"}
    return answer(
        policy,
        request=request,
        object={"spec": spec},
        oldObject=None if old is None else {"spec": old},
        namespaceObject={"metadata": {} if labels is None else {"labels": labels}},
    )


@pytest.mark.parametrize(
    "schedule, herd",
    [
        ("0 0 * * *", True),
        ("@daily", True),
        ("30 3 * * *", True),
        ("*/15 * * * *", True),
        ("0/30 * * * *", True),
        ("7,45 * * * *", True),
        ("15,7 * * * *", True),
        (" \t00  3 * * *", True),
        ("7 0 * * *", False),
        ("7,22 * * * *", False),
        ("10 * * * *", False),
        ("20-29 * * * *", False),
        ("5/15 * * * *", False),
        ("1-59/15 * * * *", False),
        ("* * * * *", True),
        ("*/5 * * * *", True),
        ("*/60 * * * *", True),
        ("*/7 * * * *", True),
        ("0-0 * * * *", True),
        ("000 * * * *", True),
        ("0-59/15 * * * *", True),
        ("0-30/30 * * * *", True),
        ("7-59/8 * * * *", True),
        ("5/5 * * * *", True),
        ("1-14 * * * *", False),
        ("7/11,1-59/2 * * * *", True),
        ("1-13/2,16/60,50-59/3 * * * *", False),
    ],
)
def test_no_herd_minutes(schedule: str, herd: bool) -> None:
    policy = documents("admission/no-herd-minutes.yaml")[0]
    assert (refused(policy, {"schedule": schedule}) is not None) == herd
    assert (refused(policy, {"schedule": schedule, "window": {"mode": "after"}}) is not None) == herd
    assert (refused(policy, {"schedule": schedule, "window": {"duration": "0s"}}) is not None) == herd
    assert refused(policy, {"schedule": schedule, "window": {"duration": "10m"}}) is None
    windowed = {"schedule": schedule, "window": {"duration": "10m"}}
    assert refused(policy, {"schedule": schedule, "timezone": "Asia/Tokyo"}, old={"schedule": schedule}) is None
    assert (refused(policy, {"schedule": schedule}, old={"schedule": "7 0 1 * *"}) is not None) == herd
    assert (refused(policy, {"schedule": schedule}, old=windowed) is not None) == herd


def test_smallest_window() -> None:
    policy = documents("admission/smallest-window.yaml")[0]
    limit = {"kron.io/smallest-window": "10m"}
    schedule = {"schedule": "7 0 * * *"}
    assert refused(policy, {**schedule, "window": {"duration": "10m"}}, labels=limit) is None
    assert refused(policy, {**schedule, "window": {"duration": "1h30m"}}, labels=limit) is None
    want = "spec.window.duration must be at least 10m in this namespace"
    assert refused(policy, {**schedule, "window": {"duration": "9m59s"}}, labels=limit) == want
    assert refused(policy, schedule, labels=limit) == want
    assert refused(policy, schedule, labels={"team": "a"}) is None
    assert refused(policy, schedule) is None
    small = {**schedule, "window": {"duration": "5m"}}
    assert refused(policy, {**small, "schedule": "8 0 * * *"}, old=small, labels=limit) is None
    assert refused(policy, schedule, old=small, labels=limit) == want


KRONJOB = {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db", "uid": "k", "controller": True}
NO_KRONJOB = "kron-operator may create and delete only Jobs whose controller is a KronJob"


@pytest.mark.parametrize(
    "user, namespace, owners, message",
    [
        ("kron-system:kron-operator", "prod", [KRONJOB], None),
        ("team-a-kron:kron-operator", "team-a", [{**KRONJOB, "apiVersion": "kron.io/v1"}], None),
        ("kron-system:kron-operator", "prod", None, NO_KRONJOB),
        ("kron-system:kron-operator", "prod", [], NO_KRONJOB),
        ("kron-system:kron-operator", "prod", [{**KRONJOB, "controller": False}], NO_KRONJOB),
        ("kron-system:kron-operator", "prod", [{**KRONJOB, "kind": "CronJob"}], NO_KRONJOB),
        ("kron-system:kron-operator", "prod", [{**KRONJOB, "apiVersion": "batch/v1"}], NO_KRONJOB),
        ("kron-system:kron-operator", "kube-system", [KRONJOB], "kron-operator may create no Jobs in the namespace kube-system"),
        ("kron-system:kron-operator", "kron-system", [KRONJOB], "kron-operator may create no Jobs in the namespace kron-system"),
        # Others may do what their roles allow.
        ("kube-system:cronjob-controller", "kube-system", None, None),
        ("prod:not-kron-operator", "kube-system", None, None),
    ],
)
def test_the_operator_creates_jobs_of_kronjobs_alone(user: str, namespace: str, owners: list | None, message: str | None) -> None:
    policy, binding = yaml.safe_load_all((ROOT / "kron-operator/deploy/job-policy/policy.yaml").read_text())
    assert binding["spec"] == {"policyName": policy["metadata"]["name"], "validationActions": ["Deny"]}
    job = {"metadata": {"name": "db-1"} if owners is None else {"name": "db-1", "ownerReferences": owners}}
    request = {"operation": "CREATE", "namespace": namespace, "userInfo": {"username": f"system:serviceaccount:{user}"}}
    assert answer(policy, request=request, object=job, oldObject=None) == message
    # A Job that was made before may be deleted in every namespace.
    deleted = answer(policy, request={**request, "operation": "DELETE"}, object=None, oldObject=job)
    assert deleted == (NO_KRONJOB if message == NO_KRONJOB else None)


GOOD = {
    "allowPrivilegeEscalation": False,
    "capabilities": {"drop": ["ALL"]},
    "runAsNonRoot": True,
    "seccompProfile": {"type": "RuntimeDefault"},
}


@pytest.mark.parametrize(
    "pod, containers, lacks",
    [
        (None, [GOOD], None),
        ({"runAsNonRoot": True, "seccompProfile": {"type": "Localhost"}}, [{key: GOOD[key] for key in list(GOOD)[:2]}], None),
        ({"runAsNonRoot": True}, [GOOD, {**GOOD, "runAsNonRoot": False}], "runAsNonRoot true"),
        (None, [GOOD, {key: GOOD[key] for key in GOOD if key != "runAsNonRoot"}], "runAsNonRoot true"),
        (None, [GOOD, None], "allowPrivilegeEscalation false"),
        (None, [{**GOOD, "allowPrivilegeEscalation": True}], "allowPrivilegeEscalation false"),
        (None, [{**GOOD, "capabilities": {"add": ["NET_ADMIN"]}}], "capabilities.drop [ALL]"),
        (None, [{**GOOD, "capabilities": {"drop": ["CHOWN"]}}], "capabilities.drop [ALL]"),
        ({"seccompProfile": {"type": "RuntimeDefault"}}, [{**GOOD, "seccompProfile": {"type": "Unconfined"}}], "seccompProfile"),
        (None, [{key: GOOD[key] for key in GOOD if key != "seccompProfile"}], "seccompProfile"),
    ],
)
def test_restricted_pods(pod: dict | None, containers: list[dict | None], lacks: str | None) -> None:
    policy, binding = documents("admission/restricted-pods.yaml")
    assert binding["spec"]["validationActions"] == ["Warn"]
    made = [{"name": "a"} if context is None else {"name": "a", "securityContext": context} for context in containers]
    for initial in [0, len(made) - 1]:
        spec = {"containers": made[initial:], **({"initContainers": made[:initial]} if initial else {})}
        if pod is not None:
            spec["securityContext"] = pod
        message = refused(policy, {"jobTemplate": {"spec": {"template": {"spec": spec}}}})
        assert message is None if lacks is None else lacks in message, message


def cron_job(schedule: str, declaration: str | None = None, **metadata: object) -> dict:
    annotations = {} if declaration is None else {"annotations": {"team": "a", "kron.io/spread": declaration}}
    return {"metadata": {"name": "db", "namespace": "prod", **annotations, **metadata}, "spec": {"schedule": schedule}}


def warned(new: dict, old: dict | None = None) -> str | None:
    policy, binding = documents("admission/cronjobs-not-placed.yaml")
    assert (policy["spec"]["failurePolicy"], binding["spec"]["validationActions"]) == ("Ignore", ["Warn"])
    return answer(policy, request={"operation": "CREATE" if old is None else "UPDATE"}, object=new, oldObject=old)


@pytest.mark.parametrize(
    "schedule, warns",
    [
        ("0 0 * * *", True),
        ("00 3 * * 1-5", True),
        (" \t0  3 * * *", True),
        ("0 * * * *", True),
        ("@daily", True),
        ("@hourly", True),
        ("0,30 * * * *", True),
        ("30,0 * * * *", True),
        ("*/15 * * * *", True),
        ("?/15 * * * *", True),
        ("0/10 * * * *", True),
        ("0-30/30 * * * *", True),
        ("0-0 * * * *", True),
        ("*/60 4 * * *", True),
        ("0,10,20,30,40,50 * * * *", True),
        # Not at minute 0.
        ("7 0 * * *", False),
        ("30 0 * * *", False),
        ("10,20 * * * *", False),
        ("5/15 * * * *", False),
        ("7-37/15 * * * *", False),
        ("@every 1h", False),
        # Too often for a window.
        ("* * * * *", False),
        ("? * * * *", False),
        ("*/5 * * * *", False),
        ("0/9 * * * *", False),
        ("0-5 * * * *", False),
        ("0,20-29 * * * *", False),
        ("0,5,10,15,20,25,30 * * * *", False),
    ],
)
def test_cron_jobs_at_minute_0_without_a_declaration(schedule: str, warns: bool) -> None:
    message = warned(cron_job(schedule))
    assert (message is not None) == warns
    assert message is None or "most jobs start at minute 0" in message
    assert warned(cron_job(schedule, "7 7 * * * @win(after,5m)")) is None
    assert warned(cron_job(schedule, ownerReferences=[{"kind": "Backup"}])) is None
    assert (warned(cron_job(schedule, ownerReferences=[])) is not None) == warns
    # An update warns of what it changes.
    assert warned(cron_job(schedule, labels={"a": "b"}), old=cron_job(schedule)) is None
    assert (warned(cron_job(schedule), old=cron_job("7 7 * * *")) is not None) == warns
    assert (warned(cron_job(schedule), old=cron_job(schedule, "7 7 * * * @win(after,5m)")) is not None) == warns


@pytest.mark.parametrize("schedule", ["0 0 * * *", "17 4 * * 1-5", "*/20 * * * *", "@daily", "0  0 * * *"])
def test_cron_jobs_that_are_not_in_their_place(schedule: str) -> None:
    declaration = f"{schedule} @win(after,19m) name=ops/db"
    message = warned(cron_job(schedule, declaration))
    assert message is not None and "kron.io/spread declares" in message
    assert warned(cron_job(schedule, schedule)) == message
    assert warned(cron_job(schedule.replace(" ", "\t"), f"  {declaration}")) == message
    assert warned(cron_job(schedule, declaration), old=cron_job(schedule, declaration)) is None
    # The command places it, and takes it back.
    manifest = {"apiVersion": "batch/v1", "kind": "CronJob", **cron_job(schedule, declaration)}
    placed = place(manifest)
    assert placed["spec"]["schedule"] != schedule
    assert warned(placed) is None
    assert warned(manifest, old=placed) == message
    # Longer fields that begin alike are another schedule.
    assert warned(cron_job("0 0 * * 1", "0 0 * * 1,2 @win(after,5m)")) is None


def place(manifest: dict) -> dict:
    """A CronJob in its place, by the command of $KRON."""
    command = [os.environ["KRON"], "place", "-"]
    done = subprocess.run(command, input=yaml.safe_dump(manifest), capture_output=True, text=True, check=True)
    return yaml.safe_load(done.stdout)


def test_rules_to_copy_name_the_resource_and_its_pod_template() -> None:
    [quota], [kyverno], [gatekeeper] = (documents(f"policies/{name}.yaml") for name in ["quota", "kyverno", "gatekeeper"])
    crd = yaml.safe_load((ROOT / "kron-operator/deploy/crd/crd.yaml").read_text())["spec"]
    [version], names = crd["versions"], crd["names"]
    assert f"count/{names['plural']}.{crd['group']}" in quota["spec"]["hard"]
    [rule] = kyverno["spec"]["rules"]
    assert rule["match"]["any"][0]["resources"]["kinds"] == [f"{crd['group']}/{version['name']}/{names['kind']}"]
    [to] = gatekeeper["spec"]["applyTo"]
    assert to == {"groups": [crd["group"]], "kinds": [names["kind"]], "versions": [version["name"]]}

    def below(schema: dict, path: list[str]) -> dict:
        return below(schema["properties"][path[0]], path[1:]) if path else schema

    template = below(version["schema"]["openAPIV3Schema"], gatekeeper["spec"]["templateSource"].split("."))
    assert "containers" in template["properties"]["spec"]["properties"]
    pattern = rule["validate"]["pattern"]
    for name in gatekeeper["spec"]["templateSource"].split("."):
        pattern = pattern[name]
    assert set(pattern["spec"]) == {"containers", "=(initContainers)"}


@pytest.mark.parametrize("name", ["no-herd-minutes", "smallest-window", "restricted-pods", "cronjobs-not-placed"])
def test_policies_are_bound(name: str) -> None:
    policy, binding = documents(f"admission/{name}.yaml")
    assert policy["kind"] == "ValidatingAdmissionPolicy"
    assert binding["kind"] == "ValidatingAdmissionPolicyBinding"
    assert binding["spec"]["policyName"] == policy["metadata"]["name"]
