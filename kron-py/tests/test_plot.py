"""Pictures: what is drawn, by the artists' own data."""

from __future__ import annotations

import datetime

import kron
import matplotlib
import matplotlib.pyplot
import numpy
import pytest
from conftest import at

matplotlib.use("agg")

from kron import plot  # noqa: E402

START = at("2026-03-01T00:00:00Z")
HOUR = datetime.timedelta(hours=1)
SECOND = datetime.timedelta(seconds=1)


class TestStartsPerMinute:
    FLEET = kron.Fleet(kron.Job("0 0 * * * @win(after,1h)", name=f"job/{index}") for index in range(300))

    def test_draws_the_herd_and_its_cure(self) -> None:
        reported: list[int] = []
        axes = plot.starts_per_minute(self.FLEET, START, START + 2 * HOUR, progress=reported.append)
        cure, herd = (patch.get_data().values for patch in axes.patches)
        assert len(herd) == len(cure) == 120 and herd[0] == 300 and herd[1:].sum() == 0
        assert cure.sum() == 300 and cure.max() < 30 and sum(reported) == 300
        want = numpy.zeros(120)
        for job in self.FLEET:
            want[(job.decide(START).chosen_timestamp - int(START.timestamp())) // 60] += 1  # type: ignore[operator]
        assert (cure == want).all()
        assert [text.get_text() for text in axes.get_legend().get_texts()][1] == "at nominal times, at most 300"  # type: ignore[union-attr]
        axes.figure.savefig("/dev/null", format="png")
        matplotlib.pyplot.close("all")

    @pytest.mark.parametrize("window", ["after,3h", "around,3h", "before,3h", "around,3h0m1s"])
    @pytest.mark.parametrize("length", [2 * HOUR, 90 * SECOND, SECOND, 0 * SECOND, -HOUR])
    def test_counts_the_starts_of_the_range(self, window: str, length: datetime.timedelta) -> None:
        """Of all of them, whenever their nominal time is."""
        job = kron.Job("*/20 * * * *", name="x", window=window)
        fleet = kron.Fleet(job.replace(name=str(index)) for index in range(10))
        begin, end = START + HOUR / 2 + SECOND, START + HOUR / 2 + SECOND + length
        counted, line = (patch.get_data().values for patch in plot.starts_per_minute(fleet, begin, end).patches)
        for values, times in ((counted, [it.chosen_time for it in fleet.starts(begin, end)]),
                              (line, [it.nominal_time for it in fleet.periods(begin, end)])):
            want = numpy.zeros(max(0, -(-length // (60 * SECOND))))
            for time in times:
                assert time is not None
                want[(time - begin) // (60 * SECOND)] += 1
            assert values.tolist() == want.tolist()
        assert counted.sum() or length <= 90 * SECOND
        matplotlib.pyplot.close("all")

    def test_suspended_jobs_start_nothing(self) -> None:
        suspended = kron.Job("0 0 * * * @policy(suspend=true)", name="suspended")
        reported: list[int] = []
        axes = plot.starts_per_minute(
            kron.Fleet([*self.FLEET, suspended]), START, START + 2 * HOUR, progress=reported.append)
        assert [patch.get_data().values.sum() for patch in axes.patches] == [300, 300] and sum(reported) == 301
        assert axes.get_title() == "jobs: 300, suspended: 1"
        matplotlib.pyplot.close("all")

    def test_neither_hides_the_other(self) -> None:
        """Even where all values are the same: an area, and a line of another colour over it."""
        fleet = kron.Fleet([kron.Job("* * * * *", name="x")])
        area, line = plot.starts_per_minute(fleet, START, START + HOUR).patches
        assert (area.get_data().values == line.get_data().values).all()
        assert area.get_fill() and not line.get_fill() and area.get_facecolor()[:3] != line.get_edgecolor()[:3]
        assert line.get_linewidth() > 0 and area.get_zorder() <= line.get_zorder()
        matplotlib.pyplot.close("all")

    def test_given_axes_and_naive_times(self) -> None:
        _, given = matplotlib.pyplot.subplots()
        assert plot.starts_per_minute(kron.Fleet([]), START, START + HOUR, ax=given) is given
        with pytest.raises(TypeError, match="naive"):
            plot.starts_per_minute(self.FLEET, START.replace(tzinfo=None), START + HOUR)
        matplotlib.pyplot.close("all")


class TestDensity:
    JOB = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,4h) @dist(skewEarly) @avoid(hours=1;hours=3)", name="prod/db")
    NOMINAL = at("2026-02-28T23:00:00Z")

    def test_density_and_forbidden_hours(self) -> None:
        axes = plot.density(self.JOB, self.NOMINAL, names=2000)
        values, edges, _ = axes.patches[0].get_data()
        assert numpy.isclose((values * numpy.diff(edges) * 24 * 60).sum(), 1)
        hours = (edges[:-1] + numpy.diff(edges) / 2 - edges[0]) * 24
        assert values[(hours > 1.05) & (hours < 1.95)].sum() == 0 == values[(hours > 3.05) & (hours < 3.95)].sum()
        assert values[hours < 1].mean() > 2 * values[(hours > 2) & (hours < 3)].mean()
        shaded = [(span.get_x(), span.get_x() + span.get_width()) for span in axes.patches[1:]]
        number = matplotlib.dates.date2num
        want = [(number(self.NOMINAL + HOUR), number(self.NOMINAL + 2 * HOUR)), (number(self.NOMINAL + 3 * HOUR), number(self.NOMINAL + 4 * HOUR))]
        assert numpy.allclose(shaded, want, atol=1e-9)
        axes.figure.savefig("/dev/null", format="png")
        matplotlib.pyplot.close("all")

    @pytest.mark.parametrize("seconds", [1, 59, 100, 101, 149, 199, 250, 10_801])
    def test_bins_cover_whole_seconds(self, seconds: int) -> None:
        """Bins of a second and a half have one second or two in turn: a comb, where every second is equally likely."""
        job = kron.Job("0 0 * * *", name="x", window=(seconds - 1) * SECOND)
        values, edges, _ = plot.density(job, START, names=500).patches[0].get_data()
        edges = numpy.round((edges - matplotlib.dates.date2num(START)) * 86_400, 3)  # type: ignore[no-untyped-call]
        assert (edges == numpy.round(edges)).all() and edges[0] == 0 and edges[-1] == seconds
        assert len(values) == min(100, seconds) and numpy.ptp(numpy.diff(edges)) <= 1
        offsets = [job.replace(name=f"density/{index}").decide(START).chosen_timestamp - int(START.timestamp()) for index in range(500)]  # type: ignore[operator]
        for value, low, high in zip(values, edges[:-1], edges[1:], strict=True):
            inside = sum(low <= offset < high for offset in offsets)
            assert numpy.isclose(value, inside / 500 / ((high - low) / 60))
        matplotlib.pyplot.close("all")

    def test_windows_of_one_second_and_of_nothing(self) -> None:
        for text in ("0 0 * * *", "0 0 * * * @win(after,1h) @only(hours=12)"):
            axes = plot.density(kron.Job(text, name="x"), START, names=5)
            assert axes.patches
            axes.figure.savefig("/dev/null", format="png")
        matplotlib.pyplot.close("all")

    def test_names(self) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            plot.density(self.JOB, self.NOMINAL, names=0)
