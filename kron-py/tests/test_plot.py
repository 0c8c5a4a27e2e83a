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


class TestStartsPerMinute:
    FLEET = kron.Fleet(kron.Job("0 0 * * * @win(after,1h)", name=f"job/{index}") for index in range(300))

    def test_draws_the_herd_and_its_cure(self) -> None:
        reported: list[int] = []
        axes = plot.starts_per_minute(self.FLEET, START, START + 2 * HOUR, progress=reported.append)
        herd, cure = (patch.get_data().values for patch in axes.patches)
        assert len(herd) == len(cure) == 120 and herd[0] == 300 and herd[1:].sum() == 0
        assert cure.sum() == 300 and cure.max() < 30 and sum(reported) == 600
        want = numpy.zeros(120)
        for job in self.FLEET:
            want[(job.decide(START).chosen_timestamp - int(START.timestamp())) // 60] += 1  # type: ignore[operator]
        assert (cure == want).all()
        assert [text.get_text() for text in axes.get_legend().get_texts()][0] == "at nominal times, at most 300"  # type: ignore[union-attr]
        axes.figure.savefig("/dev/null", format="png")
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

    def test_windows_of_one_second_and_of_nothing(self) -> None:
        for text in ("0 0 * * *", "0 0 * * * @win(after,1h) @only(hours=12)"):
            axes = plot.density(kron.Job(text, name="x"), START, names=5)
            assert axes.patches
            axes.figure.savefig("/dev/null", format="png")
        matplotlib.pyplot.close("all")

    def test_names(self) -> None:
        with pytest.raises(ValueError, match="at least 1"):
            plot.density(self.JOB, self.NOMINAL, names=0)
