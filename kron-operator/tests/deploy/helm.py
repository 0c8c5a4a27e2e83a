"""Two commands of Helm, by its own library, for machines without the program: what the tests of the chart call.

    helm.py template NAME CHART --namespace NAMESPACE [--set-json OBJECT]
    helm.py lint CHART --strict [--set-json OBJECT]

`scripts/helm_python.sh` installs the library.
"""

import argparse
import json
import sys

import helm_python

parser = argparse.ArgumentParser()
commands = parser.add_subparsers(dest="command", required=True)
template = commands.add_parser("template")
template.add_argument("name")
template.add_argument("--namespace", required=True)
lint = commands.add_parser("lint")
lint.add_argument("--strict", action="store_true")
for command in (template, lint):
    command.add_argument("chart")
    command.add_argument("--set-json", type=json.loads, default={})
arguments = parser.parse_args()

if arguments.command == "template":
    with helm_python.Chart.load(arguments.chart) as chart:
        # As Helm does, so that a value of the wrong kind is seen here.
        chart.validate_schema(arguments.set_json)
        try:
            files = chart.render(arguments.set_json, name=arguments.name, namespace=arguments.namespace)
        except helm_python.HelmError as error:
            sys.exit(f"Error: {error}")
    for path, text in sorted(files.items()):
        if not path.endswith("NOTES.txt"):
            print(f"---\n# Source: {path}\n{text}")
else:
    report = helm_python.lint(arguments.chart, arguments.set_json, strict=arguments.strict)
    for message in report["messages"]:
        print(message)
    # 1 is information.
    sys.exit(1 if report["errors"] or any(message["severity"] != 1 for message in report["messages"]) else 0)
