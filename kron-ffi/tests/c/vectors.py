"""Turns the golden vectors into lines that the C test reads: one case a line, fields by tabs, texts in hex."""

import datetime
import json
import pathlib
import sys

ACTIONS = {"nothing": (0, 4), "wait": (1, 4), "execute": (2, 0), "replace": (3, 0),
           "skipped": (4, 1), "missed": (4, 2), "unschedulable": (4, 3)}
FLAGS = {None: 1, "noAllowedSecond": 2, "drawsExhausted": 4}
CONCURRENCY = {"forbid": 0, "allow": 1, "replace": 2}
ALGORITHMS = {"siphash-chacha8/1": 0, "sha256-splitmix64/1": 1}


def seconds(text):
    """Unix seconds of an RFC 3339 time; a dash for none."""
    if text is None:
        return "-"
    return int(datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z").timestamp())


def quoted(text):
    return "x" + text.encode().hex()


def decisions(case):
    want = case["decision"]
    yield ["decide", quoted(case["name"]), quoted(case["text"]), quoted(json.dumps(case["spec"])),
           seconds(case["nominal"]), want["periodId"], want["periodKey"], seconds(want["windowStart"]),
           seconds(want["windowEnd"]), seconds(want["chosenTime"]), want["seedHash"], want["draws"],
           FLAGS[want["unschedulable"]], ALGORITHMS[want["algorithm"]]]


def cron(case):
    yield ["cron", quoted(case["schedule"]), case["timezone"], seconds(case["after"]),
           ",".join(str(seconds(time)) for time in case["next"]), ",".join(str(seconds(time)) for time in case["prev"])]


def plan(case):
    policy = case["policy"]
    yield ["plan", CONCURRENCY[policy["concurrency"]], policy["deadline"], int(policy["suspend"]),
           seconds(case["now"]), int(case["active"]), len(case["periods"]), len(case["want"]), case["olderMissed"]]
    for period in case["periods"]:
        yield ["period", *(seconds(period[key]) for key in ("nominal", "windowStart", "windowEnd", "chosen"))]
    for step in case["want"]:
        yield ["step", seconds(step["nominal"]), *ACTIONS[step["action"]], seconds(step.get("until"))]


def durations(case):
    yield ["duration", quoted(case["text"]), "-" if case.get("error") else case["ns"], quoted(case.get("canonical", ""))]


def main():
    folder = pathlib.Path(sys.argv[1])
    files = {"decisions": decisions, "legacy": decisions, "cron": cron, "plan": plan, "durations": durations}
    for name, lines in files.items():
        for case in json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))["cases"]:
            for line in lines(case):
                print("\t".join(str(field) for field in line))


main()
