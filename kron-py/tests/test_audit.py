"""Audits: against the command on the same objects, and the words of the page."""

from __future__ import annotations

import copy
import datetime
import importlib.resources
import json
import pathlib
import pickle
import re
import signal
import subprocess
import time
import typing

import kron
import pandas
import polars
import pytest
from conftest import ROOT, at

PAGE = (ROOT / "docs" / "guide" / "kubernetes-audit.md").read_text(encoding="utf-8")
#: The objects of a simulated cluster, and the time at which they were read.
CLUSTER = json.loads((ROOT / "examples" / "audit" / "cluster.json").read_text(encoding="utf-8"))
UNTIL = at("2026-03-02T04:30:00Z")
Object = dict[str, typing.Any]


def objects(*kinds: str) -> list[Object]:
    """Copies of the objects of these kinds."""
    return [copy.deepcopy(item) for item in CLUSTER["items"] if item["kind"] in kinds]


def text_of(items: list[Object]) -> str:
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})


def second_sync_job() -> list[Object]:
    """Another Job of a period that has one."""
    (last,) = [item for item in objects("Job") if item["metadata"]["name"] == "sync-gc6idd2qcosq"]
    last["metadata"].update(name="sync-again", uid="again")
    return [*CLUSTER["items"], last]


def wrong_labels() -> list[Object]:
    items = objects("KronJob", "Job", "Event")
    jobs = [item for item in items if item["kind"] == "Job"]
    jobs[0]["metadata"]["labels"]["kron.io/name"] = "other"
    jobs[1]["metadata"]["labels"]["kron.io/chosen-time"] = "20260302T000000Z"
    del jobs[2]["metadata"]["labels"]["kron.io/period-id"]
    return items


def other_owner() -> list[Object]:
    items = objects("KronJob", "Job", "Event")
    next(item for item in items if item["kind"] == "Job")["metadata"]["ownerReferences"][0]["uid"] = "gone"
    return items


def invalid_spec() -> list[Object]:
    items = objects("KronJob", "Job", "Event")
    items[0]["spec"]["schedule"] = "every day"
    items[1]["metadata"]["generation"] = 2
    return items


#: Objects of clusters, as one text or several.
CLUSTERS: dict[str, list[str]] = {
    "whole": [text_of(CLUSTER["items"])],
    "without Jobs": [text_of(objects("KronJob", "Event"))],
    "without Events": [text_of(objects("KronJob", "Job"))],
    "KronJobs alone": [text_of(objects("KronJob"))],
    "in two texts": [text_of(objects("Job", "Event")), text_of(objects("KronJob"))],
    "twice": [text_of(CLUSTER["items"])] * 2,
    "two Jobs of a period": [text_of(second_sync_job())],
    "wrong labels": [text_of(wrong_labels())],
    "a Job of no KronJob": [text_of(other_owner())],
    "an invalid spec and a stale status": [text_of(invalid_spec())],
    "manifests": [(ROOT / "examples" / "audit" / "kronjobs.yaml").read_text(encoding="utf-8")],
}


def seconds(time: datetime.datetime | None) -> str | None:
    return None if time is None else f"{time:%Y-%m-%dT%H:%M:%SZ}"


def as_printed(audit: kron.Audit) -> Object:
    """What the command prints of an audit."""
    def known(**fields: object) -> Object:
        return {name: value for name, value in fields.items() if value is not None}

    kronjobs = [
        {
            "name": it.name, "from": seconds(it.start), "counts": it.counts,
            "findings": [known(code=f.code, periodId=f.period_id, job=f.job, message=f.message) for f in it.findings],
            "periods": [
                known(periodId=p.period_id, chosenTime=seconds(p.chosen_time), onSchedule=p.on_schedule, state=p.state, cause=p.cause, job=p.job)
                for p in it.periods
            ],
        }
        for it in audit.kronjobs
    ]
    return {"until": seconds(audit.until), "findings": len(audit.findings), "kronjobs": kronjobs}


