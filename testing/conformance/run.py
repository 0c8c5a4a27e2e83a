#!/usr/bin/env python3
"""Asks any program the questions of the conformance kit, and compares its answers.

    python3 testing/conformance/run.py [--suite NAME]... [--as robfig] -- PROGRAM [ARGUMENT]...

The program reads one JSON object a line, and answers each with one line: testing/conformance/README.md describes both. `--suite` asks the
questions of some suites only. `--as robfig` expects the answers of Kubernetes' cron library in the suite `schedule`.

Exit codes: 0 every answer is right; 1 an answer is wrong, or nothing was answered; 2 the program ended early.
"""

import argparse
import copy
import json
import subprocess
import sys
import threading
from pathlib import Path

TESTDATA = Path(__file__).resolve().parent.parent / "data"
# Differences of a suite that are printed.
SHOWN = 10


def vectors(name):
    return json.loads((TESTDATA / "vectors" / name).read_text())["cases"]


def lines(name):
    return [json.loads(line) for line in (TESTDATA / name).read_text().splitlines()]


def split(case, *answers):
    """A case as its question and its answer."""
    question = {key: value for key, value in case.items() if key not in (*answers, "title")}
    return question, {key: case[key] for key in answers if key in case}


def decide(_):
    for name in ("decisions.json", "legacy.json"):
        for case in vectors(name):
            yield split(case, "u1", "decision")


def nominal(_):
    for case in vectors("cron.json"):
        yield split(case, "next", "prev")


def days(_):
    for case in vectors("days.json"):
        yield split(case, "next", "prev")


def place(_):
    for case in vectors("places.json"):
        yield split(case, "expression", "shift", "candidates", "error")


def plan(_):
    for case in vectors("plan.json"):
        yield split(case, "want", "olderMissed")


def duration(_):
    for case in vectors("durations.json"):
        yield split(case, "ns", "canonical", "error")


def name(_):
    for case in vectors("names.json"):
        yield split(case, "jobName", "label")


def math(_):
    for case in json.loads((TESTDATA / "vectors" / "math.json").read_text()):
        yield {"fn": case["fn"], "args": case["args"]}, {"bits": case["bits"]}


def schedule(like):
    for case in lines("cron/corpus.jsonl"):
        answer = case.get(like, case["kron"])
        if not answer.get("endless"):
            yield split({key: case[key] for key in ("schedule", "timezone", "after")})[0], answer


MINIMAL = {
    "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "case", "namespace": "default"},
    "spec": {"schedule": "0 0 * * *", "jobTemplate": {"spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox"}]}}}}},
}


def merge(into, other):
    for key, value in other.items():
        if isinstance(into.get(key), dict) and isinstance(value, dict):
            merge(into[key], value)
        else:
            into[key] = value


def kronjob(_):
    """Whole resources. What only an API server has is left out: updates, the status, and strict fields."""
    for case in lines("kronjob/corpus.jsonl") + lines("kronjob/corpus-more.jsonl"):
        if any(key in case for key in ("old", "status", "strict", "blind")):
            continue
        resource = copy.deepcopy(MINIMAL)
        merge(resource["spec"], copy.deepcopy(case["spec"]))
        resource["metadata"]["name"] = case.get("name", "case")
        for path in case.get("drop", []):
            *parents, last = path.split(".")
            parent = resource
            for key in parents:
                parent = parent[key]
            del parent[last]
        yield {"resource": resource}, {"accepted": case["want"] == "accept"}


SUITES = {suite.__name__: suite for suite in (decide, nominal, days, place, plan, duration, name, math, schedule, kronjob)}


class Unusable(Exception):
    """A program that does not run, or does not answer in the form of the kit."""


def read_answer(number, line, count):
    """The answer on a line, from 1. It has the id of one of the questions."""
    shown = line.strip()[:64]
    try:
        answer = json.loads(line)
    except ValueError as error:
        raise Unusable(f"line {number} of the answers is not JSON: `{shown}`") from error
    if not isinstance(answer, dict) or type(answer.get("id")) is not int or not 0 <= answer["id"] < count:
        raise Unusable(f"line {number} of the answers is not an object with the `id` of a question: `{shown}`")
    return answer


def ask(program, questions):
    """The answers of the program, by the id of the question."""
    try:
        process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    except OSError as error:
        raise Unusable(f"{program[0]} does not run: {error.strerror}") from error

    def write():
        # A program that ends early leaves its questions unread.
        try:
            for question in questions:
                process.stdin.write(json.dumps(question) + "\n")
            process.stdin.close()
        except BrokenPipeError:
            pass

    writer = threading.Thread(target=write)
    writer.start()
    answers = {}
    try:
        for number, line in enumerate(process.stdout, 1):
            answer = read_answer(number, line, len(questions))
            answers[answer.pop("id")] = answer
    finally:
        process.stdout.close()
        writer.join()
    return answers, process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description="Asks a program the questions of the conformance kit.")
    parser.add_argument("--suite", action="append", choices=list(SUITES), help="only this suite; may be repeated")
    parser.add_argument("--as", dest="like", choices=["kron", "robfig"], default="kron", help="whose cron expressions")
    parser.add_argument("program", nargs="+", help="the program and its arguments, after --")
    args = parser.parse_args()

    cases = [(suite, *case) for suite in args.suite or SUITES for case in SUITES[suite](args.like)]
    questions = [{"id": index, "ask": suite, **question} for index, (suite, question, _) in enumerate(cases)]
    try:
        answers, code = ask(args.program, questions)
    except Unusable as error:
        print(error)
        return 2
    if code or len(answers) < len(questions):
        print(f"the program ended with code {code} after {len(answers)} of {len(questions)} answers")
        return 2
    total_passed = total_failed = 0
    for suite in args.suite or SUITES:
        passed = failed = unsupported = 0
        for question, (of, _, want) in zip(questions, cases):
            if of != suite:
                continue
            got = answers[question["id"]]
            if got.get("unsupported") is True:
                unsupported += 1
            elif got == want:
                passed += 1
            else:
                failed += 1
                if failed <= SHOWN:
                    print(f"FAILED {json.dumps(question)}\n    want {json.dumps(want)}\n    got  {json.dumps(got)}")
        print(f"{suite}: {passed} passed, {failed} failed" + (f", {unsupported} unsupported" if unsupported else ""))
        total_passed, total_failed = total_passed + passed, total_failed + failed
    print(f"{total_passed} passed, {total_failed} failed")
    if not total_passed and not total_failed:
        print("the program supports none of the questions, which is not enough to pass")
    return 1 if total_failed or not total_passed else 0


if __name__ == "__main__":
    sys.exit(main())
