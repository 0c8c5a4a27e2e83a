"""Errors: the core's message and data, in Python's types."""

from __future__ import annotations

import copy
import pickle
import typing

import kron
import pytest


class TestKronError:
    @pytest.mark.parametrize(("make", "code", "field", "span", "message"), [
        (lambda: kron.Cron("61 * * * *"), 103, "schedule.minute", (0, 2), "schedule.minute: `61` at column 1 is not in 0 to 59"),
        (lambda: kron.Cron("0 9 * * FRI-SUN"), 104, "schedule.dayOfWeek", (8, 15),
         "schedule.dayOfWeek: range `FRI-SUN` at column 9 runs backwards; write `FRI-7`"),
        (lambda: kron.Job("@daily @win(after,3x)", name="x"), 300, "window.duration", (18, 20), "window.duration: `3x` at column 19 is"),
        (lambda: kron.Window.parse("after,3x"), 300, "window.duration", (6, 8), "window.duration: `3x` at column 7 is"),
        (lambda: kron.Window("besides"), 302, "window.mode", (0, 7), "window.mode: "),
        (lambda: kron.Window("after", "8785h"), 305, "window.duration", None, "window.duration: `8785h0m0s` is longer than 8784h"),
        (lambda: kron.Job("@daily", name=""), 306, "name", (0, 0), "name: the name is empty"),
        (lambda: kron.Job("@daily", name="x" * 1025), 305, "name", (0, 1025), "name: "),
        (lambda: kron.Job("@daily", name="a\nb"), 306, "name", (0, 3), "name: "),
        (lambda: kron.Distribution.skew_early(0), 303, "distribution.params.shape", None, "distribution.params.shape: `0` "),
        (lambda: kron.Distribution.skew_late(float("nan")), 303, "distribution.params.shape", None, "distribution.params.shape: `NaN` "),
        (lambda: kron.Distribution.exponential(float("inf")), 303, "distribution.params.lambda", None, "distribution.params.lambda: `inf` "),
        (lambda: kron.Distribution.exponential(dir="up"), 302, "distribution.params.dir", (0, 2), "distribution.params.dir: "),
        (lambda: kron.Distribution.normal(sigma="0s"), 305, "distribution.params.sigma", None, "distribution.params.sigma: `sigma` must be"),
        (lambda: kron.Distribution.from_params("uniform", {"shape": "2"}), 304, "distribution.params", (0, 5), "distribution.params: "),
        (lambda: kron.Seed(salt="x" * 1025), 305, "seed.salt", (0, 1025), "seed.salt: "),
        (lambda: kron.Policy(deadline="-1s"), 300, "duration", (0, 3), "duration: `-1s` at column 1 is not a duration: a sign"),
        (lambda: kron.Clause(), 400, "", None, ""),
        (lambda: kron.Clause(hours="24"), 403, "hours", (0, 2), "hours: `24` at column 1"),
        (lambda: kron.Clause.from_parts({"hour": "1"}), 401, "", (0, 4), "unknown part `hour`"),
        (lambda: kron.Constraints(only=[{"hours": 1}] * 129), 405, "constraints.only", None, "constraints.only: "),
        (lambda: kron.Job("@daily", name="x", algorithm="md5"), 302, "algorithm", (0, 3), "algorithm: "),
        (lambda: kron.Job("@daily", name="x", distribution="normal", algorithm="sha256-splitmix64/1"), 307, "algorithm", None, "algorithm: "),
        (lambda: kron.Receipt.from_json("{"), 500, "", None, ""),
    ])
    def test_carries_the_cores_data(
        self, make: typing.Callable[[], object], code: int, field: str, span: tuple[int, int] | None, message: str
    ) -> None:
        with pytest.raises(kron.KronError) as caught:
            make()
        error = caught.value
        assert (error.code, error.field, error.span) == (code, field, span)
        assert str(error).startswith(message) and error.args == (str(error),)
        assert error.reason and (error.help is None or str(error).endswith(error.help))
        assert isinstance(error, ValueError)

    def test_the_span_is_of_bytes(self) -> None:
        text = "@daily @seed(stable,salt=\u00e9\u2603) @win(after,3x)"
        with pytest.raises(kron.KronError) as caught:
            kron.Job(text, name="x")
        assert caught.value.span is not None
        assert text.encode()[slice(*caught.value.span)] == b"3x" and "column 41" in str(caught.value)

    @pytest.mark.parametrize("copied", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
    def test_pickles(self, copied: typing.Callable[[kron.KronError], kron.KronError]) -> None:
        with pytest.raises(kron.KronError) as caught:
            kron.Cron("0 9 * * FRI-SUN")
        error, again = caught.value, copied(caught.value)
        assert type(again) is kron.KronError and vars(again) == vars(error) and str(again) == str(error)

    @pytest.mark.parametrize("text", ["\0", "\ud800", "\U0001f40d" * 100, "x" * 70_000, "@" * 1000, "(" * 1000, "\u202e* * * * *"])
    def test_nothing_crashes(self, text: str) -> None:
        for make in (kron.Cron, kron.Window.parse, kron.Seed.parse, kron.Policy.parse, kron.Constraints.parse,
                     kron.Distribution.parse, kron.Receipt.from_json, lambda text: kron.Job(text, name="x")):
            with pytest.raises((kron.KronError, UnicodeEncodeError)) as caught:
                make(text)
            assert len(str(caught.value)) < 1000


class TestLoadError:
    def test_has_all_errors(self) -> None:
        with pytest.raises(kron.LoadError) as caught:
            kron.loads("61 * * * * name=a\n@daily name=b\n@daily\n")
        error = caught.value
        assert [(it.line, it.code) for it in error.errors] == [(1, 103), (3, 210)]
        assert (error.code, error.line, error.span, error.document) == (103, 1, (0, 2), None)
        assert str(error) == "\n".join(str(it) for it in error.errors)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kron.LoadError and [str(it) for it in again.errors] == [str(it) for it in error.errors]