@pytest.mark.parametrize("start", [None, at("2026-03-02T02:10:00Z")])
@pytest.mark.parametrize("until", [UNTIL, at("2026-03-02T03:00:00Z"), at("2026-03-02T09:00:00Z")])
@pytest.mark.parametrize("name", list(CLUSTERS))
def test_the_same_as_the_command(
    name: str, until: datetime.datetime, start: datetime.datetime | None, tmp_path: pathlib.Path, command: str
) -> None:
    texts = CLUSTERS[name]
    arguments = [command, "audit", "-o", "json", "--until", f"{until:%Y-%m-%dT%H:%M:%SZ}"]
    for number, text in enumerate(texts):
        (tmp_path / str(number)).write_text(text, encoding="utf-8")
        arguments += ["-f", str(number)]
    if start is not None:
        arguments += ["--from", f"{start:%Y-%m-%dT%H:%M:%SZ}"]
    ran = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True)
    audit = kron.audit(texts, start, until)
    assert as_printed(audit) == json.loads(ran.stdout), ran.stderr
    assert ran.returncode == (1 if audit.findings else 0)
    jobs = "1 Job" if audit.other_jobs == 1 else f"{audit.other_jobs} Jobs"
    assert (f"note: {jobs} of KronJobs that are not in the input" in ran.stderr) == (audit.other_jobs > 0)
    assert pickle.loads(pickle.dumps(audit)) == audit


def test_one_text_or_several() -> None:
    (whole,) = CLUSTERS["whole"]
    audit = kron.audit(whole, until=UNTIL)
    assert audit == kron.audit([whole], until=UNTIL) == kron.audit(iter(CLUSTERS["in two texts"]), until=UNTIL)
    assert [it.name for it in audit.kronjobs] == ["billing/invoices", "warehouse/archive", "warehouse/sync"]
    assert [str(finding) for finding in audit.findings] == [
        "billing/invoices 2026-03-02T01:30:00Z forbid: skipped, start 2026-03-02T01:35:24Z: an earlier Job was active, and the policy is forbid",
        "billing/invoices 2026-03-02T03:30:00Z forbid: skipped, start 2026-03-02T03:35:00Z: an earlier Job was active, and the policy is forbid",
        "warehouse/sync 2026-03-02T02:00:00Z unschedulable: unschedulable: no second of its window is allowed",
    ]
    (twice,) = [it for it in kron.audit(CLUSTERS["two Jobs of a period"], until=UNTIL).findings if it.code == "twoJobs"]
    assert str(twice).startswith(f"warehouse/sync {twice.job} twoJobs: period ")


def test_pandas_and_polars() -> None:
    audit = kron.audit(CLUSTERS["whole"], until=UNTIL)
    rows = [(it.name, p.nominal_time, p.chosen_time, p.state, p.cause, p.job) for it in audit.kronjobs for p in it.periods]
    frame, table = audit.to_pandas(), audit.to_polars()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == ["kronjob", "nominal_time", "chosen_time", "state", "cause", "job"]
    assert [tuple(None if pandas.isna(cell) else cell for cell in row) for row in frame.itertuples(index=False)] == rows
    assert isinstance(table, polars.DataFrame) and table.rows() == rows and table.columns == list(frame.columns)
    assert {column for column in frame if frame[column].isna().any()} == {"chosen_time", "cause", "job"}


def section(heading: str) -> str:
    return PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def first_cells(text: str) -> set[str]:
    """The words in the first cells of the rows of a table."""
    return {word for cell in re.findall(r"^\| (`[^|]*`) \|", text, flags=re.MULTILINE) for word in re.findall(r"`(\w+)`", cell)}


