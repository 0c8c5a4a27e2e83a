"""Tables of decisions, forecasts, differences and audits. Their methods ``to_pandas`` and ``to_polars`` call these with the columns.

pandas and polars are optional: they are imported when a table is made, and type checkers need no stubs of them.
"""

from __future__ import annotations

import importlib
import typing

from kron._kron import Timestamps


def to_pandas(job: list[str], nominal: Timestamps, chosen: Timestamps, start: Timestamps, end: Timestamps) -> typing.Any:
    """The columns as a ``pandas.DataFrame``."""
    pandas: typing.Any = importlib.import_module("pandas")

    def times(seconds: Timestamps) -> typing.Any:
        return pandas.DatetimeIndex(seconds.to_numpy()).tz_localize("UTC")

    window = pandas.IntervalIndex.from_arrays(times(start), times(end), closed="both")
    return pandas.DataFrame({
        "job": pandas.Series(job, dtype="str"), "nominal": times(nominal), "chosen": times(chosen), "window": window,
    })


def to_polars(job: list[str], nominal: Timestamps, chosen: Timestamps, start: Timestamps, end: Timestamps) -> typing.Any:
    """The columns as a ``polars.DataFrame``."""
    polars: typing.Any = importlib.import_module("polars")

    def times(name: str, seconds: Timestamps) -> typing.Any:
        # The coarsest unit of polars is a millisecond.
        counts = polars.Series(name, seconds.tolist(), dtype=polars.Int64)
        return (counts * 1000).cast(polars.Datetime("ms", "UTC"))

    window = polars.DataFrame([times("start", start), times("end", end)]).to_struct("window")
    return polars.DataFrame([
        polars.Series("job", job, dtype=polars.String), times("nominal", nominal), times("chosen", chosen), window,
    ])


def forecast_to_pandas(time: Timestamps, starts: memoryview, running: memoryview, load: memoryview) -> typing.Any:
    """The buckets as a ``pandas.DataFrame``."""
    pandas: typing.Any = importlib.import_module("pandas")
    numpy: typing.Any = importlib.import_module("numpy")
    index = pandas.DatetimeIndex(time.to_numpy(), name="time").tz_localize("UTC")
    columns = {"starts": starts, "running": running, "load": load}
    return pandas.DataFrame({name: numpy.asarray(values) for name, values in columns.items()}, index=index)


def forecast_to_polars(time: Timestamps, starts: memoryview, running: memoryview, load: memoryview) -> typing.Any:
    """The buckets as a ``polars.DataFrame``."""
    polars: typing.Any = importlib.import_module("polars")
    seconds = polars.Series("time", time.tolist(), dtype=polars.Int64)
    columns = {"starts": starts, "running": running, "load": load}
    return polars.DataFrame([
        (seconds * 1000).cast(polars.Datetime("ms", "UTC")),
        *(polars.Series(name, values.tolist(), dtype=polars.Int64) for name, values in columns.items()),
    ])


def diff_to_pandas(job: list[str], change: list[str], nominal: Timestamps, old: Timestamps, new: Timestamps) -> typing.Any:
    """The starts that an edit changes as a ``pandas.DataFrame``."""
    pandas: typing.Any = importlib.import_module("pandas")

    def times(seconds: Timestamps) -> typing.Any:
        return pandas.DatetimeIndex(seconds.to_numpy()).tz_localize("UTC")

    return pandas.DataFrame({
        "job": pandas.Series(job, dtype="str"), "change": pandas.Series(change, dtype="str"),
        "nominal": times(nominal), "old": times(old), "new": times(new),
    })


def diff_to_polars(job: list[str], change: list[str], nominal: Timestamps, old: Timestamps, new: Timestamps) -> typing.Any:
    """The starts that an edit changes as a ``polars.DataFrame``."""
    polars: typing.Any = importlib.import_module("polars")

    def times(name: str, seconds: Timestamps) -> typing.Any:
        counts = polars.Series(name, seconds.tolist(), dtype=polars.Int64)
        return (counts * 1000).cast(polars.Datetime("ms", "UTC"))

    return polars.DataFrame([
        polars.Series("job", job, dtype=polars.String), polars.Series("change", change, dtype=polars.String),
        times("nominal", nominal), times("old", old), times("new", new),
    ])


def audit_to_pandas(texts: dict[str, list[str | None]], nominal: Timestamps, chosen: Timestamps) -> typing.Any:
    """The periods of an audit as a ``pandas.DataFrame``."""
    pandas: typing.Any = importlib.import_module("pandas")

    def times(seconds: Timestamps) -> typing.Any:
        return pandas.DatetimeIndex(seconds.to_numpy()).tz_localize("UTC")

    # Not "str", in which not every version of pandas keeps missing values.
    columns = {name: pandas.Series(values, dtype="string") for name, values in texts.items()}
    return pandas.DataFrame({
        "kronjob": columns["kronjob"], "nominal": times(nominal), "chosen": times(chosen),
        "state": columns["state"], "cause": columns["cause"], "job": columns["job"],
    })


def audit_to_polars(texts: dict[str, list[str | None]], nominal: Timestamps, chosen: Timestamps) -> typing.Any:
    """The periods of an audit as a ``polars.DataFrame``."""
    polars: typing.Any = importlib.import_module("polars")

    def times(name: str, seconds: Timestamps) -> typing.Any:
        counts = polars.Series(name, seconds.tolist(), dtype=polars.Int64)
        return (counts * 1000).cast(polars.Datetime("ms", "UTC"))

    columns = {name: polars.Series(name, values, dtype=polars.String) for name, values in texts.items()}
    return polars.DataFrame([
        columns["kronjob"], times("nominal", nominal), times("chosen", chosen), columns["state"], columns["cause"], columns["job"],
    ])
