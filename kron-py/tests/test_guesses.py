"""What people guess who have not read the documentation works, or its error names the right word."""

from __future__ import annotations

import importlib.util
import typing

import pytest
from conftest import ROOT

_spec = importlib.util.spec_from_file_location("run_guesses", ROOT / "testing" / "guesses" / "python" / "run.py")
assert _spec is not None and _spec.loader is not None
run: typing.Any = importlib.util.module_from_spec(_spec)
# `dataclasses` looks the module of a class up.
import sys  # noqa: E402

sys.modules["run_guesses"] = run
_spec.loader.exec_module(run)

GUESSES = run.read()


def test_there_are_guesses_of_both_kinds() -> None:
    assert len(GUESSES) > 120 and sum(guess.works for guess in GUESSES) > 50 and sum(not guess.works for guess in GUESSES) > 50


@pytest.mark.parametrize("guess", GUESSES, ids=lambda guess: f"{guess.line}: {guess.title}")
def test_guess(guess: typing.Any) -> None:
    assert run.check(guess) is None


def test_the_runner_finds_what_is_wrong() -> None:
    make = run.Guess
    assert "must work" in run.check(make(1, "", "kron.parse('x')", True, "True"))
    assert "must contain" in run.check(make(1, "", "kron.parse('x')", False, "no such word"))
    assert "there was none" in run.check(make(1, "", "1 + 1", False, "x"))
    assert "not true" in run.check(make(1, "", "1 + 1", True, "_ == 3"))
    assert run.check(make(1, "", "1 + 1", True, "_ == 2")) is None
