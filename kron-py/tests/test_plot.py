"""Pictures: what is drawn, by the artists' own data."""

from __future__ import annotations

import datetime
import typing

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


class TestBuckets:
    FLEET = kron.Fleet(kron.Job("0 0 * * * @win(after,1h)", name=f"job/{index}") for index in range(300))
    SPREAD = FLEET.forecast(START, START + 2 * HOUR)
    CRON = FLEET.forecast(START, START + 2 * HOUR, nominal=True)

    def test_draws_the_herd_above_its_cure(self) -> None:
        above, below = plot.buckets(self.SPREAD, self.CRON)
        (herd,), (cure,) = ([patch.get_data() for patch in axes.patches] for axes in (above, below))
        assert herd.values.tolist() == self.CRON.starts.tolist() and herd.values[0] == 300
        assert cure.values.tolist() == self.SPREAD.starts.tolist() and cure.values.sum() == 300
        edges = numpy.round((cure.edges - matplotlib.dates.date2num(START)) * 1440, 6)  # type: ignore[no-untyped-call]
        assert edges.tolist() == list(range(121))
        assert above.get_ylim() == below.get_ylim() and above.get_xlim() == below.get_xlim()
        assert above.get_title() == "as cron starts them: at most 300"
        assert below.get_ylabel() == "starts per 1m" and below.get_xlabel() == "time (UTC)"
        above.figure.savefig("/dev/null", format="png")
        matplotlib.pyplot.close("all")

    @pytest.mark.parametrize("value", ["starts", "running", "load"])
    def test_draws_one_value(self, value: typing.Literal["starts", "running", "load"]) -> None:
        weights = {f"job/{index}": 5 for index in range(0, 300, 3)}
        forecast = self.FLEET.forecast(START, START + HOUR, per="90s", duration="10m", weights=weights)
        (axes,) = plot.buckets(forecast, value=value)
        assert axes.patches[0].get_data().values.tolist() == getattr(forecast, value).tolist()
        assert axes.get_ylabel() == f"{value} per 90s" and axes.get_title().endswith(f"at most {forecast.peak(value)}")
        matplotlib.pyplot.close("all")

    def test_given_axes(self) -> None:
        _, given = matplotlib.pyplot.subplots(2)
        assert plot.buckets(self.SPREAD, self.CRON, axes=list(given)) == list(given)
        with pytest.raises(ValueError, match="it takes 1 axes, not 2"):
            plot.buckets(self.SPREAD, axes=list(given))
        matplotlib.pyplot.close("all")


class TestHeatMap:
    def test_draws_every_hour_of_a_week(self) -> None:
        fleet = kron.Fleet([kron.Job("0 4 * * MON", name="a"), kron.Job("0 4 * * MON", name="b")])
        forecast = fleet.forecast(START, START + 8 * 24 * HOUR, per="1h")
        axes = plot.heat_map(forecast, timezone="Europe/Paris")
        shown = axes.images[0].get_array()
        assert shown is not None and shown.shape == (7, 24)
        assert shown[0, 5] == 2 and shown.sum() == 2  # 04:00 in UTC is 05:00 in Paris.
        assert axes.get_xlabel() == "hour (Europe/Paris)"
        axes.figure.savefig("/dev/null", format="png")
        day = plot.heat_map(fleet.forecast(START, START + 24 * HOUR)).images[0].get_array()
        assert day is not None and numpy.isnan(numpy.asarray(day, dtype=float)[:6]).all()
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
