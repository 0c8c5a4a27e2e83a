"""The schedules of a table, before and after each gets a window of half an hour: the busiest minute, and the starts.

python examples/python/table.py [examples/python/schedules.csv]
"""

from __future__ import annotations

import datetime
import pathlib
import sys

import kron
import pandas

DAY = datetime.datetime(2026, 3, 2, tzinfo=datetime.timezone.utc)


def main(path: pathlib.Path) -> None:
    """Prints what cron starts on a day, and what it starts with windows."""
    table = pandas.read_csv(path)
    before, errors = kron.Fleet.from_frame(table, text="schedule", on_error="collect")
    for error in errors:
        print(f"left out: {error}")
    after = before.replace(window="30m")

    columns = {}
    for label, fleet in (("before", before), ("after", after)):
        forecast = fleet.forecast(DAY, "24h", per="1m")
        columns[label] = {"starts": forecast.total, "busiest minute": forecast.peak_time().strftime("%H:%M"), "starts in it": forecast.peak()}
    print(pandas.DataFrame(columns))

    both = before.starts(DAY, "24h").to_pandas().merge(after.starts(DAY, "24h").to_pandas(), on=["name", "nominal_time"])
    shown = both.rename(columns={"chosen_time_x": "before", "chosen_time_y": "after"})[["name", "before", "after"]]
    print(shown.head(10).to_string(index=False))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("schedules.csv")))
