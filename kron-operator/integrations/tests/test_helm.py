"""The post-renderer, run by the Helm of $HELM, 3 or 4, with the command of $KRON."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent.parent
ROOT = HERE.parent.parent
CHART = """
apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup
  annotations:
    kron.io/spread: "{{ .Values.backup }} @win(after,2h)"
spec:
  schedule: "{{ .Values.backup }}"
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: report
spec:
  # kron: 0 3 * * * @win(after,2h) name=ops/report
  schedule: "0 3 * * *"
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: clean
spec:
  schedule: "0 5 * * *"
---
apiVersion: velero.io/v1
kind: Schedule
metadata:
  name: volumes
spec:
  schedule: "0 7 * * *"
"""


class Helm:
    def __init__(self, folder: Path) -> None:
        chart = folder / "chart"
        (chart / "templates").mkdir(parents=True)
        (chart / "Chart.yaml").write_text("apiVersion: v2\nname: nightly\nversion: 0.1.0\n")
        (chart / "values.yaml").write_text('backup: "0 0 * * *"\n')
        (chart / "templates/cronjobs.yaml").write_text(CHART)
        programs = folder / "bin"
        programs.mkdir()
        (programs / "kron").symlink_to(os.environ["KRON"])
        homes = {f"HELM_{home}_HOME": str(folder / home.lower()) for home in ["CACHE", "CONFIG", "DATA"]}
        self.environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), **homes}
        self.folder = folder
        self.is_3 = self.run("version", "--template={{.Version}}").stdout.startswith("v3.")
        if not self.is_3:
            self.run("plugin", "install", str(HERE / "helm-post-renderer"))

    def run(self, *words: str, code: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run([os.environ["HELM"], *words], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    def template(self, *words: str, code: int = 0) -> subprocess.CompletedProcess:
        """What Helm would install, with these arguments for the post-renderer."""
        renderer = ["kron", "--post-renderer-args=place", "--post-renderer-args=-"] if self.is_3 else ["kron-place"]
        arguments = [f"--post-renderer-args={word}" for word in words]
        return self.run("template", "r", "chart", "--namespace=prod", "--post-renderer", *renderer, *arguments, code=code)

    def schedules(self, *words: str) -> dict[str, str]:
        objects = list(yaml.safe_load_all(self.template(*words).stdout))
        return {it["metadata"]["name"]: it["spec"]["schedule"] for it in objects}


@pytest.fixture
def helm(tmp_path: Path) -> Helm:
    return Helm(tmp_path)


def placed(declaration: str) -> str:
    """The schedule of a declaration, by the command on a text."""
    schedule = " ".join(declaration.split()[:5])
    text = f"# kron: {declaration}\nschedule: {schedule}\n"
    done = subprocess.run([os.environ["KRON"], "place", "-"], input=text, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[1].removeprefix("schedule: ")


def test_what_a_chart_declares_is_placed(helm: Helm) -> None:
    assert helm.schedules("--namespace=prod") == {
        "backup": placed("0 0 * * * @win(after,2h) name=prod/backup"),
        "report": placed("0 3 * * * @win(after,2h) name=ops/report"),
        "clean": "0 5 * * *",
        "volumes": "0 7 * * *",
    }
    # The namespace is a part of the name.
    assert helm.schedules("--namespace=test")["backup"] == placed("0 0 * * * @win(after,2h) name=test/backup")
    assert placed("0 0 * * * @win(after,2h) name=test/backup") != placed("0 0 * * * @win(after,2h) name=prod/backup")


def test_other_charts_are_adopted(helm: Helm) -> None:
    words = ["--namespace=prod", "--prefix=prod", "--adopt", "--window=1h"]
    schedules = helm.schedules(*words)
    assert schedules["clean"] == placed("0 5 * * * @win(after,1h) name=prod/clean")
    assert schedules["volumes"] == placed("0 7 * * * @win(after,1h) name=prod/volumes/spec.schedule")
    # Each upgrade begins with the chart, and gives the same.
    assert helm.schedules(*words) == schedules


def test_helm_installs_nothing_after_an_error(helm: Helm) -> None:
    # A CronJob has no name without a namespace.
    failed = helm.template(code=1)
    assert failed.stdout.strip() == "" and "post" in failed.stderr
    assert ("the job has no name" in failed.stderr) == helm.is_3, failed.stderr


def test_the_plugin_has_the_version_of_kron() -> None:
    version = re.search(r'^version = "(.*)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    assert yaml.safe_load((HERE / "helm-post-renderer/plugin.yaml").read_text())["version"] == version


def test_the_commands_of_the_page(helm: Helm) -> None:
    page = (HERE / "helm-post-renderer/README.md").read_text()
    blocks = [block.replace("\\\n", " ").splitlines() for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)]
    [[install, of_4], [of_3]] = blocks
    assert install.split()[-1] == str((HERE / "helm-post-renderer").relative_to(ROOT))
    words = (of_3 if helm.is_3 else of_4).split()
    assert words[:5] == ["helm", "upgrade", "--install", "nightly", "CHART"]
    rendered = helm.run("template", "nightly", "chart", *words[5:]).stdout
    found = {it["metadata"]["name"]: it["spec"]["schedule"] for it in yaml.safe_load_all(rendered)}
    assert found["clean"] == placed("0 5 * * * @win(after,1h) name=prod/clean")
