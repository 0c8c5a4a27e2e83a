"""Pictures of starts. Needs matplotlib: ``pip install 'kron-py[plot]'``.

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
    import matplotlib.axes

__all__ = ["density", "starts_per_minute"]

_MINUTE = numpy.timedelta64(60, "s")


def starts_per_minute(
    fleet: kron.Fleet,
    start: datetime.datetime,
    end: datetime.datetime,
    *,
    ax: matplotlib.axes.Axes | None = None,
    progress: typing.Callable[[int], object] | None = None,
) -> matplotlib.axes.Axes:
    """Draws how many jobs start in each minute from ``start`` to ``end``: as cron would start them, and in their windows.

    The periods are those with nominal times in the range; starts outside it are left out. ``progress`` is called with how
    many more jobs are done, twice for each job.
    """
    axes = matplotlib.pyplot.subplots(layout="constrained", figsize=(9, 4))[1] if ax is None else ax
    low, high = _second(start), _second(end)
    edges = numpy.arange(low, high + _MINUTE, _MINUTE)
    series = {
        "at nominal times": fleet.nominal_times(start, end, progress=progress).to_numpy(),
        "at chosen times": fleet.chosen_times(start, end, progress=progress).to_numpy(),
    }
    for label, times in series.items():
        times = times[~numpy.isnat(times)]
        counts, _ = numpy.histogram(times.astype("int64"), edges.astype("int64"))
        axes.stairs(counts, _number(edges), label=f"{label}, at most {counts.max(initial=0)}", fill=True, alpha=0.6)
    axes.xaxis_date(datetime.timezone.utc)
    axes.set_xlabel("time (UTC)")
    axes.set_ylabel("starts per minute")
    axes.set_title(f"{len(fleet)} jobs")
    axes.legend()
    return axes


def density(
    job: kron.Job,
    nominal: datetime.datetime,
    *,
    names: int = 10_000,
    ax: matplotlib.axes.Axes | None = None,
) -> matplotlib.axes.Axes:
    """Draws where the start of one period may lie: its density over the window, with the forbidden hours shaded.

    The density is that of as many jobs as ``names`` says, which differ from this one in their names alone. A line marks the
    start that the job itself has. The axis shows the job's own zone.
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
    counts, edges = numpy.histogram(offsets, bins=min(100, length), range=(0, length))
    # In instants, not in wall-clock time: a window can lie over a change of the clocks.
    times = [decision.window_start + datetime.timedelta(seconds=float(edge)) for edge in edges]
    per_minute = counts / max(1, len(offsets)) / (numpy.diff(edges) / 60)
    axes.stairs(per_minute, _number(times), fill=True, alpha=0.6, label=f"{job.distribution}")

    second = datetime.timedelta(seconds=1)
    free_from = decision.window_start
    gaps = []
    for first, last in explanation.allowed_runs:
        gaps.append((free_from, first))
        free_from = last + second
    listed = sum((last - first) // second + 1 for first, last in explanation.allowed_runs)
    if listed == explanation.allowed:  # An explanation lists the first runs only; what follows them is not forbidden.
        gaps.append((free_from, decision.window_end + second))
    shaded = [gap for gap in gaps if gap[0] < gap[1]]
    for index, (begin, stop) in enumerate(shaded):
        label = "forbidden" if index == 0 else None
        axes.axvspan(_number(begin), _number(stop), color="0.85", label=label)
    if decision.chosen_time is not None:
        axes.axvline(_number(decision.chosen_time), color="black", label=f"{job.name}")
    axes.xaxis_date(zone)
    axes.set_xlabel(f"time ({zone.key})")
    axes.set_ylabel("probability per minute")
    axes.set_title(str(job))
    axes.legend()
    return axes


def _second(time: datetime.datetime) -> numpy.datetime64:
    if time.utcoffset() is None:
        raise TypeError("the datetime is naive, so it names no instant; give it a zone")
    return numpy.datetime64(int(time.timestamp()), "s")


def _number(time: object) -> typing.Any:
    """Matplotlib's number for a datetime, or its numbers for many."""
    return matplotlib.dates.date2num(time)  # type: ignore[no-untyped-call]
