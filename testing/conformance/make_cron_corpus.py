#!/usr/bin/env python3
"""Makes testing/data/cron/corpus.jsonl, the cron corpus.

    python3 testing/conformance/make_cron_corpus.py --check                   recompute Kron's answers with the independent program
    python3 testing/conformance/make_cron_corpus.py --write -- ./robfig       write the corpus, with the answers of robfig/cron

Kron's answers come from testing/data/vectors/oracle_cron.py, which shares no code with Kron. robfig's answers come from the driver in
testing/conformance/robfig, that is from the parser of Kubernetes itself.
"""

import datetime
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "testing" / "data" / "vectors"))

import cron_cases  # noqa: E402
import oracle_cron  # noqa: E402
from oracle_decide import format_time, parse_time  # noqa: E402

CORPUS = ROOT / "testing" / "data" / "cron" / "corpus.jsonl"
CRON_BYTES = 256
# 28 years have every combination of date and weekday.
DAYS = [datetime.date(2000, 1, 1) + datetime.timedelta(days=day) for day in range(28 * 366)]


def answer(text: str, zone: str, after: str) -> dict:
    """Whether Kron accepts an expression, and its next five nominal times."""
    try:
        schedule = oracle_cron.Schedule(text)
        # An expression that never matches is refused.
        if len(text.encode()) > CRON_BYTES or not any(schedule.day_matches(day) for day in DAYS):
            raise ValueError(text)
    except (ValueError, KeyError, IndexError):
        return {"accepted": False}
    return {"accepted": True, "next": [format_time(t) for t in oracle_cron.next_times(text, zone, parse_time(after), 5)]}


def of_program(program: list[str], questions: list[dict]) -> list[dict]:
    text = "".join(json.dumps(question) + "\n" for question in questions)
    out = subprocess.run(program, input=text, check=True, stdout=subprocess.PIPE, text=True).stdout
    answers = sorted((json.loads(line) for line in out.splitlines()), key=lambda found: found["id"])
    return [{key: value for key, value in found.items() if key != "id"} for found in answers]


def write(program: list[str]) -> int:
    asked = [{"schedule": text, "timezone": zone, "after": after} for text, zone, after in cron_cases.cases()]
    theirs = of_program(program, [{"id": i, "ask": "schedule", **question} for i, question in enumerate(asked)])
    lines = []
    for question, robfig in zip(asked, theirs, strict=True):
        kron = answer(*question.values())
        lines.append(json.dumps({**question, "kron": kron, **({} if kron == robfig else {"robfig": robfig})}))
    CORPUS.parent.mkdir(exist_ok=True)
    CORPUS.write_text("\n".join(lines) + "\n", encoding="ascii")
    print(f"{len(lines)} cases, {sum('robfig' in line for line in lines)} of them with another answer of robfig/cron")
    return 0


def check() -> int:
    cases = [json.loads(line) for line in CORPUS.read_text(encoding="ascii").splitlines()]
    failed = 0
    if [(case["schedule"], case["timezone"], case["after"]) for case in cases] != cron_cases.cases():
        print("FAILED the cases are not those of cron_cases.py")
        failed += 1
    for case in cases:
        computed = answer(case["schedule"], case["timezone"], case["after"])
        if computed != case["kron"]:
            print(f"FAILED {case['schedule']!r}: computed {computed}, file has {case['kron']}")
            failed += 1
    print(f"{len(cases)} passed, {failed} failed" if not failed else f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    if sys.argv[1:3] == ["--write", "--"] and sys.argv[3:]:
        sys.exit(write(sys.argv[3:]))
    sys.exit(__doc__)
