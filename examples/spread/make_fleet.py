#!/usr/bin/env python3
"""Prints a job file with many jobs, the same one each time: the fleet of an imaginary company in several time zones.

    python3 examples/spread/make_fleet.py 100000 > fleet.kron
"""

import hashlib
import sys

ZONES = ["UTC", "UTC", "UTC", "Europe/Paris", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Asia/Tokyo"]
TEAMS = ["billing", "cache", "certs", "cleanup", "db", "etl", "ml", "reports"]


def picks(number):
    """Choices that depend on the number of a job only."""
    block = hashlib.sha256(f"fleet {number}".encode()).digest()
    values = iter(block)
    return lambda options: options[next(values) * len(options) // 256]


def job(number):
    pick = picks(number)
    kind = pick(["hourly"] * 5 + ["daily"] * 8 + ["workdays"] * 3 + ["weekly"] * 2 + ["quarterly", "often"])
    team, zone, minute = pick(TEAMS), pick(ZONES), pick([0, 0, 0, 0, 5, 15, 30, 30])
    rules = ""
    if kind == "hourly":
        text, window = f"{minute} * * * *", pick(["10m", "20m", "30m", "50m"])
    elif kind == "often":
        text, window = "*/15 * * * *", pick(["5m", "10m", "14m"])
    elif kind == "quarterly":
        text, window = f"{minute} */4 * * *", pick(["30m", "1h", "2h"])
    elif kind == "weekly":
        text, window = f"{minute} {pick([0, 2, 20])} * * {pick(['SUN', 'MON', 'SAT'])}", pick(["6h", "12h", "24h"])
    else:
        hour = pick([0, 0, 0, 0, 1, 2, 3, 6])
        days = "*" if kind == "daily" else "MON-FRI"
        text, window = f"{minute} {hour} * * {days}", pick(["1h", "2h", "3h", "6h"])
        rules = pick([""] * 14 + [" @avoid(between=02:00-02:29)", " @avoid(date=2026-03-06)"])
    zone = "" if zone == "UTC" else f" @tz({zone})"
    return f"{text}{zone} @win(after,{window}){rules} @policy(deadline=10m) name={team}/job-{number:06}"


def main():
    count = int(sys.argv[1]) if len(sys.argv) == 2 and sys.argv[1].isdigit() else None
    if count is None:
        sys.exit("usage: make_fleet.py COUNT")
    print(f"# A fleet of {count} jobs, printed by examples/spread/make_fleet.py.")
    for number in range(1, count + 1):
        print(job(number))


if __name__ == "__main__":
    main()
