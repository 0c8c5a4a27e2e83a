#!/usr/bin/env python3
"""Answers the questions of run.py with the independent program that computed the vectors: Python's standard library alone."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "data" / "vectors")]

import make_cron_corpus  # noqa: E402
import oracle  # noqa: E402
import oracle_cron  # noqa: E402
import oracle_days  # noqa: E402
import oracle_names  # noqa: E402
import oracle_place  # noqa: E402

ANSWERS = {
    "decide": oracle.answer_decision,
    "nominal": oracle_cron.search,
    "days": oracle_days.search,
    "place": oracle_place.place,
    "plan": oracle_cron.plan,
    "duration": oracle.answer_duration,
    "name": oracle_names.answer,
    "schedule": lambda question: make_cron_corpus.answer(question["schedule"], question["timezone"], question["after"]),
}

for line in sys.stdin:
    question = json.loads(line)
    known = ANSWERS.get(question["ask"])
    print(json.dumps({"id": question["id"], **(known(question) if known else {"unsupported": True})}))
