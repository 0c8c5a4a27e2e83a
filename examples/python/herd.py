# %% [markdown]
# # A herd and its cure
#
# Fifty-eight jobs of a company, written as people write cron. How many of them start in the same minute, and how many
# do so with their windows? Run it as a script, or cell by cell in an editor that knows `# %%`.
#
#     python examples/python/herd.py [FOLDER]

# %%
import datetime
import pathlib
import sys

import kron
import matplotlib
import matplotlib.pyplot

matplotlib.use("agg")

from kron import plot  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path.cwd()
DAY = datetime.datetime(2026, 3, 1, tzinfo=datetime.timezone.utc)

# %% The fleet, from its job file.
fleet = kron.load(HERE.parent / "fleet.kron").fleet

# %% The herd: starts in each minute of a day, at nominal times and at chosen times.
plot.starts_per_minute(fleet, DAY, DAY + datetime.timedelta(days=1))
matplotlib.pyplot.savefig(FOLDER / "herd.png", dpi=120)

# %% The worst minute, before and after.
counts = {}
for label, times in (("nominal", fleet.nominal_times), ("chosen", fleet.chosen_times)):
    minutes: dict[int, int] = {}
    for second in times(DAY, DAY + datetime.timedelta(days=1)):
        if second is not None:
            minutes[second // 60] = minutes.get(second // 60, 0) + 1
    counts[label] = max(minutes.values())
print(f"the worst minute: {counts['nominal']} starts at nominal times, {counts['chosen']} at chosen times")

# %% One job: where its start may lie, and where it may not.
job = kron.Job(
    "0 1 * * *",
    name="db/orders",
    timezone="Europe/Paris",
    window="after,5h",
    distribution=kron.Distribution.skew_early(2),
    constraints=kron.Constraints(avoid=[kron.Clause(hours="3")]),
)
nominal = job.next_period(DAY).nominal_time
plot.density(job, nominal)
matplotlib.pyplot.savefig(FOLDER / "density.png", dpi=120)
print(job.next_start(DAY))
