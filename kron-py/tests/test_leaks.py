"""A million calls leave no memory behind."""

from __future__ import annotations

import datetime
import gc
import pathlib
import pickle
import sys
import typing

import kron
import pytest
from conftest import at

START = at("2026-03-01T00:00:00Z")
DAY = datetime.timedelta(days=1)
JOB = kron.Job("0 * * * * @tz(Europe/Paris) @win(after,50m) @avoid(hours=3)", name="web/ping")
FLEET = kron.Fleet([JOB, JOB.replace(name="b")])
DATABASE = kron.TzDatabase.from_tzdata()
STATM = pathlib.Path("/proc/self/statm")

#: Calls and how many of them are made: more than a million in all.
WORK: dict[str, tuple[int, typing.Callable[[], object]]] = {
    "next_start_timestamp": (400_000, lambda: JOB.next_start_timestamp(1_772_323_200)),
    "next_start": (200_000, lambda: JOB.next_start(START)),
    "chosen_time": (200_000, lambda: JOB.decide(START).chosen_time),
    "fields": (50_000, lambda: [getattr(JOB.decide(START), name) for name in ("period_key", "seed_input", "seed_hash", "job")]),
    "errors": (50_000, lambda: pytest.raises(kron.KronError, kron.Cron, "61 * * * *")),
    "naive": (50_000, lambda: pytest.raises(TypeError, JOB.decide, START.replace(tzinfo=None))),
    "new": (50_000, lambda: kron.Job("@daily", name="x", timezone="Europe/Paris", window="after,3h", constraints="@only(hours=3)")),
    "repr": (20_000, lambda: repr(JOB.decide(START))),
    "pickle": (20_000, lambda: pickle.loads(pickle.dumps(JOB))),
    "iterators": (10_000, lambda: (JOB.starts(START, START + DAY)[0], FLEET.starts(START, DAY)[0], JOB.starts(START, count=3)[-1])),
    "bulk": (5_000, lambda: FLEET.chosen_times(START, START + DAY, progress=lambda _: None).to_numpy().sum),
    "plan": (5_000, lambda: JOB.plan(kron.HostState(START - DAY), START)),
    "explain": (5_000, lambda: JOB.explain(START)),
    "receipt": (5_000, lambda: kron.verify(JOB.decide(START).receipt())),
    "database": (2_000, lambda: pickle.loads(pickle.dumps(kron.Job("@daily", name="x", timezone="Europe/Paris", tz_database=DATABASE)))),
    "changes": (2_000, lambda: DATABASE.changes("Europe/Paris", START)),
}


def resident() -> int:
    """Bytes of memory in use."""
    gc.collect()
    return int(STATM.read_text().split()[1]) * 4096


@pytest.mark.skipif(not STATM.exists(), reason="needs /proc")
@pytest.mark.parametrize("name", list(WORK))
def test_memory_stays(name: str) -> None:
    calls, call = WORK[name]
    for _ in range(calls // 10):
        call()
    before = resident()
    for _ in range(calls):
        call()
    # A leak of 32 bytes a call, the smallest object there is, shows from 65 thousand calls on; of one more, sooner.
    assert resident() - before < max(2 << 20, calls * 4), name


def test_a_million() -> None:
    assert sum(calls for calls, _ in WORK.values()) > 1_000_000


def test_reference_counts_stay() -> None:
    zone, when = JOB.timezone, START.astimezone(JOB.timezone)
    objects = [zone, when, JOB, FLEET, kron.KronError, datetime.timezone.utc]
    before = [sys.getrefcount(it) for it in objects]
    for _ in range(1000):
        JOB.replace(timezone=zone).next_start(when)
        list(FLEET.starts(when, when + DAY / 4))
        pytest.raises(kron.KronError, kron.Cron, "")
    gc.collect()
    assert all(now - then < 10 for now, then in zip([sys.getrefcount(it) for it in objects], before, strict=True))
