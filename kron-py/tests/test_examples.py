"""The examples do what they say."""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
import typing

import kron
import kron.aio
import pytest
from conftest import ROOT, at

EXAMPLES = ROOT / "examples" / "python"


def test_herd(tmp_path: typing.Any) -> None:
    ran = subprocess.run([sys.executable, str(EXAMPLES / "herd.py"), str(tmp_path)], capture_output=True, text=True, check=True)
    words = ran.stdout.splitlines()[0].split()
    assert words[:3] == ["the", "worst", "minute:"] and int(words[3]) > 2 * int(words[9])
    for name in ("herd.png", "week.png", "density.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG") and (tmp_path / name).stat().st_size > 10_000


def test_table() -> None:
    ran = subprocess.run([sys.executable, str(EXAMPLES / "table.py")], capture_output=True, text=True, check=True)
    lines = ran.stdout.splitlines()
    assert [line.split(":")[0] for line in lines[:2]] == ["left out", "left out"] and "six fields" in lines[0] or "seconds" in lines[0]
    rows = {line[:14].strip(): line[14:].split() for line in lines if line.startswith(("starts", "busiest"))}
    before, after = (int(cell) for cell in rows["starts in it"])
    assert before > 3 * after and rows["busiest minute"][0] == "00:00"
    table = lines[lines.index(next(line for line in lines if line.split() == ["name", "before", "after"])) + 1 :]
    assert len(table) == 10 and all(line.split()[0].count("/") == 1 for line in table)


def test_asyncio_loop(tmp_path: typing.Any, capfd: pytest.CaptureFixture[str]) -> None:
    spec = importlib.util.spec_from_file_location("asyncio_loop", EXAMPLES / "asyncio_loop.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    file = tmp_path / "jobs.kron"
    file.write_text("0 * * * * name=x/hourly command=\"echo tick\"\n30 1 * * * name=x/silent\n")
    added: list[tuple[kron.Job, kron.aio.Handler]] = []

    class Runner(kron.aio.Runner):
        def add(self, job: kron.Job, function: kron.aio.Handler) -> None:
            added.append((job, function))

    module.fleet(str(file), Runner())
    after = at("2026-03-01T00:30:00Z")

    async def run_each_once() -> None:
        for job, function in added:
            await function(job.next_start(after))

    asyncio.run(run_each_once())
    assert capfd.readouterr().out.splitlines() == [
        "01:00:00Z x/hourly: echo tick",
        "tick",
        "01:30:00Z x/silent: echo x/silent",
        "x/silent",
    ]


def test_asyncio_loop_needs_a_file() -> None:
    ran = subprocess.run([sys.executable, str(EXAMPLES / "asyncio_loop.py")], capture_output=True, text=True)
    assert ran.returncode == 1 and ran.stderr.startswith("usage:")
