"""croniter and cronsim as oracles for nominal times, where they mean the same.

They differ from Kron where clocks change (Kron neither shifts nor drops a civil time; see docs/explain/differences.md), so zones
without changes are compared; in the rule for two restricted day fields of which one begins with `*`; and in what a range
of one value such as `0-0` means. Those expressions are left out.
"""

from __future__ import annotations

import datetime
import re
import typing
import zoneinfo

import croniter
import cronsim
import kron
import pytest
from conftest import UTC
from generators import CRONS
from hypothesis import assume, given, settings
from hypothesis import strategies as st

#: No offset of these zones changes in the years compared.
ZONES = ["UTC", "Asia/Kathmandu", "Asia/Tokyo", "America/Phoenix"]
TIMES = st.datetimes(datetime.datetime(2000, 1, 1), datetime.datetime(2060, 1, 1)).map(lambda time: time.replace(microsecond=0))


def by_croniter(text: str, after: datetime.datetime) -> list[datetime.datetime]:
    series = croniter.croniter(text, after)
    return [series.get_next(datetime.datetime) for _ in range(5)]


def by_cronsim(text: str, after: datetime.datetime) -> list[datetime.datetime]:
    series = cronsim.CronSim(text, after)
    return [next(series) for _ in range(5)]


def by_kron(text: str, zone: str, after: datetime.datetime) -> list[datetime.datetime]:
    job = kron.Job(text, name="x", timezone=zone)
    found: list[datetime.datetime] = []
    for _ in range(5):
        found.append(job.next_start(found[-1] if found else after).nominal_time)
    return found


@pytest.mark.oracle
@pytest.mark.parametrize(("oracle", "refusals"), [
    (by_croniter, (croniter.CroniterError,)),
    (by_cronsim, (cronsim.CronSimError, StopIteration)),
], ids=["croniter", "cronsim"])
@settings(max_examples=500, deadline=None, derandomize=True)
@given(text=CRONS, zone=st.sampled_from(ZONES), local=TIMES)
def test_nominal_times(
    oracle: typing.Callable[[str, datetime.datetime], list[datetime.datetime]], refusals: tuple[type[Exception], ...],
    text: str, zone: str, local: datetime.datetime,
) -> None:
    _, _, dom, _, dow = text.split()
    assume("*" in (dom, dow) or "*" not in dom + dow)
    assume(not any(item.startswith("*/") for item in f"{dom},{dow}".split(",")))
    assume(not re.search(r"\b(\d+)-\1\b", text))
    after = local.replace(tzinfo=zoneinfo.ZoneInfo(zone))
    try:
        want = oracle(text, after)
    except refusals:
        assume(False)
    assert by_kron(text, zone, after) == [time.astimezone(UTC) for time in want], text
