"""The case list of legacy.json."""

import functools

from oracle_cases_decisions import case as any_case
from oracle_decide import LEGACY_ALGORITHM

CASES = []
case = functools.partial(any_case, algorithm=LEGACY_ALGORITHM, into=CASES)
# What the first implementation answered: seed hash, chosen time, draws.
FACTS = {
    "Fact 1: after three hours, with a salt": (
        "9c85657760a63b4d925af6088cceb2bb4448380b2e6856b203915a0a51ab5101", "2026-03-01T02:32:20Z", 1),
    "Fact 2: after one hour": (
        "4279dd7a284efb4a887f4eb154288b5d14c90a4507251b6ae4f59b877b19ed0f", "2026-03-01T00:58:29Z", 1),
    "Fact 3: before": (
        "0caaac6620327d09c5fc3f02d4fdc933bbc3e57d4f517090f4bb87a2dfa703c8", "2026-03-02T08:21:24Z", 1),
    "Fact 4: skewed to the start": (
        "900587867615374a17aced78f3ce26c63ec0c01de5cd8c839a4f9fa599345179", "2026-03-03T08:19:18Z", 1),
    "Fact 5: skewed to the end with a shape": (
        "d9a0d311c2f36cccd6d5e1ad250a9f735192dacac203b72fcaa05f3d926b5f36", "2026-03-04T09:44:26Z", 1),
    "Fact 6: a daily draw on the local day": (
        "d6807b8800901a8fb1be0cc659d2633bf3265eb231a1821ce1667d3e0a8a770f", "2026-03-01T00:54:54Z", 1),
    "Fact 7: a weekly draw in the local week": (
        "3fb8ad964089d085a02bf860ba8bccdb64b61a8b130a08b8bfff90ca84fe9d1e", "2027-01-01T00:02:46Z", 1),
    "Fact 8: around with an odd number of seconds": (
        "373323945eae5164beab6a959a8c38f293e0f87ae8d978bc6614ec035054527e", "2026-03-05T11:43:17Z", 1),
    "Fact 9: all draws forbidden": (
        "d75bf053ee2e56b04267f9acfa9d8002e1f1d8e18e0d25fcbc5a1fcaf2a684c8", None, 64),
    "Fact 10: the only second forbidden": (
        "3dcb2dfccd40e506615ed29c4b1a1098e980d2845944ae08387e8c4f33108c0d", None, 0),
}

case("Fact 1: after three hours, with a salt", "prod/db-backup", "2026-03-01T00:00:00Z", "after 3h", salt="backup")
case("Fact 2: after one hour", "prod/db-backup", "2026-03-01T00:00:00Z", "after 1h")
case("Fact 3: before", "batch/nightly", "2026-03-02T10:00:00Z", "before 2h")
case("Fact 4: skewed to the start", "msgs/skew-early", "2026-03-03T09:00:00Z", "around 1h30m", "skewEarly")
case("Fact 5: skewed to the end with a shape", "msgs/shape-2-5", "2026-03-04T09:00:00Z", "around 1h30m", "skewLate shape=2.5")
case("Fact 6: a daily draw on the local day", "daily/edge-la", "2026-03-01T00:30:00Z", "after 30m", seed="daily",
     tz="America/Los_Angeles")
case("Fact 7: a weekly draw in the local week", "weekly/edge-tokyo", "2026-12-31T23:30:00Z", "after 1h", seed="weekly",
     tz="Asia/Tokyo")
case("Fact 8: around with an odd number of seconds", "around/odd-duration", "2026-03-05T12:00:00Z", "around 1h1m1s")
case("Fact 9: all draws forbidden", "constraint/unsched-loop", "2026-02-24T10:00:00Z", "after 1h", only=[{"hours": "12"}])
case("Fact 10: the only second forbidden", "constraint/between-avoid", "2026-03-02T12:00:00Z", "after 0s",
     avoid=[{"between": "12:00-12:00"}])

AT = "2026-05-20T04:00:00Z"
NEAR_0, NEAR_1 = "tail/n4116", "tail/n19194"
for n, shape in enumerate("1e-3 0.5 1 2 7.5 50 1e6".split()):
    for kind in ("skewEarly", "skewLate"):
        case(f"{kind} with shape {shape}", f"legacy/{kind}-{n}", AT, "after 1h", f"{kind} shape={shape}")
    case(f"skewEarly with shape {shape} and a draw near 1", NEAR_1, AT, "around 6h", f"skewEarly shape={shape}")
    case(f"skewLate with shape {shape} and a draw near 0", NEAR_0, AT, "before 6h", f"skewLate shape={shape}")
