"""Tables of decisions, draws, forecasts, differences and audits, whose methods ``to_pandas`` and ``to_polars`` call these with the columns;
and fleets of tables.

pandas and polars are optional: they are imported when a table is made, and type checkers need no stubs of them.
"""

from __future__ import annotations

import importlib
import typing

from kron._errors import KronError, LoadError
from kron._kron import Fleet, Job, Timestamps

if typing.TYPE_CHECKING:
    from kron._records import DrawStep


#: The arguments of `kron.Job` that a table can have as columns.
_PARTS = (
    "timezone", "days", "nodays", "window", "distribution", "seed", "only", "avoid", "constraints", "policy", "algorithm",
)


def fleet(frame: typing.Any, name: str, text: str, on_error: str, columns: dict[str, typing.Any] | None) -> typing.Any:
    """The fleet of the rows of a table; `kron.Fleet.from_frame` calls it."""
    given = {part: column for part, column in (columns or {}).items() if column is not None}
    unknown = [part for part in given if part not in _PARTS]
    if unknown:
        from kron._synonyms import unexpected_keyword

        raise unexpected_keyword("Fleet.from_frame", unknown)
    if on_error not in ("raise", "collect"):
        raise ValueError(f"on_error is 'raise' or 'collect', not {on_error!r}")
    names, texts = _column(frame, name, "name"), _column(frame, text, "text")
    parts = {part: _column(frame, column, part) for part, column in given.items()}
    for column, values in ((text, texts), *((given[part], parts[part]) for part in parts)):
        if len(values) != len(names):
            raise ValueError(f"the columns {name!r} and {column!r} differ in length: {len(names)} and {len(values)}")
    jobs: list[Job] = []
    errors: list[KronError] = []
    rows: dict[str, int] = {}
    for row, (job_name, job_text) in enumerate(zip(names, texts, strict=True)):
        for column, value in ((name, job_name), (text, job_text)):
            if not isinstance(value, str):
                raise TypeError(f"row {row}: expected a str in the column {column!r}, not {type(value).__name__} {value!r}")
        try:
            job = Job(job_text, name=job_name, **_parts_of_row(parts, row))
            if job_name in rows:
                # The core's error of two jobs of one name.
                Fleet([job, job])
        except KronError as error:
            errors.append(_at_row(error, row, job_name))
            continue
        except TypeError as error:
            raise TypeError(f"row {row}, {job_name[:60]}: {error}") from error
        rows[job_name] = row
        jobs.append(job)
    if on_error == "collect":
        return Fleet(jobs), errors
    if errors:
        raise LoadError("\n".join(str(error) for error in errors), tuple(errors))
    return Fleet(jobs)


def _parts_of_row(parts: dict[str, list[typing.Any]], row: int) -> dict[str, typing.Any]:
    """The arguments of a row that have a value."""
    return {part: values[row] for part, values in parts.items() if not _is_missing(values[row])}


def _is_missing(value: typing.Any) -> bool:
    """Whether a table has no value here: ``None``, NaN, NaT, or ``pandas.NA``, none of which equals itself."""
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True
    except ValueError:  # An array, of which each element has an answer.
        return False


def _column(frame: typing.Any, name: str, argument: str) -> list[typing.Any]:
    try:
        return list(frame[name])
    except Exception as error:
        # Each library has exceptions of its own for a missing column, and a list has none.
        columns = getattr(frame, "columns", None)
        known = list(frame) if columns is None and hasattr(frame, "keys") else columns
        if known is None:
            raise TypeError(f"expected a table with columns, not {type(frame).__name__}") from error
        right = f"write {argument}="
        if argument not in ("name", "text"):
            right += f" with the name of a column, or replace({argument}={name!r}) of the fleet for all jobs"
        raise KeyError(f"the table has no column {name!r}, but {', '.join(map(repr, known))}; {right}") from error


def _at_row(error: KronError, row: int, name: str) -> KronError:
    """The error with its row and its job before the message."""
    shown = name if len(name) <= 60 else name[:60] + "..."
    return KronError(
        f"row {row}, {shown}: {error}", error.code, error.field, error.span, None, None, error.reason, error.help, row
    )


#: Names of the columns of decisions, in order.
_COLUMNS = ("nominal_time", "window_start", "window_end", "chosen_time")


def to_pandas(name: list[str], *times: Timestamps) -> typing.Any:
    """The columns as a ``pandas.DataFrame``."""
    pandas: typing.Any = importlib.import_module("pandas")
    columns = {column: _pandas_times(pandas, seconds) for column, seconds in zip(_COLUMNS, times, strict=True)}
    return pandas.DataFrame({"name": pandas.Series(name, dtype="str"), **columns})


