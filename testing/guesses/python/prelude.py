# What the guesses presuppose: imports that everybody writes, a job, a fleet and a table.
import pathlib
import tempfile
from datetime import date, datetime, timedelta, timezone

import kron
import numpy as np
import pandas as pd
import polars as pl

now = datetime(2025, 1, 1, 12, tzinfo=timezone.utc)
job = kron.Job("0 0 * * * @tz(Europe/Berlin) @win(after,2h)", name="backup")
nominal = datetime(2025, 1, 1, 23, tzinfo=timezone.utc)
decision = job.decide(nominal)
fleet = kron.Fleet([job, kron.Job("0 6 * * * @win(after,1h)", name="report")])
new = (fleet | kron.Fleet([fleet["report"].replace(window="2h")])).with_job(kron.Job("0 3 * * *", name="late"))
action = job.policy.evaluate(decision, now)
df = pd.DataFrame({"name": ["a", "b"], "cron": ["0 0 * * *", "0 6 * * *"]})
path = pathlib.Path(tempfile.mkdtemp()) / "jobs.kron"
path.write_text("0 0 * * * name=backup\n")