def test_types_have_the_words_of_the_page() -> None:
    from kron import _audit

    hints = typing.get_type_hints(kron.AuditedPeriod, vars(_audit))
    causes = typing.get_args(hints["cause"])
    assert set(typing.get_args(hints["state"])) == first_cells(section("States"))
    others = set(re.findall(r"`(\w+)`", re.findall(r"^The causes .* belong to", section("Causes"), flags=re.MULTILINE)[0]))
    assert {word for part in causes for word in typing.get_args(part)} == first_cells(section("Causes")) | others
    times = UNTIL, at("2026-03-02T09:00:00Z")
    seen = {found.code for texts in CLUSTERS.values() for until in times for found in kron.audit(texts, until=until).findings}
    assert seen <= first_cells(section("Causes")) | first_cells(section("Findings about objects"))
    assert seen >= {"forbid", "unschedulable", "noJobs", "nameLabel", "periodLabel", "chosenTime", "twoJobs", "invalidSpec",
                    "staleStatus", "notFromCluster"}


def test_zones_are_those_of_the_database() -> None:
    """Of one in which Vancouver has the rules of Tokyo."""
    item = objects("KronJob")[1]
    item["spec"].update(timezone="America/Vancouver", schedule="0 9 * * *")
    tokyo = importlib.resources.files("tzdata").joinpath("zoneinfo", "Asia", "Tokyo").read_bytes()
    other = kron.TzDatabase.from_tzif({"America/Vancouver": tokyo})
    span = at("2026-03-02T00:00:00Z"), at("2026-03-03T23:59:59Z")

    def hours(audit: kron.Audit) -> list[int]:
        return [period.nominal_time.hour for period in audit.kronjobs[0].periods]

    assert hours(kron.audit(text_of([item]), *span)) == [17, 17]
    assert hours(kron.audit(text_of([item]), *span, tz_database=other)) == [0, 0]


def test_errors_say_what_is_wrong() -> None:
    (whole,) = CLUSTERS["whole"]
    with pytest.raises(kron.KronError, match="the JSON ends too early") as wrong:
        kron.audit("{", until=UNTIL)
    assert not str(wrong.value).startswith("objects[")
    with pytest.raises(kron.KronError, match=r"^objects\[1\]: .*the JSON ends too early"):
        kron.audit([whole, "{"], until=UNTIL)
    with pytest.raises(kron.KronError, match="expected an object, but found a string"):
        kron.audit("0 0 * * * name=a/b\n", until=UNTIL)
    for nothing in ("", [], text_of(objects("Job"))):
        with pytest.raises(ValueError, match="there is no KronJob in the objects; `kubectl get kronjobs,jobs,events -A -o json`"):
            kron.audit(nothing, until=UNTIL)
    with pytest.raises(ValueError, match="start must be before until"):
        kron.audit(whole, UNTIL, UNTIL)
    with pytest.raises(TypeError, match="expected a str or an iterable of str, not int 3"):
        kron.audit(3, until=UNTIL)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a str, not "):
        kron.audit([whole.encode()], until=UNTIL)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="naive"):
        kron.audit(whole, until=UNTIL.replace(tzinfo=None))


def test_until_is_now_unless_it_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: int(UNTIL.timestamp()) * 10**9 + 5)
    assert kron.audit(CLUSTERS["whole"]) == kron.audit(CLUSTERS["whole"], until=UNTIL)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that signals")
def test_a_signal_ends_it() -> None:
    """In the midst of a call that would take minutes. Times are those of the processor, which no other process changes."""
    items = []
    for number in range(1000):
        item = objects("KronJob")[0]
        item["spec"].update(schedule="* * * * *", window={"duration": "90m", "mode": "after"})
        item["metadata"].update(name=f"job-{number}", uid=f"uid-{number}")
        items.append(item)
    large = text_of(items)
    before = signal.signal(signal.SIGVTALRM, signal.default_int_handler)
    began = time.process_time()
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            kron.audit(large, UNTIL - datetime.timedelta(days=366), UNTIL)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert time.process_time() - began < 5
