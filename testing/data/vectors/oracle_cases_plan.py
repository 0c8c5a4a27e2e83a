"""The case list of plan.json. Times are seconds after one noon; `now` is that noon unless given."""

from oracle_decide import format_time, parse_time

CASES = []
NOON = parse_time("2026-05-20T12:00:00Z")
HOUR, DAY = 3600, 86400
# The actions that the format's definition names for the first decision of all.
FACTS = {
    "Fact 1: one second late and no deadline": ["missed"],
    "Fact 2: late but inside the deadline": ["execute"],
    "Fact 3: the period is handled, so none is left": [],
    "Fact 4: the last run is still active": ["skipped"],
}


def case(title, periods, concurrency="forbid", deadline="0s", suspend=False, active=False, now=NOON):
    for p in periods:
        start, end = parse_time(p["windowStart"]), parse_time(p["windowEnd"])
        assert start <= now and start <= end, title
        assert p["chosen"] is None or start <= parse_time(p["chosen"]) <= end, title
    assert len({p["nominal"] for p in periods}) == len(periods), title
    CASES.append({"title": title, "policy": {"concurrency": concurrency, "deadline": deadline, "suspend": suspend},
                  "now": format_time(now), "active": active, "periods": periods})


def period(nominal, chosen, length=HOUR):
    """A period with a window after its nominal time."""
    return {"nominal": format_time(NOON + nominal), "windowStart": format_time(NOON + nominal),
            "windowEnd": format_time(NOON + nominal + length), "chosen": format_time(NOON + chosen)}


def closed(nominal, length=HOUR):
    """A period without an allowed second."""
    return {**period(nominal, nominal, length), "chosen": None}


def late(*seconds):
    """One period for each lateness; each chosen ten minutes after its nominal time."""
    return [period(-s - 600, -s) for s in seconds]


# --- the facts ---
FIRST = {"nominal": "2026-03-01T00:00:00Z", "windowStart": "2026-03-01T00:00:00Z", "windowEnd": "2026-03-01T03:00:00Z",
         "chosen": "2026-03-01T02:32:20Z"}
case("Fact 1: one second late and no deadline", [FIRST], now=parse_time("2026-03-01T02:32:21Z"))
case("Fact 2: late but inside the deadline", [FIRST], deadline="10m", now=parse_time("2026-03-01T02:40:00Z"))
case("Fact 3: the period is handled, so none is left", [], deadline="10m", now=parse_time("2026-03-01T02:35:00Z"))
case("Fact 4: the last run is still active", [FIRST], deadline="10m", active=True, now=parse_time("2026-03-01T02:35:00Z"))

# --- one period ---
case("One second early", late(-1))
case("At the chosen second", late(0))
case("A long wait", [period(0, 3599)])
case("Waiting does not ask for a deadline", late(-1), deadline="1h")
case("Waiting although the last run is active", late(-5), active=True)
case("Waiting to replace the active run", late(-5), "replace", active=True)
for concurrency in ("allow", "forbid", "replace"):
    for active in (False, True):
        state = "an active run" if active else "no active run"
        case(f"{concurrency} at the chosen second with {state}", late(0), concurrency, active=active)
        case(f"{concurrency} at the last moment of the deadline with {state}", late(300), concurrency, "5m", active=active)
        case(f"{concurrency} a second after the deadline with {state}", late(301), concurrency, "5m", active=active)
for deadline, seconds in (("1ns", 0), ("1ns", 1), ("999999999ns", 1), ("500ms", 0), ("500ms", 1), ("1s", 1), ("1s", 2), ("1.5s", 1),
                          ("1.5s", 2), ("9.999999999s", 9), ("9.999999999s", 10), ("10s", 10), ("10s", 11), ("10.5s", 10),
                          ("10.5s", 11), ("11s", 11), ("59.9s", 59), ("59.9s", 60), ("1m0.1s", 60), ("1m0.1s", 61)):
    case(f"A deadline of {deadline} and {seconds} seconds late", late(seconds), deadline=deadline)
case("The longest deadline there is", late(90 * DAY), deadline="2562047h47m16.854775807s")
case("No open period", [])
case("No open period while suspended", [], suspend=True)
case("A window of a single second that is now", [period(0, 0, 0)])
case("A window of a single second that has passed", [period(-1, -1, 0)])

# --- suspended ---
case("Suspended at the chosen second", late(0), suspend=True)
case("Suspended long after the deadline", late(5000), suspend=True)
case("Suspended before the chosen time", late(-60), suspend=True)
case("Suspended without an allowed second", [closed(-2 * HOUR)], suspend=True)
case("Suspended with all kinds at once", late(7200, 300, 20, 5, 0, -9) + [closed(-90 * 60), closed(-60)], deadline="1h", suspend=True,
     active=True)
case("Suspended with more periods than a list of missed ones takes", late(*range(60, 60 * 131, 60)), suspend=True)

