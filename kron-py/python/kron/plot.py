"""Plots of starts. Needs matplotlib: ``pip install 'kron-py[plot]'``.

Each function draws on the axes it is given, or on new ones, and returns them.
"""

from __future__ import annotations

import datetime
import typing

import kron

try:
    import matplotlib.dates
    import matplotlib.pyplot
    import numpy
except ImportError as _missing:
    raise ImportError("kron.plot needs matplotlib and numpy: pip install 'kron-py[plot]'") from _missing

if typing.TYPE_CHECKING:
    import zoneinfo

    import matplotlib.axes

__all__ = ["buckets", "density", "heat_map"]

_SECOND = datetime.timedelta(seconds=1)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def buckets(
    forecast: kron.Forecast,
    cron: kron.Forecast | None = None,
    *,
    value: typing.Literal["starts", "running", "load"] = "starts",
    axes: typing.Sequence[matplotlib.axes.Axes] | None = None,
) -> list[matplotlib.axes.Axes]:
    """Draws a value of each bucket of a forecast: the starts, the executions that run at once, or their load.

    With ``cron``, a forecast of the same range by nominal times, there are two panels on one scale: above the forecast of cron, below
    that of Kron. Raises ``ValueError`` unless ``axes`` has one item for each panel.
    """
    panels = [("as cron starts them", cron, "tab:red")] if cron is not None else []
    panels.append(("in their windows", forecast, "tab:blue"))
    if axes is None:
        size = (9, 3 * len(panels))
        _, made = matplotlib.pyplot.subplots(len(panels), sharex=True, sharey=True, layout="constrained", figsize=size, squeeze=False)
        axes = list(made[:, 0])
    if len(axes) != len(panels):
        raise ValueError(f"it takes {len(panels)} axes, not {len(axes)}")
    for drawn, (title, panel, color) in zip(axes, panels, strict=True):
        edges = numpy.append(panel.times.to_numpy().astype("int64"), _second(panel.end))
        drawn.stairs(numpy.asarray(getattr(panel, value)), _number(edges), fill=True, color=color)
        drawn.set_title(f"{title}: at most {panel.peak(value)}")
        drawn.set_ylabel(f"{value} per {_length(panel.per)}")
        drawn.xaxis_date(datetime.timezone.utc)
    axes[-1].set_xlabel("time (UTC)")
    return list(axes)


def heat_map(
    forecast: kron.Forecast,
    *,
    timezone: zoneinfo.ZoneInfo | datetime.timezone | str = "UTC",
    ax: matplotlib.axes.Axes | None = None,
) -> matplotlib.axes.Axes:
    """Draws the most starts in one bucket of each hour of a week, on the clocks of a zone. Hours outside the range are blank."""
    axes = matplotlib.pyplot.subplots(layout="constrained", figsize=(9, 3))[1] if ax is None else ax
    hours = numpy.array(forecast.heat_map(timezone), dtype=float)
    image = axes.imshow(hours, aspect="auto", cmap="Blues", vmin=0)
    axes.set_yticks(range(7), ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    axes.set_xticks(range(0, 24, 3))
    axes.set_xlabel(f"hour ({getattr(timezone, 'key', timezone)})")
    label = f"most starts per {_length(forecast.per)}"
    axes.figure.colorbar(image, ax=axes, label=label)
    return axes


def density(
    job: kron.Job,
    nominal: datetime.datetime,
    *,
    names: int = 10_000,
    ax: matplotlib.axes.Axes | None = None,
) -> matplotlib.axes.Axes:
    """Draws where the start of one period may lie: its density over the window, with the forbidden hours shaded.

    The density is estimated from ``names`` jobs, at least one, that differ from this one only in their names. Each of up to 100
    bins covers whole seconds. A line marks the start of the job itself. The axis shows the job's time zone.
    """
    if names < 1:
        raise ValueError(f"names must be at least 1, not {names}")
    axes = matplotlib.pyplot.subplots(layout="constrained", figsize=(9, 4))[1] if ax is None else ax
    zone, explanation = job.timezone, job.explain(nominal)
    decision = explanation.decision
    variants = (job.replace(name=f"density/{index}").decide(nominal) for index in range(names))
    offsets = [
        variant.chosen_timestamp - decision.window_start_timestamp
        for variant in variants
        if variant.chosen_timestamp is not None
    ]
    length = decision.window_end_timestamp - decision.window_start_timestamp + 1
    # A start is a whole second, so a bin that cut one in two would count it for one side.
    bins = min(100, length)
    edges = numpy.arange(bins + 1) * length // bins
    counts, _ = numpy.histogram(offsets, bins=edges)
    # In instants, not in wall-clock time: a window can lie over a change of the clocks.
    times = [decision.window_start + datetime.timedelta(seconds=float(edge)) for edge in edges]
    per_minute = counts / max(1, len(offsets)) / (numpy.diff(edges) / 60)
    axes.stairs(per_minute, _number(times), fill=True, color="tab:blue", alpha=0.6, label=f"{job.distribution}")

    free_from = decision.window_start
    gaps = []
    for first, last in explanation.allowed_runs:
        gaps.append((free_from, first))
        free_from = last + _SECOND
    listed = sum((last - first) // _SECOND + 1 for first, last in explanation.allowed_runs)
    if listed == explanation.allowed:  # An explanation lists the first runs only; what follows them is not forbidden.
        gaps.append((free_from, decision.window_end + _SECOND))
    shaded = [gap for gap in gaps if gap[0] < gap[1]]
    for index, (begin, stop) in enumerate(shaded):
        label = "forbidden" if index == 0 else None
        axes.axvspan(_number(begin), _number(stop), color="0.85", label=label, zorder=0)
    if decision.chosen_time is not None:
        axes.axvline(_number(decision.chosen_time), color="black", label=f"{job.name}")
    axes.xaxis_date(zone)
    axes.set_xlabel(f"time ({zone.key})")
    axes.set_ylabel("probability per minute")
    axes.set_title(str(job))
    axes.legend()
    return axes


def _second(time: datetime.datetime) -> int:
    """The Unix second of an instant."""
    return (time - _EPOCH) // _SECOND


def _length(per: datetime.timedelta) -> str:
    """The length of a bucket: ``1m``, ``90s``."""
    seconds = per // _SECOND
    return f"{seconds // 3600}h" if seconds % 3600 == 0 else f"{seconds // 60}m" if seconds % 60 == 0 else f"{seconds}s"


def _number(time: object) -> typing.Any:
    """Matplotlib's number for a datetime, or its numbers for many and for Unix seconds."""
    if isinstance(time, numpy.ndarray):
        time = time.astype("datetime64[s]")
    return matplotlib.dates.date2num(time)  # type: ignore[no-untyped-call]
