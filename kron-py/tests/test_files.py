"""Files, receipts, lint and the command."""

from __future__ import annotations

import datetime  # noqa: F401  (the reprs name it)
import json
import os
import pathlib
import pickle
import subprocess
import sys
import sysconfig

import kron
import pytest
from conftest import ROOT, at

MARCH = at("2026-03-01T00:00:00Z")
JOB = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,3h) @avoid(hours=0)", name="prod/db-backup")


class TestLoad:
    def test_a_job_file(self) -> None:
        loaded = kron.load(ROOT / "examples" / "fleet.kron")
        assert len(loaded.jobs) == len(loaded.fleet) == 58 and loaded.findings == ()
        for it in loaded.jobs:
            assert it.source is not None and kron.Job(it.source, name=it.job.name) == it.job
            assert it.line is not None and it.document is None and dict(it.fields)
        assert loaded.fleet.jobs == tuple(it.job for it in loaded.jobs)

    @pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "examples" / "manifests").iterdir()))
    def test_manifests(self, name: str) -> None:
        loaded = kron.load(str(ROOT / "examples" / "manifests" / name), namespace="prod")
        assert loaded.jobs and all(it.document and it.source is None and it.line is None for it in loaded.jobs)

    def test_namespaces(self) -> None:
        text = json.dumps({
            "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "x"},
            "spec": {"schedule": "@daily", "jobTemplate": {"spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "c"}]}}}}},
        })
        assumed = kron.loads(text)
        assert assumed.jobs[0].job.name == "default/x" and assumed.findings[0].code == "namespace-assumed"
        given = kron.loads(text, namespace="prod")
        assert given.jobs[0].job.name == "prod/x" and given.findings == ()
        assert pickle.loads(pickle.dumps(assumed)) == assumed == eval(repr(assumed))

    def test_errors(self, tmp_path: pathlib.Path) -> None:
        with pytest.raises(FileNotFoundError):
            kron.load(tmp_path / "none")
        (tmp_path / "latin").write_bytes(b"@daily name=\xe9")
        with pytest.raises(UnicodeDecodeError):
            kron.load(tmp_path / "latin")
        (tmp_path / "bad.yaml").write_text("kind: KronJob\napiVersion: v2\n---\nkind: [")
        with pytest.raises(kron.LoadError):
            kron.load(tmp_path / "bad.yaml")


class TestReceipt:
    DECISION = JOB.next_start(MARCH)
    SCHEDULE = ("other times of the schedule",)

    def test_holds(self) -> None:
        receipt = self.DECISION.receipt()
        for form in (receipt, receipt.to_json(), str(receipt), json.loads(receipt.to_json())):
            assert kron.verify(form) == kron.Verification((), "same", self.SCHEDULE)
        assert receipt.verify() == kron.Verification((), "same", self.SCHEDULE) and receipt.verify().agrees

    def test_what_is_not_proven(self, command: str, tmp_path: pathlib.Path) -> None:
        receipt = JOB.replace(policy="deadline=10m").next_start(MARCH).receipt()
        assert receipt.verify().not_proven == (*self.SCHEDULE, "policy")
        (tmp_path / "receipt.json").write_text(receipt.to_json())
        ran = subprocess.run([command, "verify", os.fspath(tmp_path / "receipt.json")], check=True, capture_output=True, text=True)
        assert ", ".join(receipt.verify().not_proven) in ran.stderr

    def test_tampered(self) -> None:
        data = json.loads(self.DECISION.receipt().to_json())
        data["decision"]["chosenTime"] = "2026-03-02T00:00:00Z"
        verification = kron.verify(data)
        (difference,) = verification.differences
        assert not verification.agrees and verification.zone_rules == "same" and verification.first_difference is None
        assert difference == kron.Difference("decision.chosenTime", "2026-03-02T00:00:00Z", self.DECISION.to_json().split('"chosenTime":"')[1][:20])
        assert eval(repr(difference)) == difference and eval(repr(verification)) == verification == pickle.loads(pickle.dumps(verification))

    def test_a_verification_is_neither_true_nor_false(self) -> None:
        with pytest.raises(TypeError, match=r"ask \.agrees or \.differences"):
            bool(self.DECISION.receipt().verify())

    @pytest.mark.parametrize("bad", ["", "{}", "[]", {}, {"schema": 1}, '{"schema": "x"}'])
    def test_no_receipt(self, bad: object) -> None:
        with pytest.raises(kron.KronError):
            kron.verify(bad)  # type: ignore[arg-type]

    @pytest.mark.parametrize("bad", [1, None, b"{}", [1]])
    def test_other_types(self, bad: object) -> None:
        with pytest.raises(TypeError):
            kron.verify(bad)  # type: ignore[arg-type]


class TestExplain:
    def test_text_is_the_commands(self, command: str) -> None:
        for decision in (JOB.next_start(MARCH), JOB.replace(constraints="@only(hours=12)").decide(MARCH)):
            job = decision.job
            assert job is not None
            args = [command, "explain", str(job), "--name", job.name, "--nominal", decision.period_id]
            assert str(job.explain(decision.nominal_time)) == subprocess.run(args, capture_output=True, text=True, check=True).stdout

    def test_text_is_that_of_the_decision_that_was_explained(self, monkeypatch: pytest.MonkeyPatch) -> None:
        explanation = JOB.explain(MARCH)
        rebuilt = eval(repr(explanation))
        assert rebuilt == explanation and str(rebuilt) == str(explanation)
        monkeypatch.delattr("kron._records._explain_text")
        assert str(JOB.explain(MARCH)) == str(explanation) == str(pickle.loads(pickle.dumps(explanation)))

    def test_text_of_a_job_longer_than_a_text_may_be(self) -> None:
        minutes = ",".join(f"{hour:02}:{hour:02}-{hour:02}:{hour + 1:02}" for hour in range(10))
        odd = ",".join(map(str, range(1, 32, 2)))
        clause = {"between": minutes, "dom": odd, "hours": odd[:29], "months": "1,3,5,7,9,11", "dow": "1,3,5", "date": "2026-03-01"}
        job = kron.Job("0 12 * * *", name="prod/long", constraints=kron.Constraints(only=[clause] * 128, avoid=[clause] * 128))
        assert len(str(job)) > 65_536 and str(job) in str(job.explain(MARCH))

    def test_steps(self) -> None:
        explanation = JOB.replace(constraints="@avoid(hours=0-1)").explain(at("2026-03-01T23:00:00Z"))
        assert explanation.on_schedule and explanation.candidates == 10_801 and explanation.allowed == 3_601
        assert [draw.forbidden for draw in explanation.draws][-1] is None
        assert explanation.draws[-1].candidate == explanation.decision.chosen_time
        assert explanation.allowed_runs == ((at("2026-03-02T01:00:00Z"), at("2026-03-02T02:00:00Z")),)
        assert not JOB.explain(MARCH).on_schedule
        assert eval(repr(explanation)) == explanation == pickle.loads(pickle.dumps(explanation))

    def test_closed_up(self) -> None:
        job = kron.Job("45 23 * * * @tz(Asia/Kathmandu) @win(after,24h) @only(between=03:05-03:06)", name="ops/report")
        explanation = job.explain(at("2026-12-31T18:00:00Z"))
        assert explanation.closed_up is not None and len(explanation.draws) == 64
        assert explanation.closed_up.chosen == explanation.decision.chosen_time and explanation.decision.draws == 65


class TestLint:
    def test_findings(self) -> None:
        text = "30 2 * * * @tz(Europe/Paris) @win(after,30m)"
        findings = kron.lint(kron.Job(text, name="x"), text, MARCH)
        assert [finding.code for finding in findings] == ["skipped-by-clock-change", "doubled-by-clock-change", "no-deadline"]
        assert findings[-1].help == "add `@policy(deadline=1m)`" and findings[0].severity == "warning"
        assert eval(repr(findings)) == findings

    def test_the_text_is_looked_at_if_given(self) -> None:
        text = "0 0 */2 * MON @policy(deadline=1m)"
        job = kron.Job(text, name="x")
        (finding,) = kron.lint(job, at=MARCH)
        assert (finding.code, finding.span) == ("either-day-field", None)
        (finding,) = kron.lint(job, text, MARCH)
        assert finding.code == "step-in-day-field"
        assert finding.span is not None and text[slice(*finding.span)] == "*/2 * MON"

    @pytest.mark.parametrize("years", [-1, 2**32])
    def test_years_are_bounded(self, years: int) -> None:
        with pytest.raises(ValueError, match="years must be from 0"):
            kron.lint(JOB, at=MARCH, years=years)

    def test_years(self) -> None:
        job = kron.Job("0 0 29 2 * @policy(deadline=1m)", name="x")
        def codes(years: int) -> list[str]:
            return [it.code for it in kron.lint(job, at=MARCH, years=years)]

        assert codes(1) == ["short-months-skipped", "never-fires"] and codes(5) == ["short-months-skipped"]

    def test_fleets(self) -> None:
        jobs = [kron.Job("@daily", name=f"report/{i}") for i in range(60)]
        (found,) = kron.lint_fleet([kron.Job("@daily @win(after,1h)", name="web/spread"), *jobs], MARCH)
        assert (found.finding.code, found.jobs) == ("same-second", tuple(range(1, 61)))
        assert eval(repr(found)) == found
        assert kron.lint_fleet(kron.Fleet(jobs[:10]), MARCH) == kron.lint_fleet([]) == ()

    def test_commands_of_loaded_jobs(self) -> None:
        lines = [f"@daily @win(after,1h) name=a/{name} command=run" for name in "xy"]
        jobs = kron.loads("\n".join(lines)).jobs
        (found,) = kron.lint_fleet(jobs)
        assert (found.finding.code, found.jobs) == ("identical-jobs", (0, 1))
        assert kron.lint_fleet(loaded.job for loaded in jobs) == ()

    def test_a_fleet_is_of_jobs(self) -> None:
        with pytest.raises(TypeError, match="expected a kron.Job, not str '@daily'"):
            kron.lint_fleet(["@daily"])  # type: ignore[list-item]


def module(*args: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "kron", *args], input=text, capture_output=True, text=True)


#: The build of the workspace has the command, the wheel has not.
with_command = pytest.mark.skipif(not hasattr(kron._kron, "_run"), reason="needs the feature `command`")


class TestCommand:
    @with_command
    @pytest.mark.parametrize("args", [
        ["next", "0 0 * * * @tz(Europe/Paris) @win(after,3h)", "--name", "prod/db", "--at", "2026-03-01T00:00:00Z"],
        ["next", "-f", "examples/fleet.kron", "--at", "2026-03-01T00:00:00Z", "-o", "csv"],
        ["explain", "0 2 * * * @win(after,3h) @avoid(hours=4)", "--name", "prod/db", "--at", "2026-03-01T12:00:00Z"],
        ["explain", "@daily", "--name", "prod/db", "--at", "2026-03-01T12:00:00Z", "-o", "json"],
        ["lint", "30 2 * * FRI-SUN"], ["lint", "-f", "examples/fleet.kron", "--at", "2026-03-01T00:00:00Z"],
        ["--version"], ["next"], ["nonsense"], ["next", "61 * * * *"],
    ])
    def test_does_what_the_binary_does(self, command: str, args: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(ROOT)
        binary = subprocess.run([command, *args], capture_output=True, text=True)
        ours = module(*args)
        assert (ours.returncode, ours.stdout, ours.stderr) == (binary.returncode, binary.stdout, binary.stderr)

    @with_command
    def test_its_help_lacks_the_commands_of_the_runner(self, command: str) -> None:
        binary = subprocess.run([command, "--help"], capture_output=True, text=True, check=True).stdout.splitlines()
        ours = module("--help").stdout.splitlines()
        # Where the whole workspace is built, the command of the package has them too.
        assert [line.split()[0] for line in binary if line not in ours] in ([], ["run", "run-now", "suspend", "resume", "status", "history", "why"])
        assert [line for line in binary if line in ours] == ours

    @pytest.mark.installed
    def test_the_wheel_has_no_command_and_says_where_it_is(self) -> None:
        ran = module("next", "@daily")
        assert ran.returncode == 2 and ran.stdout == ""
        assert "cargo install --path kron-cli" in ran.stderr and '--features command" pip install ./kron-py' in ran.stderr
        from importlib import metadata

        assert not [entry for entry in metadata.distribution("kron-py").entry_points if entry.group == "console_scripts"]

    @with_command
    def test_verify(self) -> None:
        receipt = JOB.next_start(MARCH).receipt().to_json()
        assert module("verify", text=receipt).stdout == "agrees\n"
        assert module("verify", text=receipt.replace("3h0m0s", "4h0m0s")).returncode == 1

    def test_receipts_read_each_other(self, command: str, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "receipt.json"
        path.write_text(JOB.next_start(MARCH).receipt().to_json())
        assert subprocess.run([command, "verify", os.fspath(path)], check=True, capture_output=True).stdout == b"agrees\n"
        printed = subprocess.run([command, "explain", str(JOB), "--name", JOB.name, "--at", "2026-03-01T00:00:00Z", "-o", "json"],
                                 check=True, capture_output=True, text=True).stdout
        assert kron.verify(printed).agrees and kron.Receipt.from_json(printed) == JOB.next_start(MARCH).receipt()
