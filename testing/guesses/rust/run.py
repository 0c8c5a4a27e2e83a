#!/usr/bin/env python3
"""Checks what becomes of the guesses of people who do not know the Rust crates: testing/guesses/rust/guesses.txt.

    cargo build --workspace --all-features --message-format=json >build.json
    python3 testing/guesses/rust/run.py build.json

A guess works, and a condition holds afterwards; or the compiler names the right words. Guesses that work are one program, which is
run; the others are one file, whose errors are matched to the guesses by their lines. Both are compiled with the libraries of the
workspace's build, so nothing else is built.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GUESSES = Path(__file__).resolve().parent / "guesses.txt"
# Each library by its name, with a beginning of its version where the workspace has several.
LIBRARIES = {"kron_core": "", "kron_fleet": "", "chrono": "", "chrono_tz": "", "jiff": "1.", "serde_json": ""}

HEAD = """#![allow(warnings)]
use kron_core::plan::{Action, HostState, Plan};
use kron_core::*;
use kron_fleet::Fleet;

type Done = Result<(), Box<dyn std::error::Error>>;
"""
FIXTURES = """    let spec = JobSpec::parse("0 6 * * * @tz(Europe/Berlin) @win(after,2h)")?;
    let job = Job::new("web/report", spec.clone())?;
    let fleet = Fleet::new(vec![job.clone()])?;
    let now = chrono::DateTime::from_timestamp(1_772_350_000, 500_000_000).unwrap();
    let from = chrono::DateTime::from_timestamp(1_772_323_200, 0).unwrap();
    let to = chrono::DateTime::from_timestamp(1_772_496_000, 0).unwrap();
    let decision = job.next_start(from)?;
    let state = HostState::new(from);
    let plan = job.plan(&state, now);
"""


def read():
    """The guesses: name, code, whether it works, and the condition or the words."""
    guesses = []
    for block in GUESSES.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip().splitlines()
        if not lines or lines[0].startswith("#"):
            continue
        match = re.fullmatch(r"=> (works|error): (.*)", lines[-1])
        if not lines[0].startswith("// ") or not match:
            sys.exit(f"{GUESSES}: not a guess:\n{block}")
        guesses.append((lines[0][3:], "\n".join(lines[1:-1]), match.group(1) == "works", match.group(2)))
    return guesses


def libraries(messages):
    """The file of each library, by the messages of the build."""
    found, levels = {}, {}
    for line in Path(messages).read_text(encoding="utf-8").splitlines():
        message = json.loads(line)
        if message.get("reason") != "compiler-artifact" or "lib" not in message["target"]["kind"]:
            continue
        name = message["target"]["name"].replace("-", "_")
        version = message["package_id"].rpartition("@")[2].rpartition("#")[2]
        files = [file for file in message["filenames"] if file.endswith(".rlib")]
        # What build scripts use has a build of its own, which is not optimised.
        level = message["profile"]["opt_level"]
        if files and name in LIBRARIES and version.startswith(LIBRARIES[name]) and level >= levels.get(name, ""):
            found[name], levels[name] = files[0], level
    missing = LIBRARIES.keys() - found.keys()
    if missing:
        sys.exit(f"the build has no {', '.join(sorted(missing))}")
    return found


def compile_file(source, libs, output, *arguments):
    externs = [word for name, file in libs.items() for word in ("--extern", f"{name}={file}")]
    # Libraries of the workspace lie above the others.
    folder = Path(libs["chrono"]).parent
    command = ["rustc", "--edition", "2024", "--error-format=json", *arguments, *externs, "-L", f"dependency={folder}", "-o", output, source]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "RUST_BACKTRACE": "0"})
    messages = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    return run.returncode, [message for message in messages if message.get("level") == "error"]


def written(guesses):
    """The functions, and for each line its guess."""
    lines, owners = HEAD.splitlines(), {}
    for index, (_, code, works, wanted) in enumerate(guesses):
        body = [f"fn guess_{index}() -> Done {{", *FIXTURES.splitlines(), *(f"    {line}" for line in code.splitlines())]
        if works:
            body += [f"    assert!({wanted});"]
        for line in [*body, "    Ok(())", "}"]:
            lines.append(line)
            owners[len(lines)] = index
    return lines, owners


def by_guess(errors, owners):
    """The text of the errors of each guess, without the lines that quote it."""
    texts = {}
    for error in errors:
        places = [span["line_start"] for span in error["spans"] if span["is_primary"]] or [0]
        parts = [error["message"], *(span["label"] or "" for span in error["spans"])]
        stack = list(error["children"])
        while stack:
            child = stack.pop()
            parts += [child["message"], *(span.get("suggested_replacement") or "" for span in child["spans"])]
            stack += child["children"]
        texts.setdefault(owners.get(places[0]), []).append(" ".join(parts))
    return texts


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    guesses, libs, wrong = read(), libraries(sys.argv[1]), []
    works = [guess for guess in guesses if guess[2]]
    fails = [guess for guess in guesses if not guess[2]]
    if len(works) < 40 or len(fails) < 15:
        sys.exit(f"{len(works)} guesses that work and {len(fails)} that do not are too few")
    with tempfile.TemporaryDirectory() as folder:
        source, program = str(Path(folder) / "guesses.rs"), str(Path(folder) / "guesses")

        lines, owners = written(works)
        calls = [f'    println!("\\u{{1}}{{}} {{:?}}", {index}, std::panic::catch_unwind(|| guess_{index}().map_err(|error| error.to_string())));'
                 for index in range(len(works))]
        Path(source).write_text("\n".join([*lines, "fn main() {", *calls, "}"]) + "\n", encoding="utf-8")
        code, errors = compile_file(source, libs, program, "-C", "panic=unwind")
        for index, texts in by_guess(errors, owners).items():
            wrong.append(f"{works[index][0] if index is not None else 'the program'}: {'; '.join(texts)}")
        if code == 0:
            run = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
            results = [line[1:].split(" ", 1) for line in run.stdout.splitlines() if line.startswith("\1")]
            if len(results) != len(works):
                wrong.append(f"the program: {len(results)} results of {len(works)} guesses")
            for index, result in results:
                if result != "Ok(Ok(()))":
                    wrong.append(f"{works[int(index)][0]}: {result}; wanted {works[int(index)][3]}")

        lines, owners = written(fails)
        Path(source).write_text("\n".join(lines) + "\n", encoding="utf-8")
        _, errors = compile_file(source, libs, program, "--crate-type", "lib", "--emit", "metadata")
        found = by_guess(errors, owners)
        for index, (name, code, _, wanted) in enumerate(fails):
            texts = " ".join(found.get(index, []))
            if not texts:
                wrong.append(f"{name}: it compiles, or another error hides its own")
            elif wanted not in texts:
                wrong.append(f"{name}: wanted {wanted}, found: {texts}")
        for text in (text for text in found.get(None, []) if not text.startswith("aborting due to")):
            wrong.append(f"not of a guess: {text}")
    for line in wrong:
        print(line)
    print(f"{len(guesses) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
