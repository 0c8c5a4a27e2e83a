#!/usr/bin/env python3
"""Computes Kron's golden vectors a second time, with nothing but Python's standard library.

    python3 oracle.py --check    recompute every answer in the JSON files and compare
    python3 oracle.py --write    write the JSON files again from the case lists
"""

import json
import multiprocessing
import pathlib
import sys

import oracle_cases_cron
import oracle_cases_days
import oracle_cases_decisions
import oracle_cases_durations
import oracle_cases_legacy
import oracle_cases_places
import oracle_cases_plan
import oracle_cron
import oracle_days
import oracle_days_page
import oracle_decide
import oracle_names
import oracle_numbers
import oracle_place
import oracle_text

HERE = pathlib.Path(__file__).resolve().parent
SCHEMA = "kron-vectors/1"


def answer_decision(case):
    u1, decision = oracle_decide.decide(case["name"], case["spec"], case["nominal"])
    return {**({} if u1 is None else {"u1": u1}), "decision": decision}


def answer_duration(case):
    try:
        ns = oracle_decide.parse_duration(case["text"])
    except ValueError:
        return {"error": True}
    return {"ns": ns, "canonical": oracle_decide.format_duration(ns)}


def with_text(cases):
    return [{"title": c["title"], "name": c["name"], "text": oracle_text.write_text(c["title"], c["spec"]),
             "spec": c["spec"], "nominal": c["nominal"]} for c in cases]


# File, further members of its head, questions, how to answer one, and the members that are the answer.
FILES = [
    ("decisions.json", {"algorithm": oracle_decide.DEFAULT_ALGORITHM}, with_text(oracle_cases_decisions.CASES),
     answer_decision, ("u1", "decision")),
    ("legacy.json", {"algorithm": oracle_decide.LEGACY_ALGORITHM}, with_text(oracle_cases_legacy.CASES),
     answer_decision, ("u1", "decision")),
    ("cron.json", {}, oracle_cases_cron.CASES, oracle_cron.search, ("next", "prev")),
    ("days.json", {}, oracle_cases_days.CASES, oracle_days.search, ("next", "prev")),
    ("places.json", {}, oracle_cases_places.CASES, oracle_place.place, ("expression", "shift", "candidates", "error")),
    ("days_page.json", oracle_days_page.HEAD, oracle_days_page.CASES, oracle_days_page.answer, ("count", "first", "last", "sha256")),
    ("plan.json", {}, oracle_cases_plan.CASES, oracle_cron.plan, ("want", "olderMissed")),
    ("durations.json", {}, oracle_cases_durations.CASES, answer_duration, ("ns", "canonical", "error")),
    ("names.json", {}, oracle_names.CASES, oracle_names.answer, ("jobName", "label")),
]


def title(case):
    if "primerFor" in case:
        return case["name"] + " primer " + case["primerFor"]
    if "periodID" in case or "token" in case:
        return case["name"] + " " + case.get("periodID", case.get("token"))
    if "text" in case and "name" in case and "title" not in case:
        return case["text"] + " " + case["name"]
    if "text" in case and "after" in case:
        return case["text"] + " " + case["after"]
    for key in ("title", "text"):
        if key in case:
            return case[key]
    return " ".join(case[key] for key in ("schedule", "timezone", "after"))