case("uniform by its name", "legacy/uniform", AT, "after 1h", "uniform")
case("skewLate without a shape takes 2", "legacy/late", AT, "after 1h", "skewLate")
case("uniform with a draw near 0", NEAR_0, AT, "after 168h")
case("uniform with a draw near 1", NEAR_1, AT, "after 168h")

for n, length in enumerate("0s 1s 2s 3s 59s 1h1m1s 24h 168h 8784h".split()):
    for mode in ("after", "around", "before"):
        case(f"A window {mode} of {length}", f"legacy/{mode}-{n}", "2026-07-14T09:30:00Z", f"{mode} {length}")
case("No window at all", "legacy/none", AT)
case("A window written in thousandths of a second", "legacy/thousandths", AT, "after 1000ms")
case("A window written in half seconds that make whole ones", "legacy/halves", AT, "after 1.5s0.5s")
case("Around an odd number of seconds with a nominal time between minutes", "legacy/odd-second", "2026-05-20T04:00:37Z",
     "around 5m7s", schedule="0 4 * * *")
case("Around an odd number of seconds before 1970", "legacy/epoch", "1970-01-01T00:00:00Z", "around 1m1s")
case("Around three seconds with a skewed draw", "legacy/three", AT, "around 3s", "skewLate shape=3")

for n in range(5):
    case(f"Office hours only, job {n}", f"office/job-{n}", "2026-03-02T00:00:00Z", "after 24h", only=[{"hours": "9-16"}])
for n in range(5):
    case(f"One hour of the day, job {n}", f"narrow/hour-{n}", "2026-03-02T00:00:00Z", "after 24h", "skewEarly shape=1.5",
         only=[{"between": "13:00-13:59"}])
for n in range(4):
    case(f"One minute of the day is hardly ever met, job {n}", f"narrow/minute-{n}", "2026-03-02T00:00:00Z", "after 24h",
         only=[{"between": "13:30-13:30"}])
case("An allowed second exists and no draw meets it", "narrow/second", "2026-03-02T00:00:00Z", "after 1h",
     only=[{"between": "01:00-01:00"}])
case("Two clauses of which the second is met", "parts/or", "2026-03-02T00:00:00Z", "after 24h",
     only=[{"dow": "SUN"}, {"hours": "20-22", "dow": "MON-FRI"}])
case("Wrapping hours on top of an avoided date", "parts/both", "2026-03-02T12:00:00Z", "after 36h", only=[{"hours": "22-5"}],
     avoid=[{"date": "2026-03-02"}, {"between": "04:00-05:59"}])
case("A single candidate that is allowed", "single/yes", AT, "after 0s", only=[{"hours": "4"}])
case("A single candidate that only forbids", "single/no", AT, "around 0s", only=[{"hours": "5"}])
case("A window of no length before", "single/before", AT, "before 0s", "skewLate", "daily")
case("The hour that spring skips", "dst/gap", "2026-03-29T00:00:00Z", "after 4h", tz="Europe/Paris", only=[{"hours": "2"}])
case("The hour that autumn repeats", "dst/fold", "2026-10-25T00:00:00Z", "after 4h", tz="Europe/Paris", only=[{"hours": "2"}])
case("The half hour of Lord Howe", "dst/half", "2026-04-04T12:00:00Z", "around 8h", tz="Australia/Lord_Howe",
     only=[{"between": "01:30-01:59"}])
case("A day in Kathmandu", "keys/kathmandu", "2026-05-31T18:15:00Z", "after 3h", seed="daily", tz="Asia/Kathmandu")
case("A week in Auckland", "keys/auckland", "2027-01-03T11:30:00Z", "after 3h", seed="weekly", tz="Pacific/Auckland")
case("A week in Los Angeles", "keys/los-angeles", "2027-01-04T07:30:00Z", "after 3h", seed="weekly", tz="America/Los_Angeles")
case("A salt with a line feed", "salt/line", AT, "after 1h", salt="one\ntwo")
case("A salt in Japanese", "salt/japanese", AT, "after 1h", salt="\u6bce\u6669", seed="weekly")
case("An identity of 1024 bytes", "\u00e9" * 512, AT, "after 1h")
case("The last minute of all", "bounds/last", "2099-12-31T23:59:00Z", "after 24h", "skewEarly")
