"""The steps of action.yml, run by bash as a runner of GitHub runs them, with the command of $KRON.

`commands` reads their output as the runner does. What is not tested: a runner.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
DECLARED = "backup:\n  # kron: 0 0 * * * @win(after,2h) name=ops/backup\n  schedule: 0 0 * * *\n"
PLACED = DECLARED.replace("schedule: 0 0 ", "schedule: 51 0 ")
EDITED = DECLARED.replace("schedule: 0 0 ", "schedule: 7 3 ")
# Commands of the runner, in both forms.
KNOWN = {"error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "add-matcher", "remove-matcher", "save-state"}
KNOWN |= {"set-env", "set-output", "add-path", "echo", "stop-commands"}
HOSTILE = ["::error file=x::y", "::add-mask::o", "  ::set-env name=PATH::/x", "##[add-mask]o", "a ##[set-env name=A]b", "::stop-commands::x"]


def unescaped(text: str, escapes: str) -> str:
    codes = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}
    return re.sub("|".join(escapes.split()), lambda found: codes[found[0]], text)


def command(line: str, known: set[str]) -> tuple[str, dict[str, str], str] | None:
    """The command, its properties and its text, if a line has one."""
    head, text = line.lstrip()[:2], line.lstrip()[2:]
    name, _, rest = text.partition("::")[0].partition(" ")
    if head == "::" and "::" in text and name.lower() in known:
        pairs = [pair.split("=", 1) for pair in rest.strip().split(",") if "=" in pair]
        properties = {key: unescaped(value, "%0D %0A %3A %2C %25") for key, value in pairs}
        return name.lower(), properties, unescaped(text.partition("::")[2], "%0D %0A %25")
    # The older form may begin anywhere.
    found = re.search(r"##\[([^ \]]*)[^\]]*\](.*)", line)
    return (found[1].lower(), {}, found[2]) if found and found[1].lower() in known else None


def commands(output: str) -> list[tuple[str, dict[str, str], str]]:
    """What the runner executes of the output of a step."""
    done, token = [], None
    for line in re.split(r"\r\n|\r|\n", output):
        found = command(line, KNOWN | ({token} if token else set()))
        if not found:
            continue
        if token:
            token = None if found[0] == token else token
        elif found[0] == "stop-commands":
            token = found[2]
            assert len(token) >= 32
        else:
            done.append(found)
    assert token is None, "the runner is left without commands"
    return done


class Run:
    """The steps of the action in a workspace with these files."""

    def __init__(self, folder: Path, files: dict[str, str], build: bool = False, **inputs: str) -> None:
        self.workspace, programs, temp = folder / "work", folder / "bin", folder / "temp"
        for made in [self.workspace, programs, temp]:
            made.mkdir()
        for name, text in files.items():
            path = self.workspace / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        cargo = programs / "cargo"
        # The real build takes minutes. This one copies the command to the root that it is given.
        cargo.write_text(
            '#!/bin/bash\nset -eu\n[ "$1 $2 $3 $4 $5" = "install --locked --path kron-cli --root" ]\ngrep -q kron-cli kron-cli/Cargo.toml\n'
            f'mkdir -p "$6/bin"\ncp "{os.environ["KRON"]}" "$6/bin/kron"\n'
        )
        cargo.chmod(0o755)
        environment = {"PATH": f"{programs}:/usr/bin:/bin", "RUNNER_TEMP": str(temp), "LC_ALL": "C.UTF-8"}
        values = {name: one["default"] for name, one in ACTION["inputs"].items()}
        values |= {"kron": "" if build else os.environ["KRON"]} | inputs
        assert set(values) == set(ACTION["inputs"])
        self.output, self.code = "", 0
        for number, step in enumerate(ACTION["runs"]["steps"]):
            assert step.get("if") in (None, "inputs.kron == ''")
            if "if" in step and values["kron"]:
                continue
            assert step["shell"] == "bash"
            script = folder / f"step{number}.sh"
            script.write_text(step["run"])
            where = {None: self.workspace, "${{ github.action_path }}": ROOT}[step.get("working-directory")]
            given = {name: value.replace("${{ inputs.", "").replace(" }}", "") for name, value in step.get("env", {}).items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
                cwd=where,
                env={**environment, **{name: values[value] for name, value in given.items()}},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            self.output += done.stdout
            self.code = done.returncode
            if self.code:
                break
        self.commands = commands(self.output)


def file(properties: dict[str, str]) -> str:
    return properties.get("file", "")


def marks(run: Run) -> list[tuple[str, str]]:
    """The files and lines that are marked in a pull request."""
    assert all(kind == "error" for kind, _, _ in run.commands), run.output
    return sorted((file(properties), properties["line"]) for _, properties, _ in run.commands)


def test_the_shell_gets_no_text_of_inputs() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"]
        assert "uses" not in step
        assert all(re.fullmatch(r"\$\{\{ inputs\.[a-z]+ \}\}", value) for value in step.get("env", {}).values())


def test_schedules_in_their_place_pass(tmp_path: Path) -> None:
    run = Run(tmp_path, {"values.yaml": PLACED, "b/readme": "nothing\n"})
    assert (run.code, run.commands) == (0, []), run.output


def test_each_schedule_that_is_not_in_its_place_is_marked(tmp_path: Path) -> None:
    run = Run(tmp_path, {"a/values.yaml": PLACED + DECLARED.replace("backup", "mail"), "b.yaml": DECLARED, "c.yaml": PLACED})
    assert run.code == 1, run.output
    assert marks(run) == [("a/values.yaml", "6"), ("b.yaml", "3")]


def test_the_command_is_built_from_the_action_alone(tmp_path: Path) -> None:
    run = Run(tmp_path, {"values.yaml": DECLARED, "kron-cli/Cargo.toml": "another"}, build=True)
    assert run.code == 1, run.output
    assert marks(run) == [("values.yaml", "3")]


def test_inputs(tmp_path: Path) -> None:
    cron_job = (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: backup\n"
        "  annotations:\n    kron.io/spread: 0 0 * * * @win(after,2h)\nspec:\n  schedule: 51 0 * * *\n"
    )
    files = {"a b/x.yaml": DECLARED, "c/cronjob.yaml": cron_job, "d/x.yaml": DECLARED}
    run = Run(tmp_path, files, path="a b\nc\n", namespace="ops", tz="Europe/Berlin")
    assert run.code == 1, run.output
    assert marks(run) == [("a b/x.yaml", "3")]


def test_an_error_is_shown(tmp_path: Path) -> None:
    run = Run(tmp_path, {"values.yaml": EDITED})
    assert run.code == 2
    assert "ops/backup" in run.output and "7 3 * * *" in run.output
    assert [kind for kind, _, _ in run.commands] and "error" in run.commands[-1][0], run.output
    missing = tmp_path / "missing"
    missing.mkdir()
    assert Run(missing, {}, path="nowhere").code == 2


@pytest.mark.parametrize("line", ["--undo", "-i", "--save=x", "$(touch made)", "`touch made`", "a; touch made", "a && touch made"])
def test_a_path_is_nothing_but_a_path(line: str, tmp_path: Path) -> None:
    run = Run(tmp_path, {"values.yaml": DECLARED}, path=f".\n{line}")
    assert run.code == 2 and f"--> {line}\n" in run.output, run.output
    assert list(run.workspace.iterdir()) == [run.workspace / "values.yaml"]
    assert (run.workspace / "values.yaml").read_text() == DECLARED


NAMES = [
    "::error::x.yaml",
    "a\n::add-mask::x.yaml",
    "a\r::add-mask::x.yaml",
    "a,line=1,title=b.yaml",
    "a%0A::add-mask::b.yaml",
    "##[add-mask]x.yaml",
    "$(touch made).yaml",
    "`touch made`.yaml",
    "'; touch made; '.yaml",
    "--undo",
    "a b.yaml",
    "\u8868.yaml",
]


def test_names_of_files_are_data(tmp_path: Path) -> None:
    run = Run(tmp_path, {name: DECLARED for name in NAMES})
    assert run.code == 1, run.output
    assert marks(run) == sorted((name, "3") for name in NAMES)
    assert sorted(path.name for path in run.workspace.iterdir()) == sorted(NAMES)


@pytest.mark.parametrize("text", HOSTILE)
def test_contents_of_files_are_data(text: str, tmp_path: Path) -> None:
    around = {
        # In the difference, in a name, beside a schedule, and instead of one.
        "a.txt": f"{text}\n# kron: 0 0 * * * @win(after,2h) name=ops/backup\n0 0 * * *\n{text}\n",
        "b.txt": f'# kron: 0 0 * * * @win(after,2h) name="{text}"\n0 0 * * *\n',
        "c.txt": f"{text} '0 0 * * *' # kron: 0 0 * * * @win(after,2h) name=ops/backup\n",
    }
    run = Run(tmp_path, around)
    assert [kind for kind, _, _ in run.commands] and {kind for kind, _, _ in run.commands} == {"error"}, run.output
    assert {file(properties) for _, properties, _ in run.commands} <= {*around, ""}


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_in_errors_are_data(text: str, tmp_path: Path) -> None:
    # A schedule that somebody edited: the message has its name. Another line has a wrong modifier.
    files = {"a.txt": EDITED.replace("ops/backup", f'"{text}"'), "b.txt": f"# kron: 0 0 * * * @{text} name=b\n0 0 * * *\n"}
    run = Run(tmp_path, files)
    assert run.code == 2, run.output
    assert text.strip() in run.output
    assert {kind for kind, _, _ in run.commands} == {"error"}, run.output
    for _, properties, _ in run.commands:
        assert set(properties) <= {"file", "line", "endLine", "col", "endColumn", "title"}
        assert file(properties) in {*files, ""}


def test_the_reading_of_commands() -> None:
    """The check of the other tests finds commands where the runner does."""
    assert commands("a\n  ::warning file=a%2Cb,line=1::x%0Ay%253A\n::unknown::x") == [("warning", {"file": "a,b", "line": "1"}, "x\ny%3A")]
    assert commands("b ##[add-mask]x") == [("add-mask", {}, "x")]
    assert commands("a\r::add-mask::x") == [("add-mask", {}, "x")]
    token = "0123456789abcdef" * 2
    assert commands(f"::stop-commands::{token}\n::error::x\n##[error]y\n::{token}::\n::error::z") == [("error", {}, "z")]
