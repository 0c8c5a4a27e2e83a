"""The hooks of .pre-commit-hooks.yaml, run by pre-commit in a repository of its own with the command of $KRON."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
DECLARED = "backup:\n  # kron: 0 0 * * * @win(after,2h) name=ops/backup\n  schedule: 0 0 * * *\n"
PLACED = DECLARED.replace("schedule: 0 0 ", "schedule: 51 0 ")


class Repository:
    """A repository whose commits are checked by one hook."""

    def __init__(self, folder: Path, hook: dict) -> None:
        programs = folder / "bin"
        programs.mkdir()
        (programs / "kron").symlink_to(os.environ["KRON"])
        # Nobody's configuration of git counts.
        self.environment = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "PRE_COMMIT_HOME": str(folder / "cache"),
            "PRE_COMMIT_COLOR": "never",
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a",
            "GIT_AUTHOR_EMAIL": "a@example.com",
            "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.com",
            "LC_ALL": "C.UTF-8",
        }
        hooks = folder / "hooks"
        hooks.mkdir()
        (hooks / ".pre-commit-hooks.yaml").write_text((ROOT / ".pre-commit-hooks.yaml").read_text())
        self.folder = hooks
        self.run("git", "init", "--quiet", ".")
        self.run("git", "add", ".")
        self.run("git", "commit", "--quiet", "--message=hooks")
        commit = self.run("git", "rev-parse", "HEAD").stdout.strip()
        self.folder = folder / "repository"
        self.folder.mkdir()
        self.run("git", "init", "--quiet", ".")
        configuration = {"repos": [{"repo": str(hooks), "rev": commit, "hooks": [hook]}]}
        self.write({".pre-commit-config.yaml": yaml.safe_dump(configuration)})
        self.run("pre-commit", "install")

    def run(self, *command: str, code: int = 0) -> subprocess.CompletedProcess:
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
        self.run("git", "add", "--", *files)

    def commit(self, code: int = 0) -> str:
        """What pre-commit says of a commit."""
        done = self.run("git", "commit", "--message=change", code=code)
        return done.stdout + done.stderr

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()


def repository(tmp_path: Path, **hook: object) -> Repository:
    return Repository(tmp_path, hook)


def test_a_commit_needs_schedules_in_their_place(tmp_path: Path) -> None:
    found = repository(tmp_path, id="kron-place")
    found.write({"values.yaml": DECLARED, "cron.d/clean": "7 3 * * * root /usr/local/bin/clean\n"})
    said = found.commit(code=1)
    assert "-  schedule: 0 0 * * *\n+  schedule: 51 0 * * *\n" in said, said
    assert found.read("values.yaml") == DECLARED
    found.write({"values.yaml": PLACED})
    assert "schedules are in their place" in found.commit()
    # Only what a commit changes is checked: another file waits until somebody edits it.
    found.write({"old.yaml": DECLARED})
    found.run("git", "commit", "--no-verify", "--message=old")
    found.write({"new.yaml": PLACED})
    found.commit()


def test_the_hook_that_writes(tmp_path: Path) -> None:
    found = repository(tmp_path, id="kron-place-write")
    found.write({"a/values.yaml": DECLARED, "b.toml": "# nothing\n"})
    assert "files were modified by this hook" in found.commit(code=1)
    assert found.read("a/values.yaml") == PLACED
    found.write({"a/values.yaml": PLACED})
    found.commit()


@pytest.mark.parametrize("hook", ["kron-place", "kron-place-write"])
def test_names_of_files_are_no_options(hook: str, tmp_path: Path) -> None:
    found = repository(tmp_path, id=hook)
    found.write({"--undo": PLACED, "-f": PLACED, "--force=ops": PLACED, "a b;c": PLACED, "$(touch made)": PLACED})
    found.commit()
    for name in ["--undo", "-f", "--force=ops", "a b;c", "$(touch made)"]:
        assert found.read(name) == PLACED
    assert not (found.folder / "made").exists()


def test_arguments_of_a_user(tmp_path: Path) -> None:
    cron_job = (
        "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: backup\n"
        "  annotations:\n    kron.io/spread: 0 0 * * * @win(after,2h)\nspec:\n  schedule: 0 0 * * *\n"
    )
    found = repository(tmp_path, id="kron-place-write", args=["--namespace=ops", "--"])
    found.write({"cronjob.yaml": cron_job, "values.yaml": PLACED})
    found.commit(code=1)
    # It is the place of ops/backup.
    assert found.read("cronjob.yaml") == cron_job.replace("schedule: 0 0 ", "schedule: 51 0 ")


def test_what_is_no_text_is_passed_over(tmp_path: Path) -> None:
    found = repository(tmp_path, id="kron-place")
    (found.folder / "picture").write_bytes(b"\x00\xff# kron: 0 0 * * * @win(after,2h) name=a\n0 0 * * *\n")
    (found.folder / "link").symlink_to("values.yaml")
    found.run("git", "add", "picture", "link")
    found.write({"values.yaml": PLACED})
    found.commit()
    # Text in another encoding is named.
    (found.folder / "latin").write_bytes(b"caf\xe9\n")
    found.run("git", "add", "latin")
    assert "the file is not UTF-8" in found.commit(code=1)
