"""Runs the guesses of ``guesses.txt``: each works, or its error contains the word that was needed.

    python testing/guesses/python/run.py
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import io
import pathlib
import sys
import typing

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Guess:
    """A guess and what must come of it."""

    #: Its line in the file.
    line: int
    #: Who guessed what.
    title: str
    code: str
    #: Whether it works.
    works: bool
    #: What is true if it works, or what the message of the error contains.
    expected: str


def read(path: pathlib.Path = HERE / "guesses.txt") -> list[Guess]:
    """The guesses of a file."""
    guesses = []
    # The first block is the description of the file.
    number = 1
    for index, block in enumerate(path.read_text(encoding="utf-8").split("\n\n")):
        lines = block.strip("\n").split("\n")
        first = number
        number += block.count("\n") + 2
        if index == 0:
            continue
        title, *code, outcome = lines
        arrow, kind, expected = outcome.split(" ", 2)
        if not title.startswith("# ") or arrow != "=>" or kind not in ("works:", "error:") or not code or not expected:
            raise ValueError(f"{path}:{first}: expected a title, code, and `=> works: ...` or `=> error: ...`")
        guesses.append(Guess(first, title.removeprefix("# "), "\n".join(code), kind == "works:", expected))
    return guesses


def check(guess: Guess) -> str | None:
    """What is wrong; ``None`` if the guess came to what it must."""
    names: dict[str, typing.Any] = {}
    exec((HERE / "prelude.py").read_text(encoding="utf-8"), names)
    body = ast.parse(guess.code).body
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for statement in body:
                if statement is body[-1] and isinstance(statement, ast.Expr):
                    names["_"] = eval(compile(ast.Expression(statement.value), "guess", "eval"), names)
                else:
                    exec(compile(ast.Module([statement], []), "guess", "exec"), names)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        if guess.works:
            return f"it must work, and raised {said}"
        return None if guess.expected in said else f"the error must contain {guess.expected!r}, and is {said}"
    if not guess.works:
        return f"the error must contain {guess.expected!r}, and there was none"
    return None if eval(guess.expected, names) else f"it is not true that {guess.expected}; the value is {names.get('_')!r}"


def main() -> int:
    """Prints the guesses that fail, and returns the exit code."""
    guesses = read()
    failed = 0
    for guess in guesses:
        wrong = check(guess)
        if wrong is not None:
            failed += 1
            print(f"guesses.txt:{guess.line}: {guess.title}: {wrong}")
    print(f"{len(guesses) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