def to_polars(name: list[str], *times: Timestamps) -> typing.Any:
    """The columns as a ``polars.DataFrame``."""
    polars: typing.Any = importlib.import_module("polars")
    columns = [_polars_times(polars, column, seconds) for column, seconds in zip(_COLUMNS, times, strict=True)]
    return polars.DataFrame([polars.Series("name", name, dtype=polars.String), *columns])


def _pandas_times(pandas: typing.Any, seconds: Timestamps) -> typing.Any:
    return pandas.DatetimeIndex(seconds.to_numpy()).tz_localize("UTC")


def _polars_times(polars: typing.Any, name: str, seconds: Timestamps) -> typing.Any:
    # The coarsest unit of polars is a millisecond.
    counts = polars.Series(name, seconds.tolist(), dtype=polars.Int64)
    return (counts * 1000).cast(polars.Datetime("ms", "UTC"))


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
    columns = {"starts": starts, "running": running, "load": load}
    return polars.DataFrame([
        _polars_times(polars, "time", time),
        *(polars.Series(name, values.tolist(), dtype=polars.Int64) for name, values in columns.items()),
    ])


def diff_to_pandas(name: list[str], change: list[str], nominal: Timestamps, old: Timestamps, new: Timestamps) -> typing.Any:
    """The starts that an edit changes as a ``pandas.DataFrame``."""
    pandas: typing.Any = importlib.import_module("pandas")
    return pandas.DataFrame({
        "name": pandas.Series(name, dtype="str"), "change": pandas.Series(change, dtype="str"),
        "nominal_time": _pandas_times(pandas, nominal), "old": _pandas_times(pandas, old), "new": _pandas_times(pandas, new),
    })


def diff_to_polars(name: list[str], change: list[str], nominal: Timestamps, old: Timestamps, new: Timestamps) -> typing.Any:
    """The starts that an edit changes as a ``polars.DataFrame``."""
    polars: typing.Any = importlib.import_module("polars")
    return polars.DataFrame([
        polars.Series("name", name, dtype=polars.String), polars.Series("change", change, dtype=polars.String),
        _polars_times(polars, "nominal_time", nominal), _polars_times(polars, "old", old), _polars_times(polars, "new", new),
    ])


def audit_to_pandas(texts: dict[str, list[str | None]], nominal: Timestamps, chosen: Timestamps) -> typing.Any:
    """The periods of an audit as a ``pandas.DataFrame``."""
    pandas: typing.Any = importlib.import_module("pandas")
    # Not "str", in which not every version of pandas keeps missing values.
    columns = {name: pandas.Series(values, dtype="string") for name, values in texts.items()}
    return pandas.DataFrame({
        "kronjob": columns["kronjob"], "nominal_time": _pandas_times(pandas, nominal), "chosen_time": _pandas_times(pandas, chosen),
        "state": columns["state"], "cause": columns["cause"], "job": columns["job"],
    })


def audit_to_polars(texts: dict[str, list[str | None]], nominal: Timestamps, chosen: Timestamps) -> typing.Any:
    """The periods of an audit as a ``polars.DataFrame``."""
    polars: typing.Any = importlib.import_module("polars")
    columns = {name: polars.Series(name, values, dtype=polars.String) for name, values in texts.items()}
    return polars.DataFrame([
        columns["kronjob"], _polars_times(polars, "nominal_time", nominal), _polars_times(polars, "chosen_time", chosen),
        columns["state"], columns["cause"], columns["job"],
    ])


def draws_to_pandas(draws: typing.Sequence[DrawStep]) -> typing.Any:
    """The draws of an explanation as a ``pandas.DataFrame``."""
    pandas: typing.Any = importlib.import_module("pandas")
    return pandas.DataFrame({
        "u": pandas.Series([draw.u for draw in draws], dtype="float64"),
        "quantile": pandas.Series([draw.quantile for draw in draws], dtype="float64"),
        "candidate": _pandas_times(pandas, _candidates(draws)),
        "forbidden": pandas.Series([draw.forbidden for draw in draws], dtype="string"),
    })


def draws_to_polars(draws: typing.Sequence[DrawStep]) -> typing.Any:
    """The draws of an explanation as a ``polars.DataFrame``."""
    polars: typing.Any = importlib.import_module("polars")
    return polars.DataFrame([
        polars.Series("u", [draw.u for draw in draws], dtype=polars.Float64),
        polars.Series("quantile", [draw.quantile for draw in draws], dtype=polars.Float64),
        _polars_times(polars, "candidate", _candidates(draws)),
        polars.Series("forbidden", [draw.forbidden for draw in draws], dtype=polars.String),
    ])


def _candidates(draws: typing.Sequence[DrawStep]) -> Timestamps:
    return Timestamps(int(draw.candidate.timestamp()) for draw in draws)
