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

# %% The herd: starts in each minute of a day, as cron starts the jobs, and in their windows.
cron = fleet.forecast(DAY, DAY + datetime.timedelta(days=1), nominal=True)
spread = fleet.forecast(DAY, DAY + datetime.timedelta(days=1))
plot.buckets(spread, cron)
matplotlib.pyplot.savefig(FOLDER / "herd.png", dpi=120)

# %% A week by hour.
plot.heat_map(fleet.forecast(DAY, DAY + datetime.timedelta(days=7)))
matplotlib.pyplot.savefig(FOLDER / "week.png", dpi=120)

# %% The worst minute, before and after.
print(f"the worst minute: {cron.peak()} starts as cron starts them, {spread.peak()} in their windows")

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
