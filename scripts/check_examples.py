#!/usr/bin/env python3
"""Checks that the public functions of the libraries without I/O have an example in their documentation that asserts something.

A function is exempt if its trait documents it (implementations of traits), or if it is a plain accessor: it takes only
`self`, and its body is a field, or a field followed by one of the calls in `ADAPTERS`, which change the form of a value and
not the value. There are no other exceptions.

The list of functions is rustdoc's JSON. Stable rustdoc writes it if RUSTC_BOOTSTRAP is set; the variable is set for rustdoc
alone, because cargo would build all dependencies again. The same run shows that the documentation builds as docs.rs builds
it, with `--cfg docsrs`.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["kron-core", "kron-fleet", "kron-host"]
ADAPTERS = ["as_deref", "as_ref", "clone", "is_empty", "is_none", "is_some", "unwrap_or_default"]
ACCESSOR = re.compile(r"[&*]*self((\.\w+)+)((\.(%s)\(\))*)" % "|".join(ADAPTERS))
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# What may be written behind the opening fence of a block that is compiled and run.
RUN = {"", "rust", "edition2024"}


def act_as_rustdoc() -> None:
    os.environ["RUSTC_BOOTSTRAP"] = "1"
    os.execvp("rustdoc", ["rustdoc", *sys.argv[1:]])


def rustdoc_json(package: str) -> dict:
    env = {**os.environ, "RUSTDOC": str(Path(__file__).resolve()), "KRON_ACT_AS_RUSTDOC": "1"}
    options = ["-Z", "unstable-options", "--output-format", "json", "--cfg", "docsrs"]
    command = ["cargo", "rustdoc", "--locked", "--package", package, "--lib", "--all-features", "--", *options]
    subprocess.run(command, cwd=ROOT, env=env, check=True)
    metadata = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
    target = json.loads(subprocess.run(metadata, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)["target_directory"]
    return json.loads((Path(target) / "doc" / f"{package.replace('-', '_')}.json").read_text())


def functions(index: dict, root: int):
    """All public functions with their paths: free ones, those of types and those of traits."""
    pending, seen = [(root, "")], set()
    while pending:
        number, path = pending.pop()
        item = index.get(str(number))
        if item is None or number in seen:
            continue
        seen.add(number)
        kind, inner = next(iter(item["inner"].items()))
        name = f"{path}::{item['name']}" if path else item["name"] or ""
        if kind == "function":
            yield name, item
        elif kind == "use":
            pending.append((inner["id"], path))
        elif kind in ("module", "trait"):
            pending.extend((child, "" if number == root else name) for child in inner["items"])
        elif kind in ("struct", "enum", "union"):
            for block in inner["impls"]:
                block = index.get(str(block), {}).get("inner", {}).get("impl")
                if block and block["trait"] is None:
                    pending.extend((child, name) for child in block["items"])


def source(item: dict) -> str:
    span = item["span"]
    lines = (ROOT / span["filename"]).read_text().split("\n")[span["begin"][0] - 1 : span["end"][0]]
    return "\n".join(lines)


def is_accessor(item: dict) -> bool:
    inputs = item["inner"]["function"]["sig"]["inputs"]
    if [name for name, _ in inputs] != ["self"] or not item["inner"]["function"]["has_body"]:
        return False
    body = source(item).partition("{")[2].rpartition("}")[0]
    return ACCESSOR.fullmatch("".join(body.split())) is not None


def has_example(item: dict) -> bool:
    blocks = FENCE.findall(item["docs"] or "")
    return any(set(tags.split(",")) <= RUN and "assert" in code for tags, code in blocks)


def main() -> int:
    all_functions = []
    for package in PACKAGES:
        documentation = rustdoc_json(package)
        all_functions += sorted(functions(documentation["index"], documentation["root"]))
    missing = [(name, item) for name, item in all_functions if not has_example(item) and not is_accessor(item)]
    for name, item in missing:
        print(f"{item['span']['filename']}:{item['span']['begin'][0]}: {name} has no example that asserts something")
    print(f"{len(all_functions)} public functions, {len(missing)} without an example that need one")
    return 1 if missing or not all_functions else 0


if __name__ == "__main__":
    if os.environ.get("KRON_ACT_AS_RUSTDOC"):
        act_as_rustdoc()
    sys.exit(main())
