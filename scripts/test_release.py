"""How a release is made: the workflows, the notices in the image, and the check of dependencies."""

import importlib.util
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = {file.stem: file for file in sorted((ROOT / ".github/workflows").glob("*.yml"))}


def workflow(name: str) -> dict:
    # YAML 1.1 reads `on` as true.
    return {"on" if key is True else key: value for key, value in yaml.safe_load(WORKFLOWS[name].read_text()).items()}


def jobs() -> list[tuple[str, dict]]:
    return [(f"{name}/{job}", body) for name in WORKFLOWS for job, body in workflow(name)["jobs"].items()]


def writes(job: dict) -> set[str]:
    return {scope for scope, level in job.get("permissions", {}).items() if level == "write"}


def test_zizmor_finds_nothing_severe() -> None:
    command = ["zizmor", "--offline", "--no-progress", "--quiet", "--min-severity", "medium"]
    command += [str(ROOT / ".github"), str(ROOT / "action.yml")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_actions_are_named_by_their_commits() -> None:
    found = 0
    for file in WORKFLOWS.values():
        for used in re.findall(r"\buses: (.*)", file.read_text()):
            assert used.startswith("./") or re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), used
            found += 1
    assert found > 20


def test_jobs_that_write_build_nothing() -> None:
    for name in WORKFLOWS:
        assert workflow(name)["permissions"] in ({}, {"contents": "read"}), name
    assert {name: writes(job) for name, job in jobs() if writes(job)} == {
        "release/draft": {"contents", "id-token", "attestations"},
        "publish/registry": {"packages"},
    }
    allowed = {"actions/checkout", "actions/download-artifact", "actions/attest-build-provenance"}
    programs = {"cat", "cd", "cp", "cut", "sha256sum", "skopeo", "helm", "gh", "awk", "test", "echo", "for", "done", "set"}
    for name, job in jobs():
        if not writes(job):
            continue
        for step in job["steps"]:
            if "uses" in step:
                assert step["uses"].split("@")[0] in allowed, name
                if "checkout" in step["uses"]:
                    assert step["with"]["sparse-checkout"] == "CHANGELOG.md"
            # Continued lines are one.
            for line in step.get("run", "").replace("\\\n", " ").splitlines():
                started = re.split(r"[|&;(]|\$\(", re.sub(r"'[^']*'|\"[^\"$]*\"", "", line))
                for command in started:
                    word = re.sub(r"^do\b", "", command.strip()).strip().split(" ")[0]
                    assert not word or word in programs or re.match(r'[a-z]+=|"', word), f"{name}: {word}"


def test_the_image_is_pushed_after_tests_and_a_person() -> None:
    release, publish = workflow("release"), workflow("publish")
    assert publish["on"] == {"release": {"types": ["published"]}}
    assert publish["jobs"]["registry"]["environment"] == "release"
    assert {"ci", "cluster", "image", "files", "wheels"} <= set(release["jobs"]["draft"]["needs"])
    for name in ["ci", "cluster"]:
        assert release["jobs"][name]["uses"] == f"./.github/workflows/{name}.yml"
        assert "workflow_call" in workflow(name)["on"]
    assert "--draft" in WORKFLOWS["release"].read_text()
    for name, file in WORKFLOWS.items():
        text = file.read_text()
        pushes = "push: true" in text or "helm push" in text or "docker://" in text
        assert pushes == (name == "publish"), name


def test_the_chart_of_a_release_has_its_image() -> None:
    [old, new] = re.search(r'sed --in-place "s\|(.*)\|(.*)\|"', WORKFLOWS["release"].read_text()).groups()
    values = (ROOT / "kron-operator/chart/values.yaml").read_text()
    made, times = re.subn(old, new.replace("${OWNER,,}", "owner"), values, flags=re.MULTILINE)
    assert times == 1
    assert yaml.safe_load(made)["image"]["repository"] == "ghcr.io/owner/kron-operator"


def notices() -> object:
    spec = importlib.util.spec_from_file_location("notices", ROOT / "scripts/notices.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def crate(folder: Path, name: str, licence: str, text: str | None, kinds: list[str] = ["lib"]) -> dict:
    home = folder / name
    home.mkdir()
    if text is not None:
        (home / "LICENSE-MIT").write_text(text)
    return {
        "id": name,
        "name": name,
        "version": "1.0.0",
        "license": licence,
        "authors": ["A. Author"],
        "source": None if name == "program" else "registry",
        "manifest_path": str(home / "Cargo.toml"),
        "targets": [{"kind": kinds}],
    }


def test_notices_have_the_texts_of_what_is_linked(tmp_path: Path) -> None:
    packages = [
        crate(tmp_path, "program", "Apache-2.0", None),
        crate(tmp_path, "one", "MIT", "Copyright One\n"),
        crate(tmp_path, "two", "MIT OR Apache-2.0", "Copyright  One"),
        crate(tmp_path, "three", "MIT OR Apache-2.0", None),
        crate(tmp_path, "macro", "MIT", "not linked", ["proc-macro"]),
        crate(tmp_path, "of-macro", "MIT", "not linked"),
        crate(tmp_path, "of-build", "MIT", "not linked"),
    ]
    links = {"program": {"one": None, "macro": None, "of-build": "build"}, "one": {"two": None, "three": None}, "macro": {"of-macro": None}}
    nodes = [
        {"id": it["id"], "deps": [{"pkg": to, "dep_kinds": [{"kind": kind}]} for to, kind in links.get(it["id"], {}).items()]}
        for it in packages
    ]
    module = notices()
    found = module.linked({"packages": packages, "resolve": {"nodes": nodes}}, "program")
    assert [it["name"] for it in found] == ["one", "three", "two"]
    text = module.notices(found)
    assert "one 1.0.0, two 1.0.0\n\nCopyright One" in text and text.count("Copyright") == 1
    assert "three 1.0.0: MIT OR Apache-2.0, A. Author" in text and "not linked" not in text


@pytest.mark.parametrize("processor", ["x86_64", "aarch64"])
def test_every_crate_of_the_operator_has_a_notice(processor: str) -> None:
    # The targets of the image.
    command = ["python3", str(ROOT / "scripts/notices.py"), "kron-operator", "--target", f"{processor}-unknown-linux-musl"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for crate in ["kube-client", "rustls", "tokio"]:
        assert re.search(rf"^{crate} [0-9.]+: ", done.stdout, re.MULTILINE), crate


@pytest.mark.parametrize("licence", ["MIT", "BSD-3-Clause", "Apache-2.0 AND MIT"])
def test_a_crate_without_the_text_of_its_licence_is_an_error(tmp_path: Path, licence: str) -> None:
    with pytest.raises(SystemExit, match=r"no text of the licence in odd 1\.0\.0"):
        notices().notices([crate(tmp_path, "odd", licence, None)])


def test_dependencies_that_cannot_be_checked_are_an_error(tmp_path: Path) -> None:
    uname = tmp_path / "uname"
    uname.write_text("#!/bin/sh\necho Plan9 mips\n")
    uname.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(["bash", str(ROOT / "scripts/deny.sh")], capture_output=True, text=True, env=environment)
    assert done.returncode == 1 and "cargo install --locked cargo-deny" in done.stderr