def contradiction(name, case):
    """What in a case is against the rules of its file or against a known fact, or None."""
    if "decision" in case:
        if not oracle_text.same_job(oracle_text.read_text(case["text"]), case["spec"]):
            return "the text form means another job than the spec"
        decision = case["decision"]
        if name == "decisions.json" and case["title"] in oracle_cases_decisions.FACTS:
            known = oracle_cases_decisions.FACTS[case["title"]]
            if (decision["seedHash"], case["u1"], decision["chosenTime"], decision["draws"]) != known:
                return "not the known fact"
        if name == "decisions.json" and case["title"] in oracle_cases_decisions.FACTS_WITHOUT_DRAW:
            known = oracle_cases_decisions.FACTS_WITHOUT_DRAW[case["title"]]
            if (decision["seedHash"], decision["chosenTime"], decision["draws"]) != known:
                return "not the known fact"
        if name == "legacy.json" and case["title"] in oracle_cases_legacy.FACTS:
            known = oracle_cases_legacy.FACTS[case["title"]]
            if (decision["seedHash"], decision["chosenTime"], decision["draws"]) != known:
                return "not the known fact"
    if name == "plan.json" and case["title"] in oracle_cases_plan.FACTS:
        if [step["action"] for step in case["want"]] != oracle_cases_plan.FACTS[case["title"]]:
            return "not the known fact"
    if name == "cron.json":
        for list_name in ("next", "prev"):
            for text in case[list_name]:
                if not oracle_cron.is_nominal(case["schedule"], case["timezone"], oracle_decide.parse_time(text)):
                    return f"{text} is not on the schedule"
    if name == "days.json":
        for text in case["next"] + case["prev"]:
            if not oracle_days.is_nominal(case, oracle_decide.parse_time(text)):
                return f"{text} is not on the schedule"
    if name == "days_page.json":
        return oracle_days_page.contradiction(case)
    if name == "durations.json" and "canonical" in case:
        if oracle_decide.parse_duration(case["canonical"]) != case["ns"]:
            return "the printed form reads back differently"
    return None


def render(head, cases):
    lines = ",\n".join(json.dumps(case) for case in cases)
    start = json.dumps({"schema": SCHEMA, **head})[:-1]
    return f'{start}, "cases": [\n{lines}\n]}}\n'


def write():
    failed = False
    for name, head, questions, answer, _ in FILES:
        cases, titles = [], set()
        for question in questions:
            try:
                case = {**question, **answer(question)}
                problem = contradiction(name, case)
                if title(case) in titles:
                    problem = "the same case twice"
            except (oracle_numbers.Refused, ValueError) as error:
                problem = str(error) or repr(error)
            if problem:
                print(f"{name}: {title(question)!r}: {problem}")
                failed = True
                continue
            titles.add(title(case))
            cases.append(case)
        if not failed:
            (HERE / name).write_text(render(head, cases), encoding="ascii")
            print(f"{name}: {len(cases)} cases")
    return 1 if failed else 0


def problem_of(case_of_file):
    """What is wrong with a case in a file of that index, or None."""
    index, case = case_of_file
    name, _, _, answer, answer_keys = FILES[index]
    given = {k: v for k, v in case.items() if k in answer_keys}
    try:
        computed = answer({k: v for k, v in case.items() if k not in answer_keys})
        if computed != given:
            return f"computed {json.dumps(computed)}, file has {json.dumps(given)}"
        return contradiction(name, case)
    except (oracle_numbers.Refused, ValueError, KeyError, IndexError) as error:
        return repr(error)


def check():
    # Problems, each with the place where it was looked for.
    found = []
    cases = []
    for index, (name, head, questions, _, answer_keys) in enumerate(FILES):
        document = json.loads((HERE / name).read_text(encoding="ascii"))
        of_file = document.pop("cases")
        found.append((None if document == {"schema": SCHEMA, **head} else "unexpected head", name))
        asked = [{k: v for k, v in case.items() if k not in answer_keys} for case in of_file]
        found.append((None if asked == questions else "its questions are not those of the case list", name))
        cases += [(index, case) for case in of_file]
    with multiprocessing.Pool() as pool:
        problems = pool.imap(problem_of, cases, chunksize=16)
        found += [(problem, f"{FILES[index][0]}: {title(case)!r}") for problem, (index, case) in zip(problems, cases)]
    failed = [(problem, where) for problem, where in found if problem]
    for problem, where in failed:
        print(f"FAILED {where}: {problem}")
    print(f"{len(found) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:] not in (["--check"], ["--write"]):
        sys.exit(__doc__.strip())
    oracle_numbers.self_test()
    sys.exit(check() if sys.argv[1] == "--check" else write())