# --- unschedulable ---
case("No allowed second, the window still open", [closed(-10)])
case("No allowed second, the last second of the window", [closed(-HOUR)])
case("No allowed second, the window just closed", [closed(-HOUR - 1)])
case("No allowed second, a day ago", [closed(-DAY)], deadline="1m")
case("No allowed second in a single candidate, now", [closed(0, 0)])
case("No allowed second in a single candidate, a second ago", [closed(-1, 0)])
case("No allowed second does not mind an active run", [closed(-HOUR - 1)], active=True)
case("No allowed second does not make a run active", [closed(-HOUR - 30)] + late(0))
case("No allowed second sorts by the end of its window", late(20, 0, -20) + [closed(-HOUR - 10), closed(-HOUR + 10)], deadline="1m")
case("No allowed second with the same place as a choice, nominal earlier", [closed(-HOUR), period(-60, 0)])
case("No allowed second with the same place as a choice, nominal later", [period(-2 * HOUR, 0, 3 * HOUR), closed(-HOUR)])
case("No allowed second is no catch-up", [closed(-HOUR - 20)] + late(40, 30), deadline="1h")
case("Many periods without an allowed second, each by itself", [closed(-HOUR - 60 * n) for n in range(1, 121)])

# --- several periods ---
case("Two periods wait", late(-30, -60))
case("Two periods wait, out of nominal order", [period(-3000, 600, 2 * HOUR), period(-1800, 60)])
case("Two periods wait for one second, given out of order", [period(-60, 300), period(-120, 300)])
case("One is due and one waits", late(0, -30))
case("One is due, one waits and the run is active", late(0, -30), active=True)
case("Chosen times against nominal order, both due", [period(-1800, -2), period(-900, -4)], "replace", "1m")
case("Chosen at the same second, forbid", [period(-900, 0), period(-1800, 0)])
case("Chosen at the same second, replace", [period(-900, 0), period(-1800, 0)], "replace")
case("Chosen at the same second, allow", [period(-900, 0), period(-1800, 0)], "allow")
for concurrency in ("allow", "forbid", "replace"):
    for active in (False, True):
        state = "an active run" if active else "no active run"
        case(f"Three are due within ten seconds: {concurrency}, {state}", late(0, 4, 10), concurrency, "1m", active=active)
        case(f"Three are due, one of them past the deadline: {concurrency}, {state}", late(1, 4, 9), concurrency, "4s", active=active)
        case(f"Four to catch up with: {concurrency}, {state}", late(11, 100, 400, 1000), concurrency, "1h", active=active)
        case(f"Old ones and prompt ones: {concurrency}, {state}", late(2, 8, 60, 90), concurrency, "1h", active=active)

# --- catching up ---
case("Ten seconds late is prompt, eleven is not", late(10, 11, 12), "allow", "1m")
case("Only one old period, still inside the deadline", late(3000), deadline="1h")
case("The older of two is past the deadline", late(50, 61), deadline="1m")
case("Both are past the deadline", late(61, 62), deadline="1m")
case("The latest choice counts, not the latest nominal time", [period(-3000, -20), period(-2000, -1500), period(-1000, -900)], deadline="1h")
case("Two old ones share their second, the greater nominal time is taken", [period(-1000, -20), period(-2000, -20)], "allow", "1h")
case("Two old ones share their second with an older one", [period(-2000, -20), period(-1000, -20), period(-900, -30)], "replace", "1h")
case("A fractional deadline parts the old ones", late(29, 30, 31, 32), "allow", "30.5s")
case("All kinds at once", late(7200, 4000, 300, 20, 5, 0, -9, -600) + [closed(-90 * 60), closed(-60)], deadline="1h")
case("All kinds at once, allow", late(7200, 4000, 300, 20, 5, 0, -9, -600) + [closed(-90 * 60), closed(-60)], "allow", "1h", active=True)
case("All kinds at once, replace, given backwards", (late(7200, 4000, 300, 20, 5, 0, -9, -600) + [closed(-90 * 60), closed(-60)])[::-1],
     "replace", "1h", active=True)
case("The catch-up is skipped for the active run, and so are the prompt ones", late(3, 30, 300), deadline="1h", active=True)
case("The wait goes on after a catch-up", late(300, -300), deadline="1h")

# --- many ---
MINUTES = [60 * n for n in range(1, 400)]
case("A hundred past the deadline", late(*MINUTES[:100]))
case("A hundred and one past the deadline", late(*MINUTES[:101]))
case("A hundred and fifty past the deadline, given newest last", late(*MINUTES[:150][::-1]))
case("A hundred and twenty past the deadline and one due", late(0, *MINUTES[:120]), deadline="10s")
case("A hundred and one to catch up with", late(*MINUTES[:101]), deadline="24h")
case("A hundred and two to catch up with", late(*MINUTES[:102]), deadline="24h")
case("Two hundred and fifty to catch up with, and the run is active", late(*MINUTES[:250]), deadline="24h", active=True)
case("Half of two hundred and forty are past the deadline", late(*MINUTES[:240]), deadline="2h")
case("A hundred and five at one second, past the deadline", [period(-600 - n, -30) for n in range(105)])
case("A hundred and five at one second, inside the deadline", [period(-600 - n, -30) for n in range(105)], "allow", "1m")
case("A hundred and five at one second, now, replacing each other", [period(-600 - n, 0) for n in range(105)], "replace")
