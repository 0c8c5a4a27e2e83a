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
    import numpy.typing

__all__ = ["density", "starts_per_minute"]

_MINUTE = 60
_SECOND = datetime.timedelta(seconds=1)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def starts_per_minute(
    fleet: kron.Fleet,
    start: datetime.datetime,
    end: datetime.datetime,
    *,
    ax: matplotlib.axes.Axes | None = None,
    progress: typing.Callable[[int], object] | None = None,
) -> matplotlib.axes.Axes:
    """Draws how many jobs start in each minute from ``start`` to ``end``: as cron would start them, and in their windows.

    The area counts the starts with chosen times in the range, also of periods with nominal times outside it. The line counts
    the nominal times in the range. Suspended jobs start nothing and are left out. ``progress`` is called with how many more
    jobs are done; ``tqdm(total=len(fleet)).update`` fits.
    """
    low, high = _second(start), _second(end)
    edges = low + _MINUTE * numpy.arange(max(0, -((low - high) // _MINUTE)) + 1)
    nominal, chosen = (numpy.zeros(len(edges) - 1, dtype="int64") for _ in range(2))
    active = 0
    for job in fleet:
        if not job.policy.suspend:
            active += 1
            # The periods whose windows reach into the range.
            reach = job.window.duration + _SECOND
            chosen += _counts(job.chosen_times(_shifted(start, -reach), _shifted(end, reach)), edges, high)
            nominal += _counts(job.nominal_times(start, end), edges, high)
        if progress is not None:
            progress(1)
    axes = matplotlib.pyplot.subplots(layout="constrained", figsize=(9, 4))[1] if ax is None else ax
    # An area and a line over it: where both have the same values, both can be seen.
    label = f"at chosen times, at most {chosen.max(initial=0)}"
    axes.stairs(chosen, _number(edges), label=label, fill=True, color="tab:blue", alpha=0.6)
    label = f"at nominal times, at most {nominal.max(initial=0)}"
    axes.stairs(nominal, _number(edges), label=label, color="tab:red", linewidth=1)
    axes.xaxis_date(datetime.timezone.utc)
    axes.set_xlabel("time (UTC)")
    axes.set_ylabel("starts per minute")
    suspended = len(fleet) - active
    axes.set_title(f"jobs: {active}" + (f", suspended: {suspended}" if suspended else ""))
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

    The density is that of as many jobs as ``names`` says, which differ from this one in their names alone. Each of up to 100
    bins covers whole seconds. A line marks the start that the job itself has. The axis shows the job's own zone.
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
    """The Unix second of an instant, rounded up, as the ends of ranges are."""
    if time.utcoffset() is None:
        raise TypeError("the datetime is naive, so it names no instant; give it a zone")
    return -((_EPOCH - time) // _SECOND)


def _shifted(time: datetime.datetime, by: datetime.timedelta) -> datetime.datetime:
    """The instant so much later. In UTC, as Python adds to the wall clock of other zones."""
    return time.astimezone(datetime.timezone.utc) + by


def _counts(times: kron.Timestamps, edges: numpy.typing.NDArray[numpy.int64], high: int) -> typing.Any:
    """How many of the times before ``high`` lie in each bin."""
    seconds = times.to_numpy().astype("int64")
    # What is no time is the smallest integer, and before every bin.
    return numpy.histogram(seconds[seconds < high], edges)[0] if len(edges) > 1 else 0


def _number(time: object) -> typing.Any:
    """Matplotlib's number for a datetime, or its numbers for many and for Unix seconds."""
    if isinstance(time, numpy.ndarray):
        time = time.astype("datetime64[s]")
    return matplotlib.dates.date2num(time)  # type: ignore[no-untyped-call]
