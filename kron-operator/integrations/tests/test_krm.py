"""The function for kustomize and kpt, with the command of $KRON.

The kustomize in kubectl runs functions of containers alone, so a stand-in for docker starts the program of the function. What
kustomize gives to it, and what it reads from it, is the same. kpt is run where it is installed.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

HERE = Path(__file__).parent.parent / "krm"
PAGE = (HERE / "README.md").read_text()
CRON_JOBS = """\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: backup
spec:
  # At midnight.
  schedule: "0 0 * * *"  # why
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: mail
  annotations:
    kron.io/spread: "0 0 * * * @win(after,2h)"
spec:
  schedule: "0 0 * * *"
"""


def block(begins: str) -> str:
    """The block of the page that begins so, without its language."""
    [found] = [text for text in re.findall(r"```\w+\n(.*?)```", PAGE, re.DOTALL) if text.startswith(begins)]
    return found


def placed(declaration: str) -> str:
    """The schedule of a declaration, by the command on a text."""
    schedule = " ".join(declaration.split()[:5])
    text = f"# kron: {declaration}\nschedule: {schedule}\n"
    done = subprocess.run([os.environ["KRON"], "place", "-"], input=text, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[1].removeprefix("schedule: ")


ADOPTED = placed("0 0 * * * @win(after,1h) name=prod/backup")
DECLARED = placed("0 0 * * * @win(after,2h) name=prod/mail")


class Folder:
    """A folder with these CronJobs, in which programs run that find kron."""

    def __init__(self, path: Path) -> None:
        self.path, programs = path / "work", path / "bin"
        programs.mkdir()
        self.path.mkdir()
        (programs / "kron").symlink_to(os.environ["KRON"])
        (programs / "kubectl").symlink_to(shutil.which(os.environ["KUBECTL"]))
        docker = programs / "docker"
        docker.write_text(f"#!/bin/sh\nexec {self.path}/kron-place\n")
        docker.chmod(0o755)
        self.environment = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(path)}
        self.write("cronjob.yaml", CRON_JOBS)

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text)

    def read(self, name: str) -> str:
        return (self.path / name).read_text()

    def run(self, command: str, code: int = 0) -> subprocess.CompletedProcess:
        command = f"set -euo pipefail; {command}"
        done = subprocess.run(["bash", "-c", command], cwd=self.path, env=self.environment, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def kustomization(folder: Folder, old: str = "", new: str = "") -> None:
    """The files of the page, with one text of the configuration replaced."""
    transformer = (HERE / "place.yaml").read_text()
    assert "      exec:\n        path: ./kron-place\n" in transformer
    transformer = transformer.replace("exec:", "container:").replace("path: ./kron-place", "image: kron")
    assert old in transformer
    folder.write("place.yaml", transformer.replace(old, new))
    shutil.copy(HERE / "kron-place", folder.path)
    folder.write("kustomization.yaml", block("namespace: prod"))


def schedules(text: str) -> dict[str, str]:
    return {it["metadata"]["name"]: it["spec"]["schedule"] for it in yaml.safe_load_all(text)}


KUSTOMIZE = "kubectl kustomize --enable-alpha-plugins ."


def test_kustomize_places_all_resources(folder: Folder) -> None:
    kustomization(folder)
    built = folder.run(KUSTOMIZE).stdout
    assert schedules(built) == {"backup": ADOPTED, "mail": DECLARED}
    annotations = [it["metadata"]["annotations"] for it in yaml.safe_load_all(built)]
    # Nothing of kustomize's own is left in them.
    assert annotations == [{"kron.io/spread": f"0 0 * * * @win(after,{length})"} for length in ["1h", "2h"]]
    assert folder.read("cronjob.yaml") == CRON_JOBS


def test_kustomize_without_a_window_places_what_is_declared(folder: Folder) -> None:
    kustomization(folder, "  prefix: prod\n  window: 1h\n", "")
    assert schedules(folder.run(KUSTOMIZE).stdout) == {"backup": "0 0 * * *", "mail": DECLARED}


def test_kustomize_fails_with_the_function(folder: Folder) -> None:
    kustomization(folder, "window: 1h", "windw: 1h")
    failed = folder.run(KUSTOMIZE, code=1)
    assert failed.stdout == "" and "windw" in failed.stderr, failed.stderr


def test_kubectl_passes_over_functions_that_are_programs(folder: Folder) -> None:
    kustomization(folder)
    shutil.copy(HERE / "place.yaml", folder.path)
    built = folder.run(KUSTOMIZE)
    assert (schedules(built.stdout), built.stderr) == ({"backup": "0 0 * * *", "mail": "0 0 * * *"}, "")


def test_the_pipe_of_the_page(folder: Folder) -> None:
    folder.write("kustomization.yaml", "namespace: prod\nresources: [cronjob.yaml]\n")
    built = folder.run(block("kubectl kustomize")).stdout
    assert schedules(built) == {"backup": ADOPTED, "mail": DECLARED}


@pytest.mark.skipif(not shutil.which("kpt"), reason="there is no kpt")
def test_kpt(folder: Folder) -> None:
    folder.write("Kptfile", block("apiVersion: kpt.dev/v1"))
    folder.run("kpt fn render --allow-exec")
    rendered = folder.read("cronjob.yaml")
    assert schedules(rendered) == {"backup": ADOPTED, "mail": DECLARED}
    assert "  # At midnight.\n" in rendered
    folder.run("kpt fn render --allow-exec")
    assert folder.read("cronjob.yaml") == rendered
    [undo] = re.findall(r"`(kpt fn eval .* undo=true)`", PAGE)
    folder.run(undo)
    assert schedules(folder.read("cronjob.yaml")) == {"backup": "0 0 * * *", "mail": "0 0 * * *"}
    assert "kron.io" not in folder.read("cronjob.yaml")


def test_the_keys_of_the_page_are_those_of_the_function(folder: Folder) -> None:
    page = PAGE.split("## Configuration")[1]
    keys = set(re.findall(r"`(\w+)`", page))
    items = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
    config = "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n  data:\n    nokey: a\n"
    folder.write("list.yaml", items + config)
    help_of_it = folder.run("kron place --krm < list.yaml", code=2).stderr
    [named] = re.findall(r"the keys are (.*)", help_of_it)
    assert keys == set(re.findall(r"\w+", named)) - {"and"}
