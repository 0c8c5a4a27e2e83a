#!/usr/bin/env python3
"""Answers the questions of run.py with Kron itself, by the Python package `kron`."""

import datetime
import itertools
import json
import re
import sys

import kron

# Windows that overlap too often: an API server accepts them, and the operator reports them.
OVERLAP = 506
# The constraints leave no minute of the window.
NOWHERE = 711


def at(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def rfc3339(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def series(step, time, zone, back):
    """Five nominal times one after another, or as many as there are."""
    found = []
    while len(found) < 5 and (nominal := step(time, timezone=zone)) is not None:
        found.append(rfc3339(nominal))
        time = nominal - datetime.timedelta(seconds=1) if back else nominal
    return found


def decide(question):
    job = kron.Job(question["text"], name=question["name"])
    decision = json.loads(job.decide(at(question["nominal"])).to_json())
    del decision["name"]
    draws = job.explain(at(question["nominal"])).draws
    return {**({"u1": draws[0].u} if draws else {}), "decision": decision}


def nominal(question):
    cron, zone, after = kron.Cron(question["schedule"]), question["timezone"], at(question["after"])
    return {"next": series(cron.next, after, zone, False), "prev": series(cron.prev, after, zone, True)}


def days(question):
    calendars = [kron.Calendar(name, dates) for name, dates in question.get("calendars", {}).items()]
    job = kron.Job(question["text"], name="days/vector", calendars=calendars)
    after = at(question["after"])
    end = datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC)
    begin = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    second = datetime.timedelta(seconds=1)
    return {"next": [rfc3339(it.nominal_time) for it in itertools.islice(job.periods(after + second, end), 5)],
            "prev": [rfc3339(it.nominal_time) for it in itertools.islice(job.periods(begin, after + second, reverse=True), 5)]}


def place(question):
    declared = re.split("(?<=.)[ \t]+@", question["text"])[0].strip(" \t")
    # A job keeps its schedule in canonical form, and a declaration as it is written.
    if declared != str(kron.Cron(declared)):
        return {"unsupported": True}
    try:
        placed = kron.Job(question["text"], name=question["name"]).placed()
    except kron.KronError as error:
        if error.code != NOWHERE:
            raise
        return {"error": True}
    return {"expression": placed.expression, "shift": placed.shift_minutes, "candidates": placed.candidates}


def schedule(question):
    try:
        cron = kron.Cron(question["schedule"])
    except kron.KronError:
        return {"accepted": False}
    return {"accepted": True, "next": series(cron.next, at(question["after"]), question["timezone"], False)}


def plan(question):
    periods = [
        kron.Period(at(it["nominal"]), at(it["windowStart"]), at(it["windowEnd"]), at(it["chosen"]) if it["chosen"] else None)
        for it in question["periods"]
    ]
    made = kron.plan(periods, kron.Policy(**question["policy"]), at(question["now"]), active=question["active"])
    want = []
    for step in made.steps:
        action = step.action.outcome if step.action.kind == "record" else step.action.kind
        until = {} if step.action.wait_until is None else {"until": rfc3339(step.action.wait_until)}
        want.append({"nominal": step.period.period_id, "action": action, **until})
    return {"want": want, "olderMissed": made.older_missed}


def kronjob(question):
    try:
        kron.loads(json.dumps(question["resource"]))
    except kron.LoadError as failed:
        return {"accepted": all(error.code == OVERLAP for error in failed.errors)}
    return {"accepted": True}


ANSWERS = {"decide": decide, "nominal": nominal, "days": days, "place": place, "schedule": schedule, "plan": plan, "kronjob": kronjob}

for line in sys.stdin:
    question = json.loads(line)
    known = ANSWERS.get(question["ask"])
    print(json.dumps({"id": question["id"], **(known(question) if known else {"unsupported": True})}))
