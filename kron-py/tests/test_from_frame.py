"""Fleets of tables: the columns, rows without a value, and what is wrong with a row."""

from __future__ import annotations

import typing

import kron
import numpy
import pandas
import polars
import pytest

COLUMNS: dict[str, list[typing.Any]] = {
    "name": ["a", "b", "c"],
    "schedule": ["@daily", "@hourly", "0 6 * * * @win(after,1h)"],
    "tz": ["Europe/Paris", None, "UTC"],
    "window": ["3h", "around,10m", None],
    "late": ["deadline=10m", None, None],
}
PARTS: dict[str, typing.Any] = {"text": "schedule", "timezone": "tz", "window": "window", "policy": "late"}
WANT = [
    "0 0 * * * @tz(Europe/Paris) @win(after,3h0m0s) @policy(deadline=10m0s)",
    "0 * * * * @win(around,10m0s)",
    "0 6 * * * @win(after,1h0m0s)",
]


@pytest.mark.parametrize("make", [dict, pandas.DataFrame, polars.DataFrame], ids=["dict", "pandas", "polars"])
def test_columns_are_arguments(make: typing.Callable[[dict[str, list[typing.Any]]], typing.Any]) -> None:
    assert [str(job) for job in kron.Fleet.from_frame(make(COLUMNS), **PARTS)] == WANT
    # A keyword that is None names no column.
    none = kron.Fleet.from_frame(make(COLUMNS), text="schedule", timezone=None)
    assert [str(job) for job in none] == ["0 0 * * *", "0 * * * *", "0 6 * * * @win(after,1h0m0s)"]


@pytest.mark.parametrize("missing", [None, float("nan"), numpy.nan, numpy.float32("nan"), pandas.NA, pandas.NaT], ids=repr)
def test_a_missing_value_is_the_default(missing: object) -> None:
    table = {"name": ["a"], "text": ["@daily"], "window": [missing], "avoid": [missing]}
    assert str(kron.Fleet.from_frame(table, window="window", avoid="avoid")["a"]) == "0 0 * * *"


def test_values_of_other_types() -> None:
    table = {"name": ["a"], "text": ["@daily"], "window": [pandas.Timedelta("90m")], "avoid": [[{"dow": "SAT"}, {"dow": "SUN"}]]}
    assert str(kron.Fleet.from_frame(table, window="window", avoid="avoid")["a"]) == "0 0 * * * @win(after,1h30m0s) @avoid(dow=6;dow=0)"


def test_what_is_wrong_with_a_row() -> None:
    wrong = {**COLUMNS, "tz": ["Europe/Paris", "Mars/Base", "UTC"]}
    with pytest.raises(kron.LoadError, match="^row 1, b: .*Mars/Base"):
        kron.Fleet.from_frame(wrong, **PARTS)
    fleet, errors = kron.Fleet.from_frame(wrong, on_error="collect", **PARTS)
    assert fleet.names == ("a", "c") and len(errors) == 1 and errors[0].row == 1
    with pytest.raises(TypeError, match="^row 0, a: expected .* not int 600; write the unit"):
        kron.Fleet.from_frame({"name": ["a"], "text": ["@daily"], "window": [600]}, window="window")
    with pytest.raises(TypeError, match="`window` is given twice|given twice"):
        kron.Fleet.from_frame({"name": ["a"], "text": ["@daily @win(after,1h)"], "window": ["1h"]}, window="window")
    with pytest.raises(ValueError, match="'name' and 'tz' differ in length: 1 and 2"):
        kron.Fleet.from_frame({"name": ["a"], "text": ["@daily"], "tz": ["UTC", "UTC"]}, timezone="tz")
    with pytest.raises(KeyError, match="no column 'zone', but 'name', .*; write timezone="):
        kron.Fleet.from_frame(COLUMNS, text="schedule", timezone="zone")
    with pytest.raises(TypeError, match="unexpected keyword argument 'tz'; write timezone="):
        kron.Fleet.from_frame(COLUMNS, text="schedule", tz="tz")  # type: ignore[call-overload]


def test_other_parts_of_all_jobs() -> None:
    fleet = kron.Fleet.from_frame(COLUMNS, **PARTS)
    assert list(fleet.replace(window="1h", timezone="UTC")) == [job.replace(window="1h", timezone="UTC") for job in fleet]
    assert fleet.replace() == fleet and kron.Fleet().replace(window="1h") == kron.Fleet()
    with pytest.raises(TypeError, match="write timezone="):
        fleet.replace(tz="UTC")
    with pytest.raises(TypeError, match=r"write job.replace\(name=...\)"):
        fleet.replace(name="x")


def test_a_short_text_beside_the_full_one() -> None:
    fleet = kron.Fleet.from_frame(COLUMNS, **PARTS)
    assert str(kron.Fleet()) == "no jobs" and str(fleet[:1]) == "1 job: a" and str(fleet) == "3 jobs: a, b, c"
    assert str(fleet.with_job(kron.Job("@daily", name="d"))) == "4 jobs: a, b, c, ..."
    assert eval(repr(fleet)) == fleet
