"""What notebooks show: pictures of decisions and forecasts, tables of starts and jobs."""

from __future__ import annotations

import datetime
import xml.etree.ElementTree

import kron
import pandas
import polars

DAY = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)
JOB = kron.Job("0 0 * * * @tz(Europe/Paris) @win(after,3h) @only(hours=1-2)", name="prod/<db>")


def texts(picture: str) -> list[str]:
    return [text for text in xml.etree.ElementTree.fromstring(picture).itertext() if text.strip()]


class TestPictures:
    def test_a_decision_is_a_picture(self) -> None:
        picture = JOB.next_start(DAY)._repr_svg_()
        assert texts(picture)[0].startswith("prod/<db> starts Sun 1 March 2026, 02:54:24.")
        assert {"nominal time", "forbidden"} <= set(texts(picture))

    def test_an_explanation_has_the_picture_and_its_steps(self) -> None:
        decision = JOB.next_start(DAY)
        explanation = JOB.explain(decision.nominal_time)
        assert explanation._repr_svg_() == decision._repr_svg_()
        html = explanation._repr_html_()
        assert html.startswith(decision._repr_svg_())
        assert "<details><summary>Each step</summary><pre>prod/&lt;db&gt;\n" in html
        # It is a page of its own.
        assert "<db>" not in html

    def test_an_instant_and_an_unschedulable_period(self) -> None:
        assert "At its nominal time. Times in UTC." in kron.Job("@daily", name="a").next_start(DAY)._repr_svg_()
        never = kron.Job("@daily @win(after,1h) @only(hours=9)", name="a").decide(DAY)
        assert "a does not start for Sun 1 March 2026, 00:00:00" in never._repr_svg_()


class TestForecasts:
    def test_a_forecast_is_a_picture_of_both_sides(self) -> None:
        fleet = kron.Fleet([kron.Job("0 0 * * * @win(after,1h)", name=f"report/<{i}>") for i in range(60)])
        end = DAY + datetime.timedelta(days=1)
        picture = fleet.forecast(DAY, end)._repr_svg_()
        assert texts(picture)[0].startswith("Fullest minute, Sun 1 March: 60 starts as written, ")
        assert {"as written", "as spread", "60 jobs, 60 starts, UTC"} <= set(texts(picture))
        assert fleet.forecast(DAY, end, nominal=True)._repr_svg_() == picture
        html = fleet.forecast(DAY, end)._repr_html_()
        assert html.startswith(picture)
        names = "report/&lt;0&gt;, report/&lt;1&gt;, "
        assert f"<summary>Fullest buckets</summary><pre>00:00  60  60 x 0 0 * * *  {names}" in html
        assert "<0>" not in html

    def test_a_week_has_heat_maps(self) -> None:
        fleet = kron.Fleet([kron.Job("0 0 * * 1 @win(after,1h)", name="a")])
        week = fleet.forecast(DAY, DAY + datetime.timedelta(days=7), per="15m")
        assert "Fullest 15 minutes of each hour" in texts(week._repr_svg_())

    def test_nothing_to_compare_and_nothing_at_all(self) -> None:
        end = DAY + datetime.timedelta(days=1)
        plain = kron.Fleet([kron.Job("@daily", name="a"), kron.Job("@daily", name="b")]).forecast(DAY, end)
        assert "No job has a window" in plain._repr_svg_()
        none = kron.Fleet().forecast(DAY, end)
        assert none._repr_html_() == none._repr_svg_()
        assert texts(none._repr_svg_())[0].startswith("No job starts")


class TestTables:
    def test_jobs(self) -> None:
        assert kron.Fleet([JOB, kron.Job("@daily", name="b")])._repr_html_() == (
            "<table>\n<caption>2 jobs</caption>\n<thead><tr><th>Job</th><th>Schedule</th><th>Time zone</th><th>Window</th></tr></thead>\n<tbody>\n"
            "<tr><td>prod/&lt;db&gt;</td><td>0 0 * * *</td><td>Europe/Paris</td><td>after 3h</td></tr>\n"
            "<tr><td>b</td><td>0 0 * * *</td><td>UTC</td><td></td></tr>\n</tbody>\n</table>"
        )
        many = kron.Fleet([kron.Job("@daily", name=str(i)) for i in range(11)])._repr_html_()
        assert many.count("<tr>") == 12 and many.count("<td>…</td>") == 4
        assert "<caption>11 jobs, the first 10 of them</caption>" in many
        assert "<caption>1 job</caption>" in kron.Fleet([JOB])._repr_html_()

    def test_starts(self) -> None:
        assert JOB.starts(DAY, count=1)._repr_html_() == (
            "<table>\n<thead><tr><th>Start (UTC)</th><th>Job</th><th>Nominal time (UTC)</th></tr></thead>\n<tbody>\n"
            "<tr><td>2026-03-01 01:54:24</td><td>prod/&lt;db&gt;</td><td>2026-02-28 23:00:00</td></tr>\n</tbody>\n</table>"
        )
        # A series without an end has its first ten.
        html = JOB.starts(DAY)._repr_html_()
        assert html.count("<tr>") == 12 and html.count("<td>…</td>") == 3
        assert JOB.starts(DAY, count=10)._repr_html_().count("<tr>") == 11
        never = kron.Job("@daily @win(after,1h) @only(hours=9)", name="a").periods(DAY, "24h")
        assert "<td>none: noAllowedSecond</td>" in never._repr_html_()

    def test_draws(self) -> None:
        explanation = JOB.explain(datetime.datetime(2026, 2, 28, 23, tzinfo=datetime.timezone.utc))
        frame, table = explanation.to_pandas(), explanation.to_polars()
        assert list(frame.columns) == table.columns == ["u", "quantile", "candidate", "forbidden"]
        assert [frame.dtypes.iloc[0], str(frame.dtypes.iloc[2]), str(frame.dtypes.iloc[3])] == ["float64", "datetime64[s, UTC]", "string"]
        assert table.schema["candidate"] == polars.Datetime("ms", "UTC") and table.schema["forbidden"] == polars.String
        assert frame.candidate.tolist() == [pandas.Timestamp(draw.candidate) for draw in explanation.draws]
        assert table["forbidden"].to_list() == ["only", "only", None] and frame.forbidden.isna().tolist() == [False, False, True]
        none = kron.Job("@daily", name="a").explain(DAY)
        assert len(none.to_pandas()) == len(none.to_polars()) == 0
        assert (none.to_pandas().dtypes == frame.dtypes).all() and none.to_polars().schema == table.schema
