"""The chart as Helm renders it, for each values file of chart_cases.yaml."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent
CHART = HERE.parent.parent / "chart"
CASES = yaml.safe_load((HERE / "chart_cases.yaml").read_text())
NAMESPACE = "apps"
# Values that are objects of Kubernetes: the schema has more fields than the defaults.
OF_KUBERNETES = {"podSecurityContext", "containerSecurityContext", "livenessProbe", "readinessProbe", "resources"}


class Strict(yaml.SafeLoader):
    """YAML whose mappings have no key twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"a key twice among {keys}"
        return super().construct_mapping(node, deep)


def helm(values: dict, folder: Path, chart: Path = CHART) -> subprocess.CompletedProcess:
    file = folder / "values.yaml"
    file.write_text(yaml.safe_dump(values))
    command = [os.environ["HELM"], "template", "r", str(chart), "--namespace", NAMESPACE, "--values", str(file)]
    return subprocess.run(command, capture_output=True, text=True)


def objects(text: str) -> list[dict]:
    return [found for found in yaml.load_all(text, Strict) if found]


def one(rendered: list[dict], kind: str, name: str = "") -> dict:
    found = [it for it in rendered if it["kind"] == kind and name in ("", it["metadata"]["name"])]
    assert len(found) == 1, f"{len(found)} {kind} {name}"
    return found[0]


def at(rendered: list[dict], path: str) -> object:
    """What is at a path. `~` stands for a slash in a key."""
    kind, *keys = path.split("/")
    value = one(rendered, *kind.split(" "))
    for key in keys:
        value = value[int(key)] if isinstance(value, list) else value.get(key.replace("~", "/"), "nothing")
    return value


def check(rendered: list[dict], values: dict) -> None:
    """What holds for all values."""
    names = [(it["kind"], it["metadata"].get("namespace"), it["metadata"]["name"]) for it in rendered]
    assert len(names) == len(set(names)), names
    for kind, namespace, name in names:
        assert re.fullmatch(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?", name) and len(name) <= 63, name
        cluster = kind.startswith(("Cluster", "CustomResource", "Validating"))
        served = [NAMESPACE, values.get("namespaceOverride"), *values.get("namespaces", [])]
        assert (namespace is None) == cluster and (cluster or namespace in served), (kind, namespace)
    deployment = one(rendered, "Deployment")["spec"]
    labels, pod = deployment["template"]["metadata"]["labels"], deployment["template"]["spec"]
    [container] = pod["containers"]
    selectors = [deployment["selector"]["matchLabels"], one(rendered, "Service")["spec"]["selector"]]
    for kind, key in [("PodDisruptionBudget", "selector"), ("NetworkPolicy", "podSelector")]:
        selectors += [it["spec"][key]["matchLabels"] for it in rendered if it["kind"] == kind]
    for selector in selectors:
        assert selector == selectors[0] and selector.items() <= labels.items()
    volumes = [volume["name"] for volume in pod.get("volumes", [])]
    assert {mount["name"] for mount in container.get("volumeMounts", [])} <= set(volumes)
    for named in [volumes, [variable["name"] for variable in container["env"]]]:
        assert len(named) == len(set(named))
    for binding in (it for it in rendered if it["kind"] in ("RoleBinding", "ClusterRoleBinding")):
        one(rendered, binding["roleRef"]["kind"], binding["roleRef"]["name"])
        [account] = binding["subjects"]
        assert account["name"] == pod["serviceAccountName"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: json.dumps(case["values"])[:60])
def test_values(case: dict, tmp_path: Path) -> None:
    done = helm(case["values"], tmp_path)
    if "refused" in case:
        assert done.returncode != 0 and case["refused"] in done.stderr, done.stderr
        return
    assert done.returncode == 0, done.stderr
    rendered = objects(done.stdout)
    check(rendered, case["values"])
    for path, wanted in case["makes"].items():
        assert at(rendered, path) == wanted, path
    assert not {it["kind"] for it in rendered} & set(case.get("lacks", []))


def test_a_packed_chart_is_complete(tmp_path: Path) -> None:
    subprocess.run([os.environ["HELM"], "package", str(CHART), "--destination", str(tmp_path)], check=True, capture_output=True)
    [packed] = tmp_path.glob("kron-operator-*.tgz")
    values = {"crds": {"strict": True}, "jobPolicy": {"enabled": True}, "userRoles": {"create": True}}
    values["metrics"] = {"prometheusRule": {"enabled": True}}
    assert helm(values, tmp_path, packed).stdout == helm(values, tmp_path).stdout != ""


def test_the_schema_has_the_values_and_no_others() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())
    of_parents = {"global", "enabled"}

    def compare(values: dict, schema: dict, path: str) -> None:
        assert schema.get("additionalProperties") is False, path
        assert set(schema["properties"]) - (of_parents if path == "" else set()) == set(values), path
        for key, value in values.items():
            # An empty object is filled by users.
            if isinstance(value, dict) and value and key not in OF_KUBERNETES:
                compare(value, schema["properties"][key], f"{path}.{key}")

    compare(yaml.safe_load((CHART / "values.yaml").read_text()), schema, "")


def test_the_figure_of_memory_is_one_and_its_command_exists() -> None:
    root = CHART.parent.parent
    command = "cargo test --locked -p kron-operator --test scale -- --ignored --nocapture a_hundred_thousand"
    benchmarks = (root / "docs/explain/benchmarks.md").read_text()
    [figure] = re.findall(r"first leader, all statuses written; its peak \| (\d+ MiB) \|", benchmarks)
    for page in ["kron-operator/chart/values.yaml", "docs/guide/kubernetes-operations.md", "SECURITY.md"]:
        assert set(re.findall(r"\d+ MiB", (root / page).read_text())) <= {figure}, page
    assert command in benchmarks and command in (CHART / "values.yaml").read_text()
    assert "fn a_hundred_thousand" in (root / "kron-operator/tests/scale/cluster.rs").read_text()


def test_every_value_is_used_and_has_a_case() -> None:
    templates = "".join(file.read_text() for file in (CHART / "templates").iterdir())
    given: set[str] = set()

    def paths(values: object, path: str) -> set[str]:
        if not isinstance(values, dict) or not values:
            return {path}
        return {path}.union(*(paths(value, f"{path}.{key}") for key, value in values.items()))

    for case in CASES:
        given |= paths(case["values"], "") if "makes" in case else set()
    for path in paths(yaml.safe_load((CHART / "values.yaml").read_text()), ""):
        parts = path.split(".")[1:]
        if parts and parts[0] == "metrics":
            # Templates use them below `with`.
            parts = parts[2:]
        used = [".".join(parts[:length]) for length in range(1, len(parts) + 1)]
        assert not parts or any(re.search(rf"\.{re.escape(it)}\b", templates) for it in used), path
    top = {path.split(".")[1] for path in given if "." in path}
    assert top >= set(yaml.safe_load((CHART / "values.yaml").read_text()))
