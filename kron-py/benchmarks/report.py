"""Runs the benchmarks and prints the tables of docs/benchmarks.md: python benchmarks/report.py"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
import typing

HERE = pathlib.Path(__file__).resolve().parent
Row: typing.TypeAlias = dict[str, dict[str, typing.Any]]


def measure() -> list[dict[str, typing.Any]]:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "speed.json"
        args = ["-m", "pytest", "-q", str(HERE), "--benchmark-disable-gc", f"--benchmark-json={path}", "--benchmark-max-time=0.3"]
        subprocess.run([sys.executable, *args], check=True, stdout=sys.stderr)
        found: list[dict[str, typing.Any]] = json.loads(path.read_text())["benchmarks"]
        return found


def rows(benchmarks: list[dict[str, typing.Any]], group: str) -> dict[str, Row]:
    table: dict[str, Row] = {}
    for it in benchmarks:
        if group in it["fullname"]:
            params = it["params"]
            key = params.get("text") or f"{params['zone']} `{params['cron']}`"
            table.setdefault(key, {})[it["name"].split("[")[0].removeprefix("test_")] = it
    return table


def main() -> None:
    benchmarks = measure()
    print("One next start, the fastest of many rounds in microseconds:\n")
    print("| | kron | kron, window | kron, integers | croniter | cronsim | faster rival \u00f7 kron | \u00f7 kron, integers |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    least: dict[str, float] = {"kron": float("inf"), "kron_integers": float("inf")}
    for key, row in rows(benchmarks, "TestNextStart").items():
        micros = {name: it["stats"]["min"] * 1e6 for name, it in row.items()}
        rival = min(micros["croniter"], micros["cronsim"])
        ratio = {name: rival / micros[name] for name in least}
        least = {name: min(least[name], ratio[name]) for name in least}
        cells = [f"{micros[name]:.2f}" for name in ("kron", "kron_window", "kron_integers", "croniter", "cronsim")]
        print(f"| {key} | {' | '.join(cells)} | {ratio['kron']:.1f} | {ratio['kron_integers']:.1f} |")
    print(f"\nThe least advantage: {least['kron']:.1f} times on datetimes, {least['kron_integers']:.1f} times on integers.\n")
    print("Bulk, millions of decisions a second:\n\n| | chosen_times | decide_many |\n|---|---:|---:|")
    for key, row in rows(benchmarks, "TestBulk").items():
        speeds = [row[name]["extra_info"]["decisions"] / row[name]["stats"]["min"] / 1e6 for name in ("chosen_times", "decide_many")]
        print(f"| `{key}` | {speeds[0]:.2f} | {speeds[1]:.2f} |")


if __name__ == "__main__":
    main()
